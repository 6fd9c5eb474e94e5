"""The damage gauge: sixty lamps in a row, as on the strip beside the board."""

from __future__ import annotations

from functools import cache

import msgspec

LAMPS = 60


class Gauge(msgspec.Struct, frozen=True):
    """A row of sixty lamps: `lit` of them on, the last `fresh` of those new, a flag at `goal`."""

    lit: int
    goal: int | None
    fresh: int = 0

    @property
    def old(self) -> int:
        """How many were lit before the last removal."""
        return max(0, self.lit - self.fresh)

    @property
    def last(self) -> int:
        """The last lamp that still counts: the rest is past the goal."""
        return self.goal or LAMPS

    @property
    def strokes(self) -> list[tuple[str, str]]:
        """The lamps of each state as a line from the first to the last of them."""
        states = [
            ("off", self.lit + 1, self.last),
            ("past", self.last + 1, LAMPS),
            ("pit", self.lit + 1, LAMPS),
            ("halo", 1, self.lit),
            ("on", 1, self.old),
            ("new", self.old + 1, self.lit),
        ]
        # A little further than the last lamp, to show its dot.
        return [
            (state, f"M{self.x(first)} 13H{self.x(last, 0.02)}")
            for state, first, last in states
            if last >= first
        ]

    def x(self, lamp: int, more: float = 0) -> str:
        """Where a lamp hangs, counted from 1."""
        return f"{5.6 * (lamp - 0.5) + more:g}"


def gauge(value: int, goal: int | None, fresh: int) -> Gauge:
    """The gauge for a sum and its goal; a goal beyond sixty makes each lamp worth more."""
    scale = max(1, -(-(goal or value) // LAMPS))
    lit = min(LAMPS, value // scale)
    return Gauge(lit, goal // scale if goal else None, min(lit, lit - max(0, value - fresh) // scale))


@cache
def festoon() -> list[tuple[int, int, float]]:
    """Number, x and y of each lamp of the festoon on the table page; the wire hangs from seven nails."""
    lamps = []
    for lamp in range(1, LAMPS + 1):
        x = 20 * lamp - 10
        along = (x % 200) / 200
        lamps.append((lamp, x, round(21 + 30.8 * along * (1 - along), 1)))
    return lamps
