"""The hunters' map, the pencil and a hint, by taps on a phone."""

from __future__ import annotations

import random
import signal
from collections.abc import Callable

from playwright.sync_api import expect

from tests.browser.house import House, Phone
from tests.browser.test_evening import begin, hide_the_ghosts, layout, seated

SMALL = {"width": 360, "height": 640}


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
    hunter.take(lifted, "Remove it")
    expect(page.locator(".hint-said")).to_have_count(0)
