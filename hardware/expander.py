"""Contacts on MCP23017 chips: fourteen inputs each over two wires, no diodes needed.

A chip that does not answer takes only its own contacts with it. One whose supply dipped comes back with its
pull-ups off, and its inputs then say anything: it is noticed by that before anything it says is believed.
"""

from __future__ import annotations

import logging
from typing import Protocol

from companion.words import Saying
from hardware.chips import INPUTS, Input, inputs
from hardware.kits import Kit
from hardware.scans import RETRY, Reading

log = logging.getLogger(__name__)

DIRECTION, PULL_UP, LEVELS = 0x00, 0x0C, 0x12
"""The chip's registers, each a pair for its two halves."""
ALL = sum(1 << Input(0, name).bit for name in INPUTS)
"""Every input; the two that are missing, A7 and B7, stay outputs that nothing is connected to."""
REMEMBERED = 60.0
"""Seconds for which it is told that a chip was reset."""


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


class Chip:
    """One chip on the bus, set up when it first answers and whenever it has forgotten it."""

    def __init__(self, address: int, bus: Bus) -> None:
        self.address = address
        self._bus = bus
        self._ready = self._was_ready = False
        self._low, self._checked = 0, float("-inf")
        self._retry_at = self._reset_at = float("-inf")
        self._fault: OSError | None = None

    def low(self, now: float) -> int | None:
        """The inputs that read low, as bits; nothing while the chip is silent."""
        if now < self._retry_at:
            return None
        try:
            low = self._read(now)
        except OSError as fault:
            # A chip that lost its power has forgotten its set-up too.
            self._fault, self._ready, self._retry_at = fault, False, now + RETRY
            return None
        self._fault = None
        return low

    def _read(self, now: float) -> int:
        if not self._ready:
            self._set_up(now)
        low = ~self._bus.read_word_data(self.address, LEVELS) & ALL
        if low != self._low or now >= self._checked + RETRY:
            self._checked = now
            if self._bus.read_word_data(self.address, PULL_UP) & ALL != ALL:
                self._set_up(now)
                low = ~self._bus.read_word_data(self.address, LEVELS) & ALL
        self._low = low
        return low

    def _set_up(self, now: float) -> None:
        self._bus.write_word_data(self.address, DIRECTION, ALL)
        self._bus.write_word_data(self.address, PULL_UP, ALL)
        if self._was_ready:
            log.warning("chip 0x%02x had forgotten its set-up", self.address)
            self._reset_at = now
        self._ready = self._was_ready = True

    def faults(self, now: float) -> list[Saying]:
        """Whether it is silent, or was reset a moment ago."""
        address = f"0x{self.address:02x}"
        if self._fault is not None:
            return [Saying("hardware.chip_silent", address=address, fault=str(self._fault))]
        reset = now < self._reset_at + REMEMBERED
        return [Saying("hardware.chip_reset", address=address)] if reset else []


class ExpanderScan:
    """The chips of a kit: an input that reads low has a closed contact."""

    def __init__(self, kit: Kit, bus: Bus) -> None:
        assert kit.expander is not None
        self._bus = bus
        self._chips = [Chip(address, bus) for address in kit.expander.chips]
        self._inputs = inputs(kit)
        self.names = list(self._inputs)

    def read(self, now: float) -> Reading:
        """Ask every chip once; of the contacts on a silent one nothing is known."""
        low = {chip.address: chip.low(now) for chip in self._chips}
        closed, unknown = set(), set()
        for name, place in self._inputs.items():
            bits = low[place.address]
            if bits is None:
                unknown.add(name)
            elif bits >> place.bit & 1:
                closed.add(name)
        return Reading(frozenset(closed), unknown=frozenset(unknown))

    def faults(self, now: float) -> list[Saying]:
        """What the chips have to say of themselves."""
        return [fault for chip in self._chips for fault in chip.faults(now)]

    def close(self) -> None:
        """Let go of the bus."""
        self._bus.close()
