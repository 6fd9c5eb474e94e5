"""Wires of a board that is not there: gpiozero's mock pins, mock contacts, lamps that remember.

Everything above the last wire is the code that runs on a Pi.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from importlib.util import find_spec
from typing import Any

from gpiozero.pins.mock import MockFactory, MockPin
from msgspec.structs import replace

from hardware.chips import inputs
from hardware.encoder import NEXT, PREVIOUS
from hardware.expander import ALL, LEVELS, PULL_UP, ExpanderScan
from hardware.frames import Frame
from hardware.inputs import ENCODER_LINES, button_pins
from hardware.kits import Kit
from hardware.lights import Lights, opened
from hardware.lights.wire import Wire, from_data, from_spi
from hardware.matrix import Cell, MatrixScan
from hardware.scans import Sensors

PI_4B = "c03114"
Line = tuple[str, int]
"""A row or a column of a matrix, by its number."""


class MockWires:
    """The wires of a simulated kit; `touch` is the finger."""

    still = True

    def __init__(self, kit: Kit) -> None:
        self.factory: Any = MockFactory(revision=PI_4B)
        self.wire, self.second_wire = Wire(), Wire()
        self.driver = ""
        self._order = kit.chain.order
        self._pins = dict(button_pins(kit))
        self._contacts: MockMatrix | MockBus | None = None
        if kit.matrix:
            self._contacts = MockMatrix(kit, self.factory)
        elif kit.expander:
            self._contacts = MockBus(kit)

    def sensors(self, kit: Kit) -> Sensors | None:
        """The same scanning code as on a Pi, over mocks."""
        if isinstance(self._contacts, MockBus):
            return ExpanderScan(kit, self._contacts)
        # Mock wires settle at once; only where time is real is it waited for.
        pause = _nothing if self.still else time.sleep
        return MatrixScan(kit, self.factory, pause) if kit.matrix else None

    def lights(self, kit: Kit) -> Lights:
        """The kit's own driver over a wire that remembers; a plain one where its library is missing."""
        self.driver = kit.chain.driver
        if self.driver != "simulated" and find_spec(self.driver) is None:
            self.driver = "simulated"
        driven = replace(kit, chain=replace(kit.chain, driver=self.driver))
        return opened(driven, (self.wire, self.second_wire))

    def decoded(self) -> Frame:
        """The colours the lamps understand from what was last sent over the wire."""
        decode = from_spi if self.driver == "neopixel_spi" else from_data
        return sum((decode(wire.sent, self._order) for wire in (self.wire, self.second_wire)), ())

    def touch(self, contact: str, closed: bool) -> None:
        """Close or open a contact."""
        if contact in self._pins:
            self._drive(contact, closed)
        elif contact in (NEXT, PREVIOUS):
            self._turn(contact, closed)
        elif self._contacts:
            self._contacts.touch(contact, closed)

    def _drive(self, contact: str, closed: bool) -> None:
        pin = self.factory.pin(self._pins[contact])
        (pin.drive_low if closed else pin.drive_high)()

    def _turn(self, way: str, closed: bool) -> None:
        """One step of the knob, both lines as they follow each other; letting go of it does nothing."""
        lines = ENCODER_LINES if way == NEXT else ENCODER_LINES[::-1]
        for state in (True, False) if closed else ():
            for line in lines:
                self._drive(line, state)

    def close(self) -> None:
        """Forget the pins."""
        self.factory.close()


class LinePin(MockPin):  # type: ignore[misc]
    """A line of a mock matrix: whoever drives it moves those that touch it."""

    settle: Callable[[], None] | None = None

    def _set_state(self, value: Any) -> None:
        super()._set_state(value)
        if self.settle:
            self.settle()

    def _set_function(self, value: Any) -> None:
        super()._set_function(value)
        if self.settle:
            self.settle()


