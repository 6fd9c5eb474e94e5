"""Who sits where. Plain functions from one guest book to the next."""

from __future__ import annotations

import unicodedata
from collections.abc import Container, Sequence

from msgspec.structs import replace

from companion.contract import Seat
from companion.refusals import Forbidden, Illegal
from web.evening.book import NOBODY, Book, Guest, Sitting, Told

LONGEST_NAME = 24
MOST_GUESTS = 256
MOST_TOLD = 20


def clean_name(name: str) -> str:
    """A name as people can read it on one line; refused where nothing is left."""
    printable = "".join(c for c in unicodedata.normalize("NFC", name) if c.isprintable())
    short = " ".join(printable.split())[:LONGEST_NAME].strip()
    if not short:
        raise Illegal("evening.no_name")
    return short


def welcome(book: Book, guest: Guest, here: Container[str] = ()) -> Book:
    """Let somebody in. Where it is full, whoever came first of those without a part and not here has left."""
    if len(book.guests) >= MOST_GUESTS:
        idle = (each for each in book.guests if each.id not in here and not _has_part(book, each))
        if (gone := next(idle, None)) is None:
            raise Illegal("evening.full", most=MOST_GUESTS)
        book = goodbye(book, gone.id)
    return replace(book, guests=(*book.guests, guest))


def _has_part(book: Book, guest: Guest) -> bool:
    return guest.host or guest.moderator or bool(book.seats_of(guest.id))


def changed(book: Book, guest: Guest) -> Book:
    """The same guest, with something different about them."""
    return replace(book, guests=tuple(guest if each.id == guest.id else each for each in book.guests))


def goodbye(book: Book, guest: str) -> Book:
    """Somebody leaves; their seats are free."""
    for seat in book.seats_of(guest):
        book = seated(book, seat, NOBODY)
    return replace(book, guests=tuple(each for each in book.guests if each.id != guest))


def seated(book: Book, seat: Seat, sitting: Sitting) -> Book:
    """Put a guest, a bot or nobody on a chair. Keys that programs had for it open it no more."""
    return replace(book, seats={**book.seats, seat: replace(sitting, keys=())})


def take(book: Book, guest: Guest, seat: Seat, name: str = "") -> Book:
    """Sit down on a chair that no other guest holds."""
    holder = book.sitting(seat).guest
    if holder not in (None, guest.id):
        raise Forbidden("evening.seat_taken", seat=seat)
    return book if holder else seated(book, seat, Sitting(guest=guest.id, name=name))


def moved_on(book: Book, seats: Sequence[Seat], steps: int = 1) -> Book:
    """Everybody so many seats on: after one, hunters become masters and masters hunters."""
    around = dict(zip(seats, (*seats[steps:], *seats[:steps]), strict=True))
    moved = {around[seat]: replace(book.sitting(seat), keys=()) for seat in seats}
    return replace(book, seats={**book.seats, **moved})


def tell_who_is_alone(book: Book) -> Book:
    """Tell the whole table on which phones one person plays, and sees, several seats."""
    for guest in book.guests:
        if guest.alone and len(book.seats_of(guest.id)) > 1:
            book = tell(book, "handover.told_alone", name=guest.name)
    return book


def tell(book: Book, key: str, **facts: str) -> Book:
    """Tell the whole table something; it stays on every page until the next game."""
    n = book.told[-1].n + 1 if book.told else 1
    return replace(book, told=(*book.told, Told(n, key, facts))[-MOST_TOLD:])
