"""An evening of The Phantom Society, from the first page to the story at the end."""

from __future__ import annotations

import random
import re
from collections.abc import Callable

from playwright.sync_api import expect

from tests.browser.house import Phone

Phones = Callable[..., Phone]
SEATS = ("p1", "p2", "p3", "p4")
NAMES = {"p1": "Ada", "p2": "Hamish", "p3": "Zoé", "p4": "Jürgen"}


def seated(phone: Phones, players: int, **plan: str) -> tuple[Phone, dict[str, Phone]]:
    """A host and the players on their chairs; the game has not begun."""
    host = phone()
    code = host.host()
    host.page.locator(f"#plan input[name=players][value='{players}']").check(force=True)
    expect(host.page.locator(".seats").first.locator("li")).to_have_count(players)
    for name, value in plan.items():
        host.page.locator(f"#plan input[name={name}][value={value}]").check(force=True)
    phones = {}
    for seat in SEATS[:players]:
        phones[seat] = phone()
        phones[seat].join(code, NAMES[seat])
        phones[seat].sit(seat)
    return host, phones


def lay_the_board(phones: dict[str, Phone], chance: random.Random) -> None:
    """Everybody lays tiles in turn until the hotel is full."""
    for room in chance.sample(range(1, 37), 36):
        mover = next_to_act(phones)
        if not mover.page.locator("#lay input[name=colour]:checked + *").count():
            mover.page.locator("#lay input[name=colour]").first.check(force=True)
        mover.lay(chance.randint(1, 6), room)


def next_to_act(phones: dict[str, Phone]) -> Phone:
    """Whoever's headline is lit; the push may take a moment."""
    for _ in range(200):
        for one in phones.values():
            if one.may_act():
                return one
        next(iter(phones.values())).page.wait_for_timeout(20)
    raise AssertionError("nobody may act")


def hide_the_ghosts(masters: list[Phone], chance: random.Random, each: int) -> None:
    """Masters hide their ghosts, each under a tile of its own colour."""
    colours = ["blue", "red", "green", "white"]
    for master in masters:
        for colour in [colours.pop() for _ in range(each)]:
            tiles = master.page.locator(f".tile.w-{colour} input")
            tiles.nth(chance.randrange(tiles.count())).check(force=True)
            master.confirm("Hide it")
            expect(master.page.locator("#act input:checked")).to_have_count(0)


def hunt(phones: dict[str, Phone], chance: random.Random, masters: tuple[str, ...], most: int = 60) -> None:
    """Play to the end: masters wreck what they reach, hunters lift what they like."""
    for _ in range(most):
        if any(one.page.locator(".won").count() for one in phones.values()):
            return
        mover = next_to_act(phones)
        seat = next(seat for seat, one in phones.items() if one is mover)
        rooms = mover.in_reach() if seat in masters else mover.rooms()
        if rooms:
            mover.take(chance.choice(rooms), "Wreck it" if seat in masters else "Remove it")
        else:
            mover.button("Nothing in reach: pass").click()
            mover.page.wait_for_timeout(50)
    raise AssertionError("the game does not end")


def test_four_players_and_a_host_play_from_the_link_to_the_story(phone: Phones) -> None:
    chance = random.Random(11)
    host, phones = seated(phone, 4)
    host.button("Begin").click()
    lay_the_board(phones, chance)
    host.heading("The hotel is being made ready")
    hide_the_ghosts([phones["p2"], phones["p4"]], chance, 2)
    phones["p2"].heading("Your turn, Hamish")
    phones["p1"].heading("Hamish haunts")
    hunt(phones, chance, ("p2", "p4"))
    for one in phones.values():
        one.heading(re.compile("The (ghosts|hunters) win"))
        expect(one.page.locator(".fates li")).to_have_count(4)
        expect(one.page.get_by_role("heading", name="The story")).to_be_visible()
    host.heading("The game is over")
