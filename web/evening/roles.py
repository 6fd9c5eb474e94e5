"""Host and moderator. Whoever comes to see everything in a running game, the table is told."""

from __future__ import annotations

from msgspec.structs import replace

from companion.contract import HOST, MODERATOR, Seat
from companion.refusals import Forbidden, Illegal
from web.evening import joining
from web.evening.evening import Evening
from web.people import book_changes
from web.people.guest_book import Book, Guest


def check_runs(who: Guest | None) -> Guest:
    """Refuse whoever does not run the evening: the host, or the moderator in his place."""
    if who is None or not (who.host or who.moderator):
        raise Forbidden("evening.host_only")
    return who


def enter(
    evening: Evening, role: str, pin: str, name: str, address: str, who: Guest | None, own_screen: bool
) -> str | None:
    """Become host or moderator by the PIN; whoever is new gets a key."""
    runs = who is not None and (who.host or who.moderator)
    evening.pin.check(pin, address, who.id if who else "", trusted=runs or own_screen)
    with evening.lock:
        book, key = evening.book, None
        if who is None:
            who, key = joining.new_guest(book, name, None, address)
            book = joining.with_guest(evening, book, who, runs=True)
            if _sides_to_ask(evening, who, role):
                evening.change(book)
        if not _asked_first(evening, who, role):
            evening.change(_given(evening, book, who, role))
        return key


def hand(evening: Evening, role: str, giver: Guest, to: str) -> None:
    """Hand a role to another phone; whoever had it gives it up."""
    with evening.lock:
        guest = evening.guests.find(to)
        if guest is None:
            raise Illegal("evening.no_such_phone")
        if _asked_first(evening, guest, role):
            return
        book = _given(evening, evening.book, guest, role)
        if guest.id != giver.id:
            book = _without(book, giver, role)
        evening.change(book)


def _sides_to_ask(evening: Evening, who: Guest, role: str) -> tuple[frozenset[Seat], ...]:
    """The sides that agree before this guest sees everything in a running game.

    Whoever does not play is asked about, too: with the PIN a player could open a second browser. Only those
    who have seen everything already, and do not play, may do so again; not what a backup says of who has.
    """
    if role == HOST or who.moderator or not evening.under_way:
        return ()
    knows = who.id in evening.book.insiders and not evening.book.seats_of(who.id)
    knows = knows and "restored" not in evening.table.happenings()
    return () if knows else evening.other_sides(who.id)


def _asked_first(evening: Evening, who: Guest, role: str) -> bool:
    """Whether others are asked before this guest sees everything: the question stands on every page."""
    if not (sides := _sides_to_ask(evening, who, role)):
        return False
    evening.moderator_request.ask(who.id, who.name, bool(evening.book.seats_of(who.id)), sides)
    return True


def agree(evening: Evening, seat: Seat) -> None:
    """A seat lets a player be moderator; the last one it takes makes them one."""
    with evening.lock:
        asked = evening.moderator_request.agree(seat)
        who = evening.guests.find(asked.guest)
        if asked.granted and who is not None:
            evening.change(_given(evening, evening.book, who, MODERATOR))


def decline(evening: Evening, seat: Seat) -> None:
    """A seat does not want a player to see everything; the table is told."""
    with evening.lock:
        asked = evening.moderator_request.decline(seat)
        evening.guests.tell("evening.moderates_not", name=asked.name)


def resign(evening: Evening, role: str, who: Guest) -> None:
    """Give a role up."""
    with evening.lock:
        evening.change(_without(evening.book, who, role))


def _given(evening: Evening, book: Book, who: Guest, role: str) -> Book:
    who = book.guest(who.id) or who
    if role == HOST:
        others = any(guest.host for guest in book.guests if guest.id != who.id)
        book = book_changes.update_guest(book, replace(who, host=True))
        return book_changes.tell(book, "evening.hosts", name=who.name) if others and not who.host else book
    book = book_changes.update_guest(book, replace(who, moderator=True))
    if who.moderator:
        return book
    if evening.under_way:
        book = replace(book, insiders=(*book.insiders, who.id))
    plays = bool(book.seats_of(who.id))
    return book_changes.tell(
        book, "evening.player_moderates" if plays else "evening.moderates", name=who.name
    )


def _without(book: Book, who: Guest, role: str) -> Book:
    now = book.guest(who.id)
    if now is None:
        return book
    fresh = replace(now, host=False) if role == HOST else replace(now, moderator=False)
    return book_changes.update_guest(book, fresh)
