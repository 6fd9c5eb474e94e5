"""Opens a board for the companion: the entry point `companion.boards`."""

from __future__ import annotations

import os

from companion.clock import Clock, VirtualClock
from companion.table import Table
from hardware import kits
from hardware.board import WiredBoard
from hardware.loop import Steps, Thread
from hardware.machine import is_pi
from hardware.simulated import MockWires
from hardware.wires import PiWires, Wires


class LiveBoard(WiredBoard):
    """A board that runs by itself from its first moment to its last."""

    def __init__(self, kit: kits.Kit, table: Table, clock: Clock, wires: Wires) -> None:
        super().__init__(kit, table, clock, wires)
        self._life = Steps(self, clock) if isinstance(clock, VirtualClock) else Thread(self)

    def close(self) -> None:
        """Stop, lamps dark, pins free."""
        self._life.stop()
        super().close()


def open(kit: str, table: Table, clock: Clock) -> LiveBoard:
    """The board with a kit: on the pins of a Pi, or simulated on any other machine and in virtual time."""
    read = kits.load(kit)
    wires: Wires = MockWires(read) if _simulated(read, clock) else PiWires()
    return LiveBoard(read, table, clock, wires)


def _simulated(kit: kits.Kit, clock: Clock) -> bool:
    asked = os.environ.get("GPIOZERO_PIN_FACTORY") == "mock"
    return asked or isinstance(clock, VirtualClock) or kit.chain.driver == "simulated" or not is_pi()
