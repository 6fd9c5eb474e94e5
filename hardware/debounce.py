"""One press from a bouncing contact: the first edge counts at once, and nothing more until it is quiet.

Time comes in as an argument, so that tests control it. Because every further edge prolongs the wait, a
contact that rattles at a thousand edges a second is one press and no more.
"""

from __future__ import annotations

from collections import deque

QUIET = 0.020
"""Seconds without an edge after which a contact is believed again."""
RATTLE, RATTLE_TIME = 60, 1.0
"""So many edges within so many seconds are no finger."""


class Contact:
    """One contact and what is believed of it."""

    def __init__(self, closed: bool = False) -> None:
        self.closed = closed
        """What is believed."""
        self.raw = closed
        """What the wire last said."""
        self.since = 0.0
        """When the belief last changed."""
        self._quiet_at = float("-inf")
        self._edges: deque[float] = deque(maxlen=RATTLE)

    def edge(self, closed: bool, now: float) -> bool:
        """The wire changed; whether that is to be believed at once. Ask `settle` first."""
        trusted = now >= self._quiet_at
        self.raw = closed
        self._quiet_at = now + QUIET
        self._edges.append(now)
        if not trusted or closed == self.closed:
            return False
        self._believe(now)
        return True

    def settle(self, now: float) -> bool:
        """Time passed; whether the wire has now been quiet on something else than was believed."""
        if self.raw == self.closed or now < self._quiet_at:
            return False
        self._believe(now)
        return True

    def due(self) -> float | None:
        """When `settle` has something to say."""
        return self._quiet_at if self.raw != self.closed else None

    def rattles(self, now: float) -> bool:
        """Whether it changes faster than any finger can."""
        return len(self._edges) == RATTLE and now - self._edges[0] <= RATTLE_TIME

    def _believe(self, now: float) -> None:
        self.closed, self.since = self.raw, now
