"""Bots of The Phantom Society: they answer whatever is asked, from their view alone."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest
from msgspec.structs import replace

from companion import bots, league
from companion.bots import Moment
from companion.contract import PUBLIC, TABLE, read_options
from companion.games.phantom import GAME
from companion.games.phantom.actions import Remove
from companion.games.phantom.bots import ghosts
from companion.games.phantom.bots.player import REPLIES, Player
from companion.games.phantom.options import DEFAULT_TILES
from companion.games.phantom.state import Seen, State
from tests.games.phantom.hotel import LAYOUT, hunt, play, room

LEVELS = ("easy", "normal", "strong", "greedy")
TABLES: dict[str, dict[str, Any]] = {
    "invented box": {"tiles": DEFAULT_TILES},
    "four": {},
    "two": {"layout": LAYOUT, "players": 2, "objective": 30},
    "flood": {"layout": LAYOUT, "players": 3, "reach": "flood_fill", "objective": 25},
    "family": {"layout": LAYOUT, "preset": "family", "objective": 30},
    "expert": {"layout": LAYOUT, "preset": "expert"},
    "bidding": {"layout": LAYOUT, "players": 3, "master_game": True, "blocked_master": "partner_plays"},
    "honour": {"layout": LAYOUT, "keeper": "honour"},
    "honour skips": {"layout": LAYOUT, "keeper": "honour", "master_without_ghosts": "skip_turn"},
    "skips": {
        "layout": LAYOUT,
        "hunter_may_pass": True,
        "master_without_ghosts": "skip_turn",
        "objective": 90,
    },
}


def chosen(level: str, state: State, seat: str, seed: Any = 0) -> Any:
    moment = Moment(GAME, GAME.view(state, seat), GAME.legal(state, seat), Random(f"{seed}"), 5)
    return bots.load("phantom", level).choose(moment)


def played(level: str, options: dict[str, Any], seed: int) -> list[tuple[State, str, Any]]:
    """A whole game by one level, move by move."""
    state, chance = GAME.start(read_options(GAME, options)), Random(seed)
    moves = []
    while seats := GAME.to_act(state):
        seat = chance.choice(seats)
        if seat == TABLE:
            action = GAME.chance(state, chance) or chance.choice(GAME.legal(state, seat))
        else:
            action = chosen(level, state, seat, chance.random())
            assert action in GAME.legal(state, seat)
            moves.append((state, seat, action))
        state, _ = GAME.apply(state, seat, action)
    return moves


@pytest.mark.parametrize("level", LEVELS)
@pytest.mark.parametrize("table", TABLES)
def test_a_bot_answers_whatever_is_asked_at_every_kind_of_table(level: str, table: str) -> None:
    phases = {state.phase for state, _, _ in played(level, TABLES[table], 3)}
    assert {"hiding", "playing"} <= phases


def test_a_hunter_finds_the_last_ghost_where_it_must_be() -> None:
    """Three are found, and what all have seen leaves one room for blue."""
    state = play(hunt(), "p2 B3", "p3 C4", "p4 E3", "p1 D3", "p2 A2", "p3 E5", "p2 C2")
    blue = [number for number, (colour, _) in enumerate(LAYOUT, start=1) if colour == "blue"]
    empty = [Seen("p1", number, state.tiles, 0b1110, None) for number in blue if number != room("B2")]
    state = replace(state, facts=(*state.facts, *empty))
    for level in ("normal", "strong"):
        assert chosen(level, state, "p1") == Remove(room("B2"))


def test_ghosts_do_not_uncover_each_other_and_take_the_tile_that_wins() -> None:
    state = hunt(objective=6)
    assert chosen("strong", state, "p2") == Remove(room("B3"))
    state = play(hunt(objective=100), "p2 B3", "p3 A1")
    assert Remove(room("D3")) in GAME.legal(state, "p4")
    for seed in range(5):
        for level in ("easy", "normal", "strong", "greedy"):
            assert chosen(level, state, "p4", seed) != Remove(room("D3"))


def test_a_master_of_four_ghosts_tries_fewer_answers_at_first(monkeypatch: pytest.MonkeyPatch) -> None:
    """His ghosts can lie in so many ways that all answers would take seconds."""
    tried: list[int] = []

    def rate(hunt: Any, seat: str, rooms: Any, *rest: Any) -> dict[int, float]:
        tried.append(rest[3])
        return dict.fromkeys(rooms, 0.5)

    monkeypatch.setattr(ghosts, "rate", rate)
    alone = [(state, seat) for state, seat, _ in played("normal", TABLES["two"], 3) if seat == "p2"]
    for state, seat in (hunt_of_two(alone), (hunt(), "p2")):
        chosen("strong", state, seat)
    few, many = tried[-2:]
    assert few < many == REPLIES


def hunt_of_two(moves: list[tuple[State, str]]) -> tuple[State, str]:
    """The first move of the hunt."""
    return next((state, seat) for state, seat in moves if state.phase == "playing")


def test_an_easy_player_forgets_a_clue_now_and_then_but_no_ghost_on_the_table() -> None:
    facts = hunt_facts()
    easy, normal = Player(forgets=0.3), Player()
    kept = [len(easy.remembered(facts, fate)) for fate in range(200)]
    assert normal.remembered(facts, 1) == facts
    assert 0.55 * len(facts) < sum(kept) / 200 < 0.9 * len(facts)
    assert easy.remembered(facts, 3) == easy.remembered(facts, 3)
    assert all(facts[0] in easy.remembered(facts, fate) for fate in range(20))


def hunt_facts() -> Any:
    state = play(hunt(), "p2 B3", "p3 B4", "p4 E3", "p1 E2", "p2 E6")
    return state.facts


def test_a_hint_says_why_in_three_languages() -> None:
    state = play(hunt(), "p2 B3")
    for seat, moment_state in (("p2", hunt()), ("p3", state)):
        moment = Moment(GAME, GAME.view(moment_state, seat), GAME.legal(moment_state, seat), Random(1))
        hint = bots.adviser("phantom").hint(moment)
        assert hint.action in GAME.legal(moment_state, seat)
        said = {hint.because.said(language) for language in ("en", "fr", "de")}
        assert len(said) == 3
        assert all(str(hint.action.room) in each for each in said)


def test_levels_stand_in_order_on_a_small_seeded_sample() -> None:
    """Hunters against greedy ghosts at objective 50: the full figures are printed by `companion league`."""
    options = league.options_of("phantom", {"objective": 50})
    won = {}
    for level in ("random", "easy", "strong"):
        pair = {"ghosts": "greedy", "hunters": level}
        jobs = [league.Job("phantom", options, pair, 77, n) for n in range(12)]
        won[level] = league.score(pair, list(league.played(jobs, 1))).wins["hunters"]
    assert won["random"] < won["easy"] < won["strong"]


def test_public_seat_needs_no_bot() -> None:
    assert GAME.legal(hunt(), PUBLIC) == []
