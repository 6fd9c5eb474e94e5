"""What a house keeps, on a phone: a box made here and kept there, a copy of everything, the home screen."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, expect

from tests.browser.house import LAPTOP, PHONE, House, Phone
from web.admin import sharing

Phones = Callable[..., Phone]
CONTRAST = {"runOnly": ["color-contrast"]}
VALUES = {"blue": "112233456", "red": "111223345", "green": "122334456", "white": "123456123"}


@pytest.fixture
def friends(tmp_path: Path) -> Iterator[House]:
    """Another family's house."""
    opened = House(tmp_path)
    yield opened
    opened.stop()


@pytest.fixture
def friend(browser: Browser, friends: House) -> Iterator[Phone]:
    """The phone that hosts there."""
    phone = Phone(browser, friends)
    phone.host("Jürgen")
    yield phone
    phone.close()


def looked_at(one: Phone, shots: Path, name: str) -> None:
    """Take pictures, and have axe look, in the dark and in the light."""
    for scheme, rules in (("light", CONTRAST), ("dark", {})):
        one.page.emulate_media(color_scheme=scheme)
        (shots / f"{name}-{scheme}.png").write_bytes(one.page.screenshot(full_page=True))
        found = Axe().run(one.page, options=rules)
        assert found.violations_count == 0, f"{name}: {found.generate_report()}"
    for size in (LAPTOP, PHONE):
        one.page.set_viewport_size(size)
        assert one.page.evaluate("document.documentElement.scrollWidth - innerWidth") <= 0, name


def small_targets(one: Phone) -> list[str]:
    """What a thumb would miss: links, buttons and fields under 44 pixels."""
    script = """all => all.filter(e => e.type !== "hidden" && e.checkVisibility())
        .filter(e => e.getBoundingClientRect().height < 44).map(e => e.outerHTML.slice(0, 80))"""
    found: list[str] = one.page.locator("main :is(a, button, input, select)").evaluate_all(script)
    return found


def test_a_box_made_on_a_phone_is_kept_at_another_house(phone: Phones, friend: Phone, shots: Path) -> None:
    host = phone()
    host.host()
    host.page.get_by_role("link", name="Boxes: what is printed on yours").click()
    looked_at(host, shots, "boxes-none")
    host.page.locator("a[href='/boxes/new?game=artefacts']").click()
    tallies = host.page.locator(".tally")
    host.page.locator("[name=plain-NESW]").fill("43")
    host.page.locator("[name=artefact-blue]").select_option("NES")
    expect(tallies.first).to_have_text("44 of 48")
    host.page.locator("[name=trapcard-hole]").fill("12")
    expect(tallies.last).to_have_text("✓ 12 of 12")
    looked_at(host, shots, "boxes-artefacts")
    host.goto("/boxes/new?game=phantom")
    host.page.get_by_label("Name of the box").fill("Our box")
    for colour, values in VALUES.items():
        host.page.locator(f"[name=tiles-{colour}]").fill(values)
    expect(tallies).to_have_text(["✓ 9 of 9"] * 4)
    for room in range(1, 37):
        host.page.locator(f"[name=name-{room}]").fill(str(100 + room))
    host.page.get_by_label("far right").check(force=True)
    assert small_targets(host) == []
    host.button("Keep this box").click()
    expect(host.page.locator(".bigqr")).to_be_visible()
    looked_at(host, shots, "boxes-one")
    text = host.page.get_by_label("The same as text").input_value()
    with host.page.expect_download() as download:
        host.page.get_by_role("link", name="As a file").click()

    # By a camera: looked at first, kept when the host says so.
    friend.goto(sharing.link("/boxes/import", text).removeprefix(sharing.HOUSE))
    friend.heading("Our box")
    looked_at(friend, shots, "boxes-offered")
    friend.button("Keep it").click()
    expect(friend.page.locator("[name=tiles-red]")).to_have_value(VALUES["red"])
    expect(friend.page.locator("[name=name-36]")).to_have_value("136")
    expect(friend.page.get_by_label("far right")).to_be_checked()
    # By a file: there is one of this name by now.
    friend.goto("/boxes")
    friend.page.get_by_label("From a file").set_input_files(download.value.path())
    friend.button("Look into it").click()
    friend.page.get_by_label("Name of the box").fill("Mrs Kerr’s")
    friend.button("Keep it").click()
    friend.goto("/boxes")
    expect(friend.page.get_by_role("link", name="Mrs Kerr’s")).to_be_visible()
    looked_at(friend, shots, "boxes-two")


def test_everything_goes_to_a_phone_and_comes_back_on_a_new_card(
    phone: Phones, friend: Phone, shots: Path
) -> None:
    host = phone()
    host.host()
    host.goto("/boxes/new?game=canterville")
    host.page.get_by_label("Name of the box").fill("From the attic")
    for animal in ("bats", "cats", "hedgehogs", "mice", "owls"):
        host.page.locator(f"[name={animal}]").fill("4")
    looked_at(host, shots, "boxes-canterville")
    host.button("Keep this box").click()
    host.goto("/host")
    host.page.get_by_role("link", name="Backup").click()
    looked_at(host, shots, "backup")
    with host.page.expect_download() as download:
        host.button("Save to this phone").click()
    assert download.value.suggested_filename.endswith(".zip")

    friend.goto("/backup")
    friend.page.get_by_label("A file that was saved here").set_input_files(download.value.path())
    friend.button("Look into it").click()
    friend.heading("Replace what is here with this?")
    looked_at(friend, shots, "backup-offered")
    friend.button("Restore it").click()
    friend.heading("The companion starts again")
    # The daemon itself has closed and opened again; this phone is host there still.
    friend.page.wait_for_url("**/host")
    friend.goto("/boxes")
    expect(friend.page.get_by_role("link", name="From the attic")).to_be_visible()


def test_on_a_home_screen_a_house_that_does_not_answer_says_so(phone: Phones, house: House) -> None:
    """Where the browser allows a worker; it keeps no page and no stream."""
    one = phone(locale="fr", service_workers="allow")
    one.goto("/")
    one.page.evaluate("navigator.serviceWorker.ready.then(() => true)")
    one.goto("/demo")
    house.stop()
    try:
        one.goto("/demo")
        one.heading("Le compagnon ne répond pas")
        kept: list[str] = one.page.evaluate(
            """async () => (await Promise.all((await caches.keys()).map(async (name) =>
                (await (await caches.open(name)).keys()).map(({url}) => new URL(url).pathname)))).flat()"""
        )
        assert "/asleep" in kept
        assert [path for path in kept if not path.startswith("/static/")] == ["/asleep"]
    finally:
        house.start()
    one.page.get_by_role("link", name="Réessayer").click()
    expect(one.page.locator("#live")).to_be_visible()
