"""The doctor's page: one question at a time, and what was found."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from typing import Any

import msgspec

from companion import games
from web.render.lamps import DARK, seen
from web.scene import Scene
from web.texts import Texts

WIDE = 12
"""Lamps in a row, where no game has a board of so many rooms."""
PITCH = 20


class Bulb(msgspec.Struct, frozen=True):
    """A lamp of a simulated board: where it is drawn, and its colour; dark ones have none."""

    x: int
    y: int
    fill: str


class Drawing(msgspec.Struct, frozen=True):
    """The lamps of a strip, with the numbers of those that are lit, counted as the doctor does."""

    strip: str
    width: int
    height: int
    bulbs: tuple[Bulb, ...]
    lit: int


def draw(scene: Scene, t: Texts) -> tuple[str, dict[str, Any]]:
    """The template and what it shows."""
    doctor = scene.doctor
    shown = tuple(drawings(doctor.strips)) if doctor else ()
    return "doctor.html", {"doctor": doctor, "drawings": shown, "first_up": first_up}


def first_up(sentence: str) -> str:
    """A sentence of the board, which begins small because it may follow a name, as one of its own."""
    return sentence[:1].upper() + sentence[1:]


def drawings(strips: dict[str, list[str]]) -> Iterator[Drawing]:
    """The strips of a simulated board."""
    for strip, colours in strips.items():
        wide = _wide(len(colours))
        bulbs = tuple(
            Bulb(
                PITCH * (place % wide) + PITCH // 2,
                PITCH * (place // wide) + PITCH // 2,
                "" if colour == DARK else seen(colour),
            )
            for place, colour in enumerate(colours)
        )
        lit = sum(bulb.fill != "" for bulb in bulbs)
        yield Drawing(strip, PITCH * wide, PITCH * (-(-len(colours) // wide)), bulbs, lit)


@cache
def _wide(lamps: int) -> int:
    """How many lamps are drawn in a row: as the rooms lie, where a game has a board of so many."""
    grids = (games.find(name).grid for name in games.names())
    return next((columns for rows, columns in filter(None, grids) if rows * columns == lamps), WIDE)
