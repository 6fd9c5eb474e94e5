"""Opens a board for the companion: the entry point `companion.boards`."""

from __future__ import annotations

import os
from collections.abc import Iterator

from companion import words
from companion.board import KitOffer
from companion.clock import Clock, VirtualClock
from companion.refusals import Refusal
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


def offers(language: str) -> Iterator[KitOffer]:
    """The kits that can be chosen by name: the entry point `companion.kits`. A broken one is no choice."""
    for name in kits.names():
        try:
            kit = kits.load(name)
        except Refusal:
            continue
        key = f"kit_{name.replace('-', '_')}"
        known = key in words.sentences("hardware", language)
        about = words.say(f"hardware.{key}", language) if known else kit.about
        rooms = len(kit.board.rooms) if kit.board else None
        yield KitOffer(name, about, rooms, kit.chain.driver != "simulated")


def _simulated(kit: kits.Kit, clock: Clock) -> bool:
    asked = os.environ.get("GPIOZERO_PIN_FACTORY") == "mock"
    return asked or isinstance(clock, VirtualClock) or kit.chain.driver == "simulated" or not is_pi()
