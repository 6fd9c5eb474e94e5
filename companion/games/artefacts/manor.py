"""The manor: the starting cross, the tiles around it, their exits and walls. Pure geometry, no rules of play.

A square is `(x, y)`: x grows to the east, y to the north, and the centre of the cross is `(0, 0)`. Exits are
a string of the open sides in the order `NESW`.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import cache, lru_cache
from typing import Annotated, Literal

import msgspec

Square = tuple[int, int]
Colour = Literal["blue", "red", "yellow", "green"]
Side = Literal["N", "E", "S", "W"]
Kind = Literal["ghost", "trap", "teleporter", "artefact", "plain"]
Exits = Annotated[str, msgspec.Meta(pattern="^(?=.)N?E?S?W?$")]

COLOURS: tuple[Colour, ...] = ("blue", "red", "yellow", "green")
SIDES: dict[str, Square] = {"N": (0, 1), "E": (1, 0), "S": (0, -1), "W": (-1, 0)}
ROUND = "NESW"
OPPOSITE = {"N": "S", "E": "W", "S": "N", "W": "E"}
CENTRE: Square = (0, 0)
ARMS: dict[str, Square] = SIDES
"""The four arms of the cross are the squares beside its centre. CFA-10."""


class Tile(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A tile off the table: its exits as it is held. CFA-2."""

    id: str
    kind: Kind
    colour: Colour | None
    exits: Exits


class Placed(msgspec.Struct, frozen=True, cache_hash=True):
    """A tile in the manor: its exits as it lies there, after so many quarter turns clockwise."""

    id: str
    kind: Kind
    colour: Colour | None
    exits: Exits
    at: Square
    turn: int


def beside(at: Square, side: str) -> Square:
    """The square next to a square on one side."""
    x, y = SIDES[side]
    return at[0] + x, at[1] + y


@cache
def turned(exits: str, turn: int) -> str:
    """Exits after so many quarter turns clockwise. CFA-Q12."""
    sides = {ROUND[(ROUND.index(side) + turn) % 4] for side in exits}
    return "".join(side for side in ROUND if side in sides)


@cache
def rotations(exits: str) -> tuple[str, ...]:
    """The different ways a tile can lie, sorted."""
    return tuple(sorted({turned(exits, turn) for turn in range(4)}))


def shape(exits: str) -> str:
    """The same name for exits that differ only by how the tile is held."""
    return rotations(exits)[0]


def quadrant(at: Square) -> str | None:
    """NE, SE, SW or NW, or null on the prolongation of the cross. CFA-33."""
    x, y = at
    if x == 0 or y == 0:
        return None
    return ("N" if y > 0 else "S") + ("E" if x > 0 else "W")


class Manor:
    """The cross and the tiles as they lie, ready to be walked."""

    def __init__(self, placed: Iterable[Placed]) -> None:
        self.tiles = {tile.at: tile for tile in placed}
        self.exits: dict[Square, str] = {CENTRE: ROUND}
        for side, arm in ARMS.items():
            # An arm is open at its outer end and towards the centre; its long sides are walls. CFA-Q13.
            self.exits[arm] = "".join(s for s in ROUND if s in (side, OPPOSITE[side]))
        self.exits |= {at: tile.exits for at, tile in self.tiles.items()}
        self._demands: dict[tuple[Square, bool], tuple[set[str], set[str]]] = {}
        self._around = {at: self._look_around(at) for at in self.exits}
        self._doors = {at: self._open_to(at) for at in self.exits}

    def kind(self, at: Square) -> str | None:
        """The kind of tile on a square; null on the cross and outside."""
        tile = self.tiles.get(at)
        return tile.kind if tile else None

    def doors(self, at: Square) -> tuple[Square, ...]:
        """The squares one can walk to from a square: exit to exit."""
        return self._doors[at]

    def around(self, at: Square) -> tuple[tuple[str, Square], ...]:
        """The squares of the manor beside a square, walls ignored, with the side they are on."""
        return self._around[at] if at in self._around else self._look_around(at)

    def _look_around(self, at: Square) -> tuple[tuple[str, Square], ...]:
        sides = ((side, beside(at, side)) for side in ROUND)
        return tuple((side, there) for side, there in sides if there in self.exits)

    def _open_to(self, at: Square) -> tuple[Square, ...]:
        here = self.exits[at]
        return tuple(
            there for side, there in self._around[at] if side in here and OPPOSITE[side] in self.exits[there]
        )

    def gaps(self, at: Square) -> Iterator[tuple[str, Square]]:
        """The empty squares an exit of a square leads to, with the side they are on."""
        for side in self.exits[at]:
            there = beside(at, side)
            if there not in self.exits:
                yield side, there

    def demands(self, at: Square, arms_count: bool = True) -> tuple[set[str], set[str]]:
        """The sides on which a tile here must have an exit, and those where it must have a wall.

        Exit meets exit and wall meets wall; the long sides of the arms count if the table says so. CFA-31,
        CFA-Q13.
        """
        if (at, arms_count) not in self._demands:
            met = [(s, t) for s, t in self.around(at) if t in self.tiles or arms_count or _outer_end(at, t)]
            exits = {side for side, there in met if OPPOSITE[side] in self.exits[there]}
            self._demands[at, arms_count] = exits, {side for side, _ in met} - exits
        return self._demands[at, arms_count]

    def teleporters(self) -> list[Square]:
        """Where the teleporters lie, in order. CFA-42."""
        return sorted(at for at, tile in self.tiles.items() if tile.kind == "teleporter")


def _outer_end(at: Square, arm: Square) -> bool:
    return at == (2 * arm[0], 2 * arm[1])


@lru_cache(maxsize=32)
def manor_of(placed: tuple[Placed, ...]) -> Manor:
    """The manor with these tiles; made once, for it is asked many times an action."""
    return Manor(placed)
