"""A kit made in a real browser: every answer is checked at once, drawings show, its file is kept."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from playwright.sync_api import expect

from hardware import kits
from tests.browser.house import Phone
from tests.browser.test_pages import Looker

LOADED = "all => all.map(one => one.complete && one.naturalWidth > 0)"


def test_a_kit_is_made_by_taps(phone: Callable[..., Phone], shots: Path) -> None:
    host, looker = phone(has_touch=True), Looker(shots)
    host.host()
    host.goto("/kits/make")
    verdict = host.page.get_by_role("status")
    expect(verdict).to_contain_text("This can be built")
    expect(verdict).to_be_in_viewport()
    host.page.get_by_label("A button for each row and column").check()
    host.page.get_by_role("checkbox", name="BACK").uncheck()
    host.page.get_by_label("Two chains").check()
    host.page.get_by_label("How wide is the real board").fill("360")
    host.page.get_by_label("What is this kit called?").fill("attic")
    host.page.get_by_label("What is this kit called?").blur()
    pictures = host.page.locator(".paper-sheet img")
    expect(pictures).to_have_count(2)
    pictures.last.scroll_into_view_if_needed()
    host.page.wait_for_function(
        "() => [...document.querySelectorAll('.paper-sheet img')].every(one => one.complete)"
    )
    assert pictures.evaluate_all(LOADED) == [True, True]
    looker.look(host, "kit-made")
    # What does not go is said where one looks, and taken back with one tap.
    host.page.get_by_label("The library neopixel").check()
    expect(verdict).to_contain_text("two chains")
    expect(verdict).to_be_in_viewport()
    expect(host.button("Keep this kit")).to_have_count(0)
    host.page.get_by_label("SPI: every Pi").check()
    expect(verdict).to_contain_text("This can be built")
    host.page.reload()
    expect(host.page.get_by_role("checkbox", name="BACK")).not_to_be_checked()
    host.button("Keep this kit").click()
    expect(host.button("Use it now")).to_be_visible()
    kit = kits.read(host.house.state / "kits" / "attic.toml")
    assert kit.line_buttons
    assert kit.second_chain
    assert set(kit.buttons) == {"ok", "peek"}
