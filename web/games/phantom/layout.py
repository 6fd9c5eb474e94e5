"""A board of the hotel as somebody enters it, square by square. Plain values and functions."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence

import msgspec

from companion.games.phantom.actions import Tile
from companion.games.phantom.board import COLOURS, ROOMS, Colour
from companion.games.phantom.options import PER_COLOUR


class Entry(msgspec.Struct, frozen=True):
    """What somebody says lies on a square."""

    room: int
    colour: Colour
    value: int


Entries = tuple[Entry, ...]
"""What was entered, in the order in which it was: the last one can be taken back."""

Box = Mapping[Colour, Sequence[int]]
"""The values of each colour, of a box that the companion knows."""


def entered(entries: Entries, entry: Entry) -> Entries:
    """One square more, or another tile on one that was entered before."""
    return (*erased(entries, entry.room), entry)


def erased(entries: Entries, room: int) -> Entries:
    """The same without a square."""
    return tuple(each for each in entries if each.room != room)


class Problem(msgspec.Struct, frozen=True):
    """More tiles of a colour than there are, or more of one value than the box has."""

    colour: Colour
    n: int
    has: int
    value: int | None = None


class Sketch(msgspec.Struct, frozen=True):
    """A board being entered: what lies there, what is next, and what cannot be."""

    tiles: tuple[Tile | None, ...]
    """Room 1 first: what the record knows, and what was entered."""
    fixed: tuple[int, ...]
    """The rooms of the record, which are not entered here."""
    entries: Entries
    at: int
    """The square to ask for next."""
    colour: Colour
    """The colour entered last: often the next one too."""
    counts: dict[Colour, int]
    problems: tuple[Problem, ...] = ()
    doubtful: tuple[int, ...] = ()
    """The squares of which one at least must be wrong."""

    @property
    def left(self) -> int:
        """How many squares are still empty."""
        return self.tiles.count(None)

    @property
    def whole(self) -> bool:
        """Whether this can be the whole board."""
        return not self.left and not self.problems


def sketch(recorded: Sequence[Tile | None], entries: Entries, box: Box | None) -> Sketch:
    """The board from the record and what was entered besides; where both speak, the record is right."""
    fixed = tuple(room for room in ROOMS if recorded[room - 1])
    entries = tuple(each for each in entries if each.room not in fixed)
    tiles = list(recorded)
    for each in entries:
        tiles[each.room - 1] = Tile(each.colour, each.value)
    last = entries[-1] if entries else Entry(0, "blue", 0)
    problems, doubtful = _check(tiles, box)
    return Sketch(
        tiles=tuple(tiles),
        fixed=fixed,
        entries=entries,
        at=_next_free(tiles, last.room),
        colour=last.colour,
        counts={
            colour: sum(tile is not None and tile.colour == colour for tile in tiles) for colour in COLOURS
        },
        problems=problems,
        doubtful=tuple(sorted(doubtful)),
    )


def _next_free(tiles: Sequence[Tile | None], after: int) -> int:
    """The first empty square after a room, or from the beginning; the room itself on a full board."""
    around = [*range(after + 1, len(tiles) + 1), *range(1, after + 1)]
    return next((room for room in around if tiles[room - 1] is None), after)


def _check(tiles: Sequence[Tile | None], box: Box | None) -> tuple[tuple[Problem, ...], set[int]]:
    """Nine tiles of each colour, and of each value as many as the box has. PS-2."""
    problems, doubtful = [], set()
    lying = Counter(tile for tile in tiles if tile is not None)
    for colour in COLOURS:
        n = sum(times for tile, times in lying.items() if tile.colour == colour)
        if n > PER_COLOUR:
            problems.append(Problem(colour, n, PER_COLOUR))
            doubtful |= {room for room in ROOMS if (tile := tiles[room - 1]) and tile.colour == colour}
    for tile, n in sorted(lying.items(), key=lambda each: (each[0].colour, each[0].value)):
        has = PER_COLOUR if box is None else list(box[tile.colour]).count(tile.value)
        if n > has:
            problems.append(Problem(tile.colour, n, has, tile.value))
            doubtful |= {room for room in ROOMS if tiles[room - 1] == tile}
    return tuple(problems), doubtful
