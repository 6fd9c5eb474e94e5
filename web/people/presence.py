"""Who is here: phones with a live page, phones asleep in a pocket, phones gone home."""

from __future__ import annotations

from collections import Counter
from collections.abc import Container

from companion.clock import Clock
from web.scene import Presence

GRACE = 5.0
"""A page that is being loaded again is still here."""
ASLEEP = 120.0


class Presences:
    """The open streams of each guest, and when they were last heard of. Used under the evening's lock."""

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self._open: Counter[str] = Counter()
        self._heard: dict[str, float] = {}

    def opened(self, guest: str) -> None:
        """A live page was opened."""
        self._open[guest] += 1
        self._heard[guest] = self._clock.now()

    def closed(self, guest: str) -> None:
        """A live page was closed, or its line was cut."""
        self._open[guest] -= 1
        self._heard[guest] = self._clock.now()

    def heard(self, guest: str) -> None:
        """A page was asked for or a form sent."""
        self._heard[guest] = self._clock.now()

    def forget_all_but(self, guests: Container[str]) -> None:
        """Those who have left the table for good: else whoever joins again and again fills the memory."""
        for gone in [guest for guest in self._heard if guest not in guests and self._open[guest] <= 0]:
            del self._heard[gone], self._open[gone]

    def of(self, guest: str) -> Presence:
        """Here, asleep or away."""
        silent = self._clock.now() - self._heard.get(guest, float("-inf"))
        if self._open[guest] > 0 or silent < GRACE:
            return "here"
        return "asleep" if silent < ASLEEP else "away"
