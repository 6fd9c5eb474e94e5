"""The evening as one thing with a life: the table, the guest book, who is here, and who wants to know."""

from __future__ import annotations

import logging
import secrets
from collections.abc import Callable
from pathlib import Path
from typing import Any

import msgspec
from msgspec.structs import replace

from companion.board import Board
from companion.boxes import Shelf
from companion.clock import Clock, SystemClock
from companion.contract import HOST, MODERATOR, TABLE, Action, Chair, Seat
from companion.refusals import Forbidden, Illegal, Refusal
from companion.table import Change, Table
from companion.words import Saying, say
from web.building.check import Check
from web.doors import Codes, Pin, hashed, new_key
from web.evening import planning, seating
from web.evening.book import Book, BookFile, Guest, Planned, Sitting, blank
from web.evening.hands import Hands
from web.evening.presence import Presences
from web.evening.surgery import Surgery
from web.scene import Presence, Stage

log = logging.getLogger(__name__)

SETTING_UP = frozenset({"placing", "bidding", "hiding", "starting", "framing", "drafting", "building"})
"""Phases in which the board is laid and secrets are hidden, of all games."""


VERSIONS_A_ENTRY = 1000
"""Versions go on growing through a restart, because the journal has: a page of before is seen to be old."""


class Stale(Illegal):
    """The page this came from shows a moment that has passed."""

    code = "stale"


class UndoAsk(msgspec.Struct, frozen=True):
    """Somebody wants to take back the last move, and needs others to agree."""

    by: Seat
    agreed: tuple[Seat, ...] = ()


