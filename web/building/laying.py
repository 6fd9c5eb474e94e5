"""Entering the board of a running game for everybody, or letting chance lay it."""

from __future__ import annotations

from msgspec.structs import replace

from companion.contract import MODERATOR, PUBLIC
from companion.games.phantom.actions import Place, Tile
from companion.games.phantom.board import COLOURS, ROOMS
from companion.games.phantom.state import State
from companion.refusals import Illegal, Malformed
from web.building import layout
from web.building.layout import Entry, Sketch
from web.evening import match
from web.evening.book import Guest
from web.evening.evening import Evening

GAME = "phantom"


def sketch(evening: Evening) -> Sketch | None:
    """The board as it is being entered; null unless one is to be laid."""
    with evening.lock:
        known = _placing(evening)
        if known is None or known.dealing:
            return None
        recorded = [known.laid[room] if known.tiles >> room & 1 else None for room in ROOMS]
        return layout.sketch(recorded, evening.book.sketch, known.options.tiles)


def _placing(evening: Evening) -> State | None:
    """All that the table knows of a hotel whose board is being laid."""
    game = evening.table.game
    if game is None or game.name != GAME or evening.table.standing().phase != "placing":
        return None
    known: State = evening.table.view(PUBLIC).knows
    return known


def _now(evening: Evening) -> Sketch:
    found = sketch(evening)
    if found is None:
        raise Illegal("building.nothing_to_lay")
    return found


def enter(evening: Evening, room: int, colour: str, value: int) -> None:
    """A tile lies on a square; it is kept, and laid with all others when the board is whole."""
    with evening.lock:
        here = _now(evening)
        known = next((each for each in COLOURS if each == colour), None)
        if room not in ROOMS or known is None or not 1 <= value <= 6:
            raise Malformed("building.no_tile")
        if room in here.fixed:
            raise Illegal("building.lies_already", room=room)
        _keep(evening, layout.entered(here.entries, Entry(room, known, value)))


def erase(evening: Evening) -> None:
    """Take back what was entered last."""
    with evening.lock:
        entries = _now(evening).entries
        if not entries:
            raise Illegal("building.nothing_entered")
        _keep(evening, entries[:-1])


def _keep(evening: Evening, entries: layout.Entries) -> None:
    evening.change(replace(evening.book, sketch=entries))


def lay(evening: Evening) -> None:
    """Lay the whole board as it was entered: everybody their own tiles, in turn. PS-22."""
    with evening.lock:
        here = _now(evening)
        if not here.whole:
            raise Illegal("building.not_whole", n=here.left)
        waiting = {each.room: Tile(each.colour, each.value) for each in here.entries}
        while waiting:
            (seat,) = evening.table.standing().to_act
            place = _next(evening, seat, waiting)
            match.act(evening, MODERATOR, place, seat)
            del waiting[place.room]
        # Whoever entered it has just looked at the real one.
        evening.check.looked_at = evening.game_version
        _keep(evening, ())


def _next(evening: Evening, seat: str, waiting: dict[int, Tile]) -> Place:
    """A tile that this seat may lay now."""
    tray = {(place.colour, place.value) for place in evening.table.legal(seat) if isinstance(place, Place)}
    for room, tile in waiting.items():
        if (tile.colour, tile.value) in tray:
            return Place(room, tile.colour, tile.value)
    raise Illegal("building.no_turn", seat=evening.name_of(seat))


def deal(evening: Evening, who: Guest) -> None:
    """Let chance lay what is not laid yet; everybody is led through building it."""
    with evening.lock:
        _now(evening)
        match.act(evening, MODERATOR, {"type": "deal"})
        book = replace(evening.book, sketch=())
        evening.change(evening.told_in_game(book, "building.told_dealt", name=who.name))
