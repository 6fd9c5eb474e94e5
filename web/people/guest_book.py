"""The guest book: what must outlast a restart besides the game. A value, and the file it is kept in.

Every change makes a new book, which is durable before it counts. Keys are kept as hashes only: whoever reads
the file learns nothing that opens a seat.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

import msgspec
from msgspec.structs import replace

from companion.contract import Seat
from companion.disk import TooLong, read_own, write_file
from companion.entries import AnyEntry, Left, Started
from companion.picture import Palette
from companion.refusals import NotSaved
from companion.state_files import BOOK, largest

VERSION = 1


class Guest(msgspec.Struct, frozen=True):
    """A phone or screen that has joined; `key` is the hash of what its cookie holds."""

    id: str
    name: str
    key: str
    language: str | None = None
    host: bool = False
    moderator: bool = False
    alone: bool = False
    """One person plays all the seats of this phone, and may see them all."""
    heard: int = 0
    """The last announcement that was seen here."""
    home: str = ""
    """From which address it joined, as far as one household can vary it."""
    sat: bool = False
    """Whether it has had a seat this evening."""


class Sitting(msgspec.Struct, frozen=True, omit_defaults=True):
    """Who sits on a chair: a guest, a bot, or nobody; `keys` are the hashes of its keys for programs."""

    guest: str | None = None
    bot: str | None = None
    left_by: str | None = None
    """The guest for whom a bot plays since they left: they may come back."""
    keys: tuple[str, ...] = ()
    name: str = ""
    """The person's own name, where several share the guest's phone."""


NOBODY = Sitting()


class Planned(msgspec.Struct, frozen=True):
    """The next game: what the host chose, as plain data."""

    game: str
    options: dict[str, Any] = {}
    box: str = ""
    companion: str = ""
    """The role that the companion plays; empty for none."""
    level: str = ""
    """How well it does."""


class Fitted(msgspec.Struct, frozen=True):
    """The kit that was chosen on a page, and the one the daemon had been told to use."""

    kit: str
    instead_of: str
    """Told to use another one since, that one counts: it is the newer choice."""


class Told(msgspec.Struct, frozen=True):
    """A sentence that the whole table was told, by its key, to be said in each phone's language."""

    n: int
    key: str
    facts: dict[str, str] = {}


class PencilMark(msgspec.Struct, frozen=True, omit_defaults=True):
    """What a hunter wrote on a room: `safe`, `note`, or the name of whoever may be there."""

    says: str
    note: str = ""


class Tally(msgspec.Struct, frozen=True):
    """How many games somebody has won tonight, of how many."""

    won: int = 0
    played: int = 0


class Book(msgspec.Struct, frozen=True, kw_only=True):
    """Everything about an evening that must not be forgotten."""

    book: int = VERSION
    plan: Planned
    guests: tuple[Guest, ...] = ()
    seats: dict[Seat, Sitting] = {}
    told: tuple[Told, ...] = ()
    tellings: int = 0
    """How many announcements there have been in all: the number of the last one."""
    score: dict[str, Tally] = {}
    """By name, without the game that is on the table."""
    paused: bool = False
    insiders: tuple[str, ...] = ()
    """Guests who have seen everything in the running game, as moderators."""
    brightness: int = 100
    palette: Palette = "standard"
    """For whose eyes the board's lamps shine."""
    sketch: tuple[dict[str, Any], ...] = ()
    """The board of the running game as somebody enters it, until it is whole and laid."""
    pencil: dict[str, dict[int, PencilMark]] = {}
    """Marks of the running game by room, on sheets: a seat's own, and under the name of a role its team's."""
    pin: str = ""
    """The hash of a PIN that outlasts restarts, if the table has one."""
    fitted: Fitted | None = None
    welcomed: bool = True
    """Whether somebody has been led through the first steps, or did not want to be."""
    entry: int = 0
    """The entry of the journal by which the last game began or was left; none after a restore."""
    prepared: Prepared | None = None
    """What this book becomes together with a game that begins or is left."""

    def guest(self, id: str | None) -> Guest | None:
        """A guest by id."""
        return next((guest for guest in self.guests if guest.id == id), None)

    def sitting(self, seat: Seat) -> Sitting:
        """Who sits there."""
        return self.seats.get(seat, NOBODY)

    def seats_of(self, guest: str) -> tuple[Seat, ...]:
        """The seats that a guest holds."""
        return tuple(sorted(seat for seat, sitting in self.seats.items() if sitting.guest == guest))


class Prepared(msgspec.Struct, frozen=True):
    """The next book, which is true as soon as the journal has this entry."""

    entry: int
    book: Book


DECODER = msgspec.json.Decoder(Book)
"""Reads a guest book."""


def settled(book: Book, last_game: Iterable[AnyEntry]) -> Book:
    """A book as it is to be read beside a journal: what was prepared has happened, or never will."""
    if (prepared := book.prepared) is None:
        return book
    done = any(entry.n == prepared.entry and isinstance(entry, Started | Left) for entry in last_game)
    return prepared.book if done else replace(book, prepared=None)


def blank(plan: Planned) -> Book:
    """A new table with nobody at it."""
    return Book(plan=plan, welcomed=False)


class BookFile:
    """Where the guest book lies."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.damaged: Path | None = None
        """Where a file that could not be read was put aside."""

    def load(self) -> Book | None:
        """The book as it was left; null where there is none or it cannot be read."""
        try:
            book = DECODER.decode(read_own(self.path, largest(BOOK)))
        except FileNotFoundError:
            return None
        except (msgspec.MsgspecError, UnicodeDecodeError, TooLong):
            book = None
        if book is None or book.book > VERSION:
            self.damaged = next(name for name in self._aside() if not name.exists())
            os.replace(self.path, self.damaged)
            return None
        return book

    def save(self, book: Book) -> None:
        """Make it durable, or refuse and leave the file as it was."""
        try:
            write_file(self.path, msgspec.json.encode(book))
        except OSError as fault:
            raise NotSaved("companion.not_saved", fault=fault.strerror or str(fault)) from fault

    def _aside(self) -> Iterator[Path]:
        number = 1
        while True:
            yield self.path.with_name(f"{self.path.name}.damaged-{number}")
            number += 1
