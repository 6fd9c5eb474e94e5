"""What a board's lamps should show, in the game's own terms: rooms, gauges, seats. No wiring here.

A picture is made from a view alone, so it can show nothing its audience may not know. Which lamp of which
strip room 14 is, and how bright, is the kit's business (`hardware`).
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Literal

import msgspec
from msgspec.structs import replace

Hue = Literal["warm", "white", "blue", "red", "green", "yellow", "ecto"]
Effect = Literal["steady", "pulse", "blink"]
"""Steady is a fact, pulse means look here, blink asks for an answer: colour is never the only sign."""


Palette = Literal["standard", "red_green", "blue_yellow"]
"""For whose eyes the lamps shine: those that are weak between red and green, or between blue and yellow."""
PALETTES: dict[Palette, dict[Hue, tuple[int, int, int]]] = {
    "standard": {
        "warm": (255, 140, 40),
        "white": (220, 220, 255),
        "blue": (20, 60, 255),
        "red": (255, 20, 10),
        "green": (20, 200, 30),
        "yellow": (255, 200, 0),
        "ecto": (90, 255, 140),
    },
    "red_green": {
        "warm": (200, 80, 0),
        "white": (180, 180, 255),
        "blue": (20, 60, 255),
        "red": (124, 0, 40),
        "green": (105, 215, 107),
        "yellow": (255, 255, 62),
        "ecto": (179, 255, 210),
    },
    "blue_yellow": {
        "warm": (210, 143, 4),
        "white": (255, 255, 255),
        "blue": (2, 46, 240),
        "red": (169, 18, 14),
        "green": (20, 200, 30),
        "yellow": (247, 208, 24),
        "ecto": (76, 255, 165),
    },
}
"""The red, green and blue of each hue at full light, on the wire and on screens that show the lamps."""


class Glow(msgspec.Struct, frozen=True):
    """How one lamp shines: its hue, how it moves, and how bright it is from 0 to 1."""

    hue: Hue
    effect: Effect = "steady"
    level: float = 1.0


class Gauge(msgspec.Struct, frozen=True):
    """A row of lamps that counts: `value` lit, the last `fresh` of them new, a flag at `of`."""

    value: int
    of: int | None
    fresh: int = 0
    won: bool = False
    hue: Hue = "warm"


class Picture(msgspec.Struct, frozen=True):
    """Everything the lamps show at one moment."""

    rooms: dict[int, Glow] = {}
    marks: dict[int, tuple[str, ...]] = {}
    gauges: dict[str, Gauge] = {}
    seats: dict[str, Glow] = {}
    """One status lamp a seat, for whose turn it is."""


def cued(picture: Picture, gauge: str | None, room: int | None = None) -> Picture:
    """The same picture with one of its gauges, or a room, asking to be looked at."""
    if gauge in picture.gauges:
        shown = picture.gauges[gauge]
        picture = replace(picture, gauges={**picture.gauges, gauge: replace(shown, fresh=shown.value)})
    if room is None:
        return picture
    marks = {**picture.marks, room: tuple(sorted({*picture.marks.get(room, ()), "errand"}))}
    rooms = {**picture.rooms, room: STYLES["errand"]}
    return replace(picture, rooms=dict(sorted(rooms.items())), marks=dict(sorted(marks.items())))


class Pointer(msgspec.Struct, frozen=True):
    """Where a finger or the joystick points on the shared board, and whether it has pressed OK.

    Where two pieces could go, the board asks which: it points at one of them after the other, `towards` the
    room that was meant.
    """

    room: int
    chosen: bool = False
    towards: int | None = None


STYLES: dict[str, Glow] = {
    "possible": Glow("ecto", level=0.12),
    "line": Glow("warm", level=0.15),
    "reach": Glow("white", level=0.3),
    "origin": Glow("warm"),
    "target": Glow("warm"),
    "peek": Glow("ecto"),
    "next": Glow("white", "pulse"),
    "last": Glow("white", "pulse"),
    "errand": Glow("warm", "pulse"),
    "cursor": Glow("white", "pulse"),
    "chosen": Glow("warm", "blink"),
    "differs": Glow("white", "blink"),
}
"""The glow of the marks that mean the same in every game, from the quietest to the one that wins a lamp."""


class Sketch:
    """A picture in the making: marks pile up on rooms, the last glow put on a room is the one seen."""

    def __init__(self) -> None:
        self._rooms: dict[int, Glow] = {}
        self._marks: dict[int, set[str]] = {}

    def mark(self, room: int, mark: str, glow: Glow | None = None) -> None:
        """Put a mark on a room; it shines in the mark's own style unless told otherwise."""
        self._marks.setdefault(room, set()).add(mark)
        self._rooms[room] = glow or STYLES[mark]

    def mark_all(self, rooms: Iterable[int], mark: str, glow: Glow | None = None) -> None:
        """Put the same mark on several rooms."""
        for room in rooms:
            self.mark(room, mark, glow)

    def picture(self, gauges: dict[str, Gauge], seats: dict[str, Glow]) -> Picture:
        """The finished picture, in room order."""
        return Picture(
            rooms=dict(sorted(self._rooms.items())),
            marks={room: tuple(sorted(marks)) for room, marks in sorted(self._marks.items())},
            gauges=gauges,
            seats=seats,
        )
