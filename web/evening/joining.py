"""Coming and going: a phone joins by a code, says who it is, and leaves."""

from __future__ import annotations

import secrets

from msgspec.structs import replace

from companion.refusals import Illegal
from web.access.credentials import Ticket, hashed, new_key
from web.evening import seats
from web.evening.evening import Evening
from web.http.addresses import neighbourhood
from web.people import book_changes
from web.people.guest_book import Book, Guest


def join(
    evening: Evening, code: str, name: str, language: str | None, address: str, who: Guest | None
) -> tuple[str | None, Ticket]:
    """Let somebody in by a code: what it was good for, and a new guest's key, which is never shown again."""
    with evening.lock:
        ticket = evening.codes.check(code, address)
        book, key = evening.book, None
        if who is None:
            who, key = new_guest(book, name, language, address)
            book = with_guest(evening, book, who, runs=ticket.host)
        if ticket.seat is not None:
            book = seats.handed_over(evening, book, ticket.seat, who)
            evening.codes.withdraw(ticket.seat)
        if ticket.host:
            book = book_changes.update_guest(book, replace(book.guest(who.id) or who, host=True))
        evening.change(book)
        if ticket.host:
            evening.codes.used(ticket)
        return key, ticket


def new_guest(book: Book, name: str, language: str | None, address: str) -> tuple[Guest, str]:
    """A guest who is not yet in the book, and the key to be given to them."""
    key, called, home = new_key(), book_changes.name_for(book, name), neighbourhood(address)
    return Guest(secrets.token_hex(4), called, hashed(key), language, home=home), key


def with_guest(evening: Evening, book: Book, who: Guest, runs: bool) -> Book:
    """The book with one guest more, who may be about to run the evening."""
    here = {guest.id for guest in book.guests if evening.presences.of(guest.id) == "here"}
    # Whatever was told before, was told to others, if there were any.
    evening.seen_news.up_to(who.id, evening.lines)
    who = replace(who, heard=book.tellings if book.guests else 0)
    return book_changes.add_guest(book, who, here, runs)


def introduce(evening: Evening, who: Guest, name: str | None, language: str | None) -> None:
    """Another name or another language."""
    with evening.lock:
        now = evening.guests.find(who.id) or who
        called = book_changes.name_for(evening.book, name, who.id) if name is not None else now.name
        fresh = replace(now, name=called, language=language or now.language)
        evening.change(book_changes.update_guest(evening.book, fresh))


def come_over(evening: Evening, key: str) -> str | None:
    """A guest goes on over HTTPS: a new key is good, and no more what was sent over HTTP.

    That is the old key, and those with which programs and other phones get to the guest's seats.
    """
    with evening.lock:
        if (who := evening.guests.by_key(hashed(key))) is None:
            return None
        fresh = new_key()
        book = book_changes.update_guest(evening.book, replace(who, key=hashed(fresh)))
        for seat in book.seats_of(who.id):
            evening.codes.withdraw(seat)
            book = book_changes.put_on_seat(book, seat, book.sitting(seat))
        evening.change(book)
        return fresh


def leave(evening: Evening, guest: str) -> None:
    """A guest leaves the table; their key opens nothing any more."""
    with evening.lock:
        if (who := evening.guests.find(guest)) is None:
            raise Illegal("evening.no_such_phone")
        book = book_changes.remove_guest(evening.book, guest)
        if evening.book.seats_of(guest):
            book = evening.told_in_game(book, "evening.left", name=who.name)
        evening.change(book)
