"""What a seat has on its own phone beside the board: pencil marks on the rooms, and the hint it asked for.

They are nobody else's to see, the moderator aside: so a change of them is told to the pages that show them,
and to no other.
"""

from __future__ import annotations

from contextlib import suppress
from typing import Any

from msgspec.structs import replace

from companion.bots import Hint, pace
from companion.contract import MODERATOR, PUBLIC, Aids, Seat, read
from companion.refusals import Illegal, Malformed, NotSaved
from companion.table import Table
from companion.words import Saying
from web import games
from web.people.guest_book import PencilMark
from web.people.guests import Guests
from web.scene import MapSeen, Pencilled
from web.versions import Versions

HIGHEST_ROOM, LONGEST_NOTE = 99, 24


class PlayerAids:
    """The marks of the running game, and the hints of this moment."""

    def __init__(self, table: Table, guests: Guests, versions: Versions) -> None:
        self._table, self._guests, self._versions = table, guests, versions
        self._hints: dict[Seat, Hint] = {}
        self._doubts: dict[Seat, tuple[tuple[Saying, ...], ...]] = {}
        """What may have been told wrong before, where a seat could not say what it found."""

    def agreed(self) -> Aids:
        """The help that the table agreed on, as far as it is of use now."""
        game = self._table.game
        return game.aids(self._table.view(PUBLIC)) if game else Aids()

    def hunts(self, seat: Seat) -> bool:
        """Whether a seat hunts."""
        return seat in self._team(seat)

    def _team(self, seat: Seat) -> tuple[Seat, ...]:
        """The hunters, if this seat is one of them."""
        hunt = games.find(self._table.game.name).hunt if self._table.game else None
        hunters = tuple(chair.seat for chair in self._table.chairs() if hunt and chair.role == hunt.role)
        return hunters if seat in hunters else ()

    def table_changed(self) -> None:
        """A hint or a doubt is for one moment, and marks are for one game."""
        self._hints.clear()
        self._doubts.clear()
        over = self._table.game is not None and self._table.standing().result is not None
        if over and self._guests.book.pencil:
            with suppress(NotSaved):
                self._guests.change(replace(self._guests.book, pencil={}), told=False)

    # The map

    def map(self) -> MapSeen:
        """The hunters' map as everybody may know it."""
        game, view = self._table.game, self._table.view(PUBLIC)
        assert game is not None
        likely = game.aids(view).map == "likely"
        odds, clue = game.odds(view, "careful" if likely else "uniform"), game.clue(view)
        possible = frozenset(odds.possible)
        return MapSeen(
            odds.worlds,
            possible,
            frozenset(odds.rooms) - possible,
            {room: round(100 * odds.rooms[room]) for room in possible} if likely else {},
            clue.ruled_out if clue else None,
        )

    def corrections(self, said: Any = None) -> tuple[tuple[Saying, ...], ...]:
        """What may have been told wrong, if the record contradicts itself, or what was just refused does."""
        with self._table.lock:
            game, view = self._table.game, self._table.view(PUBLIC)
        return game.corrections(view, said) if game else ()

    def doubt(self, seat: Seat, said: Any) -> None:
        """A seat found what the record does not allow: look for what may have been told wrong before."""
        with self._table.lock:
            game, version = self._table.game, self._table.version
            to_act = self._table.standing().to_act if game else ()
            if game is None or seat not in to_act:
                raise Illegal("companion.not_your_turn", seats=to_act)
        found = self.corrections(read(said, game.action, "action") if said is not None else None)
        with self._table.lock:
            if self._table.version == version:
                self._doubts[seat] = found
                self._versions.bump_for((seat,))

    def doubts(self, seat: Seat) -> tuple[tuple[Saying, ...], ...] | None:
        """What was found; null where nothing was in doubt."""
        return self._doubts.get(seat)

    # The pencil

    def mark(self, seat: Seat, room: int, mark: PencilMark, shared: bool) -> None:
        """Mark a room on one's own sheet or on the team's; the same mark again rubs it out."""
        with self._table.lock:
            self._check(seat, room, mark)
            team, book = self._team(seat), self._guests.book
            sheet = self._role(seat) if shared else seat
            marks = dict(book.pencil.get(sheet, {}))
            if mark.says == "nothing" or marks.get(room) == mark:
                marks.pop(room, None)
            else:
                marks[room] = mark
            self._guests.change(replace(book, pencil={**book.pencil, sheet: marks}), told=False)
            self._versions.bump_for({*(team if shared else (seat,)), MODERATOR})

    def _check(self, seat: Seat, room: int, mark: PencilMark) -> None:
        hunt = games.find(self._table.game.name).hunt if self._table.game else None
        if hunt is None or not self.agreed().pencil or not self.hunts(seat):
            raise Illegal("evening.no_pencil")
        known = {"safe", "note", "nothing", *hunt.suspects}
        if mark.says not in known or (mark.says == "note") != bool(mark.note):
            raise Malformed("evening.which_field", field="note" if mark.says == "note" else "mark")
        if not 1 <= room <= HIGHEST_ROOM or len(mark.note) > LONGEST_NOTE or not mark.note.isprintable():
            raise Malformed("evening.which_field", field="room")

    def _role(self, seat: Seat) -> str:
        return next(chair.role or "" for chair in self._table.chairs() if chair.seat == seat)

    def marks(self, seat: Seat) -> tuple[Pencilled, ...]:
        """What a seat sees on the rooms: where both have a mark, its own lies over the team's."""
        pencil = self._guests.book.pencil
        team, own = pencil.get(self._role(seat), {}), pencil.get(seat, {})
        lying = {room: (mark, room not in own) for room, mark in {**team, **own}.items()}
        return tuple(Pencilled(room, mark.says, mark.note, of) for room, (mark, of) in sorted(lying.items()))

    def sheets(self) -> dict[str, tuple[Pencilled, ...]]:
        """All marks, for the moderator's eyes."""
        return {
            sheet: tuple(Pencilled(room, mark.says, mark.note) for room, mark in sorted(marks.items()))
            for sheet, marks in sorted(self._guests.book.pencil.items())
            if marks
        }

    # Hints

    def ask(self, seat: Seat) -> None:
        """Ask a strong bot what it would do; it thinks while the table goes on."""
        if not self.agreed().hints:
            raise Illegal("evening.no_hints")
        version = self._table.version
        hint = self._table.hint(seat, pace.thinking())
        with self._table.lock:
            if self._table.version == version:
                self._hints[seat] = hint
                self._versions.bump_for((seat,))

    def hint(self, seat: Seat, language: str) -> str:
        """What it said."""
        return self._hints[seat].because.said(language) if seat in self._hints else ""
