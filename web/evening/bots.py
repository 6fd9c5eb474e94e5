"""Bots at the table: a thread that plays the seats left to them, after a moment as people take it."""

from __future__ import annotations

import logging
import threading
from contextlib import suppress
from random import SystemRandom
from time import monotonic

from companion.bots import pace
from companion.contract import Action, Seat
from companion.refusals import Refusal
from web import failures
from web.evening import match
from web.evening.evening import Evening
from web.versions import Stale

log = logging.getLogger(__name__)

PATIENCE = 30.0
"""Seconds after which a bot that has not come to an end never will: it was given few."""

Turn = tuple[Seat, str, int]
"""A seat to act that a bot has, its level, and the version in which it is to act."""


class BotPlayers:
    """Plays for the seats without people for as long as the evening lasts."""

    def __init__(self, evening: Evening, moment: float | None = None) -> None:
        """`moment` is how long each takes, where chance shall not decide that."""
        self._evening, self._moment = evening, moment
        self._failed: set[tuple[int, Seat, str]] = set()
        """The bots that could not choose: in which game, where, of what level."""
        self._lost: set[tuple[int, Seat, str]] = set()
        """Those among them that never came to an end."""
        self._wake, self._end = threading.Event(), threading.Event()
        self._thread: threading.Thread | None = None
        """Begun when the first bot is to act: most evenings are people's alone."""
        evening.versions.watch(self._look_up)
        self._look_up()

    def close(self) -> None:
        """No more moves."""
        self._end.set()
        self._wake.set()
        if self._thread is not None:
            self._thread.join()

    def _look_up(self) -> None:
        """Something changed: a thread is not woken for nothing, at the very moment when phones are told."""
        with self._evening.lock:
            if not self._turn() or self._end.is_set():
                return
            self._wake.set()
            if self._thread is None:
                self._thread = threading.Thread(target=self._run, name="bots", daemon=True)
                self._thread.start()

    def _run(self) -> None:
        while not self._end.is_set():
            self._wake.wait()
            self._wake.clear()
            while (turn := self._turn()) and not self._end.is_set():
                if not self._played(turn):
                    break

    def _turn(self) -> Turn | None:
        with self._evening.lock:
            if self._evening.book.paused or not self._evening.choices:
                return None
            standing = self._evening.table.standing()
            # Whoever may act, but need not, waits for the turn that is theirs.
            in_no_hurry = {*standing.to_act} - {*standing.awaited}
            for seat, level in self._levels().items():
                if seat not in in_no_hurry and not self._left_to_people(seat):
                    return seat, level, self._evening.versions.now
        return None

    def _levels(self) -> dict[Seat, str]:
        """The bots who may act."""
        bots = {seat: self._evening.book.sitting(seat).bot for seat in self._evening.choices}
        return {seat: level for seat, level in bots.items() if level}

    def _left_to_people(self, seat: Seat) -> bool:
        """Whether a person has the very same choice: what their side bids is theirs to say, not its bot's."""
        choices, book = self._evening.choices, self._evening.book
        return any(book.sitting(other).guest and choices[other] == choices[seat] for other in choices)

    def _played(self, turn: Turn) -> bool:
        """Think without holding up the table, wait as long as chance wants, and act if nothing changed."""
        seat, _, version = turn
        due = monotonic() + (pace.delay(SystemRandom()) if self._moment is None else self._moment)
        try:
            action = self._chosen(turn)
            if not self._end.wait(max(0.0, due - monotonic())):
                match.act(self._evening, seat, action, version=version)
        except Refusal:
            # Somebody else was quicker, or the disk is full: the next change wakes us again.
            return False
        except Exception as fault:
            failures.note(log, "a bot's move failed", fault)
            return False
        return True

    def _chosen(self, turn: Turn) -> Action:
        """What the bot does. Where that fails, anything allowed: anybody's package can bring a bot."""
        seat, level, version = turn
        action = self._thought(turn)
        with self._evening.lock:
            self._evening.versions.check_choices(seat, version)
            choices = self._evening.choices[seat]
            if action is not None and action in choices:
                return action
            self._tell(seat, level)
            return SystemRandom().choice(choices)

    def _thought(self, turn: Turn) -> Action | None:
        """What a bot chooses, if it comes to an end. One that never does is left alone, not asked again."""
        seat, level, version = turn
        found: list[Action] = []

        def think() -> None:
            try:
                found.append(self._evening.table.bot(seat, level, pace.thinking()))
            except Exception as fault:
                with suppress(Stale):
                    self._evening.versions.check_choices(seat, version)
                    failures.note(log, "a bot failed", fault)

        bot = self._evening.versions.game, seat, level
        if bot not in self._lost:
            thread, until = threading.Thread(target=think, name="bot", daemon=True), monotonic() + PATIENCE
            thread.start()
            while thread.is_alive() and monotonic() < until:
                thread.join(0.2)
                if self._end.is_set():
                    raise Stale("evening.stale")
            if thread.is_alive():
                self._lost.add(bot)
        return found[0] if found else None

    def _tell(self, seat: Seat, level: str) -> None:
        """Tell, once a game, that a bot plays at random now: the host may want another one there."""
        failed = self._evening.versions.game, seat, level
        if failed not in self._failed:
            self._evening.guests.tell("evening.bot_failed", seat=seat)
            self._failed.add(failed)
