"""What can be done in The Phantom Society, and what can be heard of it."""

from __future__ import annotations

from functools import cache
from typing import Any, Literal

import msgspec

from companion.contract import Action, Event, Seat
from companion.games.phantom.board import Colour, for_each
from companion.games.phantom.options import PackName


class Tile(msgspec.Struct, frozen=True, forbid_unknown_fields=True, cache_hash=True):
    """A room tile: its colour and what it is worth, in thousands of pounds. PS-2."""

    colour: Colour
    value: int


class Place(Action, frozen=True, tag="place"):
    """Lay one of your tiles on an empty square. PS-22."""

    room: int
    colour: Colour
    value: int


class Deal(Action, frozen=True, tag="deal"):
    """The moderator lets chance lay what is not laid yet; the table builds it square by square. PS-22."""


class Dealt(Action, frozen=True, tag="dealt"):
    """Chance: which tile goes on the next square; null where any of that colour will do. PS-22."""

    colour: Colour
    value: int | None


class Bid(Action, frozen=True, tag="bid"):
    """Lay two objective cards face down for your team. PS-102."""

    thousands: int


class Drawn(Action, frozen=True, tag="drawn"):
    """Chance: which team got which pack of objective cards. PS-101."""

    packs: dict[str, PackName]


class Hide(Action, frozen=True, tag="hide"):
    """Hide a ghost under a tile of its colour. PS-24."""

    ghost: Colour
    room: int


class Ready(Action, frozen=True, tag="ready"):
    """My ghosts lie under their tiles (keeper `honour`). PS-26."""


class Remove(Action, frozen=True, tag="remove"):
    """Take a tile off the board, as a hunter or by devastation. PS-50, PS-60."""

    room: int


class Pass(Action, frozen=True, tag="pass"):
    """Remove nothing, because nothing can be reached. PS-57."""


class Found(Action, frozen=True, tag="found"):
    """What lay under the tile just removed (keeper `honour`): a ghost, or nothing. PS-70, PS-71."""

    ghost: Colour | None


class GhostFix(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What is to be set straight about one ghost."""

    room: int | msgspec.UnsetType | None = msgspec.UNSET
    owner: Seat | msgspec.UnsetType | None = msgspec.UNSET
    revealed: bool | msgspec.UnsetType = msgspec.UNSET


class Fixes(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What a repair sets straight; what is not named stays as it is."""

    rooms: list[Tile | None] | dict[str, Tile | None] | msgspec.UnsetType = msgspec.UNSET
    ghosts: dict[Colour, GhostFix] | msgspec.UnsetType = msgspec.UNSET
    damage: int | msgspec.UnsetType = msgspec.UNSET
    objective: int | msgspec.UnsetType = msgspec.UNSET
    to_act: list[Seat] | msgspec.UnsetType = msgspec.UNSET
    players: int | msgspec.UnsetType = msgspec.UNSET


class Repair(Action, frozen=True, tag="repair"):
    """The moderator sets facts straight."""

    set: Fixes


class Lifted(Action, frozen=True, tag="lifted"):
    """The moderator tells that the master to play lifted a tile none of his ghosts reaches. PS-Q18."""

    room: int


class Token(Action, frozen=True, tag="token"):
    """The moderator tells what really lay under the last tile (keeper `both`): a token, or none.

    If none lay there though the record had one, `hides` is the room where that ghost really is.
    """

    ghost: Colour | None
    hides: int | None = None


class Correct(Action, frozen=True, tag="correct"):
    """The moderator tells that the real board is right about a room: its tile, or that it is empty."""

    room: int
    tile: Tile | None


AnyAction = (
    Place
    | Bid
    | Deal
    | Dealt
    | Drawn
    | Hide
    | Ready
    | Remove
    | Pass
    | Found
    | Repair
    | Lifted
    | Token
    | Correct
)
REPAIRS = (Deal, Repair, Lifted, Token, Correct)
"""What only the moderator does."""


class GhostAt(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A ghost in a position that is entered by hand."""

    room: int | None
    owner: Seat | None
    revealed: bool


class Position(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A game already under way."""

    rooms: list[Tile | None]
    ghosts: dict[Colour, GhostAt]
    damage: int
    to_act: list[Seat]
    objective: int
    players: int


class Laid(Event, frozen=True, tag="laid"):
    """A tile came to lie on the board."""

    by: Seat
    room: int
    colour: str
    value: int


class NextTile(Event, frozen=True, tag="next_tile"):
    """Chance says what goes on the next square of a dealt board."""

    room: int
    colour: str
    value: int | None


class PacksDrawn(Event, frozen=True, tag="packs"):
    """Each team has its pack."""

    packs: dict[str, str]


class Sealed(Event, frozen=True, tag="sealed"):
    """A team has laid its bid, face down."""

    by: Seat
    thousands: int


class BidsOpened(Event, frozen=True, tag="bids"):
    """Both bids lie open: who the ghosts are, and how much they must wreck. PS-103."""

    bids: dict[str, int]
    ghosts: tuple[Seat, ...]
    objective: int


class Hidden(Event, frozen=True, tag="hidden"):
    """A ghost hides."""

    by: Seat
    ghost: str
    room: int


class HuntBegan(Event, frozen=True, tag="hunt_began"):
    """All four ghosts are hidden; the first master plays. PS-26."""

    first: Seat


class Removed(Event, frozen=True, tag="removed"):
    """A tile left the board; what it added to the damage, and the total."""

    by: Seat
    room: int
    colour: str
    value: int
    added: int
    damage: int


class Revealed(Event, frozen=True, tag="revealed"):
    """A ghost was found and can act no more. PS-70."""

    ghost: str
    room: int


class Passed(Event, frozen=True, tag="passed"):
    """Somebody removed nothing. PS-57."""

    by: Seat


class PutBack(Event, frozen=True, tag="put_back"):
    """A tile lifted by mistake lies in its place again. PS-Q18."""

    by: Seat
    room: int


class Repaired(Event, frozen=True, tag="repaired"):
    """The moderator set something straight."""


class Over(Event, frozen=True, tag="over"):
    """The game has ended. PS-80, PS-81."""

    winner: Literal["ghosts", "hunters"]
    reason: Literal["damage", "all_revealed"]


@cache
def removal(room: int) -> Remove:
    """The one `Remove` of a room: legal moves are many, so they are made once."""
    return Remove(room)


removals = for_each(removal)
"""The removals of a set of rooms, in ascending order."""


@cache
def laying(room: int, colour: Any, value: int) -> Place:
    """The one `Place` of a tile on a room."""
    return Place(room, colour, value)


@cache
def hiding(ghost: Any, room: int) -> Hide:
    """The one `Hide` of a ghost in a room."""
    return Hide(ghost, room)
