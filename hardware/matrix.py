"""A contact under every room on a grid of wires, scanned row by row through gpiozero.

A row is pulled low, the wires are given a moment to settle, and the columns that follow have a closed contact
on it. Rows at rest drive nothing: they are inputs, held up by the Pi's own resistor alone.

A diode lets current through from column to row only. So the grid is also scanned the other way round now and
then: what conducts backwards has no diode, or one that is the wrong way round. Without a working diode three
closed corners of a rectangle feign the fourth; such corners are doubtful, and nobody is moved by them.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Sequence
from contextlib import ExitStack
from typing import Any

from gpiozero import InputDevice

from companion.words import Saying
from hardware import names
from hardware.inputs import claimed
from hardware.kits import Kit, Matrix
from hardware.scans import Reading, natural

Cell = tuple[int, int]
Pause = Callable[[float], object]
"""Waits for so many seconds."""

BACKWARDS_EVERY = 1.0
"""Seconds from one look at the diodes to the next, while they are well and no contact changes."""


class MatrixScan:
    """The wires of a matrix."""

    def __init__(self, kit: Kit, factory: Any, pause: Pause = time.sleep) -> None:
        assert kit.matrix is not None
        self._matrix: Matrix = kit.matrix
        self._columns_wide = len(kit.matrix.columns)
        self._settle: Callable[[], object] = lambda: pause(self._matrix.settle_us / 1_000_000)
        self.names = [f"room{room}" for room in kit.grid.rooms]
        with ExitStack() as opened:
            self._rows = self._opened(kit.matrix.rows, factory, opened)
            self._columns = self._opened(kit.matrix.columns, factory, opened)
            opened.pop_all()
        self._last: set[Cell] = set()
        self._look_at = float("-inf")
        self.missing: frozenset[str] = frozenset()
        """The rooms whose contact conducts both ways, at the last look."""
        self.reversed: frozenset[str] = frozenset()
        """The rooms whose contact conducts the wrong way only."""

    @staticmethod
    def _opened(pins: Iterable[int], factory: Any, opened: ExitStack) -> list[Any]:
        devices = []
        for pin in pins:
            devices.append(claimed(InputDevice, pin, factory, pull_up=True))
            opened.callback(devices[-1].close)
        return devices

    def read(self, now: float) -> Reading:
        """One scan of every contact."""
        cells = self._scanned(self._rows, self._columns)
        if self._matrix.diodes and (self._damaged or cells != self._last or now >= self._look_at):
            self._last, self._look_at = cells, now + BACKWARDS_EVERY
            self._look_backwards(cells)
        trusted = self._matrix.diodes and not self._damaged
        doubtful: Iterable[Cell] = () if trusted else corners(cells)
        return Reading(self._names(cells), self._names(doubtful))

    @property
    def _damaged(self) -> bool:
        return bool(self.missing or self.reversed)

    def _scanned(self, driven: Sequence[Any], felt: Sequence[Any]) -> set[Cell]:
        """Pull one line after the other low, and see which of the crossing ones follow."""
        found: set[Cell] = set()
        for number, line in enumerate(driven):
            line.pin.output_with_state(0)
            self._settle()
            found.update((number, n) for n, other in enumerate(felt) if other.pin.state == 0)
            line.pin.input_with_pull("up")
        return found

    def _look_backwards(self, cells: set[Cell]) -> None:
        backwards = {(row, column) for column, row in self._scanned(self._columns, self._rows)}
        self.missing, self.reversed = self._names(backwards & cells), self._names(backwards - cells)

    def _names(self, cells: Iterable[Cell]) -> frozenset[str]:
        return frozenset(self.names[row * self._columns_wide + column] for row, column in cells)

    def faults(self, now: float) -> list[Saying]:
        """Diodes that are missing or the wrong way round, as far as a tile lies on their contact."""
        found = {"diode_missing": self.missing, "diode_reversed": self.reversed}
        return [
            Saying(f"hardware.{key}", contacts=tuple(map(names.wire, sorted(rooms, key=natural))))
            for key, rooms in found.items()
            if rooms
        ]

    def close(self) -> None:
        """Let go of the pins."""
        for device in (*self._rows, *self._columns):
            device.close()


def corners(closed: set[Cell]) -> set[Cell]:
    """The cells that are corners of a rectangle of closed ones: any one of the four may be feigned."""
    rows: dict[int, set[int]] = {}
    for row, column in closed:
        rows.setdefault(row, set()).add(column)
    found: set[Cell] = set()
    for row, columns in rows.items():
        for other, others in rows.items():
            shared = columns & others
            if other > row and len(shared) > 1:
                found.update((each, column) for each in (row, other) for column in shared)
    return found
