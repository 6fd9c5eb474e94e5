"""Host and moderator. Whoever comes to see everything in a running game, the table is told."""

from __future__ import annotations

from msgspec.structs import replace

from companion.contract import HOST
from companion.refusals import Forbidden, Illegal
from web.evening import seating
from web.evening.book import Book, Guest
from web.evening.evening import Evening


def check_runs(who: Guest | None) -> Guest:
    """Refuse whoever does not run the evening: the host, or the moderator in his place."""
    if who is None or not (who.host or who.moderator):
        raise Forbidden("evening.host_only")
    return who


def enter(evening: Evening, role: str, pin: str, name: str, address: str, who: Guest | None) -> str | None:
    """Become host or moderator by the PIN; whoever is new gets a key."""
    evening.pin.check(pin, address)
    with evening.lock:
        book, key = evening.book, None
        if who is None:
            who, key = evening.new_guest(name, None)
            book = evening.welcomed(book, who)
        evening.change(_given(evening, book, who, role))
        return key


def hand(evening: Evening, role: str, giver: Guest, to: str) -> None:
    """Hand a role to another phone; whoever had it gives it up."""
    with evening.lock:
        guest = evening.guest(to)
        if guest is None:
            raise Illegal("evening.no_such_phone")
        book = _given(evening, evening.book, guest, role)
        if guest.id != giver.id:
            book = _without(book, giver, role)
        evening.change(book)


def resign(evening: Evening, role: str, who: Guest) -> None:
    """Give a role up."""
    with evening.lock:
        evening.change(_without(evening.book, who, role))


def _given(evening: Evening, book: Book, who: Guest, role: str) -> Book:
    who = book.guest(who.id) or who
    if role == HOST:
        return seating.changed(book, replace(who, host=True))
    book = seating.changed(book, replace(who, moderator=True))
    if not evening.under_way or who.moderator:
        return book
    book = replace(book, insiders=(*book.insiders, who.id))
    plays = bool(book.seats_of(who.id))
    return seating.tell(book, "evening.player_moderates" if plays else "evening.moderates", name=who.name)


def _without(book: Book, who: Guest, role: str) -> Book:
    now = book.guest(who.id)
    if now is None:
        return book
    fresh = replace(now, host=False) if role == HOST else replace(now, moderator=False)
    return seating.changed(book, fresh)
