"""From lifted tiles to actions: lifting a tile is the move, and the board is compared with the record.

A tile put back within a moment takes the move back, unless a ghost was seen. A tile lifted out of turn, or
one that a master has not yet chosen on his phone, is asked back after a while, the same for every room.
"""

from __future__ import annotations

from collections.abc import Callable

import msgspec

from companion.contract import PUBLIC, Event, Seat
from companion.refusals import Refusal
from companion.table import Table
from companion.words import Saying
from hardware.presses import attempt

MOMENT = 3.0
"""Seconds within which a tile that goes back was never lifted."""
PATIENCE = 3.0
"""Seconds for which board and record may differ before the board asks."""
BLIND = 8
"""So many rooms without their tile are no drift but an unplugged board, or one that is being laid."""


class Lift(msgspec.Struct, frozen=True):
    """A tile that was lifted and counted as a move."""

    room: int
    seat: Seat
    version: int
    at: float


class Lifts:
    """What hands do on a board that feels."""

    def __init__(self, table: Table, closed: Callable[[], set[int]]) -> None:
        self._table = table
        self._closed = closed
        """The rooms whose contact is closed now."""
        self._last: Lift | None = None
        self._taken: int | None = None
        self._differing: dict[int, float] = {}

    def lifted(self, room: int, now: float) -> tuple[Event, ...]:
        """The contact of a room opened."""
        with self._table.lock:
            game = self._table.game
            if game is None:
                return ()
            moves = game.felt(self._table.view(PUBLIC), room, None)
            if len(moves) != 1 and self._carried_out(room):
                return ()
            if len(moves) != 1:
                self._taken = room
                return ()
            before = self._table.version
            told = attempt(self._table, *moves[0])
            if self._table.version > before:
                self._last = Lift(room, moves[0][0], self._table.version, now)
            return told

    def put(self, room: int, now: float) -> tuple[Event, ...]:
        """The contact of a room closed."""
        with self._table.lock:
            game = self._table.game
            if game is None:
                return ()
            view = self._table.view(PUBLIC)
            if self._is_put_back(room, now) and game.may_return(view, room):
                self._take_back()
                return ()
            taken, self._taken = self._taken, None
            moves = game.felt(view, taken, room)
            if len(moves) != 1 and self._carried_out(room):
                return ()
            return attempt(self._table, *moves[0]) if len(moves) == 1 else ()

    def _carried_out(self, room: int) -> bool:
        """Whether that was what the companion had asked for: then it is done."""
        cues, done = self._table.copying()
        asked = done < len(cues) and cues[done].room == room and room not in (self.differing() or ())
        if asked:
            self._table.copied(done + 1)
        return asked

    def _is_put_back(self, room: int, now: float) -> bool:
        last = self._last
        return (
            last is not None
            and last.room == room
            and last.version == self._table.version
            and now - last.at <= MOMENT
        )

    def _take_back(self) -> None:
        """Take the move back: the whole table saw the tile go back, so both sides are taken to agree."""
        assert self._last is not None
        seat = self._last.seat
        others = [chair.seat for chair in self._table.chairs() if chair.seat != seat]
        self._last = None
        try:
            self._table.undo(seat, consent=others)
        except Refusal:
            return

    # Board and record

    def compare(self, now: float) -> None:
        """Note since when each room differs from the record."""
        lying = self._lying()
        differing = set() if lying is None else (lying ^ self._closed()) - self._awaited()
        self._differing = {room: self._differing.get(room, now) for room in sorted(differing)}

    def _lying(self) -> frozenset[int] | None:
        """The rooms where something lies, as recorded; null without a game, or where it does not say."""
        with self._table.lock:  # a phone may end the game between two looks
            game = self._table.game
            return game.lying(self._table.view(PUBLIC)) if game else None

    def _awaited(self) -> set[int]:
        """The rooms where hands have yet to do what the companion has decided."""
        cues, done = self._table.copying()
        return {cue.room for cue in cues[done:] if cue.room is not None}

    def differing(self) -> list[int] | None:
        """The rooms that differ from the record now; null where so many do that it means nothing."""
        lying = self._lying()
        rooms = None if lying is None else sorted(lying ^ self._closed())
        return rooms if rooms is not None and len(rooms) < BLIND else None

    def due(self, now: float) -> float | None:
        """When the board will ask for another room than now."""
        waiting = (since + PATIENCE for since in self._differing.values())
        return min((end for end in waiting if end > now), default=None)

    def to_check(self, now: float) -> list[int]:
        """The rooms in which board and record have differed for too long."""
        return [room for room, since in self._differing.items() if now >= since + PATIENCE]

    def asked(self, now: float) -> int | None:
        """The one room that the board asks about: the guided check goes from room to room."""
        rooms = self.to_check(now)
        return rooms[0] if rooms else None

    def faults(self, now: float) -> list[Saying]:
        """What the host should know."""
        rooms = self.to_check(now)
        if not rooms:
            return []
        if len(rooms) >= BLIND:
            return [Saying("hardware.board_unlaid", n=len(rooms))]
        return [Saying("hardware.check_the_board", rooms=tuple(rooms), n=len(rooms))]
