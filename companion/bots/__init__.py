"""Players that are no people: found by game and level, imported only when one sits down.

A bot is registered in the entry point group `companion.bots` under `<game>.<level>`, by the companion or by
anybody's package. The group `companion.sparring` has those that are only measured against, never offered.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from functools import cache
from importlib.metadata import entry_points
from random import Random
from typing import Any

from companion.bots.bot import Anything, Bot, Hint, Moment, Persona
from companion.contract import Action, Game, View
from companion.refusals import Illegal

__all__ = [
    "LEVELS",
    "Anything",
    "Bot",
    "Hint",
    "Level",
    "Moment",
    "Persona",
    "adviser",
    "deadline",
    "find",
    "levels",
    "load",
]

GROUP, SPARRING = "companion.bots", "companion.sparring"
RANDOM = "random"
LEVELS = (RANDOM, "easy", "normal", "strong")
"""The levels of the companion's own bots, from weak to strong. What a game has beside them is its own."""


@cache
def levels(game: str) -> tuple[str, ...]:
    """The levels there are for a game: the known ones from weak to strong, then others by name."""
    found = {RANDOM, *_registered(GROUP, game)}
    return (*(level for level in LEVELS if level in found), *sorted(found.difference(LEVELS)))


def _registered(group: str, game: str) -> dict[str, Any]:
    points = {point.name: point for point in entry_points(group=group)}
    return {name.removeprefix(f"{game}."): points[name] for name in points if name.startswith(f"{game}.")}


@cache
def load(game: str, level: str) -> Bot:
    """The bot of a game and a level; its code is read now and not before."""
    point = _registered(GROUP, game).get(level) or _registered(SPARRING, game).get(level)
    if point is not None:
        bot: Bot = point.load()
        return bot
    if level == RANDOM:
        return Anything()
    raise Illegal("companion.no_such_level", level=level, levels=levels(game))


def adviser(game: str) -> Bot:
    """The bot whose opinion is a hint: the strongest there is."""
    known = [level for level in LEVELS if level in levels(game)]
    return load(game, known[-1])


def deadline(seconds: float | None) -> float | None:
    """When a bot that may think for so long must have chosen."""
    return None if seconds is None else time.monotonic() + seconds


class Level:
    """A level at whatever game is played."""

    def __init__(self, name: str) -> None:
        self.name = name

    def __call__(
        self,
        game: Game[Any],
        view: View,
        choices: Sequence[Any],
        chance: Random,
        seconds: float | None = None,
        fate: int | None = None,
    ) -> Action:
        """What a bot of this level does. One without a fate is somebody else at every moment."""
        fate = chance.getrandbits(64) if fate is None else fate
        moment = Moment(game, view, choices, chance, fate, deadline(seconds))
        return load(game.name, self.name).choose(moment)


def find(level: str, game: str | None = None) -> Level:
    """A level by its name, checked against those of a game, or against those of any."""
    known = LEVELS if game is None else levels(game)
    if level not in known and not (game is None and _anywhere(level)):
        raise Illegal("companion.no_such_level", level=level, levels=known)
    return Level(level)


def _anywhere(level: str) -> bool:
    return any(point.name.partition(".")[2] == level for point in entry_points(group=GROUP))
