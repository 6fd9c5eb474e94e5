"""Random games of The Phantom Society a second, beside the same game written for OpenSpiel.

Whole games go through the public contract: four players lay a known box, hide, and hunt to the end. The inner
playout is the hunt alone, from one world, as bots play it. Before the race both play the same games move by
move, so that it is the same game that is timed.
"""

from __future__ import annotations

import sys
from random import Random
from typing import Any

import pyspiel

from bench import openspiel_phantom as peer
from bench.race import race
from companion.games.phantom import GAME
from companion.games.phantom.actions import Hide, Pass, Place
from companion.games.phantom.board import COLOURS
from companion.games.phantom.options import Options
from companion.games.phantom.state import State

OPTIONS = Options(tiles={colour: list(peer.DEFAULT_VALUES) for colour in COLOURS})
PEER = pyspiel.load_game("python_phantom_society")


def contract_game(state: State, draw: Any) -> State:
    """From any state to the end by `legal` and `apply`."""
    while state.result is None:
        seat = GAME.to_act(state)[0]
        legal = GAME.legal(state, seat)
        state, _ = GAME.apply(state, seat, legal[int(draw() * len(legal))])
    return state


def peer_game(state: Any, draw: Any) -> Any:
    """From any state to the end as OpenSpiel's examples do it."""
    while not state.is_terminal():
        legal = state.legal_actions()
        state.apply_action(legal[int(draw() * len(legal))])
    return state


def in_step(draw: Any, stop: str | None = None) -> tuple[State, Any]:
    """One game played by both at once, to its end or to a phase; they must agree at every move."""
    state, other = GAME.start(OPTIONS), PEER.new_initial_state()
    while state.result is None and state.phase != stop:
        seat = GAME.to_act(state)[0]
        assert other.current_player() == int(seat[1]) - 1
        numbered = {
            as_number(action): action for action in GAME.legal(state, seat) if is_fresh(state, action)
        }
        legal = other.legal_actions()
        assert sorted(numbered) == legal
        number = legal[int(draw() * len(legal))]
        state, _ = GAME.apply(state, seat, numbered[number])
        other.apply_action(number)
    assert other.is_terminal() == (state.result is not None)
    assert state.result is None or (other.returns()[0] > 0) == (state.result.winner == "hunters")
    return state, other


def is_fresh(state: State, action: Any) -> bool:
    """Whether it is no change of mind: the peer hides each ghost once."""
    return not isinstance(action, Hide) or state.ghosts[COLOURS.index(action.ghost)].room is None


def as_number(action: Any) -> int:
    """One of our actions as the peer counts them."""
    if isinstance(action, Pass):
        return peer.PASS
    if isinstance(action, Place):
        return (action.room - 1) * peer.VALUES + action.value - 1
    if isinstance(action, Hide):
        return peer.HIDE + COLOURS.index(action.ghost) * peer.ROOMS + action.room - 1
    return int(peer.REMOVE + action.room - 1)


def main() -> int:
    """Check that both play the same game, then race."""
    chance = Random(7)
    draw = chance.random
    for _ in range(100):
        in_step(draw)
    print("100 games move by move: both agree")
    enough = race(
        "whole games through the contract, against OpenSpiel",
        lambda: contract_game(GAME.start(OPTIONS), draw),
        lambda: peer_game(PEER.new_initial_state(), draw),
        target=1.3,
    )
    world, same = in_step(draw, stop="playing")
    enough &= race(
        "the inner playout of one world, against OpenSpiel",
        lambda: GAME.playout(world, chance),
        lambda: peer_game(same.clone(), draw),
        target=4,
    )
    return 0 if enough else 1


if __name__ == "__main__":
    sys.exit(main())
