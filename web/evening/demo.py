"""The games behind "Show me": one of each kind, under way, apart from the table's own game.

The visitor has one seat, bots have the others. Nobody moves for the visitor unless that was asked for.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterable
from typing import Any

from companion.contract import Seat
from companion.refusals import Forbidden, Illegal
from companion.table import Table
from web import games
from web.games.record import GamePages

LEVEL = "normal"
"""How well the bots play."""
THINKING = 0.2
"""Seconds that they may think."""


class Demo:
    """One game for all visitors. Its bots move only while somebody looks.

    Two locks: `lock` is held for a moment, by the event loop too. `_hands` is held by whoever lets bots
    think, which takes its time: never while `lock` is held, and never in the event loop.
    """

    def __init__(self, pages: GamePages) -> None:
        assert pages.demo is not None
        self.table = Table()
        self.game, self._shown, self.seat = pages.game, pages.demo, pages.demo.seat
        self.version = 1
        self.helped = False
        """Whether the visitor's last move was a bot's."""
        self.lock = threading.RLock()
        self._hands = threading.Lock()
        self._games = 0
        self._watchers: list[Callable[[], None]] = []
        self._looking = 0
        self._timer: threading.Timer | None = None
        self._closing = False

    @property
    def ready(self) -> bool:
        """Whether there is a game to look at."""
        return self.table.game is not None

    def prepare(self) -> None:
        """See to it that there is a game to look at."""
        with self._hands:
            if not self.ready:
                self._begin()

    def begin(self) -> None:
        """Another game, which bots have played up to a turn of the visitor's."""
        with self._hands:
            self._begin()

    def _begin(self) -> None:
        table = None
        while table is None and not self._closing:
            table = self._prepared()  # over before it could be shown: another one
        with self.lock:
            self.table, self.helped = table or self.table, False
            self._moved()

    def act(self, actions: Iterable[Any]) -> None:
        """The visitor moves: one thing after the other, until somebody else has to answer."""
        with self.lock:
            for n, action in enumerate(actions):
                if n and not self.visitors_turn:
                    break
                self.table.act(self.seat, action)
            self.helped = False
            self._moved()

    def help(self) -> None:
        """A bot moves in the visitor's place, who asked for it."""
        with self._hands:
            if not self.visitors_turn:
                raise Illegal("companion.not_your_turn", seats=self.table.standing().to_act)
            self._bot_moves(self.seat, helps=True)

    @property
    def visitors_turn(self) -> bool:
        """Whether the visitor may move."""
        return self.ready and self.seat in self.table.standing().to_act

    def looked_at(self, by: int) -> None:
        """Somebody opened (1) or closed (-1) the page."""
        with self.lock:
            self._looking += by
            self._wait()
        if not self.ready:
            threading.Thread(target=self.prepare, name="show me", daemon=True).start()

    def watch(self, watcher: Callable[[], None]) -> None:
        """Be told after every move."""
        self._watchers.append(watcher)

    def close(self) -> None:
        """Nothing moves any more."""
        self._closing = True
        with self.lock:
            self._looking = 0
            self._wait()
        with self._hands:
            pass  # whoever thinks has come to an end

    def _prepared(self) -> Table | None:
        """Another game, if it has come so far that it can be shown."""
        self._games += 1
        table, moves = Table(), 0
        table.new(self.game, self._shown.options, seed=self._games)
        while (standing := table.standing()).to_act and not self._closing:
            visitors = self.seat in standing.to_act and standing.phase == self._shown.phase
            if moves >= self._shown.moves and visitors:
                return table
            seat = standing.to_act[0]
            table.act(seat, table.bot(seat, LEVEL, THINKING))
            moves += 1
        return None

    def _bot_moves(self, seat: Seat, helps: bool = False) -> None:
        """Let a bot think, and act if nothing happened meanwhile."""
        table, version = self.table, self.version
        action = table.bot(seat, LEVEL, THINKING)
        with self.lock:
            if version == self.version and (helps or self._looking > 0):
                table.act(seat, action)
                self.helped = helps or self.helped
                self._moved()

    def _moved(self) -> None:
        self.version += 1
        self._wait()
        for watcher in self._watchers:
            watcher()

    def _wait(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
        bots_turn = self.ready and self.table.standing().to_act and not self.visitors_turn
        if self._looking > 0 and bots_turn:
            self._timer = threading.Timer(self._shown.pace, self._play, [self.version])
            self._timer.daemon = True
            self._timer.start()

    def _play(self, version: int) -> None:
        with self._hands:
            if version == self.version and self._looking > 0:
                self._bot_moves(self.table.standing().to_act[0])


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
