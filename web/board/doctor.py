"""What is wrong with the board, and the doctor's visit to it while one lasts.

A visit takes lamps and contacts away from the game, so one that nobody answers any more ends by itself. The
board has a lock of its own that must never be taken inside the table's: nothing here but `faults` may be
called with the table's lock held.
"""

from __future__ import annotations

import contextlib
import logging
import re
import threading
from pathlib import Path

from companion.board import Board, Question, Visit
from companion.clock import Clock
from companion.disk import make_folder, write_file
from companion.refusals import Illegal, Malformed, NotSaved, Refusal
from companion.table import Table
from companion.words import Saying
from web import failures as own_faults
from web.board.kit import BoardKit
from web.versions import Versions

log = logging.getLogger(__name__)

PATIENCE = 300.0
"""Seconds after which a visit that nobody answers is over."""
NUMBER = re.compile(r"\d{1,4}([.,]\d{1,3})?")


class Doctor:
    """Where the board of an evening is looked at."""

    def __init__(
        self, table: Table, versions: Versions, kit: BoardKit, clock: Clock, folder: Path | None
    ) -> None:
        self.visit: Visit | None = None
        """The visit that goes on, or the last one: what it found can still be read."""
        self.unready: tuple[Saying, ...] = ()
        """What the machine was found to lack when the visit began."""
        self._table, self._versions, self._kit, self._clock = table, versions, kit, clock
        self._folder = folder
        self._lock = threading.RLock()
        self._asked: Question | None = None
        self._since = self._game = 0
        self._heard_at = 0.0
        self._tile: str | None = None

    # What is wrong

    def faults(self) -> tuple[Saying, ...]:
        """Everything that is broken: the disk, and the board; the phones go on if it cannot even say that."""
        journal, board = self._table.journal, self._kit.board
        told = (journal.trouble if journal else None, None if board else self._kit.fault)
        found = tuple(saying for saying in told if saying is not None)
        try:
            return found + (tuple(board.faults()) if board else ())
        except Exception as fault:
            own_faults.note(log, "the board does not tell its faults", fault)
            return found

    # A visit

    def begin(self) -> None:
        """Let the doctor in, unless he is here."""
        board = self._board()
        unready = tuple(board.unready())
        with self._lock:
            if self._asked is None:
                self.unready, self.visit = unready, board.examine()
                self._game = self._versions.game
            self._note()

    def answer(self, said: str, version: int | None) -> None:
        """What a person says to the question that their page shows."""
        board = self._board()
        with self._lock:
            self._note()
            asked = self._fresh(version)
            if said not in asked.answers and not (asked.wants_number and NUMBER.fullmatch(said)):
                raise Malformed("evening.no_answer")
            board.answer(said)
            self._note()
            if self._asked is asked:
                raise Illegal("evening.no_answer")

    def touch(self, contact: str) -> None:
        """Press a button of a simulated board, or lay a tile there: it stays until another is laid."""
        board = self._board()
        with self._lock:
            self._fresh(None)
            self._take_tile(board)
            board.press(contact)
            if contact.startswith("room"):
                self._tile = contact
            else:
                board.release(contact)
            self._note()

    def end(self) -> None:
        """Send the doctor away; the board belongs to the game again."""
        with self._lock:
            self.visit = None
            self._note()

    def write(self) -> Path:
        """Keep the kit as it turned out to be, as a file that a board can be opened with."""
        if self._folder is None or self.visit is None:
            raise Illegal("evening.no_visit")
        file = self._folder / "board.toml"
        try:
            make_folder(self._folder)
            write_file(file, self.visit.written().encode())
        except OSError as fault:
            raise NotSaved("companion.not_saved", fault=fault.strerror or str(fault)) from fault
        return file

    def look(self) -> tuple[str, ...]:
        """Look after things, from time to time. What comes back differs when pages should be drawn again."""
        with self._lock:
            self._note()
            if self._asked is not None and self._forgotten():
                self.end()
        return tuple(fault.said() for fault in self.faults())

    # Small steps

    def _board(self) -> Board:
        if self._kit.board is None:
            raise Illegal("companion.no_kit")
        return self._kit.board

    def _note(self) -> None:
        """Tell the phones when another question is asked than before, whoever answered the last one.

        After the last one the board belongs to the game again.
        """
        question = self.visit.question if self.visit is not None else None
        if question is self._asked:
            return
        self._asked = question
        self._heard_at = self._clock.now()
        if question is None:
            self._leave(self._board())
        with self._table.lock:
            self._versions.bump()
            self._since = self._versions.now

    def _forgotten(self) -> bool:
        """Whether nobody answers any more, or the evening has gone on to another game."""
        idle = self._clock.now() - self._heard_at
        return idle > PATIENCE or self._versions.game != self._game

    def _fresh(self, version: int | None) -> Question:
        """The question that is asked now, if the page with the answer showed it."""
        if self._asked is None:
            raise Illegal("evening.no_visit")
        if version is not None and version < self._since:
            raise Illegal("evening.answered")
        return self._asked

    def _take_tile(self, board: Board) -> None:
        tile, self._tile = self._tile, None
        if tile is not None:
            with contextlib.suppress(Refusal):
                board.release(tile)

    def _leave(self, board: Board) -> None:
        self._take_tile(board)
        board.dismiss()
