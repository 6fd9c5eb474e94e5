"""What a board is wired to: the pins, the bus and the chain of a Pi, or mocks of them."""

from __future__ import annotations

import os
from importlib.util import find_spec
from typing import Any, Protocol

from companion.refusals import Illegal
from hardware.expander import ExpanderScan
from hardware.kits import Kit
from hardware.lights import Lights, opened
from hardware.matrix import MatrixScan
from hardware.scans import Sensors


class Wires(Protocol):
    """The way to pins, sensors and lamps."""

    still: bool
    """Whether contacts change only by `touch`, so that nobody needs to ask them over and over."""

    @property
    def factory(self) -> Any:
        """The gpiozero pin factory."""
        ...

    def sensors(self, kit: Kit) -> Sensors | None:
        """The contacts under the rooms, if the kit has any."""
        ...

    def lights(self, kit: Kit) -> Lights:
        """The chain of lamps."""
        ...

    def touch(self, contact: str, closed: bool) -> None:
        """Close or open a contact without a finger."""
        ...

    def close(self) -> None:
        """Let go of everything."""
        ...


class PiWires:
    """The real pins of a Pi, by gpiod unless `GPIOZERO_PIN_FACTORY` names another factory."""

    still = False

    @property
    def factory(self) -> Any:
        """The pin factory of gpiozero, made when it is first needed."""
        from gpiozero import Device
        from gpiozero.exc import GPIOZeroError

        if find_spec("gpiod"):
            os.environ.setdefault("GPIOZERO_PIN_FACTORY", "gpiod")
        try:
            Device.ensure_pin_factory()
        except (GPIOZeroError, ImportError, OSError, RuntimeError) as fault:
            raise Illegal("hardware.no_pins", fault=str(fault)) from fault
        return Device.pin_factory

    def sensors(self, kit: Kit) -> Sensors | None:
        """The matrix on the pins, or the chips on the bus."""
        if kit.expander:
            return ExpanderScan(kit, KernelBus(kit.expander.bus))
        return MatrixScan(kit, self.factory) if kit.matrix else None

    def lights(self, kit: Kit) -> Lights:
        """The chain behind the kit's driver."""
        return opened(kit)

    def touch(self, contact: str, closed: bool) -> None:
        """A real contact needs a real finger."""
        raise Illegal("hardware.not_simulated", button=contact)

    def close(self) -> None:
        """The pin factory belongs to gpiozero; the devices on it have been closed."""


class KernelBus:
    """The kernel's I²C through smbus2, opened when it is first needed and again after it was lost."""

    def __init__(self, number: int) -> None:
        self._number = number
        self._bus: Any = None

    def _opened(self) -> Any:
        from smbus2 import SMBus

        self._bus = self._bus or SMBus(self._number)
        return self._bus

    def write_word_data(self, address: int, register: int, value: int) -> None:
        """Write two registers."""
        self._opened().write_word_data(address, register, value)

    def read_word_data(self, address: int, register: int) -> int:
        """Read two registers."""
        return int(self._opened().read_word_data(address, register))

    def close(self) -> None:
        """Let go of the bus."""
        if self._bus is not None:
            self._bus.close()
            self._bus = None
