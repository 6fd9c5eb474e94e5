"""Whether a table is alive: its lock can be had, so somebody can act. A loop that turns is not enough."""

from __future__ import annotations

import threading

from companion import notify
from companion.clock import Clock

MOMENT = 0.1
"""Seconds that one look may wait for the lock."""
LONGEST = 10.0
"""Seconds for which a slow card or processor may keep it; less than the service's watchdog waits."""


class Pulse:
    """Looks at a lock from time to time, and remembers when it was last to be had."""

    def __init__(self, lock: threading.RLock, clock: Clock, longest: float = LONGEST) -> None:  # type: ignore[valid-type, unused-ignore]
        self._lock, self._clock, self._longest = lock, clock, longest
        self._felt = clock.now()

    def beats(self) -> bool:
        """Whether the table could be acted at lately. It waits for a moment at most."""
        if self._lock.acquire(timeout=MOMENT):
            self._lock.release()
            self._felt = self._clock.now()
            return True
        return self._clock.now() - self._felt < self._longest

    def tell_systemd(self) -> bool:
        """Say that we live, if that is so; otherwise systemd soon starts us anew."""
        alive = self.beats()
        if alive:
            notify.alive()
        return alive
