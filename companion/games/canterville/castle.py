"""Castles as data: rooms with a place to draw, walls, walking ways and lockable doors; and what they allow.

The printed castle is nowhere published, so a table enters its own, plays the invented `demo`, or plays with
no map at all (`none`). A castle is checked once, all problems at once: errors refuse it, warnings inform.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import cache, lru_cache
from pathlib import Path

import msgspec

from companion.refusals import Illegal
from companion.words import Saying

ROOMS = range(1, 55)
LOCKABLE = (12, 17, 24, 30, 34, 37, 45, 51)
"""The rooms with a red door. GJ-43."""
PASSAGE, CHIMNEY = (1, 54), (42, 53)
"""Ways of Max alone: always, and while the chimney card is in play. GJ-36, GJ-42."""
KNOWN_WAYS = ((14, 27), (28, 35), (39, 40))
"""Neighbours that the rules name. GJ-38."""
KNOWN_EXITS = (50, 52, 54)
"""Some room has walking ways to exactly these. GJ-Q20."""

Way = tuple[int, int]


class Room(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """A room with its place in the drawing (a rectangle on a grid, y downwards) and its name by language."""

    room: int
    x: float = 0
    y: float = 0
    w: float = 0
    h: float = 0
    name: dict[str, str] = {}


class Castle(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """A castle cut open. Walking ways are Max's ways too; `doors` says where each red door leads. GJ-1."""

    rooms: tuple[int | Room, ...]
    walls: tuple[Way, ...] = ()
    walks: tuple[Way, ...] = ()
    doors: dict[str, int] = {}
    name: str = ""
    invented: bool = False

    def __hash__(self) -> int:
        # Enough to tell castles apart in a cache; equality looks at everything.
        return hash((self.name, self.walls, self.walks))

    @property
    def numbers(self) -> tuple[int, ...]:
        """The numbers of its rooms, as listed."""
        return tuple(room.room if isinstance(room, Room) else room for room in self.rooms)

    @property
    def ways(self) -> tuple[Way, ...]:
        """Every pair of neighbours for Max, whether there is a door or only a wall. GJ-31, GJ-Q21."""
        return (*self.walls, *self.walks)


# Sets of rooms are ints with a bit a room.


def as_set(rooms: Iterable[int]) -> int:
    """Rooms as one number with a bit for each."""
    bits = 0
    for room in rooms:
        bits |= 1 << room
    return bits


def in_set(bits: int) -> Iterator[int]:
    """The rooms in a set, lowest first."""
    while bits:
        lowest = bits & -bits
        yield lowest.bit_length() - 1
        bits ^= lowest


EVERY_ROOM = as_set(ROOMS)


# Checking a castle


class Findings(msgspec.Struct, frozen=True):
    """Everything found in a castle: errors refuse it, warnings only inform."""

    errors: tuple[Saying, ...]
    warnings: tuple[Saying, ...]


def check(castle: Castle) -> Findings:
    """All problems of a castle at once."""
    return Findings(tuple(_errors(castle)), tuple(_warnings(castle)))


def _errors(castle: Castle) -> Iterator[Saying]:
    listed = castle.numbers
    if not listed:
        yield Saying("canterville.castle_empty")
    for room in sorted(set(listed)):
        if room not in ROOMS:
            yield Saying("canterville.castle_room_outside", room=room)
        if listed.count(room) > 1:
            yield Saying("canterville.castle_room_twice", room=room)
    for one, two in castle.ways:
        if one == two:
            yield Saying("canterville.castle_loop", room=one)
        for room in sorted({one, two} - set(listed)):
            yield Saying("canterville.castle_room_unlisted", room=room, way=_spelled((one, two)))
    yield from _door_errors(castle)


def _door_errors(castle: Castle) -> Iterator[Saying]:
    walks = {frozenset(walk) for walk in castle.walks}
    for room, beyond in sorted(castle.doors.items()):
        if room not in map(str, LOCKABLE):
            yield Saying("canterville.castle_door_room", room=room, rooms=LOCKABLE)
        elif frozenset((int(room), beyond)) not in walks:
            yield Saying("canterville.castle_door_no_walk", room=room, beyond=beyond)


