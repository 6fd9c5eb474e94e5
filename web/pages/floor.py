"""The hotel floor: 36 squares and the lines over them, as one reader of a page sees them."""

from __future__ import annotations

import json
from collections.abc import Iterable
from functools import lru_cache
from typing import Any

import msgspec
from markupsafe import Markup

from companion.games.phantom.board import COLOURS, ROOMS, SIZE
from companion.games.phantom.view import Shows
from web.pages.lamps import Lamp, board_lamp
from web.pages.lines import Line, centre, first_tiles, in_line, stroke
from web.pages.paper import kept, macro
from web.pages.voice import Voice
from web.scene import Scene

FLOOR = "phantom/floor.html"
CRACKS = (
    "M46 3l-8 12 6 8-11 9M22 53l4-11-6-8M50 40l-8 4",
    "M4 26l12 3 3 9-6 9M52 30l-11 2-4 9",
    "M52 10 40 19l3 9-9 8M6 44l10-8 7 3",
    "M14 52l3-12-7-8 6-6M48 50l-8-9 4-9-6-6",
)
"""How the glass of a dark window is broken: four ways, by the number of the room."""


class Square(msgspec.Struct, frozen=True):
    """One square, without a word: equal squares look alike in one language, and are drawn once."""

    room: int
    kind: str
    """`tile`, `slot` (nothing laid yet), `gone` or `found`."""
    colour: str = ""
    value: int = 0
    """What the tile is worth; of the room just emptied, what it added."""
    does: str = ""
    """The type of action that tapping it stands for."""
    marks: str = ""
    """Classes: `maybe` a public line comes from here, `aim` lit for all, `reach` for this master's eyes."""
    ghost: str = ""
    lamp: Lamp | None = None


class Den(msgspec.Struct, frozen=True):
    """A ghost the reader of the page knows of, where it hides."""

    room: int
    colour: str
    mine: bool
    x: int
    y: int


class Secret(msgspec.Struct, frozen=True):
    """What a master sees while he holds the button."""

    dens: tuple[Den, ...]
    lines: tuple[Line, ...]


class Board(msgspec.Struct, frozen=True):
    """The board, ready to be drawn."""

    drawn: Markup
    public: tuple[Line, ...]
    secret: Secret | None = None


def board(scene: Scene, t: Voice, does: str = "", secret: bool = False, large: bool = False) -> Board:
    """The board as this page's reader sees it; `does` is the type of action that tapping stands for."""
    reach = set() if large else in_reach(scene)
    squares = tuple(square(scene, room, does, large, reach) for room in ROOMS)
    rows = [drawn_row(squares[at : at + SIZE], t) for at in range(0, len(squares), SIZE)]
    public, known = public_lines(scene), secrets(scene) if secret else None
    over = _joined(kept(FLOOR, "dotted")(line, large) for line in public)
    drawn = macro(FLOOR, "floor")(rows, over, drawn_secret(known) if known else "", t("board"))
    return Board(drawn, public, known)


def square(scene: Scene, room: int, does: str, large: bool, reach: set[int]) -> Square:
    """One square of the board."""
    shows: Shows = scene.shows
    lamp = board_lamp(scene.lamps, room) if large else None
    tile = shows.rooms[room - 1]
    if tile is None:
        return _empty(shows, room, does, lamp)
    lit = scene.lamps.marks.get(room, ()) if scene.lamps and not scene.lamps.dark else ()
    marks = " maybe" if "origin" in lit else ""
    marks += " aim" if "target" in lit else ""
    marks += " reach" if room in reach else ""
    marks += " lit" if lamp and lamp.fill else ""
    ghost = ""
    if scene.page == "moderator":
        ghost = next((colour for colour in COLOURS if hides(shows, colour, room)), "")
    if does == "place" or (does == "hide" and not _may_hide(scene, tile.colour, room)):
        does = ""
    return Square(room, "tile", tile.colour, tile.value, does, marks, ghost, lamp)


def _empty(shows: Shows, room: int, does: str, lamp: Lamp | None) -> Square:
    for colour in COLOURS:
        ghost = shows.ghosts[colour]
        if ghost.revealed and ghost.room == room:
            return Square(room, "found", ghost=colour, lamp=lamp)
    if shows.phase == "placing" or (shows.phase == "bidding" and not any(shows.rooms)):
        due = " next" if shows.build and shows.build.room == room else ""
        return Square(room, "slot", does="place" if does == "place" else "", marks=due, lamp=lamp)
    last = shows.removed[-1] if shows.removed else None
    return Square(room, "gone", value=last.value if last and last.room == room else 0, lamp=lamp)


