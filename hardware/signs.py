"""Signs drawn with the lamps: a total in two digits, a tick for "pull the plug", how the table itself is."""

from __future__ import annotations

from collections.abc import Mapping

from companion.board import Sign
from companion.picture import Gauge, Glow
from hardware.arrangement import lamp_of_room
from hardware.kits import Grid, Kit

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

SIGNS: dict[Sign, tuple[tuple[str, ...], Glow]] = {
    # An hourglass that breathes: wait.
    "booting": (("######", " #  # ", "  ##  ", "  ##  ", " #  # ", "######"), Glow("warm", "pulse")),
    # A ghost that is simply there: come in.
    "ready": ((" #### ", "######", "# ## #", "######", "######", "# ## #"), Glow("ecto", level=0.3)),
    # A fan of waves over a dot, blinking: no Wi-Fi.
    "no_network": ((" #### ", "#    #", "  ##  ", " #  # ", "      ", "  ##  "), Glow("white", "blink")),
    # An exclamation mark, blinking: nothing can be saved.
    "not_saved": (("  ##  ", "  ##  ", "  ##  ", "  ##  ", "      ", "  ##  "), Glow("red", "blink")),
    # An open box that breathes: something could not be opened and was set aside.
    "set_aside": (("#    #", " #  # ", "######", "#    #", "#    #", "######"), Glow("red", "pulse")),
}
"""Told apart by shape and by movement, not by colour alone."""

TENS, ONES = Glow("warm"), Glow("white", level=0.6)
"""The digits touch each other, so they differ in hue as well as in shape."""
DONE = Glow("green", level=0.5)


SPELLING = 2.0
"""Seconds for which a new total is spelled."""


class Total:
    """The last total of a game's first gauge, spelled for a moment after it has changed."""

    def __init__(self) -> None:
        self._value: int | None = None
        self._until: float | None = None

    def note(self, gauges: Mapping[str, Gauge], now: float) -> None:
        """Take notice of the gauges as they are now."""
        gauge = next(iter(gauges.values()), None)
        value = gauge.value if gauge else None
        if None not in (value, self._value) and value != self._value:
            self._until = now + SPELLING
        self._value = value

    def due(self) -> float | None:
        """When the spelling ends."""
        return self._until

    def ends(self, now: float) -> bool:
        """Whether the spelling has just ended."""
        if self._until is None or now < self._until:
            return False
        self._until = None
        return True

    def spelled(self) -> int | None:
        """The total, while it is to be spelled."""
        return self._value if self._until is not None else None


def number(value: int, grid: Grid) -> Rooms:
    """A number from 0 to 99 on a board of six columns or more; a larger one shows its last two digits."""
    tens, ones = divmod(value % 100, 10)
    drawn = _drawn(DIGITS[ones], 0, 3, grid, ONES)
    return drawn | (_drawn(DIGITS[tens], 0, 0, grid, TENS) if tens else {})


def farewell(grid: Grid) -> Rooms:
    """All is saved: the plug may be pulled."""
    return _drawn(TICK, 0, 0, grid, DONE)


def lit(sign: Sign, kit: Kit) -> dict[int, Glow]:
    """A sign on the lamps of a kit; without rooms its first strip counts: one lamp, two, three or four."""
    shape, glow = SIGNS[sign]
    if lamps := lamp_of_room(kit):
        top, left = (max(0, (size - 6) // 2) for size in (kit.grid.rows, kit.grid.columns))
        return {lamps[room]: glow for room in _drawn(shape, top, left, kit.grid, glow) if room in lamps}
    strip = kit.strips[0]
    count = min(1 + list(SIGNS).index(sign), strip.lamps or 1)
    return dict.fromkeys(range(strip.first or 0, (strip.first or 0) + count), glow)


def _drawn(shape: tuple[str, ...], top: int, left: int, grid: Grid, glow: Glow) -> Rooms:
    return {
        (top + row) * grid.columns + left + column + 1: glow
        for row, line in enumerate(shape)
        for column, dot in enumerate(line)
        if dot == "#" and top + row < grid.rows and left + column < grid.columns
    }
