"""The hotel floor: 36 squares and the lines over them, as one reader of a page sees them."""

from __future__ import annotations

import json
from collections.abc import Iterable
from functools import lru_cache
from typing import Any

import msgspec
from markupsafe import Markup

from companion.games.phantom.actions import Tile
from companion.games.phantom.board import ROOMS, SIZE
from companion.games.phantom.view import Shows
from web.pages.lamps import Lamp, board_lamp
from web.pages.lines import Line, centre, first_tiles, in_line, stroke
from web.pages.paper import Pieces, kept, macro
from web.pages.voice import Voice
from web.scene import Scene

FLOOR = "phantom/floor.html"
ROW, ROW_END = '<div role="row">', "</div>"
KEPT = 8192
"""So many looks of squares."""
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


class Look(msgspec.Struct, frozen=True):
    """All that decides how the squares look, without a word: boards that look alike are drawn once."""

    rooms: tuple[Tile | None, ...]
    found: tuple[tuple[int, str], ...]
    """Where a ghost was found, and which."""
    last: tuple[int, int]
    """The room just emptied, and what it was worth."""
    blank: bool
    """Whether what is empty has not been laid yet."""
    due: int
    """The room to be laid next."""
    lit: tuple[tuple[int, tuple[str, ...]], ...]
    """The marks of the shared lamps."""
    reach: frozenset[int]
    does: str
    """The type of action that tapping stands for."""
    may_hide: frozenset[int]
    ghosts: tuple[tuple[int, str], ...]
    """Where ghosts hide, for the moderator's eyes."""
    lamps: tuple[Lamp, ...]
    """The lamp of each room, where the board is shown large."""


class Board(msgspec.Struct, frozen=True):
    """The board, ready to be drawn: the squares row by row, then the lines over them."""

    pieces: tuple[str, ...]
    public: tuple[Line, ...]
    secret: Secret | None = None

    @property
    def drawn(self) -> Pieces:
        """The board in a template."""
        return Pieces.of(*self.pieces)

    def with_secret(self, secret: Secret | None) -> Board:
        """The same board with what only one master sees over it."""
        if secret is None:
            return self
        return Board((*self.pieces[:-1], drawn_lines(self.public, secret, False)), self.public, secret)


def board(scene: Scene, t: Voice, does: str = "", secret: bool = False, large: bool = False) -> Board:
    """The board as this page's reader sees it; `does` is the type of action that tapping stands for."""
    public, known = public_lines(scene), secrets(scene) if secret else None
    squares = drawn_squares(look(scene, does, large), t)
    return Board((drawn_head(t), *squares, drawn_lines(public, known, large)), public, known)


def look(scene: Scene, does: str, large: bool) -> Look:
    """How the squares of a scene look."""
    shows: Shows = scene.shows
    last = shows.removed[-1] if shows.removed else None
    seen = [(ghost.room, colour, ghost.revealed) for colour, ghost in shows.ghosts.items() if ghost.room]
    return Look(
        rooms=shows.rooms,
        found=tuple((room, colour) for room, colour, revealed in seen if revealed),
        last=(last.room, last.value) if last else (0, 0),
        blank=shows.phase == "placing" or (shows.phase == "bidding" and not any(shows.rooms)),
        due=shows.build.room if shows.build else 0,
        lit=tuple(scene.lamps.marks.items()) if scene.lamps and not scene.lamps.dark else (),
        reach=frozenset() if large else in_reach(scene),
        does=does,
        may_hide=_may_hide(scene) if does == "hide" else frozenset(),
        ghosts=tuple((r, c) for r, c, revealed in seen if not revealed) if scene.page == "moderator" else (),
        lamps=tuple(board_lamp(scene.lamps, room) for room in ROOMS) if large else (),
    )


def _may_hide(scene: Scene) -> frozenset[int]:
    """The rooms where a ghost of their own colour may hide now."""
    legal = [action for actions in scene.legal.values() for action in actions]
    tiles = ((room, tile) for room, tile in enumerate(scene.shows.rooms, start=1) if tile)
    return frozenset(room for room, tile in tiles if _hide(tile.colour, room) in legal)


def hides(shows: Shows, colour: str, room: int) -> bool:
    """Whether a ghost the reader knows of hides in a room."""
    ghost = shows.ghosts[colour]
    return ghost.room == room and not ghost.revealed


def _hide(colour: str, room: int) -> dict[str, Any]:
    return {"type": "hide", "ghost": colour, "room": room}


# Words


def _joined(parts: Iterable[Markup]) -> Markup:
    return Markup("".join(parts))


