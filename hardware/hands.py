"""Everything on a board that a hand can close: buttons on their own pins, and contacts that are scanned."""

from __future__ import annotations

import logging
from collections.abc import Callable

from companion.refusals import Refusal
from companion.words import Saying
from hardware.contacts import Changed, Contacts
from hardware.encoder import NEXT, PREVIOUS, Quadrature
from hardware.inputs import ENCODER_LINES, Buttons
from hardware.kits import Kit
from hardware.scans import Rounds, Sensors
from hardware.wires import Wires

log = logging.getLogger(__name__)

AGAIN = 5.0
"""Seconds until pins that could not be had are asked for again."""


class Hands:
    """The contacts of a kit. A `patient` one whose pins cannot be had yet says so, and tries again."""

    def __init__(self, kit: Kit, wires: Wires, changed: Changed, edge: Callable[[str, bool, float], None],
                 now: float, patient: bool) -> None:  # fmt: skip
        self._kit, self._wires, self._changed, self._edge = kit, wires, changed, edge
        self._contacts = Contacts(changed)
        self._knob = Quadrature()
        self._buttons: Buttons | None = None
        self._sensors: Sensors | None = None
        self.rounds: Rounds | None = None
        """The rounds of the scan, if there is one."""
        self._unopened: Saying | None = None
        self._again_at: float | None = None
        try:
            self._open(now)
        except Refusal as refusal:
            if not patient:
                raise
            self._put_off(refusal, now)

    def _open(self, now: float) -> None:
        self._buttons = Buttons(self._kit, self._wires.factory, self._edge)
        for name, closed in self._buttons.closed().items():
            if name not in ENCODER_LINES:
                self._contacts.add(name, closed, now)
        try:
            self._sensors = self._wires.sensors(self._kit)
        except BaseException:
            self._buttons.close()
            self._buttons = None
            raise
        if self._sensors:
            self.rounds = Rounds(self._sensors, self._changed, now, self._wires.still)

    def _put_off(self, refusal: Refusal, now: float) -> None:
        if self._unopened is None:
            log.warning("the contacts cannot be had yet: %s", refusal)
        self._unopened, self._again_at = refusal.saying, now + AGAIN

    def names(self) -> list[str]:
        """The names of all contacts."""
        buttons = self._buttons.closed() if self._buttons else {}
        turned = (NEXT, PREVIOUS) if self._kit.encoder and buttons else ()
        sensed = self._sensors.names if self._sensors else ()
        return [*(name for name in buttons if name not in ENCODER_LINES), *turned, *sensed]

    def held(self) -> list[str]:
        """The buttons that are closed now."""
        return [*self._contacts.held()]

    def closed_rooms(self) -> set[int]:
        """The rooms whose contact is closed."""
        closed = self.rounds.closed if self.rounds else ()
        return {int(name[4:]) for name in closed if name.startswith("room")}

    def lay(self, rooms: set[int], now: float) -> None:
        """Let simulated tiles lie on these rooms alone, as if they had lain there at the start."""
        if self.rounds is None:
            return
        for name in self.names():
            if name.startswith("room"):
                self._wires.touch(name, int(name[4:]) in rooms)
        self.rounds.begin(now)

    def edge(self, name: str, closed: bool, at: float) -> None:
        """The wire of a button or of the knob changed."""
        if name not in ENCODER_LINES:
            self._contacts.edge(name, closed, at)
        elif step := self._knob.edge(ENCODER_LINES.index(name), closed):
            self._changed(step, True, at)
            self._changed(step, False, at)

    def nudge(self, now: float) -> None:
        """Something under the rooms may have changed."""
        if self.rounds:
            self.rounds.nudge(now)

    def due(self) -> float | None:
        """When `advance` has something to do."""
        parts = [self._contacts.due(), self._again_at, self.rounds.due() if self.rounds else None]
        return min((part for part in parts if part is not None), default=None)

    def advance(self, now: float) -> None:
        """Believe what has been quiet for long enough, make a round, ask again for what could not be had."""
        if self._again_at is not None and now >= self._again_at:
            try:
                self._open(now)
                self._unopened = self._again_at = None
            except Refusal as refusal:
                self._put_off(refusal, now)
        self._contacts.advance(now)
        if self.rounds:
            self.rounds.advance(now)

    def damage(self, now: float) -> list[Saying]:
        """What the sensors know of their own damage: diodes, chips."""
        return self._sensors.faults(now) if self._sensors else []

    def faults(self, now: float) -> list[Saying]:
        """What seems to be broken."""
        found = [self._unopened] if self._unopened else []
        found += self._contacts.faults(now)
        return found + (self.rounds.faults(now) if self.rounds else [])

    def close(self) -> None:
        """Let go of the pins."""
        for part in (self._buttons, self._sensors):
            if part is not None:
                part.close()
