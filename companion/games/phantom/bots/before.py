"""Before the hunt: where to lay tiles, what to bid, where to hide."""

from __future__ import annotations

import math
from collections.abc import Sequence
from random import Random

from companion.games.phantom.actions import Bid, Hide, Place
from companion.games.phantom.belief import RING, Habits, hiding_weight, values_of
from companion.games.phantom.board import COLOURS
from companion.games.phantom.setup import Layings
from companion.games.phantom.state import State

WISH = {"master": 0.8, "hunter": -0.8}
"""How much more a room further inside is liked for a tile that is a thousand dearer."""
MIDDLING = 3
"""A tile that is neither dear nor cheap."""


def lay(choices: Sequence[Place], role: str | None, chance: Random) -> Place:
    """Ghosts want dear tiles inside, hunters by the walls; without a role nobody minds. PS-124."""
    if not isinstance(choices, Layings):
        return chance.choice(choices)
    tile = chance.choice(choices.tiles)
    wish = WISH.get(role or "", 0.0) * (tile[0].value - MIDDLING)
    weights = [math.exp(wish * RING[room]) for room in choices.rooms]
    return tile[chance.choices(choices.rooms, weights)[0]]


def bid(choices: Sequence[Bid], worth: float, chance: Random) -> Bid:
    """About as much as ghosts can wreck, never quite the same. PS-102."""
    aim = chance.gauss(worth, 2.0)
    return min(choices, key=lambda each: abs(each.thousands - aim))


def hide(known: State, choices: Sequence[Hide], habits: Habits, chance: Random) -> Hide:
    """A ghost that is not hidden yet, in a room that somebody with these habits likes. PS-24."""
    values = values_of(known)
    waiting = [c for c, ghost in zip(COLOURS, known.ghosts, strict=True) if ghost.room is None]
    ghost = chance.choice(sorted({each.ghost for each in choices if each.ghost in waiting}))
    rooms = [each for each in choices if each.ghost == ghost]
    return chance.choices(rooms, [hiding_weight(each.room, values, habits) for each in rooms])[0]
