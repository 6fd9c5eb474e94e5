"""Where a tile lies well. CFA-30 to CFA-33, CFA-40.

A ghost goes only where tiles touch, and only to the door of its own colour. So corridors that do not touch
each other hold every ghost that was laid in the wrong one, and whoever lays it chooses which one that is.
"""

from __future__ import annotations

from typing import NamedTuple

from companion.games.artefacts.actions import Lay
from companion.games.artefacts.bots.ground import FAR, arm_bit, walks, wings
from companion.games.artefacts.bots.worth import Weighing
from companion.games.artefacts.ghosts import die_for
from companion.games.artefacts.laying import choices
from companion.games.artefacts.manor import (
    CENTRE,
    ROUND,
    Colour,
    Square,
    Tile,
    beside,
    quadrant,
    turned,
)
from companion.games.artefacts.state import State

KIND = {"plain": 0.0, "trap": 0.0, "teleporter": 0.02, "ghost": 0.0, "artefact": 0.1}


class Site(NamedTuple):
    """What counts about laying tiles now, the same for every spot."""

    state: State
    colour: Colour
    weighing: Weighing
    wings: dict[Square, int]
    walks: dict[Square, int]
    openings: set[Square]
    wanted: set[str]
    """The quadrants in which an artefact may still come to lie."""


def site(state: State, colour: Colour, weighing: Weighing) -> Site:
    """The manor as it is before a colour lays a tile."""
    plan = state.plan
    openings = {there for at in plan.exits for _, there in plan.gaps(at)}
    taken = {quadrant(tile.at) for tile in state.manor if tile.kind == "artefact"}
    wanted = {"NE", "SE", "SW", "NW"}.difference(each for each in taken if each)
    start = walks(state, colour, CENTRE)
    return Site(state, colour, weighing, wings(state.manor), start, openings, wanted)


def promising(state: State, colour: Colour, lays: list[Lay], weighing: Weighing) -> dict[Lay, float]:
    """How promising each spot looks at a first glance."""
    here = site(state, colour, weighing)
    tiles = {tile.id: tile for tile in choices(state, colour)}
    seen: set[tuple[str, str | None, str, Square]] = set()
    found = {}
    for lay in lays:
        tile = tiles[lay.tile]
        exits = turned(tile.exits, lay.turn)
        same = tile.kind, tile.colour, exits, lay.at
        if same not in seen:
            seen.add(same)
            found[lay] = glance(here, tile, exits, lay.at)
    return found


def glance(here: Site, tile: Tile, exits: str, at: Square) -> float:
    """What a tile in a spot is worth at a first glance."""
    near = [(side, beside(at, side)) for side in ROUND]
    joined = 0
    for _, there in near:
        joined |= here.wings.get(there, 0)
    doors = [here.walks.get(there, FAR) for side, there in near if side in exits]
    steps = min(doors, default=FAR) + 1
    rate = KIND[tile.kind] - here.weighing.link * (joined.bit_count() - 1) ** 2
    rate += 0.04 * _opened(here, exits, at, joined)
    match tile.kind:
        case "artefact":
            rate -= 2 * here.weighing.turn * steps / 3
        case "ghost":
            rate += _haunted(here, at, joined, steps)
        case "trap":
            rate += 0.01 * steps - 0.02 * len(exits)
        case _:
            rate += _leads(here, exits, at, joined, steps)
    return rate


def _opened(here: Site, exits: str, at: Square, joined: int) -> int:
    """How many openings more there are that join nothing."""
    new = [there for side in exits if (there := beside(at, side)) not in here.wings and there != CENTRE]
    clean = [there for there in new if there not in here.openings and _apart(here, there, joined)]
    return min(len(clean), 3) - 1


def _apart(here: Site, at: Square, joined: int) -> bool:
    """Whether a tile on a square would touch no other corridor."""
    return all(here.wings.get(beside(at, side), joined) == joined for side in ROUND)


def _leads(here: Site, exits: str, at: Square, joined: int, steps: int) -> float:
    """What it is worth that artefacts can be laid beside a tile, the nearer the better. CFA-33."""
    rate = 0.0
    for side in exits:
        there = beside(at, side)
        if there in here.wings or not _apart(here, there, joined):
            continue
        if quadrant(there) in here.wanted:
            rate = max(rate, 0.12 - 0.03 * steps)
    return rate


def _haunted(here: Site, at: Square, joined: int, steps: int) -> float:
    """A ghost without a way to its door stays; another should have a long one. CFA-50, CFA-Q5."""
    state = here.state
    die = die_for(state, here.colour)
    if die is None:
        return -5.0
    if here.weighing.link and not joined & arm_bit(state.options.arm(die)):
        return 0.5 - 0.01 * steps
    return 0.03 * steps


def shared(tiles: tuple[Tile, ...]) -> dict[str, float]:
    """How useful each open tile is before the game: many exits, and no trap. CFA-13."""
    return {tile.id: len(tile.exits) - 1.5 * (tile.kind == "trap") for tile in tiles}
