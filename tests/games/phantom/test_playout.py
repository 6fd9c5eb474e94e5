"""The fast playout draws what the contract would have drawn."""

from __future__ import annotations

from collections import Counter
from itertools import islice
from random import Random
from typing import Any

import pytest

from companion.contract import Result, wander
from companion.games.phantom import GAME
from companion.games.phantom.actions import Pass
from companion.games.phantom.options import Options
from companion.games.phantom.playout import Draw, can_play_out, play_out
from companion.games.phantom.state import State

VARIANTS: list[dict[str, Any]] = [
    {},
    {"players": 2},
    {"players": 3},
    {"master_game": True},
    {"keeper": "both", "objective": 200},
    {"objective": 200, "master_without_ghosts": "skip_turn"},
    {"objective": 200, "blocked_master": "partner_plays"},
    {"objective": 200, "blocked_master": "partner_plays", "master_without_ghosts": "skip_turn"},
    {"objective": 200, "reach": "flood_fill"},
    {"objective": 200, "friendly_fire": "forbidden"},
    {"objective": 200, "friendly_fire": "forbidden", "masters_see_all_ghosts": "own_only"},
    {"objective": 200, "friendly_fire": "forbidden", "blocked_master": "partner_plays"},
    {"objective": 200, "pass_if_only_allied_tiles": True},
    {"objective": 200, "pass_if_only_allied_tiles": True, "masters_see_all_ghosts": "own_only"},
    {"objective": 200, "hunter_may_pass": True},
    {"players": 2, "objective": 200, "hunter_may_pass": True, "friendly_fire": "forbidden"},
]


def hunt(options: dict[str, Any], chance: Random, removals: int = 0) -> State:
    """A random hunt some way in, not over."""
    while True:
        moments = wander(GAME, GAME.start(Options(**options)), chance)
        began = next(state for state in moments if state.phase == "playing")
        state = next(islice(moments, removals - 1, None), began) if removals else began
        if state.phase == "playing":
            return state


def by_the_contract(state: State, draw: Draw) -> Result:
    """The same choices through `legal` and `apply`: the first, second … of what is legal, in order."""
    while state.result is None:
        seat = state.movers[0]
        moves = GAME.legal(state, seat)
        # A master who can only pass has nothing to draw for.
        forced = seat in state.masters and moves == [Pass()]
        state, _ = GAME.apply(state, seat, moves[0] if forced else moves[int(draw() * len(moves))])
    return state.result


@pytest.mark.parametrize("options", VARIANTS, ids=str)
def test_the_same_draws_give_the_same_game(options: dict[str, Any]) -> None:
    """PS-40, PS-42, PS-50, PS-52, PS-57, PS-58, PS-60, PS-70, PS-71, PS-80, PS-81."""
    chance = Random(str(options))
    for game in range(60):
        state = hunt(options, chance, removals=game % 12)
        fast, slow = Random(game), Random(game)
        assert play_out(state, fast.random) == by_the_contract(state, slow.random)
        # Not only the end: exactly as many choices were made.
        assert fast.random() == slow.random()


def test_both_sides_win_some() -> None:
    """PS-80, PS-81."""
    chance = Random(5)
    ends = Counter(play_out(hunt({"objective": 90}, chance), chance.random).winner for _ in range(200))
    assert min(ends["ghosts"], ends["hunters"]) > 20


def test_a_playout_leaves_its_world_as_it_was() -> None:
    chance = Random(1)
    state = hunt({}, chance)
    again = State(**{name: getattr(state, name) for name in state.__struct_fields__})
    play_out(state, chance.random)
    assert state == again


def test_what_is_no_hunt_is_played_by_the_contract() -> None:
    """Keeper `honour` has no rooms to play from; before the hunt there is none."""
    chance = Random(2)
    honour = hunt({"keeper": "honour"}, chance)
    assert not can_play_out(honour)
    assert not can_play_out(GAME.start(Options()))
    for state in (honour, GAME.start(Options()), hunt({}, chance)):
        assert GAME.playout(state, chance).winner in ("ghosts", "hunters")
