"""A contact under every room on a grid of wires, scanned row by row through gpiozero.

Without diodes current finds its way backwards: where three corners of a rectangle are closed, the fourth
seems closed too. Such corners are called doubtful, and nobody is moved by them.
"""

from __future__ import annotations

from collections.abc import Iterable
from contextlib import ExitStack
from typing import Any

from gpiozero import InputDevice, OutputDevice

from hardware.inputs import claimed
from hardware.kits import Kit, Matrix
from hardware.scans import Reading

Cell = tuple[int, int]


class MatrixScan:
    """The wires of a matrix. A row is pulled low, and the columns that follow have a closed contact on it."""

    def __init__(self, kit: Kit, factory: Any) -> None:
        assert kit.matrix is not None
        self._matrix: Matrix = kit.matrix
        self._columns_wide = len(kit.matrix.columns)
        self.names = [f"room{room}" for room in kit.grid.rooms]
        with ExitStack() as opened:
            self._rows = [claimed(OutputDevice, pin, factory, active_high=False) for pin in kit.matrix.rows]
            opened.callback(_close, self._rows)
            self._columns = [claimed(InputDevice, pin, factory, pull_up=True) for pin in kit.matrix.columns]
            opened.pop_all()
        for row in self._rows:
            self._let_go(row)

    def read(self) -> Reading:
        """One scan of every contact."""
        cells: set[Cell] = set()
        for number, row in enumerate(self._rows):
            self._pull_low(row)
            cells.update((number, n) for n, column in enumerate(self._columns) if column.pin.state == 0)
            self._let_go(row)
        doubtful: Iterable[Cell] = () if self._matrix.diodes else corners(cells)
        return Reading(frozenset(map(self._name, cells)), frozenset(map(self._name, doubtful)))

    def _pull_low(self, row: OutputDevice) -> None:
        if self._matrix.diodes:
            row.pin.state = 0
        else:
            row.pin.output_with_state(0)

    def _let_go(self, row: OutputDevice) -> None:
        # Without diodes two rows can meet through two contacts, so a resting row must not drive the wire.
        if self._matrix.diodes:
            row.pin.state = 1
        else:
            row.pin.input_with_pull("up")

    def _name(self, cell: Cell) -> str:
        return self.names[cell[0] * self._columns_wide + cell[1]]

    def close(self) -> None:
        """Let go of the pins."""
        _close(self._rows)
        _close(self._columns)


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


def _close(devices: Iterable[Any]) -> None:
    for device in devices:
        device.close()
