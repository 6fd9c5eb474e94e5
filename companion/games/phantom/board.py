"""The hotel floor: 36 rooms in six rows, and which tiles a ghost reaches from where it hides.

Rooms are plain numbers 1 to 36, row by row. A set of rooms is an int with bit `room` set, so that "which of
these rooms" is one operation on numbers.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from functools import cache
from typing import Literal, TypeVar

SIZE = 6
ROOMS = range(1, SIZE * SIZE + 1)
Colour = Literal["blue", "red", "green", "white"]
COLOURS: tuple[Colour, ...] = ("blue", "red", "green", "white")
EVERY_ROOM = sum(1 << room for room in ROOMS)

DIRECTIONS = [(down, right) for down in (-1, 0, 1) for right in (-1, 0, 1) if (down, right) != (0, 0)]

T = TypeVar("T")

Reach = Callable[[int, int], int]
"""From a room and the set of tiles still there to the set of tiles a ghost in that room reaches."""


def room_at(row: int, column: int) -> int:
    """The number of a room from its row and column, both counted from 1."""
    return SIZE * (row - 1) + column


def place_of(room: int) -> tuple[int, int]:
    """Row and column of a room, both counted from 1."""
    return (room - 1) // SIZE + 1, (room - 1) % SIZE + 1


def line_from(room: int, down: int, right: int) -> list[int]:
    """The rooms from a room outwards in one direction, nearest first."""
    row, column = place_of(room)
    rooms = []
    while 1 <= (row := row + down) <= SIZE and 1 <= (column := column + right) <= SIZE:
        rooms.append(room_at(row, column))
    return rooms


def as_set(rooms: Iterable[int]) -> int:
    """A set of rooms as one number."""
    bits = 0
    for room in rooms:
        bits |= 1 << room
    return bits


def for_each(make: Callable[[int], T]) -> Callable[[int], tuple[T, ...]]:
    """From a set of rooms to what is made of each, in ascending order.

    A row has only 64 sets of rooms: what is made of them is made once, and looked up row by row.
    """
    a, b, c, d, e, f = (_row(make, room_at(row, 1)) for row in range(1, SIZE + 1))

    def made(bits: int) -> tuple[T, ...]:
        return (
            *a[bits >> 1 & 63],
            *b[bits >> 7 & 63],
            *c[bits >> 13 & 63],
            *d[bits >> 19 & 63],
            *e[bits >> 25 & 63],
            *f[bits >> 31 & 63],
        )

    return made


def _row(make: Callable[[int], T], first: int) -> list[tuple[T, ...]]:
    row = [make(first + n) for n in range(SIZE)]
    return [tuple(made for n, made in enumerate(row) if bits >> n & 1) for bits in range(1 << SIZE)]


in_set = for_each(int)
"""The rooms of a set, in ascending order."""


def _first_tiles(room: int, tiles: int, directions: Iterable[tuple[int, int]]) -> int:
    """The first tile met in each of some directions."""
    lines = [line_from(room, *direction) for direction in directions]
    first = [next((met for met in line if tiles >> met & 1), None) for line in lines]
    return as_set(met for met in first if met is not None)


@cache
def _axes(room: int) -> tuple[tuple[int, dict[int, int]], ...]:
    """The four axes through a room: its rooms, and for every set of tiles on them those that are met.

    An axis has at most five other rooms, so 32 sets of tiles: looking one up is far quicker than walking.
    """
    axes = []
    for down, right in DIRECTIONS[:4]:
        both_ways = ((down, right), (-down, -right))
        axis = as_set(met for direction in both_ways for met in line_from(room, *direction))
        axes.append((axis, {tiles: _first_tiles(room, tiles, both_ways) for tiles in subsets(axis)}))
    return tuple(axes)


def subsets(bits: int) -> Iterator[int]:
    """Every set of rooms that is part of a set, the whole and the empty one included."""
    part = bits
    while part:
        yield part
        part = (part - 1) & bits
    yield 0


_TOUCHING = (0, *(as_set(line[0] for d in DIRECTIONS if (line := line_from(room, *d))) for room in ROOMS))


def straight(room: int, tiles: int) -> int:
    """The first tile met in each of the eight directions. PS-51, PS-52."""
    (a, on_a), (b, on_b), (c, on_c), (d, on_d) = _axes(room)
    return on_a[tiles & a] | on_b[tiles & b] | on_c[tiles & c] | on_d[tiles & d]


def flood(room: int, tiles: int) -> int:
    """Every tile that touches the emptied rooms around a ghost, however they wind. PS-Q5."""
    inside, edge, reached = 1 << room, [room], 0
    while edge:
        touching = _TOUCHING[edge.pop()]
        reached |= touching & tiles
        fresh = touching & ~tiles & ~inside
        inside |= fresh
        edge.extend(in_set(fresh))
    return reached & ~(1 << room)


def between(room: int, tiles: int) -> int:
    """The emptied rooms on the straight lines from a room to the tiles it reaches."""
    gaps = 0
    for down, right in DIRECTIONS:
        crossed = 0
        for step in line_from(room, down, right):
            if tiles >> step & 1:
                gaps |= crossed
                break
            crossed |= 1 << step
    return gaps


REACHES: dict[str, Reach] = {"straight_first_tile": straight, "flood_fill": flood}
