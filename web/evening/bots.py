"""Bots at the table: a thread that plays the seats left to them, after a moment as people take it."""

from __future__ import annotations

import threading
from random import SystemRandom

from companion import bots
from companion.contract import Action, Seat
from companion.refusals import Refusal
from web import faults
from web.evening import match
from web.evening.evening import Evening

MOMENT = 1.2
"""Seconds before a bot acts: long enough to see what happened before."""


class BotPlayers:
    """Plays for the seats without people for as long as the evening lasts."""

    def __init__(self, evening: Evening, moment: float = MOMENT) -> None:
        self._evening, self._moment = evening, moment
        self._wake, self._end = threading.Event(), threading.Event()
        self._thread = threading.Thread(target=self._run, name="bots", daemon=True)
        evening.watch(self._look_up)
        self._wake.set()
        self._thread.start()

    def close(self) -> None:
        """No more moves."""
        self._end.set()
        self._wake.set()
        self._thread.join()

    def _look_up(self) -> None:
        """Something changed: a thread is not woken for nothing, at the very moment when phones are told."""
        if self._turn():
            self._wake.set()

    def _run(self) -> None:
        while not self._end.is_set():
            self._wake.wait()
            self._wake.clear()
            while (turn := self._turn()) and not self._end.wait(self._moment):
                if not self._played(turn):
                    break

    def _turn(self) -> tuple[Seat, str, int] | None:
        """A seat to act that a bot has, its level, and the moment it is to act in."""
        with self._evening.lock:
            if self._evening.book.paused:
                return None
            for seat in self._evening.choices:
                if level := self._evening.book.sitting(seat).bot:
                    return seat, level, self._evening.version
        return None

    def _played(self, turn: tuple[Seat, str, int]) -> bool:
        seat, level, version = turn
        try:
            match.act(self._evening, seat, self._chosen(seat, level), version=version)
        except Refusal:
            # Somebody else was quicker, or the disk is full: the next change wakes us again.
            return False
        except Exception as fault:
            faults.note("a bot failed", fault)
            return False
        return True

    def _chosen(self, seat: Seat, level: str) -> Action:
        """Thought about without holding up the table."""
        with self._evening.lock:
            game, view = self._evening.table.game, self._evening.table.view(seat)
            choices = self._evening.choices.get(seat, ())
        assert game is not None
        return bots.find(level)(game, view, choices, SystemRandom())
