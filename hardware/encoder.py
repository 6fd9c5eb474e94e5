"""A rotary encoder: two contacts that close one after the other tell which way the knob was turned.

The pair changes one line at a time (a Gray code), so that a bouncing contact only goes one step to and fro.
"""

from __future__ import annotations

NEXT, PREVIOUS = "next", "previous"
TURN = ((False, False), (True, False), (True, True), (False, True))
"""The two lines, closed or open, as they follow each other in one step to the right."""
ENOUGH = 3
"""So many of the four changes make a step: one may have been missed."""


class Quadrature:
    """The knob from rest to rest."""

    def __init__(self) -> None:
        self._lines = [False, False]
        self._turned = 0

    def edge(self, line: int, closed: bool) -> str | None:
        """A line changed; the step that is complete with it, if one is."""
        before = TURN.index((self._lines[0], self._lines[1]))
        self._lines[line] = closed
        now = TURN.index((self._lines[0], self._lines[1]))
        self._turned += {1: 1, 3: -1}.get((now - before) % 4, 0)
        if now != 0:
            return None
        turned, self._turned = self._turned, 0
        return NEXT if turned >= ENOUGH else PREVIOUS if turned <= -ENOUGH else None
