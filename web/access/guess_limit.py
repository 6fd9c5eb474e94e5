"""How often somebody may guess: after some wrong ones a pause, and each time a longer one.

A guess is counted before anybody looks at it, and given back if it was right. It counts for the address it
comes from, for the network around that address, where one device may have as many as it likes, and among all
strangers: however many somebody has, the tries of a day are few. Whoever has joined is no stranger, so a
crowd of addresses keeps nobody out who sits at the table.
"""

from __future__ import annotations

import threading
from collections.abc import Callable

import msgspec

from companion.clock import Clock
from companion.refusals import Refusal
from web.http.addresses import neighbourhood

PAUSE, LONGEST_PAUSE = 60.0, 6 * 3600.0
FORGOTTEN = 24 * 3600.0
"""Seconds after which nothing is left of wrong guesses."""
NETWORK = 5
"""So many addresses' worth of guesses has a network that one device may have all of."""
MOST = 4096
"""Guessers that are remembered; the one not heard of for longest is forgotten for the next."""
STRANGERS = "strangers"


class TooMany(Refusal):
    """Asked too often: wait."""

    code = "too_many"

    def __init__(self, seconds: float) -> None:
        self.retry_after = int(seconds) + 1
        super().__init__("evening.too_many_guesses", n=-(-self.retry_after // 60))


class Tries(msgspec.Struct):
    """Wrong guesses of somebody, and when the last one was."""

    wrong: int
    last: float

    def pause(self, limit: int, now: float) -> float:
        """Seconds still to wait: after every `limit` guesses twice as long as before."""
        times, more = divmod(self.wrong, limit)
        length = min(LONGEST_PAUSE, PAUSE * 2 ** min(times - 1, 20)) if times and not more else 0.0
        return self.last + length - now


class GuessLimit:
    """Counts guesses: `each` from one address or guest, `strangers` from all who have not joined, if any."""

    def __init__(
        self,
        clock: Clock,
        each: int,
        strangers: int | None = None,
        alarm: Callable[[int], None] | None = None,
    ) -> None:
        """`alarm` is told how many wrong ones there were: at the first pause, and whenever they doubled."""
        self._clock, self._each, self._strangers, self._alarm = clock, each, strangers, alarm
        self._tries: dict[str, Tries] = {}
        self._all, self._alarm_at = 0, each
        self._lock = threading.Lock()

    def guess(self, address: str, guest: str = "") -> None:
        """Count a guess, or refuse even to look at it."""
        with self._lock:
            now, limits = self._clock.now(), self._limits(address, guest)
            pause = max(self._of(key, now).pause(limit, now) for key, limit in limits.items())
            if pause > 0:
                raise TooMany(pause)
            for key in limits:
                tries = self._of(key, now)
                tries.wrong, tries.last = tries.wrong + 1, now
                self._tries.pop(key, None)
                self._tries[key] = tries
            while len(self._tries) > MOST:
                del self._tries[next(iter(self._tries))]
            self._all += 1

    def right(self, address: str, guest: str = "") -> None:
        """It was right: it does not count, and whoever made it begins anew."""
        with self._lock:
            self._all -= 1
            for key, limit in self._limits(address, guest).items():
                tries = self._of(key, self._clock.now())
                tries.wrong = 0 if limit == self._each else max(0, tries.wrong - 1)

    def wrong(self) -> None:
        """It was wrong: somebody may have to be told."""
        if self._alarm is not None and self._all >= self._alarm_at:
            self._alarm_at = 2 * self._all
            self._alarm(self._all)

    def _of(self, key: str, now: float) -> Tries:
        found = self._tries.get(key)
        return found if found and now - found.last < FORGOTTEN else Tries(0, now)

    def _limits(self, address: str, guest: str) -> dict[str, int]:
        """For whom a guess counts, and how many they have until the next pause."""
        limits = {address: self._each}
        if guest:
            limits[f"guest {guest}"] = self._each
        elif self._strangers is not None:
            limits[STRANGERS] = self._strangers
        if (network := neighbourhood(address)) != address:
            limits[f"network {network}"] = NETWORK * self._each
        return limits
