"""What the hunt comes to: how much will be wrecked until the last ghost is found, and who wins then."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

from companion.games.phantom.board import in_set

SPREAD = 0.25
"""How far the damage of a hunt strays from what is expected of it, as a share of it."""


def a_turn(values: Sequence[int], tiles: int) -> float:
    """What ghosts wreck in a turn: dear tiles rather than cheap ones."""
    lying = [values[room] for room in in_set(tiles)]
    return sum(value * value for value in lying) / (sum(lying) or 1)


def order(chances: Mapping[int, float], values: Sequence[int], turn: float) -> list[int]:
    """The rooms of one colour in the order in which they are best lifted: likely and cheap ones first."""
    return sorted(chances, key=lambda room: -chances[room] / (turn + values[room]))


def cost(chances: Mapping[int, float], values: Sequence[int], turn: float) -> float:
    """The damage until a ghost is found that hides like this: ghost turns, and tiles lifted in vain."""
    spent = expected = 0.0
    for room in order(chances, values, turn):
        expected += chances[room] * (spent + turn)
        spent += turn + values[room]
    return expected


def hunters_win(left: float, wrecked: float) -> float:
    """How likely the hunters win, if so much is left to wreck and so much is expected to be wrecked."""
    if left <= 0:
        return 0.0
    if wrecked <= 0:
        return 1.0
    return 1 / (1 + math.exp(-(left - wrecked) / (SPREAD * wrecked + 1.0)))
