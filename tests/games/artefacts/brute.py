"""A second reading of the rules of laying and of the ghosts' ways, slow and plain, without the engine's code.

It reads views as JSON data and tries everything: every square, every turn, every shortest way.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise
from typing import Any

View = dict[str, Any]
Square = tuple[int, int]

CLOCKWISE = ["N", "E", "S", "W"]
MOVE = {"N": (0, 1), "E": (1, 0), "S": (0, -1), "W": (-1, 0)}
BACK = {"N": "S", "S": "N", "E": "W", "W": "E"}
CROSS = {(0, 0): "NESW", (0, 1): "NS", (0, -1): "NS", (1, 0): "EW", (-1, 0): "EW"}


def squares(view: View) -> dict[Square, str]:
    """Every square of the manor with its exits, the cross included."""
    return {**CROSS, **{tuple(tile["at"]): tile["exits"] for tile in view["manor"]}}


def neighbour(at: Square, side: str) -> Square:
    return at[0] + MOVE[side][0], at[1] + MOVE[side][1]


def shut(view: View, at: Square, colour: str) -> bool:
    """An artefact tile of another colour whose artefact is not home."""
    for tile in view["manor"]:
        if tuple(tile["at"]) == at and tile["kind"] == "artefact" and tile["colour"] != colour:
            return not view["artefacts"][tile["colour"]]["home"]
    return False


def walkable(view: View, colour: str, start: Square, banned: set[Square]) -> set[Square]:
    """Grow the set of reachable squares until nothing is added any more."""
    here, reached = squares(view), {start}
    while True:
        more = {
            there
            for at in reached
            for side in here[at]
            if (there := neighbour(at, side)) in here and BACK[side] in here[there]
            if there not in reached and there not in banned and not shut(view, there, colour)
        }
        if not more:
            return reached
        reached |= more


# Laying


def lays(view: View, colour: str, tiles: list[dict[str, Any]]) -> set[tuple[str, Square, int]]:
    """Every way to lay one of some tiles: all squares in a frame around the manor, all turns, all rules."""
    if view["phase"] == "building":
        arm = tuple(view["arms"][colour])
        start, banned = arm, {(0, 0), (0, 1), (0, -1), (1, 0), (-1, 0)} - {arm}
    else:
        start, banned = tuple(view["pawns"][colour]), set()
    here, path = squares(view), walkable(view, colour, start, banned)
    return {
        (tile["id"], at, turn)
        for at in frame(here)
        if at not in here
        for tile in tiles
        for turn in range(4)
        if fits(here, path, tile["exits"], at, turn)
        if tile["kind"] != "artefact" or (at[0] != 0 and at[1] != 0 and alone(view, at))
    }


def frame(here: dict[Square, str]) -> Iterator[Square]:
    xs, ys = zip(*here, strict=True)
    for x in range(min(xs) - 1, max(xs) + 2):
        for y in range(min(ys) - 1, max(ys) + 2):
            yield x, y


def fits(here: dict[Square, str], path: set[Square], printed: str, at: Square, turn: int) -> bool:
    """Exits meet exits, walls meet walls, and one exit leads to the path."""
    exits = {CLOCKWISE[(CLOCKWISE.index(side) + turn) % 4] for side in printed}
    connected = False
    for side in CLOCKWISE:
        there = neighbour(at, side)
        if there in here:
            if (side in exits) != (BACK[side] in here[there]):
                return False
            connected = connected or (side in exits and there in path)
    return connected


def alone(view: View, at: Square) -> bool:
    """No other artefact tile on the same side of both axes."""
    others = [tuple(tile["at"]) for tile in view["manor"] if tile["kind"] == "artefact"]
    return not any(x * at[0] > 0 and y * at[1] > 0 for x, y in others)


# Ghosts


def ways(view: View, ghost: dict[str, Any]) -> set[Square]:
    """The first steps of the best of all shortest ways to the own arm and then the centre."""
    if tuple(ghost["at"]) == (0, 0):
        return set()
    found = list(shortest(view, tuple(ghost["at"]), tuple(view["arms"][ghost["colour"]])))
    if not found:
        return set()
    marked = [(bends(way, ghost["heading"]), way[1]) for way in found]
    best = min(marked, key=lambda each: each[0])[0]
    return {step for mark, step in marked if mark == best}


def shortest(view: View, start: Square, door: Square) -> Iterator[list[Square]]:
    """All shortest ways, written out one by one: rings around the door, then every descent through them."""
    here = set(squares(view)) - {(0, 0)}
    rings = [{door}]
    while start not in rings[-1]:
        inner = set().union(*rings)
        ring = {at for at in here - inner if any(neighbour(at, side) in rings[-1] for side in CLOCKWISE)}
        if not ring:
            return
        rings.append(ring)
    ways_on = [[start]]
    for ring in reversed(rings[:-1]):
        ways_on = [
            [*way, there]
            for way in ways_on
            for side in CLOCKWISE
            if (there := neighbour(way[-1], side)) in ring
        ]
    for way in ways_on:
        yield [*way, (0, 0)]


def bends(way: list[Square], heading: str | None) -> tuple[int, list[int]]:
    """How often a way turns, and at which steps: fewer first, and among those the later ones first."""
    sides = [next(s for s in CLOCKWISE if neighbour(a, s) == b) for a, b in pairwise(way)]
    before = [heading if heading else sides[0], *sides]
    turns = [n for n, (one, two) in enumerate(zip(before, sides, strict=False)) if one != two]
    return len(turns), [-n for n in turns]


def end_of_turn(view: View) -> list[tuple[Any, ...]] | None:
    """What the ghosts would do now, in order; null where chance or the leader would have a say."""
    ghosts = {ghost["id"]: dict(ghost) for ghost in view["ghosts"]}
    order = clockwise(view)
    told: list[tuple[Any, ...]] = []
    waiting = [id for id in ghosts if tuple(ghosts[id]["at"]) != (0, 0)]
    while waiting:
        ranks = {id: (order.index(ghosts[id]["colour"]), steps_out(view, ghosts[id]), id) for id in waiting}
        id = min(waiting, key=ranks.__getitem__)
        waiting.remove(id)
        ghost = ghosts[id]
        for _ in range(2 if ghost["power"] == 6 else 1):
            if tuple(ghost["at"]) == (0, 0):
                break
            choice = ways(view, ghost)
            if len(choice) > 1:
                return None
            if not choice:
                told.append(("stayed", id))
                break
            (to,) = choice
            ghost["heading"] = next(s for s in CLOCKWISE if neighbour(tuple(ghost["at"]), s) == to)
            ghost["at"] = to
            told.append(("moved", id, to))
            if to == (0, 0):
                told.append(("escaped", id))
                if sum(tuple(each["at"]) == (0, 0) for each in ghosts.values()) == 3:
                    return told
            if any(tuple(tile["at"]) == to and tile["kind"] == "trap" for tile in view["manor"]):
                return None
    told += [("grew", id, ghost["power"] + 1) for id, ghost in sorted(ghosts.items()) if ghost["power"] < 6]
    return told


def clockwise(view: View) -> list[str]:
    seats = ["blue", "red", "yellow", "green"]
    first = seats.index(view["leader"])
    return seats[first:] + seats[:first]


def steps_out(view: View, ghost: dict[str, Any]) -> int:
    way = next(shortest(view, tuple(ghost["at"]), tuple(view["arms"][ghost["colour"]])), None)
    return len(way) if way else 999
