"""A castle while it is entered: an answer a room, both ways at once; and the folder where they are kept."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from itertools import count
from pathlib import Path
from typing import Any

import msgspec
from msgspec.structs import replace

from companion.contract import plain, read
from companion.disk import make_folder, read_own, remove, write_file
from companion.games.canterville.castle import KNOWN_WAYS, LOCKABLE, ROOMS, Castle, Room, Way
from companion.refusals import Illegal, Malformed, NotSaved, Refusal, TooLarge
from web.admin import sharing

VERSION = 1
LARGEST = 1 << 16
LONGEST_NAME = 40
GRID = 12
"""Columns and rows of the sheet on which a castle is drawn."""
SHORT = "castle1:"
"""How the text behind a QR code begins."""


class Draft(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A castle with a name, and the rooms about which everything has been asked."""

    castle: Castle
    done: tuple[int, ...] = ()
    castle_file: int = VERSION

    @property
    def name(self) -> str:
        """What the family calls it."""
        return self.castle.name

    @property
    def rooms(self) -> dict[int, Room]:
        """Its rooms by number."""
        return {room.room: room for room in self.castle.rooms if isinstance(room, Room)}


class RoomAnswer(msgspec.Struct, frozen=True):
    """What somebody says about one room."""

    walks: tuple[int, ...] = ()
    walls: tuple[int, ...] = ()
    door: int | None = None
    """Where its red door leads."""
    place: tuple[int, int, int, int] | None = None
    """Column, row, width and height on the sheet."""


