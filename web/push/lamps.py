"""The lamps as screens draw them, which never tell more than the lamps on the board."""

from __future__ import annotations

from typing import Any

from msgspec.structs import replace

from companion.contract import PUBLIC
from companion.picture import STYLES
from companion.table import Table
from web import games
from web.evening.evening import Evening
from web.push.audience import Audience
from web.push.memo import Memo
from web.scene import Lamps


class LampsSeen:
    """The board's lamps for each page."""

    def __init__(self, evening: Evening, kept: Memo) -> None:
        self._evening, self._kept = evening, kept

    def on(self, to: Audience) -> Lamps:
        """The shared lamps; dark while somebody has the board for their eyes alone."""
        board = self._evening.board
        if to.page != "table":
            return self.shared()
        clickable = board is not None and board.simulated and to.joined
        # Lamps that still show the move before are drawn as they will be in a moment.
        strips = self.strips() if self.followed() else {}
        return self._lit(strips, tuple(board.buttons) if board and clickable else ())

    def shared(self) -> Lamps:
        """The lamps as every phone may draw them."""
        return self._kept.once("lamps", lambda: self._lit({}, ()))

    def in_lobby(self, to: Audience) -> Lamps | None:
        """A simulated board says how the table is before there is a game, as a real one does."""
        board = self._evening.board
        if board is None or not board.simulated or self._evening.table.game is not None:
            return None
        return Lamps(
            strips=board.strips(), buttons=tuple(board.buttons) if to.joined else (), sign=board.sign or ""
        )

    def _lit(self, strips: dict[str, list[str]], buttons: tuple[str, ...]) -> Lamps:
        board = self._evening.board
        if board is not None and board.peek is not None:
            return Lamps(dark=True, buttons=buttons)
        shown = lit(self._evening.table, board.pointer if board else None, strips, buttons)
        return _asking(replace(shown, palette=self._evening.book.palette), self._evening.check.asked())

    def followed(self) -> bool:
        """Whether the real lamps show the table as it is now, not as it was before the last move."""
        board = self._evening.board
        return board is not None and board.shown == self._evening.table.version

    def strips(self) -> dict[str, list[str]]:
        """The colours of the real lamps, but not where they may be for somebody's eyes alone."""
        with self._evening.lock:
            board, game = self._evening.board, self._evening.table.game
            if board is None or (game is None and not board.simulated):
                return {}
            if game is None:
                return board.strips()
            private = games.find(game.name).private_lamps(self._evening.table.view(PUBLIC).shows)
            return {} if private else board.strips()


def lit(table: Table, pointer: Any, strips: dict[str, list[str]], buttons: tuple[str, ...]) -> Lamps:
    """The shared lamps of a table."""
    picture = table.picture(pointer)
    return Lamps(picture.rooms, picture.marks, picture.gauges, picture.seats, strips, False, buttons)


def _asking(lamps: Lamps, room: int | None) -> Lamps:
    """The same lamps with the one that asks whether board and record agree."""
    if room is None:
        return lamps
    marks = {*lamps.marks.get(room, ()), "differs"}
    return replace(
        lamps,
        rooms={**lamps.rooms, room: STYLES["differs"]},
        marks={**lamps.marks, room: tuple(sorted(marks))},
    )
