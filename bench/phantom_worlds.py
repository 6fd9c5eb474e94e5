"""How long the hunters' map takes to follow the game: all worlds of four players after each public event.

Beside it, the same by brute force: a plain list of all 39,366 worlds, each asked after every event whether it
still fits. Both must count the same.
"""

from __future__ import annotations

import sys
from itertools import combinations, pairwise, product
from random import Random
from statistics import mean
from time import perf_counter

from companion.contract import PUBLIC, wander
from companion.games.phantom import GAME
from companion.games.phantom.board import COLOURS, DIRECTIONS, line_from
from companion.games.phantom.options import Options
from companion.games.phantom.state import State
from companion.games.phantom.view import Shows

GAMES, BRUTE_GAMES = 60, 2
TARGET = 0.001

World = tuple[tuple[int, ...], tuple[str, ...]]
"""The room of each ghost, and its master."""


def hunt(chance: Random) -> list[State]:
    """The states of a random hunt, from its first moment to the last before its end."""
    return [state for state in wander(GAME, GAME.start(Options()), chance) if state.phase == "playing"]


def counted(state: State) -> int:
    """How many worlds the table can think of."""
    return len(GAME.worlds(GAME.view(state, PUBLIC)))


def every_world(shows: Shows) -> list[World]:
    """All placements times all ways to share the ghosts."""
    rooms = [
        [n for n, tile in enumerate(shows.rooms, start=1) if tile and tile.colour == colour]
        for colour in COLOURS
    ]
    halves = [tuple("p2" if n in half else "p4" for n in range(4)) for half in combinations(range(4), 2)]
    return [(spot, owners) for spot in product(*rooms) for owners in halves]


NEXT = {"p1": "p2", "p3": "p4"}
"""Whose turn follows a hunter's."""


def filtered(worlds: list[World], before: Shows, after: Shows) -> list[World]:
    """The worlds that also fit the last event, asked one by one."""
    mover, lying = before.to_act[0], {room for room, tile in enumerate(before.rooms, start=1) if tile}
    was, now = found(before), found(after)
    taken = lying - {room for room, tile in enumerate(after.rooms, start=1) if tile}
    if not taken:
        fits = [world for world in worlds if not any(reaches(world, mover, was, lying))]
    else:
        (room,) = taken
        fits = [world for world in worlds if under(world, room, was) == next(iter(now - was), None)]
        if mover not in NEXT:
            fits = [world for world in fits if room in reaches(world, mover, was, lying)]
    due = NEXT.get(mover)
    if due and after.result is None:
        fits = [world for world in fits if leads(world, due, now) == (after.to_act[0] == due)]
    return fits


def found(shows: Shows) -> set[int]:
    """The colours whose ghost has been found, by number."""
    return {n for n, colour in enumerate(COLOURS) if shows.ghosts[colour].revealed}


def under(world: World, room: int, found: set[int]) -> int | None:
    """The ghost that hides in a room."""
    return next((n for n in range(4) if world[0][n] == room and n not in found), None)


def leads(world: World, master: str, found: set[int]) -> bool:
    """Whether a master still has a hidden ghost, and so plays his own turn."""
    return any(owner == master and n not in found for n, owner in enumerate(world[1]))


def reaches(world: World, master: str, found: set[int], lying: set[int]) -> set[int]:
    """The first tile on each line from each of a master's hidden ghosts."""
    mine = [world[0][n] for n in range(4) if world[1][n] == master and n not in found]
    lines = (line_from(room, *direction) for room in mine for direction in DIRECTIONS)
    return {met for line in lines if (met := next((room for room in line if room in lying), 0))}


def by_sets(states: list[State]) -> tuple[list[float], list[int]]:
    """The time after each event, and the counts."""
    times, counts = [], []
    for state in states:
        start = perf_counter()
        counts.append(counted(state))
        times.append(perf_counter() - start)
    return times, counts


def by_brute_force(states: list[State]) -> tuple[list[float], list[int]]:
    """The same by asking every world."""
    views: list[Shows] = [GAME.view(state, PUBLIC).shows for state in states]
    start = perf_counter()
    worlds = every_world(views[0])
    times, counts = [perf_counter() - start], [len(worlds)]
    for before, after in pairwise(views):
        start = perf_counter()
        worlds = filtered(worlds, before, after)
        times.append(perf_counter() - start)
        counts.append(len(worlds))
    return times, counts


def main() -> int:
    """Follow some games both ways, many games our way."""
    chance = Random(3)
    ours, theirs = [], []
    for number in range(GAMES):
        states = hunt(chance)
        times, counts = by_sets(states)
        ours += times
        if number < BRUTE_GAMES:
            slow, check = by_brute_force(states)
            assert counts == check, (counts, check)
            theirs += slow
    assert "numpy" not in sys.modules
    met = mean(ours) <= TARGET
    print(f"worlds after each of {len(ours)} events, {counts[0]:,} at the start of each hunt")
    print(f"  sets of bits: {mean(ours) * 1e3:.3f} ms mean, {max(ours) * 1e3:.2f} ms worst", end="")
    print(f" (target {TARGET * 1e3:g} ms mean: {'met' if met else 'MISSED'})")
    print(f"  brute force:  {mean(theirs) * 1e3:.1f} ms mean, {max(theirs) * 1e3:.0f} ms worst", end="")
    print(f" = {mean(theirs) / mean(ours):.0f}× as long, same counts")
    return 0 if met else 1


if __name__ == "__main__":
    sys.exit(main())
