"""The way of a ghost: through walls, along tiles, to its own door and out by the centre. CFA-50 to CFA-52."""

from __future__ import annotations

from collections import deque
from functools import lru_cache

from companion.games.artefacts.manor import (
    ARMS,
    CENTRE,
    ROUND,
    Colour,
    Manor,
    Placed,
    Side,
    Square,
    beside,
    manor_of,
)
from companion.games.artefacts.paths import closed
from companion.games.artefacts.state import Ghost, State

Bends = tuple[int, tuple[int, ...]]
"""How many turns a route has, and how far from the door each is made: less is better, first to last."""


class Ways:
    """Every shortest way of ghosts by one door: walls ignored, the centre not crossed. CFA-51, CFA-Q4."""

    def __init__(self, manor: Manor, door: Square, barred: frozenset[Square]) -> None:
        self.manor, self.door, self.barred = manor, door, barred
        self.away = self._distances()
        self._best: dict[tuple[Square, str], Bends] = {}

    def _distances(self) -> dict[Square, int]:
        """How far every square is from the door. From a barred one a ghost may leave, but no way leads on."""
        away, edge = {self.door: 0}, deque([self.door])
        while edge:
            at = edge.popleft()
            for _, there in () if at in self.barred else self.manor.around(at):
                if there not in away and there != CENTRE:
                    away[there] = away[at] + 1
                    edge.append(there)
        return away

    def onward(self, at: Square) -> list[tuple[str, Square]]:
        """The sides on which a shortest way to the centre goes on."""
        if at == self.door:
            return [(side, CENTRE) for side in ROUND if beside(at, side) == CENTRE]
        near = self.away[at] - 1
        return [
            (side, there)
            for side, there in self.manor.around(at)
            if there != CENTRE and there not in self.barred and self.away.get(there) == near
        ]

    def first_steps(self, at: Square, heading: str | None) -> dict[Square, Bends]:
        """The first steps of all shortest ways from a square, each with the best bends it can lead to."""
        steps = {}
        for side, there in self.onward(at):
            count, where = self._rest(there, side)
            bend = heading not in (None, side)
            steps[there] = (count + 1, (self.away[at], *where)) if bend else (count, where)
        return steps

    def _rest(self, at: Square, heading: str) -> Bends:
        if at == CENTRE:
            return 0, ()
        if (at, heading) not in self._best:
            self._best[at, heading] = min(self.first_steps(at, heading).values())
        return self._best[at, heading]


@lru_cache(maxsize=128)
def ways(placed: tuple[Placed, ...], door: Square, barred: frozenset[Square]) -> Ways:
    """The ways through a door; found once, for they are asked many times an action."""
    return Ways(manor_of(placed), door, barred)


def ways_of(state: State, colour: Colour, door: Square) -> Ways:
    """The ways of a colour's ghosts through a door; closed artefact tiles may bar them. CFA-Q22."""
    bars = state.options.artefact_tile_blocks_ghosts
    barred = (tile.at for tile in state.manor if closed(state, tile.at, colour)) if bars else ()
    return ways(state.manor, door, frozenset(barred))


def doors(state: State, ghost: Ghost) -> tuple[Square, ...]:
    """The doors a ghost makes for: its own, or where it has no way to it perhaps the nearest. CFA-Q5."""
    own = state.options.arm(ghost.colour)
    if ghost.at in ways_of(state, ghost.colour, own).away:
        return (own,)
    if state.options.ghost_no_route == "stay":
        return ()
    found = {arm: ways_of(state, ghost.colour, arm).away.get(ghost.at) for arm in sorted(ARMS.values())}
    nearest = min((away for away in found.values() if away is not None), default=None)
    return tuple(arm for arm, away in found.items() if away is not None and away == nearest)


def to_centre(state: State, ghost: Ghost) -> int | None:
    """How many steps a ghost has to the centre, or null without a way."""
    found = doors(state, ghost)
    return ways_of(state, ghost.colour, found[0]).away[ghost.at] + 1 if found else None


def next_steps(state: State, ghost: Ghost) -> tuple[Square, ...]:
    """Where a ghost goes next: one square, several if the leader must choose, none without a way. CFA-Q4."""
    best: dict[Square, Bends] = {}
    for door in doors(state, ghost):
        for at, bends in ways_of(state, ghost.colour, door).first_steps(ghost.at, ghost.heading).items():
            best[at] = min(bends, best.get(at, bends))
    if not best or state.options.ghost_tiebreak == "leader":
        return tuple(sorted(best))
    least = min(best.values())
    return tuple(sorted(at for at, bends in best.items() if bends == least))


def heading_of(start: Square, to: Square) -> Side:
    """The side a step goes to."""
    sides: tuple[Side, ...] = ("N", "E", "S", "W")
    return next(side for side in sides if beside(start, side) == to)
