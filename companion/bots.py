"""Players that are no people. A bot sees what its seat sees, and chooses among what its seat may do."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from random import Random
from typing import Any

from companion.contract import Action, Game, View
from companion.refusals import Illegal

Bot = Callable[[Game[Any], View, Sequence[Action], Random], Action]


def random(game: Game[Any], view: View, choices: Sequence[Action], chance: Random) -> Action:
    """Anything that is allowed."""
    return chance.choice(choices)


LEVELS: dict[str, Bot] = {"random": random}


def find(level: str) -> Bot:
    """A bot by its level."""
    if level not in LEVELS:
        raise Illegal("companion.no_such_level", level=level, levels=tuple(sorted(LEVELS)))
    return LEVELS[level]
