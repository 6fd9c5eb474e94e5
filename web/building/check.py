"""Checking the board: board and record are compared, and what differs is put right, one at a time.

A board with sensors says itself what differs; without, somebody marks it. Either side may be right: then the
record is corrected and the whole table is told, or somebody puts the board right while its lamp blinks. What
is asked, lit and answered depends on what lies open on the table, and on nothing else.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Literal

import msgspec

from companion.contract import MODERATOR, PUBLIC
from companion.refusals import Forbidden, Illegal
from web.building import castle, hotel
from web.building.questions import Mark, Question, Table
from web.evening import seating

if TYPE_CHECKING:
    from web.evening.book import Guest
    from web.evening.evening import Evening

PATIENCE = 300.0
"""Seconds after which a check that nobody goes on with is over, and its lamp dark."""

TABLES: dict[str, Table] = {"canterville": castle, "phantom": hotel}
"""The games whose boards can be checked."""


class Checkup(msgspec.Struct, frozen=True):
    """What the page of the check shows."""

    step: Literal["look", "ask", "agreed"]
    marked: tuple[str, ...] = ()
    feels: bool = False
    """Whether the board itself tells what differs."""
    question: Question | None = None
    left: int = 0
    """How many differences there are still, with the one that is asked about."""
    mended: int = 0


class Check:
    """The check of an evening's board. It lives in memory: after a restart somebody looks again."""

    def __init__(self, evening: Evening) -> None:
        self._evening = evening
        self._marks: dict[str, Mark] = {}
        self._was: dict[str, object] = {}
        """What the record said of each when it was marked."""
        self._step: Literal["look", "ask", "agreed"] = "look"
        self._mended = self._game = 0
        self._heard_at = 0.0
        self.looked_at = 0
        """The game whose board somebody has found to be as recorded."""

    # What there is to see

    def seen(self) -> Checkup | None:
        """What the page shows now; null where there is no board to be checked."""
        with self._evening.lock:
            if (table := self._table()) is None:
                return None
            self._renew()
            queue = self._queue()
            question = self._question(table, queue[0]) if self._step == "ask" and queue else None
            step = "agreed" if self._step == "ask" and not queue else self._step
            marked = tuple(queue) if step == "look" else ()
            feels = self._sensed() is not None
            return Checkup(step, marked, feels, question, len(queue), self._mended)

    def asked(self) -> int | None:
        """The room whose lamp asks, if one does."""
        seen = self.seen() if self._step == "ask" else None
        return seen.question.room if seen and seen.question else None

    @property
    def due(self) -> bool:
        """Whether nobody has looked at the board of this game yet."""
        return self._table() is not None and self.looked_at != self._evening.game_version

    def _table(self) -> Table | None:
        game = self._evening.table.game
        table = TABLES.get(game.name) if game else None
        return table if table and table.can_check(self._shows()) else None

    def _shows(self) -> Any:
        return self._evening.table.view(PUBLIC).shows

    def _sensed(self) -> tuple[int, ...] | None:
        board = self._evening.board
        rooms = board.differing() if board is not None else None
        return None if rooms is None else tuple(rooms)

    def _queue(self) -> list[str]:
        """What differs, in the order in which it is asked about: what the board feels, what was marked."""
        if (table := self._table()) is None:
            return []
        shows = self._shows()
        # Where the record has changed since, by a move or by one taken back, it has been put right.
        marked = {key for key in self._marks if table.recorded(shows, key) == self._was[key]}
        return table.ordered({*table.felt(shows, self._sensed() or ()), *marked})

    def _question(self, table: Table, key: str) -> Question:
        felt = key in table.felt(self._shows(), self._sensed() or ())
        return table.question(self._shows(), key, self._marks.get(key, Mark()), felt)

    # What people say

    def marked(self, keys: set[str]) -> None:
        """These differ, by what somebody sees; none means that all is as shown."""
        with self._evening.lock:
            table = self._open()
            shows = self._shows()
            self._marks = {key: Mark() for key in table.keys(shows) if key in keys}
            self._was = {key: table.recorded(shows, key) for key in self._marks}
            self._mended, self._step = 0, "ask"
            self._moved()

    def really(self, key: str, mark: Mark) -> None:
        """What really lies in a room that was marked."""
        with self._evening.lock:
            self._check_asked(key)
            if mark.lies == "same":
                self._marks.pop(key, None)
            else:
                self._marks[key] = mark
            self._moved()

    def put_right(self, key: str) -> None:
        """The record is right, and somebody has put the board right."""
        with self._evening.lock:
            self._check_asked(key)
            table = self._open()
            if key in table.felt(self._shows(), self._sensed() or ()):
                raise Illegal("building.not_felt")
            self._done(key)

    def board_right(self, key: str, who: Guest, told: dict[str, str]) -> None:
        """The board is right: the record is corrected, and the whole table is told who did it."""
        with self._evening.lock:
            question = self._check_asked(key)
            action = self._open().correction(question, told)
            if action is None:
                raise Illegal("building.board_cannot_be_right")
            if question.moderator_only and not who.moderator:
                raise Forbidden("building.moderator_needed")
            self._evening.table.act(MODERATOR, action)
            self._evening.undone_by.clear()
            self._done(key)
            book = seating.tell(
                self._evening.book, f"building.told_{question.kind}", name=who.name, what=question.key
            )
            self._evening.change(book)

    def end(self) -> None:
        """Enough for now; the lamp goes out."""
        with self._evening.lock:
            self._begin()
            self._moved()

    # Small steps

    def look(self) -> tuple[str, ...]:
        """Look after things, from time to time. What comes back differs when pages should be drawn again."""
        with self._evening.lock:
            idle = self._evening.clock.now() - self._heard_at
            if self._step != "look" and idle > PATIENCE:
                self.end()
            self._light()
            resting = self._step == "look" and self._sensed() is None
            return () if resting else (self._step, *self._queue())

    def _open(self) -> Table:
        self._renew()
        table = self._table()
        if table is None:
            raise Illegal("building.nothing_to_check")
        return table

    def _renew(self) -> None:
        """Another game has another board."""
        if self._game != self._evening.game_version:
            self._game = self._evening.game_version
            self._begin()

    def _begin(self) -> None:
        self._marks, self._was, self._step, self._mended = {}, {}, "look", 0

    def _check_asked(self, key: str) -> Question:
        """Refuse an answer to another question than the one that is asked now."""
        seen = self.seen()
        question = seen.question if seen else None
        if question is None or question.key != key:
            raise Illegal("building.asked_already")
        return question

    def _done(self, key: str) -> None:
        self._marks.pop(key, None)
        self._mended += 1
        self._moved()

    def _moved(self) -> None:
        self._heard_at = self._evening.clock.now()
        if self._step == "ask" and not self._queue():
            self._step, self.looked_at = "agreed", self._evening.game_version
        self._light()
        self._evening.bump()

    def _light(self) -> None:
        if (board := self._evening.board) is not None:
            board.ask(self.asked())
