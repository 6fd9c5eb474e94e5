"""What the companion did, hands do on the real board: asked for on every screen, and nothing jumps for it."""

from __future__ import annotations

import random
import re
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
    headline = master.page.get_by_role("heading", level=1).bounding_box()
    assert headline
    assert box["y"] + box["height"] <= headline["y"] + 4, "whose turn it is stays in sight"
    (shots / "moment-in-ones-turn.png").write_bytes(master.page.screenshot())
    assert abs(top() - before) <= 1
    master.button("Got it").click()
    expect(master.page.locator(".moment")).to_have_count(0)
    assert abs(top() - before) <= 1


@pytest.mark.parametrize("seat", ["p1", "host"])
def test_a_card_comes_to_whoever_has_scrolled_away(phone: Phones, seat: str) -> None:
    chance = random.Random(7)
    host, phones = seated(phone, 2)
    begin(host, **{"option-layout": layout(chance)})
    hide_the_ghosts([phones["p2"]], chance, 4)
    one = {"host": host, **phones}[seat]
    one.heading(re.compile("Hamish"))
    one.page.set_viewport_size({"width": 360, "height": 500})
    one.page.evaluate("scrollTo(0, 250)")
    assert phones["p2"].page.locator("input#room-1").count()
    phones["p2"].take(phones["p2"].in_reach()[0], "Wreck it")
    assert forge(host.page, "/host/seat", "form", seat="p2", bot="random")[0] == 200
    card = one.page.locator(".moment").first
    expect(card).to_be_visible()
    expect(card).to_be_in_viewport(ratio=1)


def test_whoever_did_it_need_not_tap_away_that_they_did(phone: Phones) -> None:
    host, phones = seated(phone, 2)
    host.page.locator("#plan input[name=players]")
    host.button("Begin").click()
    host.heading("The hotel is being made ready")
    host.button("Deal everything now").click()
    for one in phones.values():
        expect(one.page.locator(".moment")).to_contain_text("let chance deal")
    expect(host.page.locator(".moment")).to_have_count(0)


def test_a_refusal_is_seen_wherever_the_host_has_scrolled_to(phone: Phones) -> None:
    host, _ = seated(phone, 2)
    host.page.locator("#rules summary").click()
    field = host.page.locator("input[name=option-objective]")
    field.fill("lots")
    field.press("Tab")
    alert = host.page.get_by_role("alert")
    expect(alert).to_be_visible()
    expect(alert).to_be_in_viewport(ratio=1)


def test_nothing_begins_before_there_are_chairs(phone: Phones) -> None:
    host = phone()
    host.host()
    guest = phone()
    guest.join(host.page.locator(".bigcode").inner_text(), "Ada")
    host.page.locator("button[name=game][value=canterville]").click()
    guest.heading("The host prepares the game")
    expect(host.button("Begin")).to_have_count(0)
    for field in host.page.locator("form[action='/host/animals'] input[inputmode]").all():
        field.fill("3")
    host.page.locator("form[action='/host/animals'] button").click()
    guest.heading("Where will you sit?")
    expect(host.page.locator(".begin summary")).to_be_visible()
