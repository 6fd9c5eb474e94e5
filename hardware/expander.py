"""Contacts on MCP23017 chips: sixteen inputs each over two wires, no diodes needed."""

from __future__ import annotations

from typing import Protocol

from hardware.checks import CHIP_INPUTS
from hardware.kits import Kit
from hardware.scans import Reading

DIRECTION, PULL_UP, LEVELS = 0x00, 0x0C, 0x12
"""The chip's registers, each a pair for its two halves."""
ALL = 0xFFFF


class Bus(Protocol):
    """What is needed of an I²C bus; `smbus2.SMBus` is one."""

    def write_word_data(self, address: int, register: int, value: int) -> object:
        """Write two registers."""
        ...

    def read_word_data(self, address: int, register: int) -> int:
        """Read two registers."""
        ...

    def close(self) -> None:
        """Let go of the bus."""
        ...


class ExpanderScan:
    """The chips of a kit: an input that reads low has a closed contact."""

    def __init__(self, kit: Kit, bus: Bus) -> None:
        assert kit.expander is not None
        self._bus = bus
        self._addresses = kit.expander.addresses
        self._inputs = {room - 1: f"room{room}" for room in kit.grid.rooms}
        self._inputs |= {place: name for name, place in kit.expander.buttons.items()}
        self._ready: set[int] = set()
        self.names = list(self._inputs.values())

    def read(self) -> Reading:
        """Ask every chip once."""
        low = 0
        for number, address in enumerate(self._addresses):
            low |= self._low_inputs(address) << CHIP_INPUTS * number
        return Reading(frozenset(name for place, name in self._inputs.items() if low >> place & 1))

    def _low_inputs(self, address: int) -> int:
        try:
            if address not in self._ready:
                self._bus.write_word_data(address, DIRECTION, ALL)
                self._bus.write_word_data(address, PULL_UP, ALL)
                self._ready.add(address)
            return ~self._bus.read_word_data(address, LEVELS) & ALL
        except OSError as fault:
            # A chip that lost its power has forgotten its set-up too.
            self._ready.discard(address)
            raise OSError(f"0x{address:02x}: {fault}") from fault

    def close(self) -> None:
        """Let go of the bus."""
        self._bus.close()
