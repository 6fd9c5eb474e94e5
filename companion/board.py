"""A physical board as the rest of the companion sees it: contacts that go in, lamps that come out.

`hardware` provides one, found by the entry point group `companion.boards`; either side can be missing.
"""

from __future__ import annotations

from collections.abc import Sequence
from importlib.metadata import entry_points
from typing import Protocol

from companion.clock import Clock
from companion.contract import Event, Seat
from companion.picture import Pointer
from companion.table import Table
from companion.words import Saying

GROUP = "companion.boards"


class Board(Protocol):
    """A board with a kit of buttons, sensors and lamps, connected to a table."""

    @property
    def pointer(self) -> Pointer | None:
        """Where the cursor is, if one is shown."""
        ...

    @property
    def peek(self) -> Seat | None:
        """The seat that holds PEEK now: screens stay dark meanwhile."""
        ...

    def press(self, button: str) -> Sequence[Event]:
        """Close a contact; what the table heard of it comes back."""
        ...

    def release(self, button: str) -> Sequence[Event]:
        """Open a contact."""
        ...

    def strips(self, peek: Seat | None = None) -> dict[str, list[str]]:
        """The colours now sent to the lamps, as six hexadecimal digits each, by part of the board.

        With `peek`, as they would be if that seat held PEEK.
        """
        ...

    def faults(self) -> Sequence[Saying]:
        """Everything on the board that seems to be broken; nothing is the normal case."""
        ...

    def close(self) -> None:
        """Lamps dark, pins free."""
        ...


def open_board(kit: str, table: Table, clock: Clock) -> Board | None:
    """The board with a kit, or null where no hardware package is installed."""
    for point in entry_points(group=GROUP):
        board: Board = point.load()(kit, table, clock)
        return board
    return None
