"""Versions: numbers that grow with every change, by which it is known how old a page is, and who is told."""

from __future__ import annotations

import threading
from collections import Counter
from collections.abc import Callable, Iterable

from companion.contract import Seat
from companion.refusals import Illegal

VERSIONS_A_ENTRY = 1000
"""Versions go on growing through a restart, because the journal has: a page of before is seen to be old."""


class Stale(Illegal):
    """The page this came from shows a moment that has passed."""

    code = "stale"


class Versions:
    """The version of now, and the versions at which the game, its last move and each seat's choices began."""

    def __init__(self, lock: threading.RLock, entries: int, choosing: Iterable[Seat]) -> None:
        self._lock = lock
        self._watchers: list[Callable[[], None]] = []
        self.now = VERSIONS_A_ENTRY * (1 + entries)
        self.game = self.now
        """When the running game began, or the last one was left."""
        self.last_move = self.now
        """When the table last changed."""
        self.besides_moves = self.now
        """When anything but a move in the game last changed."""
        self._choices_since = dict.fromkeys(choosing, self.now)
        self._own: Counter[Seat] = Counter()

    def bump(self, move: bool = False) -> None:
        """Something that pages show has changed; in a move nothing but the game."""
        with self._lock:
            self.now += 1
            if not move:
                self.besides_moves = self.now
            for watcher in list(self._watchers):
                watcher()

    def bump_for(self, seats: Iterable[Seat]) -> None:
        """Something has changed that only the pages of these seats show: nothing is sent to any other."""
        with self._lock:
            self._own.update(seats)
            for watcher in list(self._watchers):
                watcher()

    def own(self, seat: Seat | None) -> int:
        """A number that grows with every change that is for a seat alone."""
        return self._own[seat or ""]

    def table_changed(self, choosing: Iterable[Seat], move: bool) -> None:
        """The table has changed, and with it the choices of these seats."""
        with self._lock:
            self.last_move = self.now + 1
            self._choices_since |= dict.fromkeys(choosing, self.last_move)
            self.bump(move)

    def game_changed(self) -> None:
        """A game has just begun, or was left."""
        self.game = self.now

    def watch(self, watcher: Callable[[], None]) -> None:
        """Be told, under the lock and therefore briefly, after every change."""
        self._watchers.append(watcher)

    def check_choices(self, seat: Seat, version: int | None) -> None:
        """Refuse what was chosen on a page that showed other choices for this seat."""
        self._check(self._choices_since.get(seat, 0), version)

    def check_last_move(self, version: int | None) -> None:
        """Refuse what was meant for another move than the last one."""
        self._check(self.last_move, version)

    def check_game(self, version: int | None) -> None:
        """Refuse what was meant for another game."""
        self._check(self.game, version)

    def _check(self, since: int, version: int | None) -> None:
        if version is not None and not since <= version <= self.now:
            raise Stale("evening.stale")
