"""Signs drawn with the lamps of the rooms: a total in two digits, and a tick for "you may pull the plug"."""

from __future__ import annotations

from companion.picture import Glow
from hardware.kits import Grid

Rooms = dict[int, Glow]

DIGITS = (
    ("###", "# #", "# #", "# #", "###"),
    (" # ", "## ", " # ", " # ", "###"),
    ("###", "  #", "###", "#  ", "###"),
    ("###", "  #", "###", "  #", "###"),
    ("# #", "# #", "###", "  #", "  #"),
    ("###", "#  ", "###", "  #", "###"),
    ("###", "#  ", "###", "# #", "###"),
    ("###", "  #", "  #", " # ", " # "),
    ("###", "# #", "###", "# #", "###"),
    ("###", "# #", "###", "  #", "###"),
)
TICK = ("      ", "     #", "    # ", "#  #  ", " ##   ", "      ")

TENS, ONES = Glow("warm"), Glow("white", level=0.6)
"""The digits touch each other, so they differ in hue as well as in shape."""
DONE = Glow("green", level=0.5)


def number(value: int, grid: Grid) -> Rooms:
    """A number from 0 to 99 on a board of six columns or more; a larger one shows its last two digits."""
    tens, ones = divmod(value % 100, 10)
    drawn = _drawn(DIGITS[ones], 0, 3, grid, ONES)
    return drawn | (_drawn(DIGITS[tens], 0, 0, grid, TENS) if tens else {})


def farewell(grid: Grid) -> Rooms:
    """All is saved: the plug may be pulled."""
    return _drawn(TICK, 0, 0, grid, DONE)


def _drawn(shape: tuple[str, ...], top: int, left: int, grid: Grid, glow: Glow) -> Rooms:
    return {
        (top + row) * grid.columns + left + column + 1: glow
        for row, line in enumerate(shape)
        for column, dot in enumerate(line)
        if dot == "#" and top + row < grid.rows and left + column < grid.columns
    }
