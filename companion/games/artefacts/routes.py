"""The way of a ghost: through walls, along tiles, to its own door and out by the centre. CFA-50 to CFA-52."""

from __future__ import annotations

from collections import deque

from companion.games.artefacts.manor import ARMS, CENTRE, OPPOSITE, ROUND, Colour, Square, beside
from companion.games.artefacts.paths import closed
from companion.games.artefacts.state import Ghost, State

Bends = tuple[int, tuple[int, ...]]
"""How many turns a route has, and how far from the door each is made: less is better, first to last."""


def distances(state: State, colour: Colour, door: Square) -> dict[Square, int]:
    """How far every square is from a door for a ghost: walls ignored, the centre not crossed. CFA-Q4."""
    plan, away, edge = state.plan, {door: 0}, deque([door])
    while edge:
        at = edge.popleft()
        if at != door and _barred(state, at, colour):
            # A ghost that appeared here may leave, but no route leads through.
            continue
        for _, there in plan.around(at):
            if there not in away and there != CENTRE:
                away[there] = away[at] + 1
                edge.append(there)
    return away


def _barred(state: State, at: Square, colour: Colour) -> bool:
    """CFA-Q22."""
    return state.options.artefact_tile_blocks_ghosts and closed(state, at, colour)


def doors(state: State, ghost: Ghost) -> tuple[Square, ...]:
    """The doors a ghost makes for: its own, or where it has no way to it perhaps the nearest. CFA-Q5."""
    own = state.options.arm(ghost.colour)
    if ghost.at in distances(state, ghost.colour, own):
        return (own,)
    if state.options.ghost_no_route == "stay":
        return ()
    away = {arm: distances(state, ghost.colour, arm).get(ghost.at) for arm in ARMS.values()}
    reachable = [distance for distance in away.values() if distance is not None]
    return tuple(arm for arm in sorted(away) if reachable and away[arm] == min(reachable))


def to_centre(state: State, ghost: Ghost) -> int | None:
    """How many steps a ghost has to the centre, or null without a way."""
    found = doors(state, ghost)
    return distances(state, ghost.colour, found[0])[ghost.at] + 1 if found else None


def next_steps(state: State, ghost: Ghost) -> tuple[Square, ...]:
    """Where a ghost goes next: one square, several if the leader must choose, none without a way. CFA-Q4."""
    best: dict[Square, Bends] = {}
    for door in doors(state, ghost):
        for at, bends in _first_steps(state, ghost, door).items():
            best[at] = min(bends, best.get(at, bends))
    if not best or state.options.ghost_tiebreak == "leader":
        return tuple(sorted(best))
    least = min(best.values())
    return tuple(sorted(at for at, bends in best.items() if bends == least))


def _first_steps(state: State, ghost: Ghost, door: Square) -> dict[Square, Bends]:
    """The first steps of all shortest routes by a door, each with the best bends it can lead to."""
    away = distances(state, ghost.colour, door)
    known: dict[tuple[Square, str], Bends] = {}

    def bends(at: Square, heading: str | None) -> dict[Square, Bends]:
        options = {}
        for side, there in _onward(state, at, door, away, ghost.colour):
            count, where = rest(there, side)
            bend = heading not in (None, side)
            options[there] = (count + 1, (away[at], *where)) if bend else (count, where)
        return options

    def rest(at: Square, heading: str) -> Bends:
        if at == CENTRE:
            return 0, ()
        if (at, heading) not in known:
            known[at, heading] = min(bends(at, heading).values())
        return known[at, heading]

    return bends(ghost.at, ghost.heading)


def _onward(
    state: State, at: Square, door: Square, away: dict[Square, int], colour: Colour
) -> list[tuple[str, Square]]:
    """The sides on which a shortest route to the centre goes on."""
    if at == door:
        return [(side, CENTRE) for side in ROUND if beside(at, side) == CENTRE]
    near = away[at] - 1
    return [
        (side, there)
        for side, there in state.plan.around(at)
        if there != CENTRE and away.get(there) == near and not _barred(state, there, colour)
    ]


def heading_of(start: Square, to: Square) -> str:
    """The side a step goes to."""
    return next(side for side in OPPOSITE if beside(start, side) == to)
