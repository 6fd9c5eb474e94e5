"""A table with a simulated board on a virtual clock, and fingers to press it with."""

from __future__ import annotations

from pathlib import Path
from types import TracebackType
from typing import Any

from companion.clock import VirtualClock
from companion.contract import PUBLIC, Event
from companion.journal import Journal
from companion.table import Table
from hardware import kits
from hardware.boards import LiveBoard
from hardware.frames import Frame
from hardware.kits import Kit
from hardware.simulated import MockWires
from tests.games.phantom.hotel import GHOSTS, LAYOUT, OWNERS, room

TAP = 0.05
"""Seconds a finger stays down, and stays away."""


class Evening:
    """A table, its board, and the people around it."""

    def __init__(self, kit: str | Kit = "simulated", journal: Path | None = None) -> None:
        self.clock = VirtualClock()
        self.table = Table(Journal(journal) if journal else None, self.clock)
        self.kit = kits.load(kit) if isinstance(kit, str) else kit
        self.wires = MockWires(self.kit)
        self.board = LiveBoard(self.kit, self.table, self.clock, self.wires)
        self.frames = self.board.shine.keep_record()

    def __enter__(self) -> Evening:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, fault: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.board.close()
        self.table.close()

    def hotel(self, ghosts: dict[str, str] = GHOSTS, **options: Any) -> None:
        """A game of The Phantom Society with all ghosts hidden; p2 is to play."""
        self.table.new("phantom", {"players": 4, "layout": LAYOUT, "owners": OWNERS, **options}, seed=7)
        for ghost, where in ghosts.items():
            self.table.act(OWNERS[ghost], {"type": "hide", "ghost": ghost, "room": room(where)})

    def lay_tiles(self) -> None:
        """Every tile that the record knows comes to lie on its contact."""
        game = self.table.game
        assert game is not None
        felt = game.lying(self.table.view(PUBLIC)) if self.kit.senses_tiles else None
        for number in felt or ():
            self.board.press(f"room{number}")
        self.wait(0.2)

    def clear_tiles(self) -> None:
        """Nothing lies on any contact."""
        for number in self.kit.grid.rooms:
            self.board.release(f"room{number}")
        self.wait(0.2)

    def wait(self, seconds: float) -> None:
        """Let time pass."""
        self.clock.tick(seconds)

    def tap(self, button: str) -> list[Event]:
        """Press a button and let it go; what the table heard comes back."""
        heard = list(self.board.press(button))
        self.wait(TAP)
        heard += self.board.release(button)
        self.wait(TAP)
        return heard

    def lift(self, number: int) -> None:
        """Take a tile off its contact."""
        self.board.release(f"room{number}")
        self.wait(TAP)

    def put(self, number: int) -> None:
        """Lay a tile on its contact."""
        self.board.press(f"room{number}")
        self.wait(TAP)

    def point(self, number: int) -> None:
        """Bring the cursor to a room, by whatever the kit has."""
        row, column = divmod(number - 1, self.kit.grid.columns)
        if self.kit.line_buttons:
            self.tap(f"row{row + 1}")
            self.tap(f"col{column + 1}")
            return
        if self.board.pointer is None:
            self.tap("up")
        while (pointer := self.board.pointer) is not None and pointer.room != number:
            self.tap(_step(*divmod(pointer.room - 1, self.kit.grid.columns), row, column))

    def remove(self, number: int) -> None:
        """Remove a tile with the board alone."""
        if self.kit.senses_tiles:
            self.lift(number)
        else:
            self.point(number)
            self.tap("ok")
            self.tap("ok")

    @property
    def shown(self) -> Frame:
        """What the lamps understand from the wire."""
        return self.wires.decoded()

    def lit(self, strip: str = "board") -> set[int]:
        """The rooms, or the lamps of a gauge from 1, that are not dark."""
        colours = self.board.strips()[strip]
        return {number for number, colour in enumerate(colours, start=1) if colour != "000000"}

    def shows(self, seat: str = PUBLIC) -> Any:
        """What a seat sees."""
        return self.table.view(seat).shows


def _step(row: int, column: int, to_row: int, to_column: int) -> str:
    if row != to_row:
        return "down" if to_row > row else "up"
    return "right" if to_column > column else "left"
