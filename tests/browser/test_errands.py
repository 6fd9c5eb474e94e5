"""What the companion did, hands do on the real board: asked for on every screen, and nothing jumps for it."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from playwright.sync_api import expect

from tests.browser.house import LAPTOP, House, Phone, forge
from tests.browser.test_evening import begin, hide_the_ghosts, layout, seated

Phones = Callable[..., Phone]


@pytest.fixture(autouse=True)
def nobody_else_is_here(house: House) -> Iterator[None]:
    yield
    house.empty()


def test_a_room_that_the_companion_wrecks_is_lifted_by_hand_and_said_to_be_done(
    phone: Phones, shots: Path
) -> None:
    chance = random.Random(5)
    host, phones = seated(phone, 2)
    begin(host, **{"option-layout": layout(chance)})
    hunter, master = phones["p1"], phones["p2"]
    hide_the_ghosts([master], chance, 4)
    table = phone(viewport=LAPTOP)
    table.goto("/table")
    chair = host.page.locator(".seats").first.locator("li").nth(1)
    chair.locator("summary").click()
    chair.get_by_role("button", name="The companion: normal").click()
    for one in (hunter, table):
        expect(one.page.locator(".errand")).to_contain_text("Lift the tile on room")
    assert table.page.locator(".errand form").count() == 0, "a screen that nobody has joined on"
    table.page.evaluate("() => { const now = Date.now; Date.now = () => now() + 60_000; }")
    assert forge(host.page, "/host/pause", "form")[0] == 200
    expect(table.page.get_by_text("paused").first).to_be_visible()
    expect(table.page.locator(".errand")).to_be_visible()
    assert forge(host.page, "/host/resume", "form")[0] == 200
    (shots / "errand-hunter.png").write_bytes(hunter.page.screenshot())
    (shots / "errand-table.png").write_bytes(table.page.screenshot())
    hunter.button("Done").click()
    for one in (hunter, table):
        expect(one.page.locator(".errand")).to_have_count(0)


def test_a_card_that_comes_or_goes_does_not_move_the_board_under_a_finger(phone: Phones, shots: Path) -> None:
    chance = random.Random(6)
    host, phones = seated(phone, 2)
    begin(host, **{"option-layout": layout(chance)})
    master = phones["p2"]
    hide_the_ghosts([master], chance, 4)
    master.heading("Your turn, Hamish")

    def top() -> float:
        box = master.page.locator(".board").bounding_box()
        assert box
        return box["y"]

    before = top()
    assert forge(host.page, "/host/seat", "form", seat="p1", bot="random")[0] == 200
    card = master.page.locator(".moments")
    expect(card).to_be_in_viewport()
    box = card.bounding_box()
    assert box
    assert box["y"] + box["height"] <= before, "it does not lie over the board either"
    (shots / "moment-in-ones-turn.png").write_bytes(master.page.screenshot())
    assert abs(top() - before) <= 1
    master.button("Got it").click()
    expect(master.page.locator(".moment")).to_have_count(0)
    assert abs(top() - before) <= 1
