"""Wires of a board that is not there: gpiozero's mock pins, mock contacts, lamps that remember.

Everything above the last wire is the code that runs on a Pi.
"""

from __future__ import annotations

from collections.abc import Callable
from importlib.util import find_spec
from typing import Any

from gpiozero.pins.mock import MockFactory, MockPin
from msgspec.structs import replace

from hardware.checks import CHIP_INPUTS
from hardware.expander import ALL, LEVELS, ExpanderScan
from hardware.frames import Frame
from hardware.inputs import button_pins
from hardware.kits import Kit
from hardware.lights import Lights, find
from hardware.lights.wire import Wire, from_data, from_spi
from hardware.matrix import Cell, MatrixScan
from hardware.scans import Sensors

PI_4B = "c03114"


class MockWires:
    """The wires of a simulated kit; `touch` is the finger."""

    still = True

    def __init__(self, kit: Kit) -> None:
        self.factory: Any = MockFactory(revision=PI_4B)
        self.wire = Wire()
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
        return MatrixScan(kit, self.factory) if kit.matrix else None

    def lights(self, kit: Kit) -> Lights:
        """The kit's own driver over a wire that remembers; a plain one where its library is missing."""
        self.driver = kit.chain.driver
        if self.driver != "simulated" and find_spec(self.driver) is None:
            self.driver = "simulated"
        return find(self.driver)(replace(kit.chain, driver=self.driver), kit.lamps, self.wire)

    def decoded(self) -> Frame:
        """The colours the lamps understand from what was last sent over the wire."""
        decode = from_spi if self.driver == "neopixel_spi" else from_data
        return decode(self.wire.sent, self._order)

    def touch(self, contact: str, closed: bool) -> None:
        """Close or open a contact."""
        if contact in self._pins:
            pin = self.factory.pin(self._pins[contact])
            (pin.drive_low if closed else pin.drive_high)()
        elif self._contacts:
            self._contacts.touch(contact, closed)

    def close(self) -> None:
        """Forget the pins."""
        self.factory.close()


class RowPin(MockPin):  # type: ignore[misc]
    """A row of a mock matrix: whoever drives it moves the columns."""

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
    """The electricity of a matrix: a low row pulls down what is connected to it, both ways without diodes."""

    def __init__(self, kit: Kit, factory: MockFactory) -> None:
        assert kit.matrix is not None
        self._diodes = kit.matrix.diodes
        self._wide = len(kit.matrix.columns)
        self.closed: set[Cell] = set()
        self._touching: list[set[int]] = [set() for _ in kit.matrix.rows]
        """For each row the columns it touches through a closed contact."""
        self._low: set[int] = set()
        self._columns = [factory.pin(pin) for pin in kit.matrix.columns]
        self._rows = [factory.pin(pin, pin_class=RowPin) for pin in kit.matrix.rows]
        for row in self._rows:
            row.settle = self._settle

    def touch(self, contact: str, closed: bool) -> None:
        """Close or open the contact of a room."""
        cell = divmod(int(contact[4:]) - 1, self._wide)
        self.closed = self.closed | {cell} if closed else self.closed - {cell}
        self._touching = [{c for r, c in self.closed if r == row} for row in range(len(self._rows))]
        self._settle()

    def _settle(self) -> None:
        low = {n for n, row in enumerate(self._rows) if row.function == "output" and not row.state}
        columns = self._pulled_down(low)
        for number in columns ^ self._low:
            (self._columns[number].drive_low if number in columns else self._columns[number].drive_high)()
        self._low = columns

    def _pulled_down(self, rows: set[int]) -> set[int]:
        columns: set[int] = set().union(*(self._touching[row] for row in rows))
        if self._diodes:
            return columns
        # Current also runs backwards, from a low column into every row that touches it.
        more = {row for row, touching in enumerate(self._touching) if touching & columns}
        return columns if more <= rows else self._pulled_down(rows | more)


class MockBus:
    """MCP23017 chips that are not there; `silent` ones do not answer."""

    def __init__(self, kit: Kit) -> None:
        assert kit.expander is not None
        self._levels = dict.fromkeys(kit.expander.addresses, ALL)
        self._places = {f"room{room}": room - 1 for room in kit.grid.rooms} | kit.expander.buttons
        self.silent: set[int] = set()

    def touch(self, contact: str, closed: bool) -> None:
        """Close or open a contact: a closed one pulls its input low."""
        chip, bit = divmod(self._places[contact], CHIP_INPUTS)
        address = list(self._levels)[chip]
        self._levels[address] = self._levels[address] & ~(1 << bit) | (0 if closed else 1 << bit)

    def write_word_data(self, address: int, register: int, value: int) -> None:
        """Set a chip up."""
        self._check(address)

    def read_word_data(self, address: int, register: int) -> int:
        """Read a chip's inputs."""
        self._check(address)
        assert register == LEVELS
        return self._levels[address]

    def _check(self, address: int) -> None:
        if address in self.silent:
            raise OSError(121, "Remote I/O error")

    def close(self) -> None:
        """Nothing to let go of."""
