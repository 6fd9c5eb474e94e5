"""An evening of The Phantom Society, from the first page to the story at the end."""

from __future__ import annotations

import json
import random
import re
from collections.abc import Callable, Iterator

import pytest
from playwright.sync_api import expect

from tests.browser.house import House, Phone, forge

Phones = Callable[..., Phone]
SEATS = ("p1", "p2", "p3", "p4")
NAMES = {"p1": "Ada", "p2": "Hamish", "p3": "Zoé", "p4": "Jürgen"}


@pytest.fixture(autouse=True)
def nobody_else_is_here(house: House) -> Iterator[None]:
    """Each evening begins in an empty house."""
    yield
    house.empty()


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
            mover.take(chance.choice(rooms), "Wreck it" if seat in masters else "Lift it")
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


def test_master_game_with_sealed_bids_decides_who_the_ghosts_are(phone: Phones) -> None:
    chance = random.Random(5)
    host, phones = seated(phone, 4)
    begin(host, **{"option-master_game": "true", "option-layout": layout(chance)})
    for one in phones.values():
        one.heading(re.compile("Your turn"))
    low = bid(phones["p1"], 0)
    phones["p3"].heading("Bids are being sealed")
    assert str(low) not in phones["p2"].page.locator("main .turn").inner_text()
    high = bid(phones["p4"], -1)
    assert low < high
    phones["p4"].heading(re.compile("Your turn"))
    expect(phones["p1"].page.locator(".gauge .of")).to_contain_text(f"£{low},000")
    hide_the_ghosts([phones["p2"], phones["p4"]], chance, 2)
    hunt(phones, chance, ("p2", "p4"))
    phones["p1"].heading(re.compile("The (ghosts|hunters) win"))


def bid(one: Phone, which: int) -> int:
    """Seal a bid; 0 is the lowest the pack can make, -1 the highest."""
    bids = one.page.locator("#bid input[name=thousands]")
    chosen = bids.nth(which)
    value = int(chosen.get_attribute("value") or 0)
    chosen.check(force=True)
    one.button("Seal the bid").click()
    expect(one.page.locator("#bid")).to_have_count(0)
    return value


def test_two_players_lay_two_colours_each_and_play(phone: Phones) -> None:
    chance = random.Random(2)
    host, phones = seated(phone, 2)
    host.button("Begin").click()
    lay_the_board(phones, chance)
    hide_the_ghosts([phones["p2"]], chance, 4)
    hunt(phones, chance, ("p2",))
    phones["p1"].heading(re.compile("The (ghosts|hunters) win"))
    host.heading("The game is over")


def test_moderator_alone_drives_a_whole_game(phone: Phones) -> None:
    chance = random.Random(8)
    one = phone()
    one.moderate()
    one.page.locator("#plan input[name=players][value='2']").check(force=True)
    begin(one, **{"option-layout": layout(chance)})
    one.page.get_by_role("heading", name=re.compile("Play for")).wait_for()
    for colour in ("blue", "red", "green", "white"):
        one.page.locator(f".tile.w-{colour} input").first.check(force=True)
        one.confirm("Hide it")
        expect(one.page.locator(f".gmark.{colour}")).to_have_count(1)
    for _ in range(60):
        if one.page.get_by_role("heading", name=re.compile("win$")).count():
            break
        one.take(chance.choice(one.in_reach() or one.rooms()), "Lift it")
    expect(one.page.get_by_role("heading", name=re.compile("The (ghosts|hunters) win"))).to_be_visible()


def begin(host: Phone, **options: str) -> None:
    """Begin a planned game with options that have no field on the page: a board that lies already."""
    assert forge(host.page, "/host/start", "#plan", **options)[0] == 200


def layout(chance: random.Random) -> str:
    """A board as it may lie, as JSON."""
    colours = [colour for colour in ("blue", "red", "green", "white") for _ in range(9)]
    chance.shuffle(colours)
    return json.dumps([[colour, chance.randint(1, 6)] for colour in colours])