def hides(shows: Shows, colour: str, room: int) -> bool:
    """Whether a ghost the reader knows of hides in a room."""
    ghost = shows.ghosts[colour]
    return ghost.room == room and not ghost.revealed


def _may_hide(scene: Scene, colour: str, room: int) -> bool:
    hide = _hide(colour, room)
    return any(hide in actions for actions in scene.legal.values())


def _hide(colour: str, room: int) -> dict[str, Any]:
    return {"type": "hide", "ghost": colour, "room": room}


# Words


def _joined(parts: Iterable[Markup]) -> Markup:
    return Markup("".join(parts))


@lru_cache(2048)
def drawn_row(squares: tuple[Square, ...], t: Voice) -> Markup:
    """The HTML of some squares in a row."""
    return Markup('<div role="row">{}</div>').format(_joined(drawn_square(square, t) for square in squares))


def drawn_secret(secret: Secret) -> Markup:
    """The HTML of what only one master sees."""
    dens = _joined(kept(FLOOR, "den")(den) for den in secret.dens)
    return dens + _joined(kept(FLOOR, "solid")(line) for line in secret.lines)


@lru_cache(8192)
def drawn_square(square: Square, t: Voice) -> Markup:
    """A square's HTML."""
    return macro("phantom/cell.html", "cell")(square, spoken(square, t), tapped(square, t), CRACKS)


def spoken(square: Square, t: Voice) -> str:
    """A square as it is spoken: Room 14, red library, 3,000 pounds."""
    room = square.room
    match square.kind:
        case "tile":
            kind = t(f"phantom_kind_{square.colour}")
            return t("phantom_room", room=room, kind=kind, sum=t.pounds(square.value))
        case "found":
            return t("phantom_room_found", room=room, ghost=t(f"phantom_ghost_{square.ghost}"))
        case "slot":
            return t("phantom_room_free", room=room)
    if square.value:
        return t("phantom_room_last", room=room, sum=t.pounds(square.value))
    return t("phantom_room_empty", room=room)


def tapped(square: Square, t: Voice) -> dict[str, str] | None:
    """What tapping a tile stands for: the action, and the words of the confirm bar."""
    room, kind = square.room, t(f"phantom_kind_{square.colour}")
    if square.does == "hide":
        return {
            "action": json.dumps(_hide(square.colour, room)),
            "what": t("phantom_hide_what", ghost=t(f"phantom_ghost_{square.colour}"), room=room),
            "note": t("phantom_hide_note", kind=kind, sum=t.money(square.value)),
        }
    if square.does == "remove":
        return {
            "action": json.dumps({"type": "remove", "room": room}),
            "what": t("phantom_room_short", room=room, kind=kind),
            "note": t("phantom_remove_note", sum=t.money(square.value)),
        }
    return None


# Lines


def in_reach(scene: Scene) -> set[int]:
    """The rooms that a master may devastate now, on his own page and the moderator's.

    Who plays by memory is shown nothing: so the lamps of that seat tell it, not what is legal.
    """
    if scene.page == "moderator" and scene.phase == "playing":
        masters = [seat for seat in scene.to_act if scene.shows.roles.get(seat) == "master"]
        return {action.get("room", 0) for seat in masters for action in scene.legal.get(seat, ())}
    marks = scene.picture.marks if scene.picture else {}
    return {room for room, names in marks.items() if "target" in names}


def public_lines(scene: Scene) -> tuple[Line, ...]:
    """Dotted lines to the last devastated room from where it can have come."""
    lamps = scene.lamps
    if lamps is None or lamps.dark or not scene.shows.removed:
        return ()
    last = scene.shows.removed[-1].room
    origins = [room for room, marks in lamps.marks.items() if "origin" in marks]
    return tuple(stroke(room, last) for room in origins if in_line(room, last))


def secrets(scene: Scene) -> Secret | None:
    """The ghosts this seat knows of, and in its turn the true lines of its own."""
    shows: Shows = scene.shows
    dens = tuple(
        Den(ghost.room, colour, ghost.owner == scene.seat, *centre(ghost.room))
        for colour, ghost in shows.ghosts.items()
        if ghost.room is not None and not ghost.revealed
    )
    tiles = {room for room, tile in enumerate(shows.rooms, start=1) if tile}
    aims = in_reach(scene)
    lines = tuple(
        stroke(den.room, room, 49, 45)
        for den in dens
        if den.mine
        for room in first_tiles(den.room, tiles)
        if room in aims
    )
    return Secret(dens, lines) if dens else None
