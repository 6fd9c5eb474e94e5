"""How a board lives in time: a thread on a real clock, or step by step on a virtual one."""

from __future__ import annotations

import logging
import threading
from math import inf

from companion.clock import VirtualClock
from hardware.board import WiredBoard

log = logging.getLogger(__name__)

LONG_JUMP, LAST_PART = 5.0, 1.0
"""A virtual jump of more seconds than the first shows only the last part of its animations."""
STUMBLE = 1.0
"""Seconds to wait after something unforeseen."""
HAIR = 1e-8
"""What sums of seconds may be wrong by."""
GLANCE = 0.1
"""Seconds between two frames of a simulated board: pages look at its lamps no oftener."""


class Thread:
    """Runs a board in a thread of its own, which sleeps until something is due or somebody wakes it."""

    def __init__(self, board: WiredBoard) -> None:
        self._board = board
        self._woken = threading.Event()
        self._stopped = False
        self._rests_until = inf
        """When it goes on by itself; while it is awake it may have to be told that it cannot rest."""
        board.wake, board.news = self._woken.set, self._news
        self._thread = threading.Thread(target=self._run, name="board", daemon=True)
        self._thread.start()

    def _news(self) -> None:
        """Somebody moved on a phone: lamps that move anyway show it with their next frame, phones first."""
        if self._rests_until - self._board.clock.now() > GLANCE:
            self._woken.set()

    def _run(self) -> None:
        while not self._stopped:
            self._rest()
            self._woken.clear()
            if self._stopped:
                return
            try:
                self._board.advance(self._board.clock.now())
            except Exception:
                # Something unforeseen must not end the light for the rest of the evening.
                log.exception("the board stumbled")
                self._woken.wait(STUMBLE)

    def _rest(self) -> None:
        now = self._board.clock.now()
        due = self._board.due(now)
        if due is not None and due > now and self._board.simulated:
            due = min(max(due, now + GLANCE), self._board.due(now, animated=False) or inf)
        if due is None or due > now:
            self._rests_until = inf if due is None else due
            self._woken.wait(None if due is None else due - now)
            self._rests_until = inf

    def stop(self) -> None:
        """End the thread."""
        self._stopped = True
        self._woken.set()
        self._thread.join(timeout=5)


class Steps:
    """Runs a board on a virtual clock: at every moment at which something is due, in order."""

    def __init__(self, board: WiredBoard, clock: VirtualClock) -> None:
        self._board = board
        self._clock = clock
        self._at = clock.now()
        self._busy = False
        board.wake = self.catch_up
        clock.watch(self.catch_up)
        self.catch_up()

    def catch_up(self) -> None:
        """Let the board do all that is due until now."""
        if self._busy:
            return
        self._busy = True
        try:
            now = self._clock.now()
            if now - self._at > LONG_JUMP:
                self._run(now - LAST_PART, animated=False)
            self._run(now, animated=True)
        finally:
            self._busy = False

    def _run(self, end: float, animated: bool) -> None:
        while (due := self._board.due(self._at, animated)) is not None and due <= end + HAIR:
            self._at = max(self._at, due)
            self._board.advance(self._at)
        self._at = max(self._at, end)

    def stop(self) -> None:
        """Nothing runs by itself."""
        self._board.wake = _nothing
        self._busy = True


def _nothing() -> None:
    return
