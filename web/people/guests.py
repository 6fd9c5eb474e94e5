"""Guests: the guest book as it is now, durable, and who is who by it."""

from __future__ import annotations

import contextlib
import threading
from collections.abc import Callable

from msgspec.structs import replace

from companion.contract import HOST, MODERATOR, TABLE, Seat
from companion.refusals import Forbidden, NotSaved
from web.people import book_changes
from web.people.guest_book import Book, BookFile, Guest, Prepared


class Guests:
    """The current guest book. Keys are looked up by their hashes; nothing else is known of them."""

    def __init__(
        self, book: Book, file: BookFile | None, lock: threading.RLock, changed: Callable[[], None]
    ) -> None:
        self._file, self._lock, self._changed = file, lock, changed
        self._keep(book)

    @property
    def book(self) -> Book:
        """The guest book of now."""
        return self._book

    def change(self, book: Book, told: bool = True) -> None:
        """The next guest book: durable first, then true, then told, unless it is not for everybody."""
        with self._lock:
            if book is self._book:
                return
            if self._file is not None:
                self._file.save(book)
            self._keep(book)
            if told:
                self._changed()

    def change_with(self, book: Book, entry: int, deed: Callable[[], object]) -> None:
        """The next guest book together with what is done and noted as this entry: both are durable, or none.

        The book is prepared beside the old one; the entry makes it true, even if the power goes at once.
        """
        with self._lock:
            book = replace(book, entry=entry)
            if self._file is not None:
                self._file.save(replace(self._book, prepared=Prepared(entry, book)))
            deed()
            self._keep(book)
            if self._file is not None:
                # On a disk that is full by now it stays prepared until the next change.
                with contextlib.suppress(NotSaved):
                    self._file.save(book)
            self._changed()

    def tell(self, key: str, **facts: str) -> None:
        """Tell the whole table something: it comes to every phone and stays there until it was seen."""
        with self._lock:
            self.change(book_changes.tell(self._book, key, **facts))

    def tell_of(self, who: Guest, key: str, **facts: str) -> None:
        """Tell the whole table what somebody did, who need not be told."""
        with self._lock:
            self.change(book_changes.tell_of(self._book, who, key, **facts))

    def _keep(self, book: Book) -> None:
        self._book = book
        self._guests = {guest.id: guest for guest in book.guests}
        self._keys = {guest.key: guest.id for guest in book.guests}
        self._seats = {guest.id: book.seats_of(guest.id) for guest in book.guests}
        self._programs = {key: seat for seat, sitting in book.seats.items() for key in sitting.keys}

    # Who is who

    def find(self, id: str | None) -> Guest | None:
        """A guest by id, as they are now."""
        return self._guests.get(id or "")

    @property
    def has_host(self) -> bool:
        """Whether somebody runs the evening as host."""
        return any(guest.host for guest in self._book.guests)

    def by_key(self, key_hash: str) -> Guest | None:
        """The guest whose key this is."""
        return self.find(self._keys.get(key_hash))

    def seats_of(self, guest: str) -> tuple[Seat, ...]:
        """The seats that a guest holds."""
        return self._seats.get(guest, ())

    def seat_of_program(self, key_hash: str) -> Seat | None:
        """The seat that a program's key opens now."""
        return self._programs.get(key_hash)

    def name_of(self, seat: Seat) -> str:
        """The name of whoever holds a seat, or the seat's own."""
        sitting = self._book.sitting(seat)
        guest = self.find(sitting.guest)
        return sitting.name or (guest.name if guest else seat)

    def may_speak(self, who: Guest, seat: Seat) -> bool:
        """Whether a guest may act for a seat."""
        if seat == HOST:
            return who.host
        if seat == MODERATOR:
            return who.moderator
        if seat == TABLE:
            # Whoever plays or runs the evening may tell what a real card said.
            return who.host or who.moderator or bool(self._book.seats_of(who.id))
        return self._book.sitting(seat).guest == who.id

    def check_may_speak(self, who: Guest, seat: Seat) -> None:
        """Refuse to act for a seat that is not one's own."""
        if not self.may_speak(who, seat):
            raise Forbidden("evening.not_your_seat", seat=seat)
