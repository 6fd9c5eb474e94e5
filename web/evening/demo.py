"""The game behind "Show me": a learning game already under way, apart from the table's own game.

The visitor is the ghosts, a bot is the hunter. Whoever only watches sees a bot play the ghosts too.
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from random import Random
from typing import Any

from companion.contract import Seat
from companion.table import Table

GAME = "phantom"
SEAT = "p2"
MOMENT = 2.5
PATIENCE = 15.0
"""How long the visitor may think before the ghosts begin to move by themselves."""
ALREADY_GONE = 9


class Demo:
    """One game for all visitors. It moves only while somebody looks."""

    def __init__(self, moment: float = MOMENT, patience: float = PATIENCE) -> None:
        self.table = Table()
        self.version = 1
        self._games = 0
        self._moment, self._patience = moment, patience
        self._watchers: list[Callable[[], None]] = []
        self._looking = 0
        self._timer: threading.Timer | None = None
        self._lock = self.table.lock

    def begin(self) -> None:
        """Another game, under way."""
        with self._lock:
            self._games += 1
            self.table.new(GAME, {"players": 2, "privacy": "learning"}, position(Random(self._games)))
            self._moved()

    def act(self, action: Any) -> None:
        """The visitor moves for the ghosts."""
        with self._lock:
            self.table.act(SEAT, action)
            self._moved()

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

    def _moved(self) -> None:
        self.version += 1
        self._wait()
        for watcher in self._watchers:
            watcher()

    def _wait(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
        if self._looking > 0 and self.table.game is not None:
            mine = SEAT in self.table.standing().to_act
            self._timer = threading.Timer(
                self._patience if mine else self._moment, self._play, [self.version]
            )
            self._timer.daemon = True
            self._timer.start()

    def _play(self, version: int) -> None:
        with self._lock:
            if version != self.version or self._looking <= 0:
                return
            movers: tuple[Seat, ...] = self.table.standing().to_act
            if movers:
                self.table.act(movers[0], self.table.bot(movers[0]))
                self._moved()
            else:
                self.begin()


def position(chance: Random) -> dict[str, Any]:
    """A hotel with some rooms wrecked, one ghost found, and the ghosts to move."""
    colours = [colour for colour in ("blue", "red", "green", "white") for _ in range(9)]
    chance.shuffle(colours)
    values = [chance.randint(1, 5) for _ in colours]
    ghosts = {colour: _room_of(colours, colour, chance) for colour in ("blue", "red", "green", "white")}
    found = chance.choice(sorted(ghosts))
    free = [number for number in range(36) if number not in ghosts.values()]
    gone = chance.sample(free, ALREADY_GONE)
    dark = {*gone, ghosts[found]}
    damage = sum(values[number] for number in gone)
    return {
        "rooms": [
            None if number in dark else {"colour": colour, "value": value}
            for number, (colour, value) in enumerate(zip(colours, values, strict=True))
        ],
        "ghosts": {
            colour: {"room": number + 1, "owner": SEAT, "revealed": colour == found}
            for colour, number in ghosts.items()
        },
        "damage": damage,
        "objective": damage + 24,
        "to_act": [SEAT],
        "players": 2,
    }


def _room_of(colours: list[str], colour: str, chance: Random) -> int:
    return chance.choice([number for number, other in enumerate(colours) if other == colour])
