"""Time as the companion counts it: seconds that only go forward. Wall time may jump by years on a Pi."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Protocol


class Clock(Protocol):
    """Anything that tells how many seconds have passed since some beginning."""

    def now(self) -> float:
        """Seconds since that beginning."""
        ...


class SystemClock:
    """The machine's monotonic clock."""

    def now(self) -> float:
        """Seconds since the machine started, or thereabouts."""
        return time.monotonic()


class VirtualClock:
    """A clock that stands still until it is told to go on."""

    def __init__(self) -> None:
        self._now = 0.0
        self._watchers: list[Callable[[], None]] = []

    def now(self) -> float:
        """Seconds ticked so far."""
        return self._now

    def watch(self, watcher: Callable[[], None]) -> None:
        """Call somebody after each step of time."""
        self._watchers.append(watcher)

    def tick(self, seconds: float) -> None:
        """Let time pass."""
        self._now += seconds
        for watcher in self._watchers:
            watcher()
