"""How far it is in a manor: walks of pawns, ways of ghosts, and which doors a square leads to.

Worked out once for each manor: the same is asked hundreds of times while a bot thinks.
"""

from __future__ import annotations

from functools import lru_cache
from heapq import heappop, heappush

from companion.games.artefacts.manor import ARMS, CENTRE, Colour, Placed, Square, manor_of
from companion.games.artefacts.options import STRONGEST
from companion.games.artefacts.paths import closed
from companion.games.artefacts.routes import Ways, doors, heading_of, ways_of
from companion.games.artefacts.state import Ghost, State

FAR = 24
"""More steps than any walk that is worth it: what cannot be reached is as far away as this."""
TRAP_STEP = 2
"""A trap tile is as bad as one step more."""

Walks = dict[Square, int]


def walks(state: State, colour: Colour, start: Square) -> Walks:
    """The steps from a square to every other for a colour; teleporters are free, traps worth a detour."""
    barred = frozenset(
        tile.at for tile in state.manor if tile.kind == "artefact" and closed(state, tile.at, colour)
    )
    return _walks(state.manor, barred, start)


@lru_cache(maxsize=256)
def _walks(manor: tuple[Placed, ...], barred: frozenset[Square], start: Square) -> Walks:
    plan = manor_of(manor)
    teleporters = plan.teleporters()
    found: Walks = {}
    edge = [(0, start)]
    while edge:
        steps, at = heappop(edge)
        if at in found:
            continue
        found[at] = steps
        for there in plan.doors(at):
            if there not in found and there not in barred:
                heappush(edge, (steps + (TRAP_STEP if plan.kind(there) == "trap" else 1), there))
        if at in teleporters:
            for there in teleporters:
                heappush(edge, (steps, there))
    return found


def way(state: State, ghost: Ghost) -> tuple[Square, ...]:
    """The squares that a ghost will pass on its way out; none where it has no way. CFA-50, CFA-Q5."""
    found = doors(state, ghost)
    return _way(ways_of(state, ghost.colour, found[0]), ghost.at, ghost.heading) if found else ()


@lru_cache(maxsize=128)
def _way(ways: Ways, at: Square, heading: str | None) -> tuple[Square, ...]:
    passed: list[Square] = []
    while at != CENTRE:
        steps = ways.first_steps(at, heading)
        there = min(steps, key=lambda square: (steps[square], square))
        heading, at = heading_of(at, there), there
        passed.append(at)
    return tuple(passed)


def stops(passed: tuple[Square, ...], power: int) -> list[Square]:
    """Where a ghost stands after each end of a turn, until it is out. CFA-50, CFA-53."""
    found, gone = [], 0
    while gone < len(passed):
        gone += 2 if power >= STRONGEST else 1
        found.append(passed[min(gone, len(passed)) - 1])
        power += 1
    return found


@lru_cache(maxsize=64)
def wings(manor: tuple[Placed, ...]) -> dict[Square, int]:
    """For each square the arms that a ghost can get to from there, as a set of bits. CFA-51."""
    plan, found = manor_of(manor), dict[Square, int]()
    for bit, arm in enumerate(ARMS.values()):
        edge, seen = [arm], {arm}
        while edge:
            at = edge.pop()
            found[at] = found.get(at, 0) | 1 << bit
            new = [there for _, there in plan.around(at) if there != CENTRE and there not in seen]
            seen.update(new)
            edge += new
    return found


def arm_bit(arm: Square) -> int:
    """The bit of an arm among those of `wings`."""
    return 1 << list(ARMS.values()).index(arm)
