"""The games, found by the entry point group `companion.games`."""

from __future__ import annotations

from functools import cache
from importlib.metadata import entry_points
from typing import Any

from companion.contract import Game
from companion.refusals import Illegal

GROUP = "companion.games"


@cache
def names() -> tuple[str, ...]:
    """The names of all installed games."""
    return tuple(sorted(point.name for point in entry_points(group=GROUP)))


@cache
def find(name: str) -> Game[Any]:
    """A game by its name."""
    for point in entry_points(group=GROUP, name=name):
        game: Game[Any] = point.load()
        return game
    raise Illegal("companion.no_such_game", game=name, games=names())
