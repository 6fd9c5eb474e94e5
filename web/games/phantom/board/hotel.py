"""The hotel floor: 36 squares and the lines over them, as one reader of a page sees them."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from functools import lru_cache
from typing import Any

import msgspec
from markupsafe import Markup

from companion.games.phantom.board import ROOMS, SIZE
from companion.games.phantom.view import Shows
from web.games.phantom.board.lines import Line, centre, first_tiles, in_line, stroke
from web.games.phantom.texts import own
from web.render.aids import RoomAid, aids
from web.render.lamps import Lamp, board_lamp
from web.render.templates import kept, macro
from web.scene import Scene
from web.texts import Texts

FLOOR = "phantom/floor.html"
ROW, ROW_END = '<div role="row">', "</div>"
KEPT = 2048
"""So many looks of squares."""
MARKS = {"origin": "maybe", "target": "aim"}
"""The marks of the shared lamps as classes of a square."""
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


class Floor(msgspec.Struct, frozen=True):
    """The board, drawn: the squares row by row, then the lines over them."""

    squares: str
    over: str
    public: tuple[Line, ...]
    secret: Secret | None = None

    def __html__(self) -> str:
        """As a template puts it in."""
        return f"{self.squares}\n{self.over}"

    def under(self, secret: Secret | None, aids: tuple[RoomAid, ...]) -> Floor:
        """The same board with what only its reader sees over it: secrets, or signs of the map and pencil."""
        if secret is None and not aids:
            return self
        return Floor(self.squares, drawn_lines(self.public, secret, aids, False), self.public, secret)


def board(scene: Scene, t: Texts, does: str = "", secret: bool = False, large: bool = False) -> Floor:
    """The board as this page's reader sees it; `does` is the type of action that tapping stands for."""
    public, known, signs = public_lines(scene), secrets(scene) if secret else None, aids(scene, t).rooms
    lines: list[str] = [drawn_head(t)]
    for square in squares(scene, does, large):
        lines += [ROW] if square.room % SIZE == 1 else []
        lines.append(drawn_square(square, t))
        lines += [ROW_END] if square.room % SIZE == 0 else []
    return Floor("\n".join(lines), drawn_lines(public, known, signs, large), public, known)


def squares(scene: Scene, does: str, large: bool) -> Iterator[Square]:
    """The squares row by row."""
    shows: Shows = scene.shows
    seen = {ghost.room: (colour, ghost.revealed) for colour, ghost in shows.ghosts.items() if ghost.room}
    lit = scene.lamps.marks if scene.lamps and not scene.lamps.dark else {}
    reach = frozenset() if large else in_reach(scene)
    tappable = ROOMS if does in ("hide", "remove") else ()
    for room, tile in zip(ROOMS, shows.rooms, strict=True):
        lamp = board_lamp(scene.lamps, room) if large else None
        ghost, revealed = seen.get(room, ("", False))
        if tile is None:
            yield _empty(shows, room, does, ghost if revealed else "", lamp)
            continue
        marks = "".join(f" {name}" for mark, name in MARKS.items() if mark in lit.get(room, ()))
        marks += " reach" if room in reach else ""
        told = scene.page == "moderator" or scene.stage == "result"
        hidden = ghost if told and not revealed else ""
        taps = does if room in tappable else ""
        yield Square(room, "tile", tile.colour, tile.value, taps, marks, hidden, lamp)


def _empty(shows: Shows, room: int, does: str, ghost: str, lamp: Lamp | None) -> Square:
    """A square without a tile: a ghost was found there, nothing is laid yet, or a tile is gone."""
    if ghost:
        return Square(room, "found", ghost=ghost, lamp=lamp)
    if shows.phase == "placing" or (shows.phase == "bidding" and not any(shows.rooms)):
        due = " next" if shows.build and room == shows.build.room else ""
        return Square(room, "slot", does="place" if does == "place" else "", marks=due, lamp=lamp)
    last = shows.removed[-1] if shows.removed else None
    return Square(room, "gone", value=last.value if last and last.room == room else 0, lamp=lamp)


def hides(shows: Shows, colour: str, room: int) -> bool:
    """Whether a ghost the reader knows of hides in a room."""
    ghost = shows.ghosts[colour]
    return ghost.room == room and not ghost.revealed


def _hide(colour: str, room: int) -> dict[str, Any]:
    return {"type": "hide", "ghost": colour, "room": room}


# Words


def _joined(parts: Iterable[Markup]) -> Markup:
    return Markup("".join(parts))


def drawn_head(t: Texts) -> Markup:
    """Where the HTML of a board begins."""
    return kept(FLOOR, "floor")(t("board"))


@lru_cache(16)
def drawn_lines(
    public: tuple[Line, ...], secret: Secret | None, aids: tuple[RoomAid, ...], large: bool
) -> Markup:
    """The HTML of what is over the squares, and the end of the board."""
    signs = _joined(kept(FLOOR, "sign")(aid, *centre(aid.room)) for aid in aids)
    dotted = _joined(kept(FLOOR, "dotted")(line, large) for line in public)
    return macro(FLOOR, "over")(signs + dotted, drawn_secret(secret) if secret else "")


def drawn_secret(secret: Secret) -> Markup:
    """The HTML of what only one master sees."""
    dens = _joined(kept(FLOOR, "den")(den) for den in secret.dens)
    return dens + _joined(kept(FLOOR, "solid")(line) for line in secret.lines)


@lru_cache(KEPT)
def drawn_square(square: Square, t: Texts) -> Markup:
    """A square's HTML."""
    return macro("phantom/cell.html", "cell")(square, spoken(square, t), tapped(square, t), CRACKS)


def spoken(square: Square, t: Texts) -> str:
    """A square as it is spoken: Room 14, red library, 3,000 pounds."""
    room = square.room
    match square.kind:
        case "tile":
            kind = own(t)(f"kind_{square.colour}")
            return own(t)("room", room=room, kind=kind, sum=own(t).pounds(square.value))
        case "found":
            return own(t)("room_found", room=room, ghost=own(t)(f"ghost_{square.ghost}"))
        case "slot":
            return own(t)("room_free", room=room)
    if square.value:
        return own(t)("room_last", room=room, sum=own(t).pounds(square.value))
    return own(t)("room_empty", room=room)


def tapped(square: Square, t: Texts) -> dict[str, str] | None:
    """What tapping a tile stands for: the action, and the words of the confirm bar."""
    room, kind = square.room, own(t)(f"kind_{square.colour}")
    if square.does == "hide":
        return {
            "action": json.dumps(_hide(square.colour, room)),
            "what": own(t)("hide_what", ghost=own(t)(f"ghost_{square.colour}"), room=room),
            "note": own(t)("hide_note", kind=kind, sum=own(t).money(square.value)),
        }
    if square.does == "remove":
        return {
            "action": json.dumps({"type": "remove", "room": room}),
            "what": own(t)("room_short", room=room, kind=kind),
            "note": own(t)("remove_note", sum=own(t).money(square.value)),
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
