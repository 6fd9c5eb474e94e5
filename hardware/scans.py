"""Contacts that are asked in rounds: three equal answers in a row are believed."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

import msgspec

from companion.words import Saying
from hardware import names
from hardware.contacts import Changed

PERIOD, CONFIRM = 0.030, 0.005
"""Seconds from one round to the next while nothing happens, and while a change is being confirmed."""
EQUAL = 3
RETRY = 1.0
"""Seconds to wait for sensors that do not answer."""
FLIPS = 12
"""A contact that changed its mind so often within the last hundred rounds rattles."""


class Reading(msgspec.Struct, frozen=True):
    """One round: who seems closed, who cannot be told from a ghost of the wiring, and who did not answer."""

    closed: frozenset[str]
    doubtful: frozenset[str] = frozenset()
    unknown: frozenset[str] = frozenset()


class Sensors(Protocol):
    """Something with many contacts that can be asked."""

    @property
    def names(self) -> Sequence[str]:
        """The names of its contacts."""
        ...

    def read(self, now: float) -> Reading:
        """Ask every contact once. Raises OSError where nothing can be asked."""
        ...

    def faults(self, now: float) -> list[Saying]:
        """What the sensors know of their own damage."""
        ...

    def close(self) -> None:
        """Let go of the wires."""
        ...


class Rounds:
    """Asks the sensors over and over and tells of changes that last."""

    def __init__(self, sensors: Sensors, changed: Changed, now: float, resting: bool = False) -> None:
        self._sensors = sensors
        self._changed = changed
        self._resting = resting
        """Whether rounds are made only after a nudge: mock pins change by a call, not by themselves."""
        self._left = 0
        self._next = now
        self._counts: dict[str, int] = {}
        self._flips: dict[str, int] = {}
        self._round = 0
        self.fault: OSError | None = None
        self.doubtful: frozenset[str] = frozenset()
        self.begin(now)

    def begin(self, now: float) -> None:
        """Take the contacts as they are now, telling nobody: what lies there lay there before."""
        self.closed: set[str] = set(self._ask(now).closed)
        self._counts.clear()

    def nudge(self, now: float) -> None:
        """Something may have changed: make a few rounds."""
        if self._left == 0:
            self._next = max(now, self._next)
        self._left = EQUAL + 1

    def due(self) -> float | None:
        """When the next round is."""
        return None if self._resting and self._left == 0 else self._next

    def advance(self, now: float) -> None:
        """Make the round that is due."""
        if self._resting and self._left == 0:
            return
        if now < self._next:
            return
        self._left = max(0, self._left - 1)
        reading = self._ask(now)
        if self.fault is None:
            self._weigh(reading, now)
        self._next = now + (RETRY if self.fault else CONFIRM if self._counts else PERIOD)

    def _ask(self, now: float) -> Reading:
        try:
            reading = self._sensors.read(now)
            self.fault = None
        except OSError as fault:
            self.fault = fault
            return Reading(frozenset())
        self.doubtful = reading.doubtful
        return reading

    def _weigh(self, reading: Reading, now: float) -> None:
        self._round += 1
        if self._round % 100 == 0:
            self._flips.clear()
        differing = (reading.closed ^ self.closed) - reading.doubtful - reading.unknown
        for name in [name for name in self._counts if name not in differing]:
            del self._counts[name]
            self._flips[name] = self._flips.get(name, 0) + 1
        for name in sorted(differing):
            self._counts[name] = self._counts.get(name, 0) + 1
        for name in [name for name, count in self._counts.items() if count >= EQUAL]:
            del self._counts[name]
            self.closed ^= {name}
            self._changed(name, name in self.closed, now)

    def faults(self, now: float) -> list[Saying]:
        """What seems to be broken."""
        found = self._sensors.faults(now)
        if self.fault is not None:
            found.append(Saying("hardware.sensors_silent", fault=str(self.fault)))
        if self.doubtful:
            contacts = tuple(map(names.wire, sorted(self.doubtful, key=natural)))
            found.append(Saying("hardware.ghosting", contacts=contacts))
        rattling = [name for name, flips in list(self._flips.items()) if flips >= FLIPS]
        found += [Saying("hardware.rattles", button=name, wire=names.wire(name)) for name in sorted(rattling)]
        return found


def natural(name: str) -> tuple[str, int]:
    """The order in which a person counts: room2 before room10."""
    letters = name.rstrip("0123456789")
    return letters, int(name[len(letters) :] or 0)
