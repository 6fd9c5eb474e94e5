"""The evening as one thing with a life: the table, and everything around it that has a state of its own."""

from __future__ import annotations

import contextlib
import logging
from collections.abc import Callable
from pathlib import Path
from typing import Any

from companion.board import Board
from companion.boxes import Shelf
from companion.certificate import Certificate
from companion.clock import Clock, SystemClock
from companion.contract import PUBLIC, Action, Chair, Seat
from companion.refusals import Forbidden, NotSaved
from companion.table import Change, Table
from web import games
from web.access.credentials import Codes, Pin
from web.board.check import Check
from web.board.doctor import Doctor
from web.board.kit import BoardKit
from web.evening import planning
from web.evening.addresses import Addresses
from web.evening.aids import PlayerAids
from web.evening.seen_news import SeenNews
from web.evening.set_aside import SetAsideNotice
from web.evening.undo import UndoRequest
from web.evening.usable_book import usable
from web.people import book_changes, score
from web.people.guest_book import Book, BookFile, Planned, Tally, blank, settled
from web.people.guests import Guests
from web.people.moderator_request import ModeratorRequest
from web.people.presence import Presences
from web.people.shared_phones import SharedPhones
from web.scene import Presence, Stage
from web.versions import Versions

log = logging.getLogger(__name__)


def nothing() -> None:
    """Nobody can be asked for this."""


