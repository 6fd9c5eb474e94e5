"""The games behind "Show me": one of each kind, under way, apart from the table's own game.

The visitor has one seat, bots have the others. Nobody moves for the visitor unless that was asked for.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterable
from typing import Any

from companion.refusals import Forbidden, Illegal
from companion.table import Table
from web import games
from web.games.record import GamePages

LEVEL = "normal"
"""How well the bots play."""
THINKING = 0.2
"""Seconds that they may think."""


class Demo:
    """One game for all visitors. Its bots move only while somebody looks."""

    def __init__(self, pages: GamePages) -> None:
        assert pages.demo is not None
        self.table = Table()
        self.game, self._shown, self.seat = pages.game, pages.demo, pages.demo.seat
        self.version = 1
        self.helped = False
        """Whether the visitor's last move was a bot's."""
        self._games = 0
        self._watchers: list[Callable[[], None]] = []
        self._looking = 0
        self._timer: threading.Timer | None = None
        self._lock = self.table.lock

    def begin(self) -> None:
        """Another game, which bots have played up to a turn of the visitor's."""
        with self._lock:
            self.helped = False
            while not self._prepared():
                pass  # over before it could be shown: another one
            self._moved()

    def act(self, actions: Iterable[Any]) -> None:
        """The visitor moves: one thing after the other, until somebody else has to answer."""
        with self._lock:
            for n, action in enumerate(actions):
                if n and not self.visitors_turn:
                    break
                self.table.act(self.seat, action)
            self.helped = False
            self._moved()

    def help(self) -> None:
        """A bot moves in the visitor's place, who asked for it."""
        with self._lock:
            if not self.visitors_turn:
                raise Illegal("companion.not_your_turn", seats=self.table.standing().to_act)
            self.table.act(self.seat, self.table.bot(self.seat, LEVEL, THINKING))
            self.helped = True
            self._moved()

    @property
    def visitors_turn(self) -> bool:
        """Whether the visitor may move."""
        return self.table.game is not None and self.seat in self.table.standing().to_act

    def looked_at(self, by: int) -> None:
        """Somebody opened (1) or closed (-1) the page."""
        with self._lock:
            self._looking += by
            if self.table.game is None:
                self.begin()
            self._wait()

    def watch(self, watcher: Callable[[], None]) -> None:
        """Be told after every move."""
        self._watchers.append(watcher)

    def close(self) -> None:
        """Nothing moves any more."""
        with self._lock:
            self._looking = 0
            self._wait()

    def _prepared(self) -> bool:
        """Whether another game has come so far that it can be shown."""
        self._games += 1
        self.table.new(self.game, self._shown.options, seed=self._games)
        moves = 0
        while (standing := self.table.standing()).to_act:
            if moves >= self._shown.moves and self.visitors_turn and standing.phase == self._shown.phase:
                return True
            self._bot_moves()
            moves += 1
        return False

    def _bot_moves(self) -> None:
        seat = self.table.standing().to_act[0]
        self.table.act(seat, self.table.bot(seat, LEVEL, THINKING))

    def _moved(self) -> None:
        self.version += 1
        self._wait()
        for watcher in self._watchers:
            watcher()

    def _wait(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
        bots_turn = self.table.game is not None and self.table.standing().to_act and not self.visitors_turn
        if self._looking > 0 and bots_turn:
            self._timer = threading.Timer(self._shown.pace, self._play, [self.version])
            self._timer.daemon = True
            self._timer.start()

    def _play(self, version: int) -> None:
        with self._lock:
            if version == self.version and self._looking > 0:
                self._bot_moves()
                self._moved()


class Demos:
    """The demonstrations of all installed games that bring one, in the order in which games are offered."""

    def __init__(self) -> None:
        self._demos = {name: Demo(games.find(name)) for name in games.demonstrated()}

    def find(self, game: str) -> Demo:
        """The demonstration of a game; the first one where none is named."""
        demo = self._demos.get(game or next(iter(self._demos), ""))
        if demo is None:
            raise Forbidden("evening.no_such_page")
        return demo

    def watch(self, watcher: Callable[[], None]) -> None:
        """Be told after every move in any of them."""
        for demo in self._demos.values():
            demo.watch(watcher)

    def close(self) -> None:
        """Nothing moves any more."""
        for demo in self._demos.values():
            demo.close()