def drawn_head(t: Voice) -> Markup:
    """Where the HTML of a board begins."""
    return kept(FLOOR, "floor")(t("board"))


@lru_cache(16)
def drawn_lines(public: tuple[Line, ...], secret: Secret | None, large: bool) -> Markup:
    """The HTML of what is over the squares, and the end of the board."""
    dotted = _joined(kept(FLOOR, "dotted")(line, large) for line in public)
    return macro(FLOOR, "over")(dotted, drawn_secret(secret) if secret else "")


@lru_cache(16)
def drawn_squares(look: Look, t: Voice) -> tuple[str, ...]:
    """The HTML of the squares, row by row: most who watch one move see the same."""
    lit, found, ghosts = dict(look.lit), dict(look.found), dict(look.ghosts)
    special = {*lit, *found, *ghosts, *look.reach, *look.may_hide, look.last[0]}
    tapped, lamps = "remove" if look.does == "remove" else "", look.lamps or (None,) * len(ROOMS)
    pieces: list[str] = []
    for room, tile, lamp in zip(ROOMS, look.rooms, lamps, strict=True):
        if room % SIZE == 1:
            pieces.append(ROW)
        if room not in special and lamp is None and (tile or not look.blank):
            pieces.append(drawn_plain(room, tile, tapped, t))
        elif tile is None:
            pieces.append(drawn_square(_empty(look, room, found.get(room, ""), lamp), t))
        else:
            pieces.append(
                drawn_square(_tile(look, room, tile, lit.get(room, ()), ghosts.get(room, ""), lamp), t)
            )
        if room % SIZE == 0:
            pieces.append(ROW_END)
    return tuple(pieces)


@lru_cache(KEPT)
def drawn_plain(room: int, tile: Tile | None, does: str, t: Voice) -> str:
    """The HTML of a square with a tile, or where one was, and nothing else to say of it: most of them."""
    square = Square(room, "tile", tile.colour, tile.value, does) if tile else Square(room, "gone")
    return drawn_square(square, t)


def _tile(look: Look, room: int, tile: Tile, lit: tuple[str, ...], ghost: str, lamp: Lamp | None) -> Square:
    marks = " maybe" if "origin" in lit else ""
    marks += " aim" if "target" in lit else ""
    marks += " reach" if room in look.reach else ""
    marks += " lit" if lamp and lamp.fill else ""
    does = look.does if look.does == "remove" or room in look.may_hide else ""
    return Square(room, "tile", tile.colour, tile.value, does, marks, ghost, lamp)


def _empty(look: Look, room: int, ghost: str, lamp: Lamp | None) -> Square:
    if ghost:
        return Square(room, "found", ghost=ghost, lamp=lamp)
    if look.blank:
        due = " next" if room == look.due else ""
        return Square(room, "slot", does="place" if look.does == "place" else "", marks=due, lamp=lamp)
    return Square(room, "gone", value=look.last[1] if room == look.last[0] else 0, lamp=lamp)


def drawn_secret(secret: Secret) -> Markup:
    """The HTML of what only one master sees."""
    dens = _joined(kept(FLOOR, "den")(den) for den in secret.dens)
    return dens + _joined(kept(FLOOR, "solid")(line) for line in secret.lines)


@lru_cache(KEPT)
def drawn_square(square: Square, t: Voice) -> str:
    """A square's HTML."""
    return str(macro("phantom/cell.html", "cell")(square, spoken(square, t), tapped(square, t), CRACKS))


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


def in_reach(scene: Scene) -> frozenset[int]:
    """The rooms that a master may devastate now, on his own page and the moderator's.

    Who plays by memory is shown nothing: so the lamps of that seat tell it, not what is legal.
    """
    if scene.page == "moderator" and scene.phase == "playing":
        masters = [seat for seat in scene.to_act if scene.shows.roles.get(seat) == "master"]
        return frozenset(action.get("room", 0) for seat in masters for action in scene.legal.get(seat, ()))
    marks = scene.picture.marks if scene.picture else {}
    return frozenset(room for room, names in marks.items() if "target" in names)


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
    return Secret(dens, _aimed_at(scene, dens)) if dens else None


def _aimed_at(scene: Scene, dens: tuple[Den, ...]) -> tuple[Line, ...]:
    """The true lines of a master's own ghosts, where he may see them now."""
    aims = in_reach(scene)
    if not aims:
        return ()
    tiles = {room for room, tile in enumerate(scene.shows.rooms, start=1) if tile}
    return tuple(
        stroke(den.room, room, 49, 45)
        for den in dens
        if den.mine
        for room in first_tiles(den.room, tiles)
        if room in aims
    )
