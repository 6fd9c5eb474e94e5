"""The engine against a second reading of laying and of the ghosts' ways that shares no code with it."""

from __future__ import annotations

import os
from random import Random
from typing import Any

from companion.contract import PUBLIC, plain
from companion.games.artefacts import GAME
from companion.games.artefacts.foresight import preview
from companion.games.artefacts.routes import next_steps
from companion.games.artefacts.state import State
from tests.games.artefacts import brute
from tests.games.artefacts.house import legal, playing

GAMES = int(os.environ.get("ARTEFACTS_GAMES", "120"))
"""How many games are compared; in each a few moments, drawn by chance."""


def test_both_allow_the_same_tiles_and_send_ghosts_the_same_way() -> None:
    """CFA-30, CFA-31, CFA-33, CFA-50, CFA-51, CFA-52, CFA-Q4, CFA-Q6, CFA-Q14: in random games."""
    laid = walked = ended = 0
    for seed in range(GAMES):
        chance = Random(seed)
        for state, seat, _ in playing(seed, decks="virtual"):
            if state.phase in ("building", "laying") and not state.pending and chance.random() < 0.03:
                laid += assert_same_lays(state, seat)
            if state.ghosts and state.phase == "acting" and chance.random() < 0.03:
                walked += assert_same_ways(state)
                ended += assert_same_end(state)
    assert min(laid, walked, ended) >= GAMES


def assert_same_lays(state: State, seat: str) -> int:
    view = plain(GAME.view(state, PUBLIC).shows)
    assert state.active is not None
    tiles = view["held"][state.active] if state.phase == "building" else view["open"]
    expected = brute.lays(view, state.active, tiles)
    assert {(each["tile"], tuple(each["at"]), each["turn"]) for each in legal(state, seat, "lay")} == expected
    stuck = {tile["id"] for tile in tiles} - {id for id, _, _ in expected}
    assert {each["tile"] for each in legal(state, seat, "discard")} == stuck
    return 1


def assert_same_ways(state: State) -> int:
    view = plain(GAME.view(state, PUBLIC).shows)
    for ghost, told in zip(state.ghosts, view["ghosts"], strict=True):
        if not ghost.escaped:
            assert set(next_steps(state, ghost)) == brute.ways(view, told)
    return len(state.ghosts)


def assert_same_end(state: State) -> int:
    view = GAME.view(state, PUBLIC)
    expected = brute.end_of_turn(plain(view.shows))
    if expected is None:
        return 0
    assert [_short(plain(event)) for event in preview(view)] == expected
    return 1


def _short(event: dict[str, Any]) -> tuple[Any, ...]:
    match event["type"]:
        case "moved":
            return "moved", event["ghost"], tuple(event["to"])
        case "grew":
            return "grew", event["ghost"], event["power"]
    return event["type"], event["ghost"]
