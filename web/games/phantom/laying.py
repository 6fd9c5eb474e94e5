"""Entering the board of a running game for everybody, or letting chance lay it."""

from __future__ import annotations

from collections.abc import Sequence
from random import SystemRandom
from typing import Any

import msgspec
from msgspec.structs import replace

from companion.contract import MODERATOR, PUBLIC, TABLE, converted
from companion.games.phantom.actions import Place, Tile
from companion.games.phantom.board import COLOURS, ROOMS
from companion.games.phantom.box import told
from companion.games.phantom.options import DEFAULT_TILES
from companion.games.phantom.view import Shows
from companion.refusals import Illegal, Malformed
from web.evening import match
from web.evening.evening import Evening
from web.games.phantom import layout
from web.games.phantom.laying_page import draw
from web.games.phantom.layout import Entries, Entry, Sketch
from web.people import book_changes
from web.people.guest_book import Guest
from web.scene import Scene
from web.site.routes import Call, Reply, form, host_form

__all__ = ["at_once", "draw", "due", "sketch"]

GAME = "phantom"


def sketch(evening: Evening) -> Sketch | None:
    """The board as it is being entered; null unless one is to be laid."""
    with evening.lock:
        game = evening.table.game
        if game is None or game.name != GAME or evening.table.standing().phase != "placing":
            return None
        view = evening.table.view(PUBLIC)
        shows: Shows = view.shows
        return None if shows.build else layout.sketch(shows.rooms, _entries(evening), told(view))


def _entries(evening: Evening) -> Entries:
    """What was entered so far, as the guest book keeps it."""
    try:
        entries: Entries = converted(evening.book.sketch, Entries)
    except msgspec.ValidationError:
        return ()
    return entries


def at_once(evening: Evening) -> bool:
    """Whether the whole board can be dealt by one tap: it is simulated, or the box is known."""
    with evening.lock:
        game = evening.table.game
        if game is None or game.name != GAME or evening.table.standing().phase != "placing":
            return False
        simulated = evening.board is not None and evening.board.simulated
        return simulated or told(evening.table.view(PUBLIC)) is not None


def due(scene: Scene) -> tuple[bool, bool]:
    """Whether the board is being laid now, and whether chance has dealt it."""
    placing = scene.phase == "placing"
    return placing, placing and scene.shows.build is not None


def _now(evening: Evening) -> Sketch:
    found = sketch(evening)
    if found is None:
        raise Illegal("board.nothing_to_lay")
    return found


def enter(evening: Evening, room: int, colour: str, value: int) -> None:
    """A tile lies on a square; it is kept, and laid with all others when the board is whole."""
    with evening.lock:
        here = _now(evening)
        known = next((each for each in COLOURS if each == colour), None)
        if room not in ROOMS or known is None or not 1 <= value <= 6:
            raise Malformed("phantom_pages.no_tile")
        if room in here.fixed:
            raise Illegal("phantom_pages.lies_already", room=room)
        _keep(evening, layout.entered(here.entries, Entry(room, known, value)))


def erase(evening: Evening) -> None:
    """Take back what was entered last."""
    with evening.lock:
        entries = _now(evening).entries
        if not entries:
            raise Illegal("phantom_pages.nothing_entered")
        _keep(evening, entries[:-1])


def _keep(evening: Evening, entries: Entries) -> None:
    evening.change(replace(evening.book, sketch=tuple(map(msgspec.structs.asdict, entries))))


def lay(evening: Evening) -> None:
    """Lay the whole board as it was entered: everybody their own tiles, in turn. PS-22."""
    with evening.lock:
        here = _now(evening)
        if not here.whole:
            raise Illegal("phantom_pages.not_whole", n=here.left)
        waiting = {each.room: Tile(each.colour, each.value) for each in here.entries}
        while waiting:
            (seat,) = evening.table.standing().to_act
            place = _next(evening, seat, waiting)
            match.act(evening, MODERATOR, place, seat)
            del waiting[place.room]
        # Whoever entered it has just looked at the real one.
        evening.check.looked_at()
        _keep(evening, ())


def _next(evening: Evening, seat: str, waiting: dict[int, Tile]) -> Place:
    """A tile that this seat may lay now."""
    tray = {(place.colour, place.value) for place in evening.table.legal(seat) if isinstance(place, Place)}
    for room, tile in waiting.items():
        if (tile.colour, tile.value) in tray:
            return Place(room, tile.colour, tile.value)
    raise Illegal("phantom_pages.no_turn", seat=evening.guests.name_of(seat))


def deal(evening: Evening, who: Guest) -> None:
    """Let chance lay what is not laid yet; everybody is led through building it."""
    with evening.lock:
        _now(evening)
        match.act(evening, MODERATOR, {"type": "deal"})
        book = replace(evening.book, sketch=())
        evening.change(book_changes.tell_of(book, who, "phantom_pages.told_dealt"))


def deal_now(evening: Evening, who: Guest) -> None:
    """Let chance lay all that is not laid yet, at once; a box that nobody told of has the usual values."""
    with evening.lock:
        if not at_once(evening):
            raise Illegal("board.nothing_to_lay")
        if sketch(evening) is not None:
            deal(evening, who)
        trays = {colour: SystemRandom().sample(tiles, len(tiles)) for colour, tiles in DEFAULT_TILES.items()}
        while evening.table.standing().phase == "placing":
            places: Sequence[Any] = evening.table.legal(TABLE)
            value = trays[places[0].colour].pop()
            match.act(evening, TABLE, next((each for each in places if each.value == value), places[0]))


# Forms, for whoever runs the evening


@host_form("/lay/tile")
def _tile(call: Call) -> None:
    """A tile lies on a square."""
    enter(call.evening, call.number("room") or 0, call.field("colour"), call.number("value") or 0)


@host_form("/lay/erase")
def _erase(call: Call) -> None:
    """The last one was wrong."""
    erase(call.evening)


@host_form("/lay/done")
def _done(call: Call) -> Reply:
    """The board is whole, and as it lies."""
    lay(call.evening)
    return Reply("/host" if call.guest().host else "/moderator")


@form("/lay/deal")
def _deal(call: Call) -> None:
    """Deal for us."""
    deal(call.evening, call.runs())
