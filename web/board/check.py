"""Checking the board: board and record are compared, and what differs is put right, one at a time.

A board with sensors says itself what differs; without, somebody marks it. Either side may be right: then the
record is corrected and the whole table is told, or somebody puts the board right while its lamp blinks. What
is asked, lit and answered depends on what lies open on the table, and on nothing else.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal

from companion.clock import Clock
from companion.contract import MODERATOR, PUBLIC
from companion.refusals import Forbidden, Illegal
from companion.table import Table
from web import games
from web.board.kit import BoardKit
from web.checkup import BoardCheck, Checkup, Difference, Mark
from web.people.guest_book import Guest
from web.people.guests import Guests
from web.versions import Versions

PATIENCE = 300.0
"""Seconds after which a check that nobody goes on with is over, and its lamp dark."""


class Check:
    """The check of an evening's board. It lives in memory: after a restart somebody looks again."""

    def __init__(self, table: Table, guests: Guests, versions: Versions, kit: BoardKit, clock: Clock) -> None:
        self._record, self._guests, self._versions = table, guests, versions
        self._kit, self._clock = kit, clock
        self._marks: dict[str, Mark] = {}
        self._was: dict[str, object] = {}
        """What the record said of each when it was marked."""
        self._step: Literal["look", "ask", "agreed"] = "look"
        self._mended = self._game = 0
        self._heard_at = 0.0
        self._agreed_in = 0
        """The game whose board somebody has found to be as recorded."""

    # What there is to see

    def seen(self) -> Checkup | None:
        """What the page shows now; null where there is no board to be checked."""
        with self._record.lock:
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
        return self._table() is not None and self._agreed_in != self._versions.game

    def _table(self) -> BoardCheck | None:
        game = self._record.game
        table = games.find(game.name).check if game else None
        return table if table and table.can_check(self._shows()) else None

    def _shows(self) -> Any:
        return self._record.view(PUBLIC).shows

    def _sensed(self) -> tuple[int, ...] | None:
        board = self._kit.board
        rooms = board.differing() if board is not None else None
        return None if rooms is None else tuple(rooms)

    def _queue(self) -> list[str]:
        """What differs, in the order in which it is asked about: what the board feels, what was marked."""
        if (table := self._table()) is None:
            return []
        shows = self._shows()
        # Where the record has changed since, by a move or by one taken back, it has been put right. What the
        # board feels it asks about for as long as it does, whoever has marked it besides.
        marked = {
            key for key, was in self._was.items() if key in self._marks and table.recorded(shows, key) == was
        }
        return table.ordered({*table.felt(shows, self._sensed() or ()), *marked})

    def _question(self, table: BoardCheck, key: str) -> Difference:
        felt = key in table.felt(self._shows(), self._sensed() or ())
        return table.question(self._shows(), key, self._marks.get(key, Mark()), felt)

    # What people say

    def marked(self, keys: set[str]) -> None:
        """These differ, by what somebody sees; none means that all is as shown."""
        with self._record.lock:
            table = self._open()
            shows = self._shows()
            self._marks = {key: Mark() for key in table.keys(shows) if key in keys}
            felt = table.felt(shows, self._sensed() or ())
            self._was = {key: table.recorded(shows, key) for key in self._marks if key not in felt}
            self._mended, self._step = 0, "ask"
            self._moved()

    def really(self, key: str, fields: Mapping[str, str]) -> None:
        """What really lies in a room that was marked."""
        with self._record.lock:
            self._check_asked(key)
            mark = self._open().mark(fields)
            if mark.lies == "same":
                self._marks.pop(key, None)
            else:
                self._marks[key] = mark
            self._moved()

    def put_right(self, key: str) -> None:
        """The record is right, and somebody has put the board right."""
        with self._record.lock:
            self._check_asked(key)
            table = self._open()
            if key in table.felt(self._shows(), self._sensed() or ()):
                raise Illegal("board.not_felt")
            self._done(key)

    def board_right(self, key: str, who: Guest, told: Mapping[str, str]) -> None:
        """The board is right: the record is corrected, and the whole table is told who did it."""
        with self._record.lock:
            question = self._check_asked(key)
            action = self._open().correction(question, told)
            if action is None:
                raise Illegal("board.board_cannot_be_right")
            if question.moderator_only and not who.moderator:
                raise Forbidden("board.moderator_needed")
            self._record.act(MODERATOR, action)
            self._done(key)
            game = self._record.game
            speaker = games.find(game.name).speaker if game else ""
            self._guests.tell_of(who, f"{speaker}.told_{question.kind}", what=question.key)

    def end(self) -> None:
        """Enough for now; the lamp goes out."""
        with self._record.lock:
            self._begin()
            self._moved()

    def looked_at(self) -> None:
        """Somebody has found the board of this game to be as recorded."""
        self._agreed_in = self._versions.game

    # Small steps

    def look(self) -> tuple[str, ...]:
        """Look after things, from time to time. What comes back differs when pages should be drawn again."""
        with self._record.lock:
            idle = self._clock.now() - self._heard_at
            if self._step != "look" and idle > PATIENCE:
                self.end()
            self._light()
            resting = self._step == "look" and self._sensed() is None
            return () if resting else (self._step, *self._queue())

    def _open(self) -> BoardCheck:
        self._renew()
        table = self._table()
        if table is None:
            raise Illegal("board.nothing_to_check")
        return table

    def _renew(self) -> None:
        """Another game has another board."""
        if self._game != self._versions.game:
            self._game = self._versions.game
            self._begin()

    def _begin(self) -> None:
        self._marks, self._was, self._step, self._mended = {}, {}, "look", 0

    def _check_asked(self, key: str) -> Difference:
        """Refuse an answer to another question than the one that is asked now."""
        seen = self.seen()
        question = seen.question if seen else None
        if question is None or question.key != key:
            raise Illegal("board.asked_already")
        return question

    def _done(self, key: str) -> None:
        self._marks.pop(key, None)
        self._mended += 1
        self._moved()

    def _moved(self) -> None:
        self._heard_at = self._clock.now()
        if self._step == "ask" and not self._queue():
            self._step, self._agreed_in = "agreed", self._versions.game
        self._light()
        self._versions.bump()

    def _light(self) -> None:
        if (board := self._kit.board) is not None:
            board.ask(self.asked())
