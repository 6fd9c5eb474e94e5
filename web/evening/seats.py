"""What guests and the host do about seats. In a game, the table is told of every change."""

from __future__ import annotations

from msgspec.structs import replace

from companion import bots
from companion.contract import Seat
from companion.refusals import Forbidden, Illegal
from web.doors import Ticket, hashed, new_key
from web.evening import seating
from web.evening.book import NOBODY, Guest, Sitting
from web.evening.evening import Evening

MOST_KEYS = 4
"""Programs that may hold one seat at a time."""


def take(evening: Evening, who: Guest, seat: Seat, name: str = "", language: str = "en") -> None:
    """Sit down on a free chair, or let somebody else sit down who shares the phone.

    In a running game only the host gives seats: each of them has secrets.
    """
    with evening.lock:
        evening.check_seat(seat)
        if evening.under_way and not evening.speaks(who, seat):
            raise Forbidden("evening.host_seats_you")
        called = seating.clean_name(name) if name.strip() else evening.further_name(who, seat, language)
        evening.change(seating.take(evening.book, who, seat, called))


def name(evening: Evening, seat: Seat, called: str) -> None:
    """Call the person on a chair by name."""
    with evening.lock:
        sitting = evening.book.sitting(evening.check_seat(seat))
        if sitting.guest is None:
            raise Illegal("handover.nobody_there")
        named = replace(sitting, name=seating.clean_name(called))
        evening.change(replace(evening.book, seats={**evening.book.seats, seat: named}))


def play_alone(evening: Evening, phone: str, alone: bool) -> None:
    """One person plays all seats of a phone, or several do. In a game the table is told who sees more now."""
    with evening.lock:
        if (who := evening.guest(phone)) is None:
            raise Illegal("evening.no_such_phone")
        if who.alone == alone:
            return
        book = seating.changed(evening.book, replace(who, alone=alone))
        evening.change(evening.told_in_game(book, "handover.told_alone", name=who.name) if alone else book)


def leave(evening: Evening, who: Guest, seat: Seat) -> None:
    """Get up; the chair is free."""
    with evening.lock:
        evening.check_speaks(who, seat)
        evening.codes.withdraw(seat)
        book, left = seating.seated(evening.book, seat, NOBODY), evening.name_of(seat)
        evening.change(evening.told_in_game(book, "evening.seat_left", seat=seat, name=left))


def give(evening: Evening, who: Guest, seat: Seat, to: str) -> None:
    """Hand one's own seat to another phone."""
    with evening.lock:
        evening.check_speaks(who, seat)
        _seat_guest(evening, seat, to)


def offer(evening: Evening, who: Guest, seat: Seat) -> Ticket:
    """Make a code with which another phone picks up one's own seat."""
    with evening.lock:
        evening.check_speaks(who, evening.check_seat(seat))
        ticket = evening.codes.offer(seat, who.id)
        evening.bump()
        return ticket


def key(evening: Evening, who: Guest, seat: Seat) -> str:
    """A key for a program that plays or watches one's own seat. It opens this seat of this table only."""
    with evening.lock:
        evening.check_speaks(who, evening.check_seat(seat))
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
        bots.find(level)
        evening.codes.withdraw(evening.check_seat(seat))
        book = seating.seated(evening.book, seat, Sitting(bot=level))
        evening.change(evening.told_in_game(book, "evening.seat_to_bot", seat=seat))


def empty(evening: Evening, seat: Seat) -> None:
    """The host frees a seat."""
    with evening.lock:
        evening.codes.withdraw(evening.check_seat(seat))
        book = seating.seated(evening.book, seat, NOBODY)
        evening.change(evening.told_in_game(book, "evening.seat_freed", seat=seat))


def _seat_guest(evening: Evening, seat: Seat, to: str) -> None:
    guest = evening.guest(to)
    if guest is None:
        raise Illegal("evening.no_such_phone")
    evening.codes.withdraw(seat)
    book = seating.seated(evening.book, seat, Sitting(guest=guest.id, name=evening.further_name(guest, seat)))
    sentence = "evening.insider_seated" if guest.id in book.insiders else "evening.seat_given"
    evening.change(evening.told_in_game(book, sentence, seat=seat, name=guest.name))
