"""What is printed on a table's own copy of The Phantom Society, and nobody has published. PS-1, PS-2."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import Any, Literal

import msgspec

from companion.contract import View
from companion.games.phantom.actions import Tile
from companion.games.phantom.board import COLOURS, ROOMS, SIZE, Colour, place_of, room_at
from companion.games.phantom.options import PER_COLOUR
from companion.games.phantom.setup import colour_word
from companion.games.phantom.state import Removal
from companion.games.phantom.view import Shows
from companion.words import Saying

RoomType = Literal["bedroom", "laundry", "library", "smoking_room"]
LONGEST_NAME = 12


class Box(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The nine values of each colour; the 36 printed room names; which colour is which kind of room.

    `names` are row by row as they are read with the print upright, or none. `turn` says how far the board is
    then turned clockwise on this table, in degrees: room 1 of the companion is the far left one as it lies.
    """

    tiles: dict[str, list[int]]
    names: list[str] = []
    types: dict[Colour, RoomType] = {}
    turn: Literal[0, 90, 180, 270] = 0


def told(view: View) -> dict[Colour, list[int]] | None:
    """The tiles of the box, where the table was told them before the game."""
    tiles: dict[Colour, list[int]] | None = view.knows.options.tiles
    return tiles


def problems(box: Box) -> tuple[Saying, ...]:
    """Everything about a box that cannot be, at once."""
    return (*_tile_problems(box), *_name_problems(box), *_type_problems(box))


def _tile_problems(box: Box) -> Iterator[Saying]:
    """Nine tiles a colour, each worth 1 to 6. PS-2."""
    for colour in COLOURS:
        values = box.tiles.get(colour, [])
        if len(values) != PER_COLOUR:
            yield Saying("phantom.box_nine_tiles", colour=colour_word(colour), n=len(values))
        for value in sorted({value for value in values if not 1 <= value <= 6}):
            yield Saying("phantom.box_value", colour=colour_word(colour), value=value)
    for unknown in sorted(set(box.tiles) - set(COLOURS)):
        yield Saying("phantom.box_no_such_colour", colour=unknown)


def _name_problems(box: Box) -> Iterator[Saying]:
    """No names, or one for each room, short and all different. PS-1."""
    if not box.names:
        return
    if len(box.names) != len(ROOMS):
        yield Saying("phantom.box_names", n=len(box.names))
    for name, times in Counter(box.names).items():
        if not 1 <= len(name) <= LONGEST_NAME or not name.isprintable() or name != name.strip():
            yield Saying("phantom.box_name", name=name, most=LONGEST_NAME)
        if times > 1:
            yield Saying("phantom.box_same_name", name=name)


def _type_problems(box: Box) -> Iterator[Saying]:
    """Each kind of room has one colour. PS-2."""
    for kind, times in Counter(box.types.values()).items():
        if times > 1:
            yield Saying("phantom.box_same_type", type=Saying(f"phantom.type_{kind}"))


def options(box: Box) -> dict[str, Any]:
    """The tiles in the trays, and the printed names as this table sees them."""
    tiles = {colour: sorted(box.tiles[colour]) for colour in COLOURS}
    if not box.names:
        return {"tiles": tiles}
    return {"tiles": tiles, "names": {str(room): box.names[printed_at(room, box.turn) - 1] for room in ROOMS}}


def printed_at(room: int, turn: int) -> int:
    """Where on the upright print the room lies that is here once the board is turned clockwise."""
    row, column = place_of(room)
    for _ in range(turn // 90):
        row, column = SIZE + 1 - column, row
    return room_at(row, column)


def learn(view: View) -> Box | None:
    """The box of a table whose whole board has been seen, from what anybody may see of it."""
    shows: Shows = view.shows
    seen: list[Tile | Removal] = [*(tile for tile in shows.rooms if tile is not None), *(shows.removed or ())]
    tiles: dict[str, list[int]] = {
        colour: sorted(tile.value for tile in seen if tile.colour == colour) for colour in COLOURS
    }
    if any(len(values) != PER_COLOUR for values in tiles.values()):
        return None
    named = shows.names or {}
    names = [named[str(room)] for room in ROOMS] if all(str(room) in named for room in ROOMS) else []
    return Box(tiles, names)
