"""The way of a frame to the driver: only what changed is sent, and a driver that fails is tried again."""

from __future__ import annotations

import logging
from collections import deque
from collections.abc import Callable
from contextlib import suppress

from companion.words import Saying
from hardware.frames import Frame
from hardware.lights import Lights

log = logging.getLogger(__name__)

FIRST_WAIT, LONGEST_WAIT = 0.5, 8.0
"""Seconds until a failed driver is tried again: doubled every time, up to a limit."""
KEPT = 20_000
"""How many frames a record keeps."""


class Shine:
    """The lamps' driver as the board sees it: it may fail, and the game goes on."""

    def __init__(self, open: Callable[[], Lights]) -> None:
        self._open = open
        self._lights: Lights | None = None
        self._wait = FIRST_WAIT
        self._retry_at: float | None = None
        self._fault: Exception | None = None
        self.frame: Frame = ()
        """What the lamps show."""
        self.record: deque[tuple[float, Frame]] | None = None
        """Every frame sent with its time, if somebody wants to know."""

    def keep_record(self) -> deque[tuple[float, Frame]]:
        """Remember every frame from now on."""
        self.record = deque(maxlen=KEPT)
        return self.record

    def send(self, frame: Frame, now: float) -> None:
        """Show a frame, unless the lamps show it already or the driver is being left alone for a while."""
        if frame == self.frame or (self._retry_at is not None and now < self._retry_at):
            return
        try:
            self._lights = self._lights or self._open()
            self._lights.show(frame)
        except Exception as fault:
            self._fail(fault, now)
            return
        self._wait, self._retry_at, self._fault = FIRST_WAIT, None, None
        self.frame = frame
        if self.record is not None:
            self.record.append((now, frame))

    def _fail(self, fault: Exception, now: float) -> None:
        if self._fault is None:
            log.warning("the lamps are out: %s", fault)
        self._fault = fault
        self._retry_at = now + self._wait
        self._wait = min(2 * self._wait, LONGEST_WAIT)
        self.frame = ()
        self._let_go()

    def _let_go(self) -> None:
        if self._lights is not None:
            with suppress(Exception):
                self._lights.close()
            self._lights = None

    def due(self) -> float | None:
        """When a failed driver is to be tried again."""
        return self._retry_at

    def faults(self) -> list[Saying]:
        """Whether the lamps are out."""
        return [] if self._fault is None else [Saying("hardware.lamps_out", fault=str(self._fault))]

    def close(self) -> None:
        """Let go of the driver; the lamps stay as they are."""
        self._let_go()
