"""The truth swapped for another world of a seat's view changes nothing for that seat."""

from __future__ import annotations

from typing import Any

from companion.contract import Game
from companion.refusals import Refusal
from tests.conformance.tables import Seating
from tests.conformance.test_every_game import played
from tests.conformance.walks import Walk, key, seats_of, whole_range


def answers(game: Game[Any], state: Any, seat: str, attempts: list[Any]) -> list[Any]:
    """Everything that a game says to a seat, and of itself, in a state."""
    view = game.view(state, seat)
    said: list[Any] = [view, game.picture(view), game.chairs(state), game.phase(state), game.to_act(state)]
    said += [game.result(state), [key(action) for action in game.legal(state, seat)], game.side(state, seat)]
    try:
        said.append(game.odds(view))
    except Refusal as refusal:
        said.append(str(refusal))
    for action in attempts:
        try:
            game.apply(state, seat, action)
        except Refusal as refusal:
            said.append((refusal.code, refusal.rule, refusal.message()))
        else:
            said.append("accepted")
    said += [game.recorded(state, action, ()) for action in attempts]
    return said


@played(40)
def test_another_world_answers_a_seat_alike(table: Seating, seed: int) -> None:
    """Views, pictures, choices, errors, odds and the open record, for every seat at three moments."""
    walk = Walk(*table, seed)
    game = walk.game
    for state in walk.some():
        everything = whole_range(walk, state)
        for seat in seats_of(game, state):
            worlds = game.worlds(game.view(state, seat))
            attempts = walk.chance.sample(everything, min(40, len(everything)))
            truth = answers(game, state, seat, attempts)
            for _ in range(3):
                assert answers(game, worlds.sample(walk.chance), seat, attempts) == truth
