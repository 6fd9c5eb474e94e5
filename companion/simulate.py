"""Whole games by players who do anything that is allowed: how often each side wins, and how long it takes."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from random import Random
from typing import Any

import msgspec

from companion import games
from companion.contract import PUBLIC, Game, Result, read_options, wander

MOST_ACTIONS = 10_000
"""More than any game takes: one that goes on after this would go on for ever."""


class Played(msgspec.Struct, frozen=True):
    """One game that came to its end; `gauges` are what its lamps counted, such as the damage."""

    result: Result
    actions: int
    gauges: dict[str, int]


class Spread(msgspec.Struct, frozen=True):
    """Some numbers in three: their mean, the least and the most of them."""

    mean: float
    least: int
    most: int


class Ending(msgspec.Struct, frozen=True):
    """How often games ended like this, and which share of all that is."""

    winner: str
    reason: str
    games: int
    share: float


class Summary(msgspec.Struct, frozen=True):
    """What many games came to."""

    game: str
    options: dict[str, Any]
    seed: int
    asked: int
    games: int
    endings: tuple[Ending, ...]
    actions: Spread | None
    gauges: dict[str, Spread]


def simulate(game: str, options: dict[str, Any], number: int, seed: int) -> Iterator[Played]:
    """Play so many games; the same seed gives the same games."""
    found, chance = games.find(game), Random(seed)
    start = found.start(read_options(found, found.resolve(options)))
    for _ in range(number):
        yield play(found, start, chance)


def play(game: Game[Any], state: Any, chance: Random) -> Played:
    """One game from a state to its end."""
    states = list(wander(game, state, chance, MOST_ACTIONS))
    state = states[-1] if states else state
    result = game.result(state)
    assert result is not None, f"{game.name}: nobody is to act, and the game is not over"
    gauges = game.picture(game.view(state, PUBLIC)).gauges
    return Played(result, len(states), {name: gauge.value for name, gauge in gauges.items()})


def summary(game: str, options: dict[str, Any], seed: int, asked: int, played: Sequence[Played]) -> Summary:
    """All of them in a few numbers."""
    endings = Counter((each.result.winner, each.result.reason) for each in played)
    names = sorted({name for each in played for name in each.gauges})
    return Summary(
        game=game,
        options=options,
        seed=seed,
        asked=asked,
        games=len(played),
        endings=tuple(Ending(*how, times, times / len(played)) for how, times in sorted(endings.items())),
        actions=_spread([each.actions for each in played]) if played else None,
        gauges={name: _spread([each.gauges.get(name, 0) for each in played]) for name in names},
    )


def _spread(numbers: Sequence[int]) -> Spread:
    return Spread(sum(numbers) / len(numbers), min(numbers), max(numbers))
