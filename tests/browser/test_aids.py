"""The hunters' map, the pencil and a hint, by taps on a phone."""

from __future__ import annotations

import random
import signal
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from playwright.sync_api import expect

from tests.browser import test_castles as castles
from tests.browser.house import LAPTOP, House, Phone
from tests.browser.test_evening import begin, hide_the_ghosts, layout, seated

SMALL = {"width": 360, "height": 640}


@pytest.fixture(autouse=True)
def nobody_else_is_here(house: House) -> Iterator[None]:
    """Each evening begins in an empty house."""
    yield
    house.empty()


def test_a_hunter_reads_the_map_writes_with_the_pencil_and_asks_for_a_hint(
    phone: Callable[..., Phone], house: House
) -> None:
    chance = random.Random(4)
    host, phones = seated(phone, 2)
    aids = {"option-map": "possible", "option-hints": "true"}
    begin(host, **{"option-layout": layout(chance), **aids})
    hunter, master = phones["p1"], phones["p2"]
    hide_the_ghosts([master], chance, 4)
    master.take(master.in_reach()[0], "Wreck it")
    page = hunter.page
    page.set_viewport_size(SMALL)
    expect(page.locator(".map-told")).to_contain_text("nobody")
    lifted = hunter.rooms()[0]
    page.get_by_text("Pencil", exact=True).click()
    # While the pencil is out a tap writes, and chooses nothing.
    safe, doubtful = hunter.rooms()[-1], hunter.rooms()[-8]
    page.locator(f"#room-{safe}").click()
    expect(page.locator(".sign-pencil")).to_have_count(1)
    page.get_by_role("radio", name="perhaps the red ghost").check(force=True)
    page.locator(f"#room-{doubtful}").click()
    expect(page.locator(".sign-pencil")).to_have_count(2)
    assert page.locator("#act input:checked").count() == 0
    tray = page.locator(".pencil").bounding_box()
    board = page.locator(".board").bounding_box()
    assert tray
    assert board
    assert board["y"] + board["height"] <= tray["y"], "the tray covers the board"
    page.get_by_text("Put it away").click()
    house.stop(signal.SIGKILL)
    house.start()
    page.reload()
    page.get_by_text("2 pencil marks").click()
    expect(page.locator(".marks li").first).to_be_visible()
    assert {f"room {safe}: nobody there", f"room {doubtful}: perhaps the red ghost"} == set(
        page.locator(".marks li").all_inner_texts()
    )
    expect(master.page.locator(".sign-pencil, .veil, .map-told")).to_have_count(0)
    hunter.button("Ask for a hint").click()
    expect(page.locator(".hint-said")).to_contain_text("Room")
    hunter.take(lifted, "Lift it")
    expect(page.locator(".hint-said")).to_have_count(0)


def test_a_hunter_in_the_castle_reads_the_map_writes_on_any_room_and_asks_for_a_hint(
    phone: Callable[..., Phone], shots: Path
) -> None:
    aids = {"option-map": "likely", "option-hints": "true"}
    _, phones = castles.seated(phone, "demo", **aids)
    castles.placed(phones, {"h1": ("a", 1), "h2": ("b", 4), "h3": ("c", 31)}, start=42)
    ghost, hunter = phones["max"], phones["h1"]
    table = phone(viewport=LAPTOP)
    table.goto("/table")
    castles.tap(ghost, "go", 43)
    castles.turn(hunter, "hunters")
    page = hunter.page
    page.set_viewport_size(SMALL)
    expect(page.locator(".map-told")).to_be_visible()
    expect(page.locator(".veil")).to_have_count(table.page.locator(".veil").count())
    assert 30 < page.locator(".veil").count() < 54
    page.get_by_text("Pencil", exact=True).click()
    # Rooms that cannot be tapped for anything can be written on, also under a figure that is to move.
    page.locator(".to-mark[data-room='1']").click()
    expect(page.locator(".sign-pencil")).to_have_count(1)
    page.get_by_role("radio", name="perhaps Max").check(force=True)
    page.locator(".to-mark[data-room='43']").click()
    expect(page.locator(".sign-pencil .gh.max")).to_have_count(1)
    assert page.locator("#act input:checked").count() == 0
    page.evaluate("scrollTo(0, document.body.scrollHeight)")
    tray, board = page.locator(".pencil").bounding_box(), page.locator(".castle").bounding_box()
    assert tray
    assert board
    assert board["y"] + board["height"] <= tray["y"], "the tray covers the castle"
    page.evaluate("scrollTo(0, 0)")
    (shots / "castle-pencil.png").write_bytes(page.screenshot())
    page.get_by_text("Put it away").click()
    castles.clean(hunter)
    hunter.button("Ask for a hint").click()
    expect(page.locator(".hint-said")).to_be_visible()
    (shots / "castle-map-hunter.png").write_bytes(page.screenshot(full_page=True))
    (shots / "castle-map-table.png").write_bytes(table.page.screenshot())
    expect(ghost.page.locator(".sign-pencil, .veil, .map-told, .to-mark")).to_have_count(0)
    expect(table.page.locator(".sign-pencil")).to_have_count(0)
    page.get_by_text("2 pencil marks").click()
    assert page.locator(".marks li").all_inner_texts() == ["room 1: nobody there", "room 43: perhaps Max"]
