"""The squares of the hotel on the pages where its board is entered, built and checked."""

from __future__ import annotations

import msgspec

from companion.games.phantom.actions import Tile
from companion.games.phantom.board import SIZE
from web.games.phantom.texts import own
from web.texts import Texts


class BoardSquare(msgspec.Struct, frozen=True):
    """One square, with what lies there and what can be said of it."""

    room: int
    label: str
    tile: Tile | None = None
    fixed: bool = False
    marks: str = ""
    chosen: bool = False
    ask: str = ""
    ghost: str = ""


def rows(squares: list[BoardSquare]) -> list[list[BoardSquare]]:
    """Six squares a row."""
    return [squares[at : at + SIZE] for at in range(0, len(squares), SIZE)]


def spoken(t: Texts, room: int, tile: Tile | None) -> str:
    """A square as it is spoken."""
    if tile is None:
        return own(t)("room_free", room=room)
    return own(t)("room", room=room, kind=own(t)(f"kind_{tile.colour}"), sum=own(t).pounds(tile.value))


def tile_words(t: Texts, tile: Tile | None) -> str:
    """A tile by its room type and value."""
    return f"{own(t)(f'kind_{tile.colour}')}, {own(t).money(tile.value)}" if tile else ""