class MockMatrix:
    """The electricity of a matrix: a line that is driven low pulls down what is connected to it.

    Current runs from a column to a row through the contact's diode; where it is `missing` both ways, and
    where it is `reversed` only from row to column.
    """

    def __init__(self, kit: Kit, factory: MockFactory) -> None:
        assert kit.matrix is not None
        self._wide = len(kit.matrix.columns)
        self.closed: set[Cell] = set()
        cells = {(row, column) for row in range(len(kit.matrix.rows)) for column in range(self._wide)}
        self.missing: set[Cell] = set() if kit.matrix.diodes else cells
        self.reversed: set[Cell] = set()
        self._rows = [factory.pin(pin, pin_class=LinePin) for pin in kit.matrix.rows]
        self._columns = [factory.pin(pin, pin_class=LinePin) for pin in kit.matrix.columns]
        self._settling = False
        self._low: set[Line] = set()
        self._lines: dict[Line, Any] = {("row", n): pin for n, pin in enumerate(self._rows)}
        self._lines |= {("column", n): pin for n, pin in enumerate(self._columns)}
        self._touching: dict[Line, set[Line]] = {}
        """For each row the columns that it touches through a closed contact."""
        for line in self._lines.values():
            line.settle = self._settle

    def touch(self, contact: str, closed: bool) -> None:
        """Close or open the contact of a room."""
        cell = divmod(int(contact[4:]) - 1, self._wide)
        self.closed = self.closed | {cell} if closed else self.closed - {cell}
        self._touching = {}
        for row, column in self.closed:
            self._touching.setdefault(("row", row), set()).add(("column", column))
        self._settle()

    def _settle(self) -> None:
        if self._settling:
            return
        self._settling = True
        lines = self._lines
        driven = {line for line, pin in lines.items() if pin.function == "output" and not pin.state}
        low = self._pulled_down(driven)
        for line in low ^ self._low:
            if lines[line].function == "input":
                (lines[line].drive_low if line in low else lines[line].drive_high)()
        self._low = {line for line in low if lines[line].function == "input"}
        self._settling = False

    def _pulled_down(self, low: set[Line]) -> set[Line]:
        """Every line that is low if these are."""
        more = low.union(*(self._touching.get(line, ()) for line in low))
        if not (self.missing or self.reversed):
            return more
        more = set(low)
        for cell in self.closed:
            row, column = ("row", cell[0]), ("column", cell[1])
            if row in more and cell not in self.reversed:
                more.add(column)
            if column in more and cell in self.missing | self.reversed:
                more.add(row)
        return more if more == low else self._pulled_down(more)


class MockBus:
    """MCP23017 chips that are not there; `silent` ones do not answer, and any can be `reset`."""

    def __init__(self, kit: Kit) -> None:
        assert kit.expander is not None
        self._levels = dict.fromkeys(kit.expander.chips, ALL)
        self.pulled_up = dict.fromkeys(kit.expander.chips, 0)
        self._places = inputs(kit)
        self.silent: set[int] = set()

    def touch(self, contact: str, closed: bool) -> None:
        """Close or open a contact: a closed one pulls its input low."""
        place = self._places[contact]
        levels = self._levels[place.address]
        self._levels[place.address] = levels & ~(1 << place.bit) | (0 if closed else 1 << place.bit)

    def reset(self, address: int) -> None:
        """The supply of a chip dips: it forgets its set-up."""
        self.pulled_up[address] = 0

    def write_word_data(self, address: int, register: int, value: int) -> None:
        """Set a chip up."""
        self._check(address)
        if register == PULL_UP:
            self.pulled_up[address] = value

    def read_word_data(self, address: int, register: int) -> int:
        """Read a chip's registers; an input that nothing pulls up is taken to read low."""
        self._check(address)
        return self.pulled_up[address] & (self._levels[address] if register == LEVELS else ALL)

    def _check(self, address: int) -> None:
        if address in self.silent:
            raise OSError(121, "Remote I/O error")

    def close(self) -> None:
        """Nothing to let go of."""


def _nothing(seconds: float) -> None:
    return
