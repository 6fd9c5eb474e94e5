"""What guests and the host do about seats. In a game, the table is told of every change."""

from __future__ import annotations

from msgspec.structs import replace

from companion import bots
from companion.contract import Seat
from companion.refusals import Forbidden, Illegal
from companion.words import say
from web.access.credentials import Ticket, hashed, new_key
from web.evening.evening import Evening
from web.people import book_changes
from web.people.guest_book import NOBODY, Book, Guest, Sitting

MOST_KEYS = 4
"""Programs that may hold one seat at a time."""


def take(evening: Evening, who: Guest, seat: Seat, name: str = "", language: str = "en") -> None:
    """Sit down on a free chair, or let somebody else sit down who shares the phone.

    In a running game only the host gives seats, because each of them has secrets; but whoever has left one,
    to a bot or to nobody, knows those, and takes the seat back.
    """
    with evening.lock:
        evening.check_seat(seat)
        if evening.under_way and evening.book.sitting(seat).left_by == who.id:
            _seat_guest(evening, seat, who.id)
            return
        if evening.under_way and not evening.guests.may_speak(who, seat):
            raise Forbidden("evening.host_seats_you")
        own = book_changes.name_for(evening.book, name, who.id) if name.strip() else ""
        called = own or further_name(evening, who, seat, language)
        evening.change(book_changes.take_seat(evening.book, who, seat, called))


def name(evening: Evening, seat: Seat, called: str) -> None:
    """Call the person on a chair by name."""
    with evening.lock:
        sitting = evening.book.sitting(evening.check_seat(seat))
        if sitting.guest is None:
            raise Illegal("handover.nobody_there")
        named = replace(sitting, name=book_changes.name_for(evening.book, called, sitting.guest))
        evening.change(replace(evening.book, seats={**evening.book.seats, seat: named}))


def play_alone(evening: Evening, phone: str, alone: bool) -> None:
    """One person plays all seats of a phone, or several do. In a game the table is told who sees more now."""
    with evening.lock:
        if (who := evening.guests.find(phone)) is None:
            raise Illegal("evening.no_such_phone")
        if who.alone == alone:
            return
        book = book_changes.update_guest(evening.book, replace(who, alone=alone))
        evening.change(evening.told_in_game(book, "handover.told_alone", name=who.name) if alone else book)


def leave(evening: Evening, who: Guest, seat: Seat) -> None:
    """Get up; the chair is free. In a running game it waits for whoever got up: they know its secrets."""
    with evening.lock:
        evening.guests.check_may_speak(who, seat)
        evening.codes.withdraw(seat)
        left_by = evening.book.sitting(seat).guest if evening.under_way else None
        left = evening.guests.name_of(seat)
        book = book_changes.put_on_seat(evening.book, seat, Sitting(left_by=left_by))
        evening.change(evening.told_in_game(book, "evening.seat_left", seat=seat, name=left))


def offer(evening: Evening, who: Guest, seat: Seat) -> Ticket:
    """Make a code with which another phone picks up one's own seat."""
    with evening.lock:
        evening.guests.check_may_speak(who, evening.check_seat(seat))
        ticket = evening.codes.offer(seat, who.id)
        evening.versions.bump()
        return ticket


def key(evening: Evening, who: Guest, seat: Seat) -> str:
    """A key for a program that plays or watches one's own seat. It opens this seat of this table only."""
    with evening.lock:
        evening.guests.check_may_speak(who, evening.check_seat(seat))
        fresh = new_key()
        sitting = evening.book.sitting(seat)
        keys = (*sitting.keys, hashed(fresh))[-MOST_KEYS:]
        seats = {**evening.book.seats, seat: replace(sitting, keys=keys)}
        evening.change(replace(evening.book, seats=seats))
        return fresh


def assign(evening: Evening, seat: Seat, to: str) -> None:
    """The host gives a seat to a phone."""
    with evening.lock:
        _seat_guest(evening, evening.check_seat(seat), to)


def put_bot(evening: Evening, seat: Seat, level: str) -> None:
    """The host leaves a seat to a bot."""
    with evening.lock:
        game = evening.table.game
        bots.find(level, game.name if game else evening.book.plan.game)
        evening.codes.withdraw(evening.check_seat(seat))
        now = evening.book.sitting(seat)
        left_by = (now.guest or now.left_by) if evening.under_way else None
        book = book_changes.put_on_seat(evening.book, seat, Sitting(bot=level, left_by=left_by))
        evening.change(evening.told_in_game(book, "evening.seat_to_bot", seat=seat))


def empty(evening: Evening, seat: Seat) -> None:
    """The host frees a seat."""
    with evening.lock:
        evening.codes.withdraw(evening.check_seat(seat))
        book = book_changes.put_on_seat(evening.book, seat, NOBODY)
        evening.change(evening.told_in_game(book, "evening.seat_freed", seat=seat))


def _seat_guest(evening: Evening, seat: Seat, to: str) -> None:
    guest = evening.guests.find(to)
    if guest is None:
        raise Illegal("evening.no_such_phone")
    evening.codes.withdraw(seat)
    evening.change(_with_guest(evening, evening.book, seat, guest, "evening.seat_given"))


def handed_over(evening: Evening, book: Book, seat: Seat, to: Guest) -> Book:
    """The book after somebody has picked up a seat that was offered to them by a code."""
    return _with_guest(evening, book, seat, to, "evening.seat_handed", giver=evening.guests.name_of(seat))


def _with_guest(evening: Evening, book: Book, seat: Seat, to: Guest, sentence: str, **facts: str) -> Book:
    """The book with a guest on a chair. In a game the table is told, above all if they have seen secrets."""
    book = book_changes.put_on_seat(book, seat, Sitting(guest=to.id, name=further_name(evening, to, seat)))
    sentence = "evening.insider_seated" if to.id in book.insiders else sentence
    return evening.told_in_game(book, sentence, seat=seat, name=to.name, **facts)


def further_name(evening: Evening, who: Guest, seat: Seat, language: str = "en") -> str:
    """What a further person on a phone is called until they say who they are: player 2.

    Where all play together nobody new is meant: one person runs several seats.
    """
    if evening.together or all(other == seat for other in evening.book.seats_of(who.id)):
        return ""
    number = next((n for n, chair in enumerate(evening.chairs(), start=1) if chair.seat == seat), 2)
    return say("handover.player", who.language or language, number=number)
