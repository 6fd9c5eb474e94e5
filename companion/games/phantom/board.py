"""The hotel floor: 36 rooms in six rows, and which tiles a ghost reaches from where it hides.

Rooms are plain numbers 1 to 36, row by row. A set of rooms is an int with bit `room` set, so that "the first
tile on a line" is two operations on numbers.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Literal

SIZE = 6
ROOMS = range(1, SIZE * SIZE + 1)
Colour = Literal["blue", "red", "green", "white"]
COLOURS: tuple[Colour, ...] = ("blue", "red", "green", "white")
EVERY_ROOM = sum(1 << room for room in ROOMS)

DIRECTIONS = [(down, right) for down in (-1, 0, 1) for right in (-1, 0, 1) if (down, right) != (0, 0)]

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


def _row_sets(row: int) -> list[tuple[int, ...]]:
    first = room_at(row, 1)
    return [tuple(first + n for n in range(SIZE) if bits >> n & 1) for bits in range(1 << SIZE)]


# A row has only 64 sets of rooms, so the rooms of a set are looked up row by row.
_A, _B, _C, _D, _E, _F = map(_row_sets, range(1, SIZE + 1))


def in_set(bits: int) -> tuple[int, ...]:
    """The rooms of a set, in ascending order."""
    return (
        *_A[bits >> 1 & 63],
        *_B[bits >> 7 & 63],
        *_C[bits >> 13 & 63],
        *_D[bits >> 19 & 63],
        *_E[bits >> 25 & 63],
        *_F[bits >> 31 & 63],
    )


def _lines(room: int, ascending: bool) -> tuple[int, ...]:
    lines = [line_from(room, down, right) for down, right in DIRECTIONS]
    return tuple(as_set(line) for line in lines if line and (line[0] > room) == ascending)


# Lines towards higher numbers meet their first tile at the lowest bit, the others at the highest.
_ASCENDING = ((), *(_lines(room, True) for room in ROOMS))
_DESCENDING = ((), *(_lines(room, False) for room in ROOMS))
_TOUCHING = (0, *(as_set(line[0] for d in DIRECTIONS if (line := line_from(room, *d))) for room in ROOMS))


def straight(room: int, tiles: int) -> int:
    """The first tile met in each of the eight directions. PS-51, PS-52."""
    reached = 0
    for line in _ASCENDING[room]:
        met = line & tiles
        reached |= met & -met
    for line in _DESCENDING[room]:
        met = line & tiles
        if met:
            reached |= 1 << (met.bit_length() - 1)
    return reached


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
