"""The board under an evening: opened with its kit, changed for another, told what its lamps should say."""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable

from msgspec.structs import replace

from companion.board import Board, Sign, open_board
from companion.refusals import Illegal, Refusal
from companion.table import Table
from companion.words import Saying
from web import failures
from web.people.guest_book import Fitted
from web.people.guests import Guests
from web.versions import Versions

log = logging.getLogger(__name__)


class BoardKit:
    """Which kit an evening has. A board that does not work is told of, and the game goes on without."""

    def __init__(
        self,
        table: Table,
        guests: Guests,
        versions: Versions,
        on_rest: Callable[[], None],
        before_change: Callable[[], None],
    ) -> None:
        """`on_rest` is what a long press on the board asks for; `before_change` frees the board."""
        self._table, self._guests, self._versions = table, guests, versions
        self._on_rest, self._before_change = on_rest, before_change
        self._sign: Sign = "booting"
        self._changing = threading.Lock()
        self._told = ""
        self.name = ""
        """The kit of the board, as it was asked for."""
        self.board: Board | None = None
        self.fault: Saying | None = None
        """Why there is no board with this kit, where there is none."""

    def open(self, told: str) -> None:
        """Open the board with the kit that the daemon was told to use, or with one chosen on a page since."""
        self._told = told
        chosen = self._guests.book.fitted
        self._use(chosen.kit if chosen and chosen.instead_of == told else told)

    def change(self, kit: str) -> None:
        """Take another kit from now on; one that cannot be opened or noted down leaves the old one."""
        with self._changing:
            before = self.name
            self._before_change()
            self.close()
            try:
                self._put(kit, self._opened(kit))
                with self._table.lock:
                    self._guests.change(replace(self._guests.book, fitted=Fitted(kit, self._told)))
            except Refusal:
                self.close()
                self._use(before)
                raise

    def close(self) -> None:
        """Lamps dark, pins free."""
        board, self.board = self.board, None
        if board is not None:
            try:
                board.close()
            except Exception as fault:
                failures.note(log, "the board does not close", fault)

    def say(self, sign: Sign) -> None:
        """What the lamps say while no game is on."""
        self._sign = sign
        if self.board is not None:
            self.board.sign = sign

    def adjust_lamps(self) -> None:
        """Make the real lamps as bright as the host wants them, and in the colours this table can see."""
        if self.board is not None:
            book = self._guests.book
            self.board.brightness, self.board.palette = book.brightness / 100, book.palette
            getattr(self.board, "wake", lambda: None)()

    def _use(self, kit: str) -> None:
        try:
            # At a start the pins may not be there yet: then the board waits for them.
            self._put(kit, self._opened(kit, patient=True))
        except Refusal as refusal:
            log.warning("no board: %s", refusal)
            self._put(kit, None, refusal.saying)

    def _opened(self, kit: str, patient: bool = False) -> Board | None:
        try:
            return open_board(kit, self._table, self._table.clock, on_rest=self._on_rest, patient=patient)
        except Refusal:
            raise
        except Exception as fault:
            raise Illegal("evening.kit_fails", fault=str(fault)) from fault

    def _put(self, kit: str, board: Board | None, fault: Saying | None = None) -> None:
        self.name, self.fault, self.board = kit, fault, board
        if board is not None:
            board.sign = self._sign
        self.adjust_lamps()
        self._versions.bump()