class Evening:
    """One table and its parts, each with its own state. One lock, so that two things never half happen."""

    def __init__(
        self,
        table: Table,
        file: BookFile | None = None,
        *,
        shelf: Shelf | None = None,
        clock: Clock | None = None,
        shutdown: Callable[[], None] = nothing,
        reopen: Callable[[], None] = nothing,
    ) -> None:
        """`shutdown` ends the daemon; `reopen` too, but it opens again with the state then in its folder."""
        self.table, self.lock, self.shelf = table, table.lock, shelf
        self.clock = clock or SystemClock()
        self.shutdown, self.reopen = shutdown, reopen
        book = (file.load() if file else None) or blank(planning.default())
        book = settled(book, table.journal.last_game if table.journal else ())
        book = usable(book, table.game.name if table.game else None, shelf)
        self.guests = Guests(book, file, self.lock, self._book_changed)
        self.codes = Codes(self.clock)
        self.pin = Pin(self.clock, own=lambda: self.book.pin, alarm=self._somebody_guesses)
        self.presences = Presences(self.clock)
        self.choices = _choices(table)
        """What each seat that is to act, or is asked something, may do now."""
        self.versions = Versions(self.lock, table.journal.count if table.journal else 0, self.choices)
        self.seen_news = SeenNews(self.lines)
        self.addresses = Addresses(self.versions.bump)
        self.undo_request = UndoRequest(table, self.versions)
        self.moderator_request = ModeratorRequest(self.versions)
        self.aids = PlayerAids(table, self.guests, self.versions)
        self.shared_phones = SharedPhones(table, self.guests, self.versions, lambda: self.choices)
        self.board_kit = BoardKit(
            table, self.guests, self.versions, shutdown, before_change=lambda: self.doctor.end()
        )
        self.check = Check(table, self.guests, self.versions, self.board_kit, self.clock)
        folder = file.path.parent if file else None
        self.certificate = Certificate(folder) if folder else None
        self.doctor = Doctor(
            table, self.versions, self.board_kit, self.clock, folder / "kits" if folder else None
        )
        self.set_aside = SetAsideNotice(folder, self.versions.bump)
        self._planned: tuple[Planned, tuple[Chair, ...]] | None = None
        """The planned game, and the chairs around its table."""
        self._by_time: tuple[dict[str, Presence], tuple[str, ...]] = ({}, ())
        """What time alone changes, as pages were last told: who is here, and which codes are good."""
        self._unsubscribe = table.subscribe(self._table_changed)
        self._tell_table()

    def close(self) -> None:
        """The table is watched no more, and the board is dark."""
        self._unsubscribe()
        self.board_kit.close()

    @property
    def book(self) -> Book:
        """The guest book of now."""
        return self.guests.book

    def change(self, book: Book) -> None:
        """The next guest book: durable first, then true, then told."""
        self.guests.change(book)

    def change_game(self, book: Book, deed: Callable[[], object]) -> None:
        """Begin or leave a game, and the guest book that goes with it: in one durable step, or not at all."""
        entries = self.table.journal.count if self.table.journal else 0
        self.guests.change_with(book, entries + 1, deed)
        self.seen_news.begin()
        self.versions.game_changed()

    @property
    def board(self) -> Board | None:
        """The board, if there is one and it works."""
        return self.board_kit.board

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
            return "setup" if phase in games.find(self.table.game.name).setup else "playing"

    @property
    def lines(self) -> int:
        """How many lines the record of the running game has."""
        return len(self.table.history()) if self.table.game else 0

    @property
    def under_way(self) -> bool:
        """Whether a game has begun and is not over: what one sees now may be somebody's secret."""
        return self.stage in ("setup", "playing")

    def score(self) -> dict[str, Tally]:
        """Who has won how often tonight, with the game on the table where that is over.

        A game that keeps a score of its own is not counted.
        """
        with self.lock:
            game = self.table.game
            if game is None or self.stage != "result":
                return self.book.score
            if games.find(game.name).own_score(self.table.view(PUBLIC).shows):
                return self.book.score
            winners, won = self.table.winners(), dict[str, bool]()
            for chair in self.table.chairs():
                if self.book.sitting(chair.seat).guest:
                    name = self.guests.name_of(chair.seat)
                    won[name] = won.get(name, False) or chair.seat in winners
            return score.counted(self.book.score, won)

    def chairs(self) -> tuple[Chair, ...]:
        """The chairs of the running game, or of the planned one."""
        with self.lock:
            if self.table.game is not None:
                return self.table.chairs()
            if self._planned is None or self._planned[0] is not self.book.plan:
                self._planned = self.book.plan, planning.known_chairs(self.book.plan, self.shelf)
            return self._planned[1]

    @property
    def together(self) -> bool:
        """Whether everybody has the same role: they play against the game, not against each other."""
        return len(roles := {chair.role for chair in self.chairs()}) == 1 and None not in roles

    def other_sides(self, guest: str) -> tuple[frozenset[Seat], ...]:
        """The seats of other people, by side, but for a player's own; where all are on one side, that one.

        Whoever does not play may be anybody's second phone: then every side counts, and where all are on one
        side, everybody.
        """
        sitters = {chair: self.book.sitting(chair.seat).guest for chair in self.chairs()}
        own = {chair.role for chair, sitter in sitters.items() if sitter == guest}
        people = {chair: sitter for chair, sitter in sitters.items() if sitter not in (None, guest)}
        against = {chair.role for chair in people if chair.role is None or chair.role not in own}
        sides = [[chair for chair in people if chair.role == role] for role in against] or [[*people]]
        if not own and len(sides) == 1:
            each = dict.fromkeys(people.values())
            sides = [[chair for chair, sitter in people.items() if sitter == one] for one in each]
        return tuple(frozenset(chair.seat for chair in side) for side in sides if side)

    def check_seat(self, seat: Seat) -> Seat:
        """A seat that this game has."""
        if not any(chair.seat == seat for chair in self.chairs()):
            raise Forbidden("companion.no_such_seat", seat=seat)
        return seat

    def told_in_game(self, book: Book, key: str, **facts: str) -> Book:
        """Tell the table, if a game is on: what somebody sees or holds now matters to all."""
        return book_changes.tell(book, key, **facts) if self.under_way else book

    # What changes

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
            self.presences.forget_all_but(present)
            self.seen_news.forget_all_but(present)
            if (present, self.codes.good()) != self._by_time:
                self._by_time = present, self.codes.good()
                self.versions.bump()

    def _somebody_guesses(self, wrong: int) -> None:
        with contextlib.suppress(NotSaved):
            self.guests.tell("evening.guessing", n=str(wrong))

    def _book_changed(self) -> None:
        self._tell_table()
        self.versions.bump()

    def _tell_table(self) -> None:
        """What the table must know of the guest book."""
        sitting = self.book.seats.items()
        self.table.companion_plays(frozenset(seat for seat, sitter in sitting if sitter.bot))
        self.table.pause(self.book.paused)

    def _table_changed(self, change: Change) -> None:
        before, self.choices = self.choices, _choices(self.table)
        self.undo_request.table_changed()
        self.aids.table_changed()
        self.shared_phones.table_changed(change.fresh)
        others = [seat for seat in {*before, *self.choices} if before.get(seat) != self.choices.get(seat)]
        self.versions.table_changed(others, move=not change.fresh and self.table.game is not None)


def _choices(table: Table) -> dict[Seat, tuple[Action, ...]]:
    """What those may do who are to act, and what those may answer who are asked something after the end."""
    if table.game is None:
        return {}
    asked = {chair.seat: tuple(table.asked(chair.seat)) for chair in table.chairs()}
    choices = {seat: tuple(table.legal(seat)) for seat in table.standing().to_act}
    return choices | {seat: answers for seat, answers in asked.items() if answers}


def open_evening(folder: Path, table: Table, **parts: Any) -> Evening:
    """The evening of a state folder, as it was left."""
    file = BookFile(folder / "guests.json")
    evening = Evening(table, file, shelf=Shelf(folder / "boxes"), **parts)
    if file.damaged:
        log.warning(
            "the guest book could not be read and is kept as %s: phones must join again", file.damaged.name
        )
    return evening
