"""The companion in a chair: people hunt its ghosts, and it plays for somebody until they are back."""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from playwright.sync_api import expect

from tests.browser.house import LAPTOP, House, Phone
from tests.browser.test_evening import begin, hide_the_ghosts, layout, seated

Phones = Callable[..., Phone]
BOT_MOVES = 20_000
"""Milliseconds for several bots that think one after the other."""


@pytest.fixture(autouse=True)
def nobody_else_is_here(house: House) -> Iterator[None]:
    """Each evening begins in an empty house."""
    yield
    house.empty()


def against_the_ghosts(phone: Phones) -> tuple[Phone, dict[str, Phone]]:
    """A host, who lets the companion play the ghosts, and two hunters on the chairs that are left."""
    host = phone()
    code = host.host()
    host.page.get_by_text("The companion plays the ghosts").click()
    expect(host.page.locator("select[name=level]")).to_be_visible()
    hunters = {"p1": phone(), "p3": phone()}
    for (seat, one), name in zip(hunters.items(), ("Maximilienne-Antoinette", "Zoé"), strict=True):
        one.join(code, name)
        one.sit(seat)
    return host, hunters


def lit(one: Phone) -> None:
    """Wait until the companion has moved and this phone may act."""
    expect(one.page.locator(".turn.lit, .won")).to_have_count(1, timeout=BOT_MOVES)


def test_three_people_hunt_the_companions_ghosts_with_the_map(phone: Phones, shots: Path) -> None:
    chance = random.Random(8)
    host, hunters = against_the_ghosts(phone)
    begin(host, **{"option-layout": layout(chance), "option-map": "possible", "option-objective": "30"})
    table = phone(viewport=LAPTOP)
    table.goto("/table")
    for turn in range(20):
        mover = hunters["p1" if turn % 2 else "p3"]
        lit(mover)
        if mover.page.locator(".won").count():
            break
        expect(mover.page.locator(".map-told")).to_be_visible()
        cannot = {
            int(room)
            for room in mover.page.locator(".tile:has(.veil) input[data-room]").evaluate_all(
                "all => all.map((one) => one.dataset.room)"
            )
        }
        choices = mover.rooms()
        assert cannot < set(choices), "somebody can be somewhere"
        # The screen for all has the same map.
        expect(table.page.locator(".veil")).to_have_count(mover.page.locator(".veil").count())
        if turn == 3:
            (shots / "bots-map-hunter.png").write_bytes(mover.page.screenshot(full_page=True))
            (shots / "bots-map-table.png").write_bytes(table.page.screenshot())
        mover.take(chance.choice([room for room in choices if room not in cannot]), "Remove it")
    for one in hunters.values():
        one.heading(re.compile("The (ghosts|hunters) win"))
        expect(one.page.locator(".characters li")).to_have_count(2)
    (shots / "bots-result.png").write_bytes(hunters["p1"].page.screenshot(full_page=True))


def test_the_companion_plays_for_somebody_who_leaves_until_they_are_back(phone: Phones, shots: Path) -> None:
    chance = random.Random(4)
    host, phones = seated(phone, 2)
    begin(host, **{"option-layout": layout(chance)})
    hunter, master = phones["p1"], phones["p2"]
    hide_the_ghosts([master], chance, 4)
    chair = host.page.locator(".seats").first.locator("li").nth(1)
    chair.locator("summary").click()
    chair.get_by_role("button", name="The companion: normal").click()
    # His page closes at once, the companion wrecks in his place, and the hunter is told.
    expect(master.page.locator(".tile.reach")).to_have_count(0)
    lit(hunter)
    (shots / "bots-replaced-hunter.png").write_bytes(hunter.page.screenshot())
    hunter.button("Got it").click()
    master.button("Got it").click()
    expect(master.button("I am back: ghost master", exact=False)).to_be_visible()
    (shots / "bots-replaced-master.png").write_bytes(master.page.screenshot())
    assert len(hunter.rooms()) == 35
    hunter.take(hunter.rooms()[0], "Remove it")
    lit(hunter)
    left = hunter.rooms()
    assert len(left) == 33
    # Back by one tap, in the hunter's turn.
    master.button("I am back: ghost master", exact=False).click()
    expect(master.page.locator(".board")).to_be_visible()
    for one in (hunter, master):
        one.button("Got it").click()
    hunter.take(left[-1], "Remove it")
    master.heading("Your turn, Hamish")
    assert master.in_reach()
    assert set(master.in_reach()) < set(left)
    (shots / "bots-back.png").write_bytes(master.page.screenshot())
    master.take(master.in_reach()[0], "Wreck it")
    lit(hunter)
