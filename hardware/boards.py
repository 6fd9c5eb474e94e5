"""Opens a board for the companion: the entry point `companion.boards`."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator

from companion.board import KitOffer, Touch
from companion.clock import Clock, VirtualClock
from companion.refusals import Refusal
from companion.table import Table
from hardware import kits, names
from hardware.board import WiredBoard
from hardware.loop import Steps, Thread
from hardware.machine import is_pi
from hardware.simulated import MockWires
from hardware.wires import PiWires, Wires


class LiveBoard(WiredBoard):
    """A board that runs by itself from its first moment to its last."""

    def __init__(
        self,
        kit: kits.Kit,
        table: Table,
        clock: Clock,
        wires: Wires,
        *,
        on_rest: Callable[[], None] | None = None,
        patient: bool = False,
    ) -> None:
        super().__init__(kit, table, clock, wires, on_rest=on_rest, patient=patient)
        self._life = Steps(self, clock) if isinstance(clock, VirtualClock) else Thread(self)

    def close(self) -> None:
        """Stop, lamps dark, pins free."""
        self._life.stop()
        super().close()


def open(
    kit: str,
    table: Table,
    clock: Clock,
    *,
    on_rest: Callable[[], None] | None = None,
    patient: bool = False,
) -> LiveBoard:
    """The board with a kit: on the pins of a Pi, or simulated on any other machine and in virtual time.

    A `patient` one whose pins cannot be had yet is there without them, says so, and tries again.
    """
    read = kits.load(kit)
    wires: Wires = MockWires(read) if _simulated(read, clock) else PiWires()
    return LiveBoard(read, table, clock, wires, on_rest=on_rest, patient=patient)


def offers(language: str) -> Iterator[KitOffer]:
    """The kits that can be chosen by name: the entry point `companion.kits`. A broken one is no choice."""
    for name in kits.names():
        try:
            kit = kits.load(name)
        except Refusal:
            continue
        rooms = len(kit.board.rooms) if kit.board else None
        title, about = (names.said(each(kit), language) for each in (names.title, names.about))
        yield KitOffer(name, title, about, _touch(kit), rooms, kit.chain.driver != "simulated")


def _touch(kit: kits.Kit) -> Touch:
    """What one touches to play with a kit."""
    if kit.chain.driver == "simulated":
        return "screen"
    if kit.senses_tiles:
        return "contacts"
    if kit.line_buttons is not None:
        return "rows"
    return "joystick" if "up" in kit.buttons or kit.encoder else "strip"


def _simulated(kit: kits.Kit, clock: Clock) -> bool:
    asked = os.environ.get("GPIOZERO_PIN_FACTORY") == "mock"
    return asked or isinstance(clock, VirtualClock) or kit.chain.driver == "simulated" or not is_pi()
