"""The guest book: what must outlast a restart besides the game. A value, and the file it is kept in.

Every change makes a new book, which is durable before it counts. Keys are kept as hashes only: whoever reads
the file learns nothing that opens a seat.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec

from companion.contract import Seat
from companion.disk import write_file
from companion.picture import Palette
from companion.refusals import NotSaved
from web.building.layout import Entries

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


class Sitting(msgspec.Struct, frozen=True, omit_defaults=True):
    """Who sits on a chair: a guest, a bot, or nobody; `keys` are the hashes of its keys for programs."""

    guest: str | None = None
    bot: str | None = None
    keys: tuple[str, ...] = ()
    name: str = ""
    """The person's own name, where several share the guest's phone."""


NOBODY = Sitting()


class Planned(msgspec.Struct, frozen=True):
    """The next game: what the host chose, as plain data."""

    game: str
    options: dict[str, Any] = {}
    box: str = ""


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


class Book(msgspec.Struct, frozen=True, kw_only=True):
    """Everything about an evening that must not be forgotten."""

    book: int = VERSION
    plan: Planned
    guests: tuple[Guest, ...] = ()
    seats: dict[Seat, Sitting] = {}
    told: tuple[Told, ...] = ()
    paused: bool = False
    insiders: tuple[str, ...] = ()
    """Guests who have seen everything in the running game, as moderators."""
    brightness: int = 100
    palette: Palette = "standard"
    """For whose eyes the board's lamps shine."""
    sketch: Entries = ()
    """The board of the running game as somebody enters it, until it is whole and laid."""
    pin: str = ""
    """The hash of a PIN that outlasts restarts, if the table has one."""
    fitted: Fitted | None = None
    welcomed: bool = True
    """Whether somebody has been led through the first steps, or did not want to be."""

    def guest(self, id: str | None) -> Guest | None:
        """A guest by id."""
        return next((guest for guest in self.guests if guest.id == id), None)

    def sitting(self, seat: Seat) -> Sitting:
        """Who sits there."""
        return self.seats.get(seat, NOBODY)

    def seats_of(self, guest: str) -> tuple[Seat, ...]:
        """The seats that a guest holds."""
        return tuple(sorted(seat for seat, sitting in self.seats.items() if sitting.guest == guest))


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
            data = self.path.read_bytes()
        except FileNotFoundError:
            return None
        try:
            book = msgspec.json.decode(data, type=Book)
        except (msgspec.MsgspecError, UnicodeDecodeError):
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