class Evening:
    """Everything around one table. One lock, the table's own, so that two things never half happen."""

    def __init__(
        self,
        table: Table,
        file: BookFile | None = None,
        *,
        shelf: Shelf | None = None,
        clock: Clock | None = None,
    ) -> None:
        self.table, self.lock, self.shelf = table, table.lock, shelf
        self.clock = clock or SystemClock()
        self.codes, self.pin = Codes(self.clock), Pin(self.clock)
        self.presences = Presences(self.clock)
        self.hands = Hands(self)
        self.board: Board | None = None
        self.check = Check(self)
        self.kit = ""
        """The kit of the board, as it was asked for."""
        self.kit_fault: Saying | None = None
        """Why there is no board with this kit, where there is none."""
        self.surgery = Surgery(self, file.path.parent / "kits" if file else None)
        self.base_url, self.local_url = "http://127.0.0.1", ""
        """Where phones find us: by number, and by name where the network knows one."""
        self.on_shutdown: Callable[[], None] = lambda: None
        self.on_reopen: Callable[[], None] = lambda: None
        """Closes the house and opens it again, with the state that then lies in its folder."""
        self.on_kit: Callable[[str], None] = lambda kit: None
        """Puts another kit under the board, or refuses and leaves it as it was."""
        self.undo_ask: UndoAsk | None = None
        self.undone_by: list[Seat] = []
        self.choices: dict[Seat, tuple[Action, ...]] = {}
        self.version = VERSIONS_A_ENTRY * (1 + (table.journal.count if table.journal else 0))
        self.table_version = self.game_version = self.version
        self.settled = self.version
        """Since which version nothing but the game has changed."""
        """When the table last changed; when the running game began, or the last one was left."""
        self._file = file
        self._since: dict[Seat, int] = {}
        self._laid: tuple[Planned, tuple[Chair, ...]] | None = None
        """The planned game, and the chairs around its table."""
        self._watchers: list[Callable[[], None]] = []
        self._passing: tuple[dict[str, Presence], tuple[str, ...]] = ({}, ())
        self._closing: Callable[[], None] = table.subscribe(self._table_changed)
        self.book = (file.load() if file else None) or blank(planning.default())
        self.pin.own = self.book.pin
        self._index_keys()
        self._note_choices(self.version)
        table.pause(self.book.paused)

    def close(self) -> None:
        """Nothing is watched any more."""
        self._closing()
        self._watchers.clear()

    # What is going on

    @property
    def stage(self) -> Stage:
        """Lobby, set-up, playing or result."""
        with self.lock:
            if self.table.game is None:
                return "lobby"
            phase = self.table.standing().phase
            if phase == "over":
                return "result"
            return "setup" if phase in SETTING_UP else "playing"

    @property
    def under_way(self) -> bool:
        """Whether a game has begun and is not over: what one sees now may be somebody's secret."""
        return self.stage in ("setup", "playing")

    def chairs(self) -> tuple[Chair, ...]:
        """The chairs of the running game, or of the planned one."""
        with self.lock:
            if self.table.game is not None:
                return self.table.chairs()
            if self._laid is None or self._laid[0] is not self.book.plan:
                self._laid = self.book.plan, self._planned_chairs()
            return self._laid[1]

    def _planned_chairs(self) -> tuple[Chair, ...]:
        try:
            return planning.chairs(self.book.plan, self.shelf)
        except Refusal:
            # The plan is not finished; the host's page says what is missing.
            return ()

    @property
    def together(self) -> bool:
        """Whether everybody has the same role: they play against the game, not against each other."""
        return len(roles := {chair.role for chair in self.chairs()}) == 1 and None not in roles

    def check_seat(self, seat: Seat) -> Seat:
        """A seat that this game has."""
        if not any(chair.seat == seat for chair in self.chairs()):
            raise Forbidden("companion.no_such_seat", seat=seat)
        return seat

    # Who is who

    def guest(self, id: str | None) -> Guest | None:
        """A guest by id, as they are now."""
        return self._guests.get(id or "")

    def seats_of(self, guest: str) -> tuple[Seat, ...]:
        """The seats that a guest holds."""
        return self._seats.get(guest, ())

    def guest_of(self, key_hash: str) -> Guest | None:
        """Whose key this is."""
        return self.guest(self._keys.get(key_hash))

    def seat_of(self, key_hash: str) -> Seat | None:
        """Which seat a program's key opens now."""
        return self._programs.get(key_hash)

    def speaks(self, who: Guest, seat: Seat) -> bool:
        """Whether a guest may speak for a seat."""
        if seat == HOST:
            return who.host
        if seat == MODERATOR:
            return who.moderator
        if seat == TABLE:
            # Whoever plays or runs the evening may tell what a real card said.
            return who.host or who.moderator or bool(self.book.seats_of(who.id))
        return self.book.sitting(seat).guest == who.id

    def check_speaks(self, who: Guest, seat: Seat) -> None:
        """Refuse to act for a seat that is not one's own."""
        if not self.speaks(who, seat):
            raise Forbidden("evening.not_your_seat", seat=seat)

    def name_of(self, seat: Seat) -> str:
        """The name of whoever holds a seat, or the seat's own."""
        sitting = self.book.sitting(seat)
        guest = self.guest(sitting.guest)
        return sitting.name or (guest.name if guest else seat)

    def further_name(self, who: Guest, seat: Seat, language: str = "en") -> str:
        """What a further person on a phone is called until they say who they are: player 2.

        Where all play together nobody new is meant: one person runs several seats.
        """
        if self.together or all(other == seat for other in self.book.seats_of(who.id)):
            return ""
        number = next((n for n, chair in enumerate(self.chairs(), start=1) if chair.seat == seat), 2)
        return say("handover.player", who.language or language, number=number)

    # Coming and going

    def join(self, code: str, name: str, language: str | None, address: str, who: Guest | None) -> str | None:
        """Let somebody in by a code; a new guest gets a key, which is shown to nobody ever again."""
        with self.lock:
            ticket = self.codes.check(code, address)
            book, key = self.book, None
            if who is None:
                who, key = self.new_guest(name, language)
                book = self.welcomed(book, who)
            if ticket.seat is not None:
                book = self._handed_over(book, ticket.seat, who)
                self.codes.withdraw(ticket.seat)
            self.change(book)
            return key

    def new_guest(self, name: str, language: str | None) -> tuple[Guest, str]:
        """A guest who is not yet in the book, and the key to be given to them."""
        key = new_key()
        return Guest(secrets.token_hex(4), seating.clean_name(name), hashed(key), language), key

    def welcomed(self, book: Book, who: Guest) -> Book:
        """The book with one guest more."""
        here = {guest.id for guest in book.guests if self.presences.of(guest.id) == "here"}
        return seating.welcome(book, who, here)

    def _handed_over(self, book: Book, seat: Seat, to: Guest) -> Book:
        giver = self.name_of(seat)
        book = seating.seated(book, seat, Sitting(guest=to.id, name=self.further_name(to, seat)))
        sentence = "evening.insider_seated" if to.id in book.insiders else "evening.seat_handed"
        return self.told_in_game(book, sentence, seat=seat, name=to.name, giver=giver)

    def told_in_game(self, book: Book, key: str, **facts: str) -> Book:
        """Tell the table, if a game is on: what somebody sees or holds now matters to all."""
        return seating.tell(book, key, **facts) if self.under_way else book

    def introduce(self, who: Guest, name: str | None, language: str | None) -> None:
        """Another name or another language."""
        with self.lock:
            now = self.guest(who.id) or who
            called = seating.clean_name(name) if name is not None else now.name
            fresh = replace(now, name=called, language=language or now.language)
            self.change(seating.changed(self.book, fresh))

    def leave(self, guest: str) -> None:
        """A guest leaves the table; their key opens nothing any more."""
        with self.lock:
            if (who := self.guest(guest)) is None:
                raise Illegal("evening.no_such_phone")
            book = seating.goodbye(self.book, guest)
            if self.book.seats_of(guest):
                book = self.told_in_game(book, "evening.left", name=who.name)
            self.change(book)

    def dim(self) -> None:
        """Make the real lamps as bright as the host wants them, and in the colours this table can see."""
        if self.board is not None:
            self.board.brightness, self.board.palette = self.book.brightness / 100, self.book.palette
            getattr(self.board, "wake", lambda: None)()

    # Change, and being told of it

    def change(self, book: Book) -> None:
        """The next guest book: durable first, then true, then told."""
        with self.lock:
            if book is self.book:
                return
            if self._file is not None:
                self._file.save(book)
            self.book = book
            self.pin.own = book.pin
            self.table.pause(book.paused)
            self._index_keys()
            self.bump()

    def bump(self, moved: bool = False) -> None:
        """Something that pages show has changed; in a move nothing but the game."""
        with self.lock:
            self.version += 1
            if not moved:
                self.settled = self.version
            for watcher in list(self._watchers):
                watcher()

    def watch(self, watcher: Callable[[], None]) -> None:
        """Be told, under the lock and therefore briefly, after every change."""
        self._watchers.append(watcher)

    def check_fresh(self, seat: Seat, version: int | None) -> None:
        """Refuse what was chosen on a page that showed other choices for this seat."""
        if version is not None and not self._since.get(seat, 0) <= version <= self.version:
            raise Stale("evening.stale")

    def check_fresh_table(self, version: int | None) -> None:
        """Refuse what was meant for another move than the last one."""
        if version is not None and not self.table_version <= version <= self.version:
            raise Stale("evening.stale")

    def check_same_game(self, version: int | None) -> None:
        """Refuse what was meant for another game."""
        if version is not None and not self.game_version <= version <= self.version:
            raise Stale("evening.stale")

    def heard(self, guest: str) -> None:
        """A guest's phone asked for something."""
        with self.lock:
            before = self.presences.of(guest)
            self.presences.heard(guest)
            if self.presences.of(guest) != before:
                self.refresh()

    def refresh(self) -> None:
        """Tell everybody what time alone has changed: who has come or gone, and which codes are good."""
        with self.lock:
            present = {guest.id: self.presences.of(guest.id) for guest in self.book.guests}
            if (present, self.codes.good()) != self._passing:
                self._passing = present, self.codes.good()
                self.bump()

    def _table_changed(self, change: Change) -> None:
        self.undo_ask = None
        self.table_version = self.version + 1
        self._note_choices(self.table_version)
        self.hands.turned(change.fresh)
        self.bump(moved=not change.fresh and self.table.game is not None)

    def _note_choices(self, version: int) -> None:
        """Since which version each seat has had the choices it has now."""
        game = self.table.game
        to_act = self.table.standing().to_act if game else ()
        now = {seat: tuple(self.table.legal(seat)) for seat in to_act}
        for seat in {*now, *self.choices}:
            if now.get(seat) != self.choices.get(seat):
                self._since[seat] = version
        self.choices = now

    def _index_keys(self) -> None:
        self._guests = {guest.id: guest for guest in self.book.guests}
        self._keys = {guest.key: guest.id for guest in self.book.guests}
        self._seats = {guest.id: self.book.seats_of(guest.id) for guest in self.book.guests}
        self._programs = {key: seat for seat, sitting in self.book.seats.items() for key in sitting.keys}


def open_evening(folder: Path, table: Table, **parts: Any) -> Evening:
    """The evening of a state folder, as it was left."""
    file = BookFile(folder / "guests.json")
    evening = Evening(table, file, shelf=Shelf(folder / "boxes"), **parts)
    if file.damaged:
        log.warning(
            "the guest book could not be read and is kept as %s: phones must join again", file.damaged.name
        )
    return evening
