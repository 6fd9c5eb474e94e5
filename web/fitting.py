"""The board under an evening: opened with its kit, changed for another, told what its lamps should say."""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable

from msgspec.structs import replace

from companion.board import Board, Sign, open_board
from companion.refusals import Illegal, Refusal
from companion.words import Saying
from web import faults
from web.evening.book import Fitted
from web.evening.evening import Evening

log = logging.getLogger(__name__)


class Fitting:
    """Which kit an evening has. A board that does not work is told of, and the game goes on without."""

    def __init__(self, evening: Evening, told: str) -> None:
        self._evening, self._told = evening, told
        self._sign: Sign = "booting"
        self._rest: Callable[[], None] | None = None
        self._changing = threading.Lock()
        chosen = evening.book.fitted
        self._use(chosen.kit if chosen and chosen.instead_of == told else told)
        evening.on_kit = self.change

    @property
    def board(self) -> Board | None:
        """The board, if there is one and it works."""
        return self._evening.board

    def _use(self, kit: str) -> None:
        try:
            self._put(kit, self._opened(kit))
        except Refusal as refusal:
            log.warning("no board: %s", refusal)
            self._put(kit, None, refusal.saying)

    def _opened(self, kit: str) -> Board | None:
        table = self._evening.table
        try:
            return open_board(kit, table, table.clock)
        except Refusal:
            raise
        except Exception as fault:
            raise Illegal("evening.kit_fails", fault=str(fault)) from fault

    def _put(self, kit: str, board: Board | None, fault: Saying | None = None) -> None:
        self._evening.kit, self._evening.kit_fault, self._evening.board = kit, fault, board
        if board is not None:
            board.on_rest, board.sign = self._rest, self._sign
        self._evening.dim()
        self._evening.bump()

    def change(self, kit: str) -> None:
        """Take another kit from now on; one that cannot be opened or noted down leaves the old one."""
        with self._changing:
            before = self._evening.kit
            self._evening.surgery.end()
            self.close()
            try:
                self._put(kit, self._opened(kit))
                with self._evening.lock:
                    chosen = Fitted(kit, self._told)
                    self._evening.change(replace(self._evening.book, fitted=chosen))
            except Refusal:
                self.close()
                self._use(before)
                raise

    def close(self) -> None:
        """Lamps dark, pins free."""
        board, self._evening.board = self._evening.board, None
        if board is not None:
            try:
                board.close()
            except Exception as fault:
                faults.note("the board does not close", fault)

    def say(self, sign: Sign) -> None:
        """What the lamps say while no game is on."""
        self._sign = sign
        if self.board is not None:
            self.board.sign = sign

    def when_asked_to_rest(self, rest: Callable[[], None]) -> None:
        """What a long press on the board asks for."""
        self._rest = rest
        if self.board is not None:
            self.board.on_rest = rest
