"""Where a pawn can walk, and which tiles belong to the path of a colour."""

from __future__ import annotations

from collections import deque
from collections.abc import Collection

from companion.games.artefacts.manor import ARMS, CENTRE, Colour, Square
from companion.games.artefacts.state import State


def closed(state: State, at: Square, colour: Colour) -> bool:
    """Whether a square is an artefact tile that only another colour may go through. CFA-43."""
    tile = state.plan.tiles.get(at)
    if tile is None or tile.kind != "artefact" or tile.colour in (None, colour):
        return False
    return not state.artefacts[tile.colour].home


def steps(state: State, colour: Colour) -> list[Square]:
    """The squares a pawn may step to: exit to exit, no closed artefact tile. CFA-22, CFA-43."""
    at = state.pawns[colour]
    return sorted(there for there in state.plan.doors(at) if not closed(state, there, colour))


def walk(state: State, colour: Colour, start: Square, without: Collection[Square] = ()) -> dict[Square, int]:
    """Every square a colour can walk to from a square, with the steps it takes. CFA-Q14."""
    plan, walked, edge = state.plan, {start: 0}, deque([start])
    while edge:
        at = edge.popleft()
        for there in plan.doors(at):
            if there not in walked and there not in without and not closed(state, there, colour):
                walked[there] = walked[at] + 1
                edge.append(there)
    return walked


def ways(state: State, colour: Colour, most: int) -> dict[Square, tuple[Square, ...]]:
    """The shortest way of a pawn to every square in so many steps; a trap tile ends it. CFA-22, CFA-41."""
    start = state.pawns[colour]
    found: dict[Square, tuple[Square, ...]] = {start: ()}
    edge = deque([start])
    while edge:
        at = edge.popleft()
        if len(found[at]) == most or (at != start and state.plan.kind(at) == "trap"):
            continue
        for there in sorted(state.plan.doors(at)):
            if there not in found and not closed(state, there, colour):
                found[there] = (*found[at], there)
                edge.append(there)
    del found[start]
    return found


def reached(state: State, colour: Colour) -> set[Square]:
    """The squares connected by a path to a pawn. CFA-30, CFA-Q14."""
    squares = set(walk(state, colour, state.pawns[colour]))
    if state.options.teleporter_connects:
        teleporters = state.plan.teleporters()
        if squares.intersection(teleporters):
            for at in teleporters:
                squares.update(walk(state, colour, at))
    return squares


def corridor(state: State, colour: Colour) -> dict[Square, int]:
    """The path of a colour: what is connected to its arm without the centre or another arm. CFA-Q16."""
    arm = state.options.arm(colour)
    others = [CENTRE, *(at for at in ARMS.values() if at != arm)]
    return walk(state, colour, arm, others)


def farthest(state: State, colour: Colour) -> tuple[Square, ...]:
    """The tiles at the end of a colour's path; more than one on a tie; the arm if there is none. CFA-Q16."""
    walked = corridor(state, colour)
    most = max(walked.values())
    return tuple(sorted(at for at, distance in walked.items() if distance == most))
