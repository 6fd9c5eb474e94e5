"""Lines over the hotel's board, drawn on a grid of 600 by 600: room centres are 100 apart."""

from __future__ import annotations

from functools import cache
from math import atan2, degrees

import msgspec

from companion.games.phantom.board import DIRECTIONS, line_from, place_of


class Line(msgspec.Struct, frozen=True):
    """A stroke from one point to another, and the angle at which an arrow on its end points."""

    x1: int
    y1: int
    x2: int
    y2: int

    @property
    def angle(self) -> int:
        """Degrees clockwise from pointing right."""
        return round(degrees(atan2(self.y2 - self.y1, self.x2 - self.x1)))


def centre(room: int) -> tuple[int, int]:
    """The middle of a room."""
    row, column = place_of(room)
    return 100 * column - 50, 100 * row - 50


@cache
def stroke(start: int, end: int, from_middle: int = 46, to_middle: int = 39) -> Line:
    """A line between two rooms that stops at their borders, so that it covers no value."""
    (x1, y1), (x2, y2) = centre(start), centre(end)
    right, down = (x2 > x1) - (x2 < x1), (y2 > y1) - (y2 < y1)
    return Line(
        x1 + right * from_middle, y1 + down * from_middle, x2 - right * to_middle, y2 - down * to_middle
    )


@cache
def in_line(one: int, other: int) -> bool:
    """Whether two rooms lie on one row, column or diagonal."""
    (row, column), (row2, column2) = place_of(one), place_of(other)
    return row == row2 or column == column2 or abs(row - row2) == abs(column - column2)


def first_tiles(room: int, tiles: set[int]) -> list[int]:
    """The first tile in each direction from a room."""
    firsts = (next((step for step in line if step in tiles), None) for line in _lines_from(room))
    return [step for step in firsts if step is not None]


@cache
def _lines_from(room: int) -> tuple[tuple[int, ...], ...]:
    return tuple(tuple(line_from(room, down, right)) for down, right in DIRECTIONS)
