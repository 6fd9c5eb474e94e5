"""The companion in a chair: people hunt its ghosts, and it plays for somebody until they are back."""

from __future__ import annotations

import random
import re
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from playwright.sync_api import expect

from tests.browser.house import LAPTOP, House, Phone, forge
from tests.browser.test_evening import begin, hide_the_ghosts, layout, seated

Phones = Callable[..., Phone]
BOT_MOVES = 20_000
"""Milliseconds for several bots that think one after the other."""


@pytest.fixture(autouse=True)
def nobody_else_is_here(house: House) -> Iterator[None]:
    """Each evening begins in an empty house."""
    yield
    house.empty()


def against_the_ghosts(phone: Phones, **options: str) -> dict[str, Phone]:
    """Three people who play: the host and a friend hunt, and another leads ghosts beside the companion's."""
    host = phone()
    code = host.host()
    chair = host.page.locator(".seats").first.locator("li").nth(1)
    chair.locator("summary").click()
    chair.get_by_role("button", name="The companion: normal").click()
    expect(chair).to_contain_text("the companion")
    people = {"p1": host, "p3": phone(), "p4": phone()}
    for seat, name in (("p3", "Maximilienne-Antoinette"), ("p4", "Jürgen")):
        people[seat].join(code, name)
        people[seat].sit(seat)
    host.goto("/play")
    host.sit("p1")
    host.goto("/host")
    # Whoever plays is led to their seat.
    assert forge(host.page, "/host/start", "#plan", **options)[0] == 204
    host.goto("/play")
    return people


def lit(one: Phone) -> None:
    """Wait until the companion has moved and this phone may act."""
    expect(one.page.locator(".turn.lit, .won")).to_have_count(1, timeout=BOT_MOVES)


def next_of(people: dict[str, Phone]) -> str:
    """Who may act, once the companion has moved; nobody when the game is over."""
    end = time.monotonic() + BOT_MOVES / 1000
    while time.monotonic() < end:
        for seat, one in people.items():
            if one.page.locator(".won").count():
                return ""
            if one.may_act():
                return seat
        next(iter(people.values())).page.wait_for_timeout(50)
    raise AssertionError("nobody may act")


def hide_two(master: Phone, chance: random.Random) -> None:
    """Of whatever colours the companion leaves: a tile of another one is refused."""
    lit(master)
    while master.page.locator(".step-hiding").count():
        master.choose(chance.choice(master.rooms()))
        if master.confirm("Hide it"):
            expect(master.page.locator("#act input:checked")).to_have_count(0)


def hunts(hunter: Phone, table: Phone, chance: random.Random) -> None:
    """Lift a tile where the map says that somebody can be; the screen for all has the same map."""
    expect(hunter.page.locator(".map-told")).to_be_visible()
    veiled = hunter.page.locator(".tile:has(.veil) input[data-room], .tile:has(.veil)[data-room]")
    cannot = {int(room) for room in veiled.evaluate_all("all => all.map((one) => one.dataset.room)")}
    choices = hunter.rooms()
    assert cannot < set(choices), "somebody can be somewhere"
    expect(table.page.locator(".veil")).to_have_count(hunter.page.locator(".veil").count())
    hunter.take(chance.choice([room for room in choices if room not in cannot]), "Lift it")


def test_three_people_play_with_the_companions_ghosts_and_the_map(phone: Phones, shots: Path) -> None:
    chance = random.Random(8)
    aids = {"option-map": "possible", "option-objective": "30"}
    people = against_the_ghosts(phone, **{"option-layout": layout(chance), **aids})
    table = phone(viewport=LAPTOP)
    table.goto("/table")
    hide_two(people["p4"], chance)
    moved = dict.fromkeys(people, 0)
    while (seat := next_of(people)) and sum(moved.values()) < 40:
        mover = people[seat]
        if seat == "p4":
            expect(mover.page.locator(".veil, .map-told")).to_have_count(0)
            mover.take(chance.choice(mover.in_reach()), "Wreck it")
        else:
            if moved[seat] == 1:
                (shots / f"bots-map-{seat}.png").write_bytes(mover.page.screenshot(full_page=True))
                (shots / "bots-map-table.png").write_bytes(table.page.screenshot())
            hunts(mover, table, chance)
        moved[seat] += 1
    assert all(moved.values()), moved
    for one in people.values():
        one.heading(re.compile("The (ghosts|hunters) win"))
        expect(one.page.locator(".characters li")).to_have_count(1)
    (shots / "bots-result.png").write_bytes(people["p1"].page.screenshot(full_page=True))


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
    hunter.take(hunter.rooms()[0], "Lift it")
    lit(hunter)
    left = hunter.rooms()
    assert len(left) == 33
    # Back by one tap, in the hunter's turn.
    master.button("I am back: ghost master", exact=False).click()
    expect(master.page.locator(".board")).to_be_visible()
    for one in (hunter, master):
        one.button("Got it").click()
    hunter.take(left[-1], "Lift it")
    master.heading("Your turn, Hamish")
    assert master.in_reach()
    assert set(master.in_reach()) < set(left)
    (shots / "bots-back.png").write_bytes(master.page.screenshot())
    master.take(master.in_reach()[0], "Wreck it")
    lit(hunter)