class Drawn(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A castle as somebody has drawn it on the sheet."""

    rooms: tuple[tuple[int, float, float, float, float], ...]
    """Number, column, row, width and height."""
    walks: tuple[Way, ...] = ()
    walls: tuple[Way, ...] = ()
    doors: dict[str, int] = {}


def begun(name: str) -> Draft:
    """A castle without a room."""
    name = " ".join(name.split())
    if not 1 <= len(name) <= LONGEST_NAME or not name.isprintable():
        raise Illegal("companion.box_name", most=LONGEST_NAME)
    return Draft(Castle(rooms=(), name=name))


def answered(draft: Draft, room: int, answer: RoomAnswer) -> Draft:
    """The castle after an answer: ways count in both directions, and a room that is named exists."""
    if room not in ROOMS:
        raise Illegal("canterville.castle_room_outside", room=room)
    walks, walls = set(answer.walks) - {room}, set(answer.walls) - set(answer.walks) - {room}
    if outside := (walks | walls) - set(ROOMS):
        raise Illegal("canterville.castle_room_outside", room=min(outside))
    rooms = {**draft.rooms, room: _placed(draft.rooms, room, answer.place)}
    for named in walks | walls:
        rooms.setdefault(named, Room(named))
    castle = replace(
        draft.castle,
        rooms=tuple(rooms[number] for number in sorted(rooms)),
        walks=_ways(draft.castle.walks, room, walks),
        walls=_ways(draft.castle.walls, room, walls),
        doors=_doors(draft.castle, room, walks, answer.door),
    )
    return replace(draft, castle=castle, done=tuple(sorted({*draft.done, room})))


def drawn(text: str, draft: Draft) -> Draft:
    """The castle as it has been drawn anew; rooms that were only told stay."""
    try:
        sheet: Drawn = read(msgspec.json.decode(text[:LARGEST]), Drawn, "drawn")
    except (msgspec.MsgspecError, RecursionError) as fault:
        raise Malformed("canterville_pages.no_castle", fault=str(fault)[:80]) from None
    before, rooms = draft.rooms, {number: room for number, room in draft.rooms.items() if not room.w}
    for room, *place in sheet.rooms:
        if room not in ROOMS:
            raise Illegal("canterville.castle_room_outside", room=room)
        was = before.get(room, Room(room))
        x, y, w, h = place
        # One that lies where it lay may have come from a larger sheet.
        stays = (x, y, w, h) == (was.x, was.y, was.w, was.h)
        rooms[room] = was if stays else _placed({**rooms, room: was}, room, (x, y, w, h))
    walks = _known(sheet.walks, rooms)
    castle = replace(
        draft.castle,
        rooms=tuple(rooms[number] for number in sorted(rooms)),
        walks=tuple(sorted(walks)),
        walls=tuple(sorted(_known(sheet.walls, rooms) - walks)),
        doors={
            str(room): sheet.doors[str(room)]
            for room in LOCKABLE
            if str(room) in sheet.doors and tuple(sorted((room, sheet.doors[str(room)]))) in walks
        },
    )
    done = {room for room, *_ in sheet.rooms} | set(draft.done) & set(rooms)
    return replace(draft, castle=castle, done=tuple(sorted(done)))


def _known(ways: tuple[Way, ...], rooms: dict[int, Room]) -> set[Way]:
    """Ways between two rooms that there are, each said once."""
    return {(min(way), max(way)) for way in ways if len(set(way)) == 2 and set(way) <= set(rooms)}


def _placed(rooms: dict[int, Room], room: int, place: tuple[float, float, float, float] | None) -> Room:
    before = rooms.get(room, Room(room))
    if place is None:
        return before
    x, y, w, h = place
    if min(x, y) < 0 or min(w, h) < 1 or max(x + w, y + h) > GRID:
        raise Illegal("canterville_pages.off_the_sheet", room=room)
    for other in rooms.values():
        if other.room != room and other.w and _overlap((x, y, w, h), other):
            raise Illegal("canterville_pages.drawn_there", room=room, other=other.room)
    return replace(before, x=x, y=y, w=w, h=h)


def _overlap(place: tuple[float, float, float, float], other: Room) -> bool:
    x, y, w, h = place
    return x < other.x + other.w and other.x < x + w and y < other.y + other.h and other.y < y + h


def _ways(ways: tuple[Way, ...], room: int, beyond: set[int]) -> tuple[Way, ...]:
    """The ways of a castle with those of one room said anew."""
    others = {way for way in ways if room not in way}
    return tuple(sorted(others | {(min(room, other), max(room, other)) for other in beyond}))


def _doors(castle: Castle, room: int, walks: set[int], door: int | None) -> dict[str, int]:
    """The red doors; one whose way is gone goes too."""
    doors = {key: beyond for key, beyond in castle.doors.items() if key != str(room)}
    doors = {key: beyond for key, beyond in doors.items() if beyond != room or int(key) in walks}
    if room in LOCKABLE and door in walks:
        doors[str(room)] = door
    return dict(sorted(doors.items(), key=lambda item: int(item[0])))


def around(ways: tuple[Way, ...], room: int) -> tuple[int, ...]:
    """The rooms at the other end of a room's ways."""
    return tuple(sorted({end for way in ways if room in way for end in way} - {room}))


def next_room(draft: Draft) -> int | None:
    """Whom to ask about next: a room that was named, else the next number of the printed castle."""
    named = [room for room in draft.rooms if room not in draft.done]
    return min(named or [room for room in ROOMS if room not in draft.done], default=None)


def missing(draft: Draft) -> list[tuple[int, str]]:
    """What a check-up asks for, room by room: the room, and the key of what is missing. All of it may be."""
    castle, known = draft.castle, {frozenset(way) for way in draft.castle.ways}
    asks = [(room, "ask_room") for room in draft.rooms if room not in draft.done]
    asks += [(room, "ask_place") for room, drawn in draft.rooms.items() if not drawn.w and room in draft.done]
    asks += [(room, "ask_ways") for room in draft.done if not around(castle.ways, room)]
    asks += [(room, "ask_door") for room in LOCKABLE if room in draft.done and str(room) not in castle.doors]
    asks += [
        (way[0], "ask_fact")
        for way in KNOWN_WAYS
        if set(way) <= set(draft.rooms) and frozenset(way) not in known
    ]
    return sorted(dict(reversed(asks)).items())


# As a file, and as the text of a QR code


def to_file(draft: Draft) -> bytes:
    """A castle as the content of a file."""
    return msgspec.json.format(msgspec.json.encode(draft), indent=1) + b"\n"


def to_text(draft: Draft) -> str:
    """A castle as a short text."""
    return sharing.packed(SHORT, msgspec.json.encode(draft))


def from_text(text: str) -> Draft:
    """The castle in a file or behind a QR code; also one that a program wrote for the game."""
    if len(text) > LARGEST:
        raise TooLarge("companion.box_too_large", most=LARGEST)
    try:
        data: Any = msgspec.json.decode(sharing.opened(SHORT, text, LARGEST))
    except (msgspec.MsgspecError, RecursionError, ValueError) as fault:
        raise Malformed("canterville_pages.no_castle", fault=str(fault)[:80]) from None
    if isinstance(data, dict) and "castle" in data:
        draft: Draft = read(data, Draft, "castle")
        return _tidy(draft)
    castle: Castle = read(data, Castle, "castle")
    return _tidy(Draft(castle, tuple(sorted(set(castle.numbers)))))


def _tidy(draft: Draft) -> Draft:
    """The same with every room spelled out, and a name that can be shown."""
    name = begun(draft.castle.name or "?").name
    rooms = tuple(room if isinstance(room, Room) else Room(room) for room in draft.castle.rooms)
    return replace(draft, castle=replace(draft.castle, rooms=rooms, name=name, invented=False))


class Castles:
    """The castles of a household: a folder with one file each. A file that cannot be read harms no other."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def all(self) -> dict[str, Draft]:
        """Every castle that can be read, by the stem of its file."""
        return dict(self._read())

    def find(self, key: str) -> Draft:
        """A castle by the stem of its file."""
        found = self.all().get(key)
        if found is None:
            raise Illegal("canterville_pages.unknown")
        return found

    def save(self, key: str, draft: Draft) -> None:
        """Make a castle durable, or refuse and leave the file as it was."""
        try:
            make_folder(self.folder)
            write_file(self.folder / f"{key}.json", to_file(draft))
        except OSError as fault:
            raise NotSaved("companion.not_saved", fault=fault.strerror or str(fault)) from fault

    def add(self, draft: Draft) -> str:
        """Keep another castle; the stem of its file comes back."""
        letters = unicodedata.normalize("NFKD", draft.name).encode("ascii", "ignore").decode().lower()
        stem = "-".join(re.findall("[a-z0-9]+", letters)) or "castle"
        names = (stem if n == 1 else f"{stem}-{n}" for n in count(1))
        key = next(name for name in names if not (self.folder / f"{name}.json").exists())
        self.save(key, draft)
        return key

    def remove(self, key: str) -> None:
        """Forget a castle."""
        self.find(key)
        try:
            remove(self.folder / f"{key}.json")
        except OSError as fault:
            raise NotSaved("companion.not_saved", fault=fault.strerror or str(fault)) from fault

    def _read(self) -> Iterator[tuple[str, Draft]]:
        for path in sorted(self.folder.glob("*.json")):
            try:
                yield path.stem, from_text(read_own(path, LARGEST).decode())
            except (OSError, UnicodeError, Refusal):
                continue


def option(draft: Draft) -> str:
    """A castle as the host's plan takes it."""
    return msgspec.json.encode(plain(draft.castle)).decode()
