"""How far everybody has to go in a castle, and how freely Max roams it between the figures.

Thinking ahead asks this for thousands of ways in which figures can stand, so everything here is worked out
once for a castle and once for each such way.
"""

from __future__ import annotations

import math
from functools import lru_cache

from companion.games.canterville.castle import ROOMS, Ways, in_set
from companion.games.canterville.reach import reach
from companion.games.canterville.state import State

STEPS = 5
"""So many steps ahead Max's freedom is looked at."""
FAR = 99
"""Further than any room, for one that cannot be walked to."""
TRIES = 200
"""So many rooms are looked at for a long way."""
KEPT = 1024
"""So many answers about freedom are kept."""

Rooms = tuple[int, ...]


class Ground:
    """A castle as it is walked now: one of its doors may be closed."""

    def __init__(self, ways: Ways, walks: dict[int, int]) -> None:
        self.haunt = ways.haunt
        self.rooms = tuple(in_set(ways.rooms))
        self.walks = {room: tuple(in_set(beyond)) for room, beyond in walks.items()}
        self.next = {room: tuple(in_set(beyond)) for room, beyond in ways.haunt.items()}
        self.distance = {room: _distances(walks, room) for room in self.rooms}
        self.within = {room: self._within(room) for room in self.rooms}
        self._freedom: dict[tuple[Rooms, int], list[float]] = {}

    def _within(self, room: int) -> tuple[int, ...]:
        """The rooms within no step of a room, within one, within two, and so on."""
        far = self.distance[room]
        return tuple(
            sum(1 << other for other in self.rooms if far[other] <= steps) for steps in range(STEPS + 1)
        )

    def nearest(self, figures: Rooms) -> list[int]:
        """For each room how far the nearest figure has to walk."""
        return [min(each) for each in zip(*(self.distance[figure] for figure in figures), strict=True)]

    def freedom(self, figures: Rooms, closed: int) -> list[float]:
        """For each room how freely Max roams from there: 0 if every way is cut off, 1 if hardly any is.

        It grows with the number of ways that lead on for some steps, each room entered before a figure can
        get there and none of the `closed` ones among them.
        """
        asked = figures, closed
        found = self._freedom.get(asked)
        if found is None:
            if len(self._freedom) >= KEPT:
                self._freedom.clear()
            found = self._freedom[asked] = self._roamed(figures, closed)
        return found

    def _roamed(self, figures: Rooms, closed: int) -> list[float]:
        onward = [1.0] * (ROOMS[-1] + 1)
        for step in range(STEPS, 0, -1):
            taken = closed
            for figure in figures:
                taken |= self.within[figure][step]
            earlier = [0.0] * len(onward)
            for room in self.rooms:
                ways = onward[room]
                if ways and not taken >> room & 1:
                    for beside in self.next[room]:
                        earlier[beside] += ways
            onward = earlier
        return [math.log1p(ways) / MOST for ways in onward]

    def longest(self, room: int, closed: int, wanted: int) -> int:
        """How many rooms Max can still go through from a room, none twice and none `closed`, up to `wanted`.

        The rooms with the fewest ways on are tried first, which mostly finds a long way at once; after a
        number of tries the longest way so far must do.
        """
        best, tries = 0, TRIES
        stack = [(room, closed | 1 << room, 0)]
        while stack and tries and best < wanted:
            tries -= 1
            here, over, length = stack.pop()
            best = max(best, length)
            ways = [beside for beside in self.next[here] if not over >> beside & 1]
            exits = {beside: (self.haunt[beside] & ~over).bit_count() for beside in ways}
            ways.sort(key=exits.__getitem__, reverse=True)
            stack += [(beside, over | 1 << beside, length + 1) for beside in ways]
        return best


MOST = STEPS * math.log(3)
"""As many ways as there are if each room leads on to three others."""


def _distances(walks: dict[int, int], start: int) -> list[int]:
    far = [FAR] * (ROOMS[-1] + 1)
    far[start] = steps = 0
    edge = [start]
    while edge:
        steps += 1
        edge = [room for here in edge for room in in_set(walks[here]) if far[room] == FAR]
        for room in edge:
            far[room] = steps
    return far


@lru_cache(maxsize=32)
def _ground(ways: Ways, walks: tuple[tuple[int, int], ...]) -> Ground:
    return Ground(ways, dict(walks))


def ground(known: State) -> Ground:
    """The castle of a table as it is walked now."""
    ways = known.options.ways
    return _ground(ways, tuple((room, reach(known, room)) for room in in_set(ways.rooms)))
