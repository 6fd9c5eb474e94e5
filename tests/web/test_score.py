"""The score of the evening, and the same board again."""

from __future__ import annotations

import random
import re
from collections.abc import Callable
from html import unescape

from tests.web.conftest import Running
from tests.web.phones import Phone
from tests.web.test_tournament import play_out
from web.render import pages

Run = Callable[..., Running]
SCORE = re.compile(r'class="panel score">(.*?)</section>', re.S)
NAMES = ("Ada", "Hamish", "Zoé", "Jürgen")


def score(phone: Phone, path: str = "/play") -> dict[str, tuple[int, int]]:
    found = SCORE.search(phone.get(path).text)
    rows = re.findall(r"<b>(.*?)</b>.*?won (\d+) of (\d+)<", found[1]) if found else []
    return {unescape(name): (int(won), int(played)) for name, won, played in rows}


def test_every_result_tells_who_has_won_how_often(run: Run) -> None:
    house, chance = run(renderer=pages), random.Random(1)
    host, phones = house.host(), house.players(*NAMES)
    house.start(host)
    assert score(phones["p1"]) == {}
    play_out(phones, chance)
    first = score(phones["p1"])
    assert set(first) == set(NAMES)
    assert sorted(first.values()) == [(0, 1), (0, 1), (1, 1), (1, 1)]
    assert score(phones["p3"]) == score(host, "/host") == first
    roles = {chair.seat: chair.role for chair in house.evening.chairs()}
    winners = {house.evening.guests.name_of(seat) for seat in house.evening.table.winners()}
    assert {name for name, (won, _) in first.items() if won} == winners
    assert len({roles[seat] for seat in house.evening.table.winners()}) == 1
    assert host.post("/host/rematch").status == 200
    assert {name: (t.won, t.played) for name, t in house.evening.book.score.items()} == first
    moved = {house.evening.book.sitting(seat).guest: seat for seat in phones}
    by_name = {guest.name: guest.id for guest in house.evening.book.guests}
    play_out(
        {moved[by_name[name]]: phone for name, phone in zip(NAMES, phones.values(), strict=True)}, chance
    )
    second = score(phones["p1"])
    assert all(second[name][1] == 2 for name in NAMES)
    assert all(second[name][0] - first[name][0] in (0, 1) for name in NAMES)
    assert sum(won for won, _ in second.values()) == 4


def test_a_new_evening_begins_without_a_score(run: Run) -> None:
    house = run(renderer=pages)
    host, phones = house.host(), house.players(*NAMES)
    house.start(host)
    play_out(phones, random.Random(2))
    assert host.post("/host/abandon").status == 200
    assert house.evening.book.score
    assert host.post("/host/new-evening").status == 200
    assert house.evening.book.score == {}


def test_the_same_board_again(run: Run) -> None:
    """Every tile lies where it lay, and the ghosts hide anew."""
    house = run(renderer=pages)
    host, phones = house.host(), house.players(*NAMES)
    house.start(host)
    chance = random.Random(4)
    while house.evening.stage == "setup":
        before = house.evening.table.view("public").shows
        seat = house.evening.table.standing().to_act[0]
        house.evening.table.act(seat, chance.choice(house.evening.table.legal(seat)))
    laid = house.evening.table.view("public").shows.rooms
    assert before.rooms == laid
    play_out(phones, chance)
    assert "Same board again" in host.get("/host").text
    assert host.post("/host/rematch", board="same").status == 200
    again = house.evening.table.view("public").shows
    assert (again.phase, again.rooms) == ("hiding", laid)


def test_a_game_without_a_board_to_lay_again_refuses_it(run: Run) -> None:
    house = run(renderer=pages)
    host, phones = house.host(), house.players(*NAMES)
    house.start(host, **{"option-master_game": "true", "option-tournament.games": "2"})
    play_out(phones, random.Random(3))
    assert "Same board again" not in host.get("/host").text
    assert host.forge("/host/rematch", board="same").status == 409
    assert not score(phones["p1"])