def _warnings(castle: Castle) -> Iterator[Saying]:
    listed = [room for room in castle.numbers if room in ROOMS]
    missing = sorted(set(ROOMS) - set(listed))
    if missing:
        yield Saying("canterville.castle_rooms_missing", n=len(missing), rooms=tuple(missing))
    apart = tuple(sorted(set(listed) - _reached(castle.ways, listed)))
    if apart:
        yield Saying("canterville.castle_apart", n=len(apart), rooms=apart)
    afar = tuple(sorted(set(listed) - _reached(castle.walks, listed) - set(apart)))
    if afar:
        yield Saying("canterville.castle_no_walk", n=len(afar), rooms=afar)
    ways = {frozenset(way) for way in castle.ways}
    for way in KNOWN_WAYS:
        if frozenset(way) not in ways:
            yield Saying("canterville.castle_fact_way", way=_spelled(way))
    if not any(_beyond(castle.walks, room) == set(KNOWN_EXITS) for room in listed):
        yield Saying("canterville.castle_fact_exits", rooms=KNOWN_EXITS)
    doorless = tuple(room for room in LOCKABLE if str(room) not in castle.doors)
    if doorless:
        yield Saying("canterville.castle_fact_doors", rooms=doorless)


def _beyond(ways: tuple[Way, ...], room: int) -> set[int]:
    return {end for way in ways if room in way for end in way} - {room}


def _reached(ways: tuple[Way, ...], listed: list[int]) -> set[int]:
    """The rooms that somebody gets to from the first room of the list."""
    reached, edge = set(listed[:1]), listed[:1]
    while edge:
        found = _beyond(ways, edge.pop()) - reached
        reached |= found
        edge += found
    return reached


def _spelled(way: Way) -> str:
    return f"{way[0]}–{way[1]}"


# Finding a castle by its name

LONGEST_FILE = 1 << 20


def find(castle: str | Castle) -> Castle | None:
    """The castle behind an option; null for `none`. An own castle is checked here."""
    if castle == "none":
        return None
    if castle == "demo":
        return demo()
    if isinstance(castle, str):
        raise Illegal("canterville.castle_unknown", castle=castle)
    errors = check(castle).errors
    if errors:
        raise Illegal("canterville.castle_refused", rule="GJ-1", problems=errors)
    return castle


_decoder = msgspec.json.Decoder(Castle)


@cache
def demo() -> Castle:
    """The invented castle that comes with the companion. It is not the printed one."""
    text = (Path(__file__).parent / "castles" / "demo.json").read_bytes()
    return _decoder.decode(text)


def read_file(path: str) -> object:
    """The plain data in a castle file; what it means is checked later, as for a castle sent inline."""
    try:
        # A pipe or a device would be read for ever.
        text = Path(path).read_bytes() if 0 < _size(path) <= LONGEST_FILE else b""
        return msgspec.json.decode(text)
    except (OSError, ValueError, RecursionError):
        raise Illegal("canterville.castle_file", castle=path) from None


def _size(path: str) -> int:
    if not Path(path).is_file():
        raise Illegal("canterville.castle_unknown", castle=path)
    return Path(path).stat().st_size


# What a castle allows


class Ways:
    """Who gets where, as sets of rooms; made once for a castle. Without a map everybody gets everywhere."""

    def __init__(self, castle: Castle | None, chimney: bool) -> None:
        self.mapped = castle is not None
        numbers = castle.numbers if castle else tuple(ROOMS)
        self.rooms = as_set(numbers)
        self.doors = {int(room): beyond for room, beyond in castle.doors.items()} if castle else {}
        self.lockable = tuple(room for room in LOCKABLE if not castle or room in self.doors)
        own = [PASSAGE, CHIMNEY] if chimney else [PASSAGE]
        self.certain = {frozenset(way) for way in (*own, *KNOWN_WAYS)}
        if castle is None:
            self.haunt = {room: self.rooms & ~(1 << room) for room in numbers}
            self.walk = self.haunt
        else:
            both = [way for way in own if set(way) <= set(numbers)]
            self.haunt = _neighbours(numbers, (*castle.ways, *both))
            self.walk = _neighbours(numbers, castle.walks)

    def has(self, room: int) -> bool:
        """Whether the castle has such a room."""
        return room in ROOMS and bool(self.rooms >> room & 1)

    def unchecked(self, one: int, two: int) -> bool:
        """Whether nobody but the table can tell if two rooms are neighbours. GJ-T21."""
        return not self.mapped and frozenset((one, two)) not in self.certain


def _neighbours(numbers: Iterable[int], ways: Iterable[Way]) -> dict[int, int]:
    beyond = dict.fromkeys(numbers, 0)
    for one, two in ways:
        beyond[one] |= 1 << two
        beyond[two] |= 1 << one
    return beyond


@lru_cache(maxsize=64)
def ways(castle: str | Castle, chimney: bool) -> Ways:
    """The ways through a castle."""
    return Ways(find(castle), chimney)
