"""From fingers to actions: a cursor on the lamps, OK, BACK, PEEK, and a long press before the plug is pulled.

A direction, or a row and a column button, moves the cursor; it stops at the edge. The first OK chooses the
room and the lamp blinks, the second one acts, because a lifted tile cannot be unseen. BACK takes the choice
back, then hides the cursor. Where two pieces could go to that room, the lamp of one of them blinks: a
direction offers the next, OK takes it. Without a cursor OK says that a step has been copied on the table,
and BACK shows the one before it again. On a master's turn OK does nothing at all, unless the table agreed
to public buttons: whatever he presses, nobody learns whether he could.
"""

from __future__ import annotations

from companion.contract import PUBLIC, Event, Move, Seat
from companion.picture import Pointer
from companion.refusals import Ambiguous, Illegal, NotSaved
from companion.table import Table
from hardware.kits import Grid

IDLE = 60.0
"""Seconds after which a cursor nobody moves goes away."""
PEEK = 10.0
"""Seconds for which eyes stay closed."""
LONG, POWER = 5.0, 2.0
"""Seconds of BACK, and of a power button, after which the companion goes to rest."""

TURNS = {"next": 1, "previous": -1}
STEPS = {"up": (-1, 0), "down": (1, 0), "left": (0, -1), "right": (0, 1)}


class Presses:
    """What fingers have done so far: where the cursor is, what is chosen, who peeks."""

    def __init__(self, table: Table, grid: Grid) -> None:
        self._table = table
        self._grid = grid
        self._room = 1
        self._shown = False
        self._chosen = False
        self._towards: int | None = None
        self._asks: dict[int, Move] = {}
        """While the board asks which piece goes `towards` a room: what each of their rooms means."""
        self._touched = 0.0
        self._peek: tuple[Seat, float] | None = None
        self._rest_at: float | None = None
        self.resting = False
        """Whether somebody asked for the plug to be pulled."""

    @property
    def pointer(self) -> Pointer | None:
        """The cursor, if it is shown."""
        return Pointer(self._room, self._chosen, self._towards) if self._shown else None

    @property
    def peek(self) -> Seat | None:
        """The seat that holds PEEK, as long as it may."""
        return self._peek[0] if self._peek else None

    # What fingers do

    def pressed(self, button: str, now: float) -> tuple[Event, ...]:
        """A button went down; what the table heard of it."""
        self._touched = now
        if self.resting:
            self.resting = False
            return ()
        if button in STEPS:
            self._step(*STEPS[button])
        elif button in TURNS:
            self._turn(TURNS[button])
        elif button == "power":
            self._rest_at = now + POWER
        elif button.startswith("row"):
            self._point(int(button[3:]) - 1, self._place[1])
        elif button.startswith("col"):
            self._point(self._place[0], int(button[3:]) - 1)
        elif button == "back":
            self._back(now)
        elif button == "peek":
            self._close_eyes(now)
        else:
            return self._ok()
        return ()

    def released(self, button: str) -> None:
        """A button came up."""
        if button == "peek":
            self._peek = None
        elif button in ("back", "power"):
            self._rest_at = None

    def _step(self, down: int, right: int) -> None:
        if self._asks:
            self._offer(down + right)
            return
        row, column = self._place
        self._point(row + down, column + right)

    def _turn(self, step: int) -> None:
        """From room to room, and from the last to the first: a knob has no up and down."""
        if self._asks:
            self._offer(step)
            return
        before = self._room - 1 if self._shown else -1 if step > 0 else 0
        self._point(*divmod((before + step) % len(self._grid.rooms), self._grid.columns))

    @property
    def _place(self) -> tuple[int, int]:
        return divmod(self._room - 1, self._grid.columns)

    def _point(self, row: int, column: int) -> None:
        row = min(max(row, 0), self._grid.rows - 1)
        column = min(max(column, 0), self._grid.columns - 1)
        self._room = row * self._grid.columns + column + 1
        self._shown, self._chosen = True, self._room in self._asks

    def _offer(self, step: int) -> None:
        """Point at the next piece that could go, or at the one before."""
        rooms = list(self._asks)
        here = rooms.index(self._room) if self._room in rooms else 0
        self._room, self._chosen = rooms[(here + step) % len(rooms)], True

    def _settle(self) -> None:
        """Nothing is chosen or asked any more; the cursor is where it was before."""
        self._room, self._towards, self._asks = self._towards or self._room, None, {}
        self._chosen = False

    def _back(self, now: float) -> None:
        self._rest_at = now + LONG
        if self._asks:
            self._settle()
            return
        if not self._shown:
            self._copied(-1)
        self._shown, self._chosen = self._shown and self._chosen, False

    def _copied(self, steps: int) -> None:
        """Go on, or back, in what people copy on the table; mostly there is nothing."""
        with self._table.lock:
            if self._table.game is None:
                return
            self._table.copied(self._table.copying()[1] + steps)

    def _confirmed(self) -> tuple[Event, ...]:
        """The step that everybody is led through is done, such as a tile laid where its lamp shines."""
        with self._table.lock:
            game = self._table.game
            moves = game.confirmed(self._table.view(PUBLIC)) if game else ()
            return attempt(self._table, *moves[0]) if len(moves) == 1 else ()

    def _close_eyes(self, now: float) -> None:
        movers = self._table.standing().to_act
        self._peek = (movers[0], now) if len(movers) == 1 else None

    def _ok(self) -> tuple[Event, ...]:
        if not self._shown:
            self._copied(1)
            return self._confirmed()
        with self._table.lock:
            if self._room in self._asks:
                return self._act(self._asks[self._room])
            self._towards, self._asks = None, {}
            moves = pointed(self._table, self._room)
            if len(moves) > 1:
                raise self._unclear(len(moves))
            if not moves or not self._chosen:
                self._chosen = bool(moves)
                return ()
            return self._act(moves[0])

    def _act(self, move: Move) -> tuple[Event, ...]:
        told = attempt(self._table, *move)
        self._settle()
        self._shown = False
        return told

    def _unclear(self, meanings: int) -> Ambiguous:
        """Ask which piece is meant, if pointing can tell; or leave it to a phone."""
        room, game = self._room, self._table.game
        asks = game.told_apart(self._table.view(PUBLIC), room) if game else {}
        if not asks:
            return Ambiguous("hardware.ambiguous", room=room, n=meanings)
        self._towards, self._asks = room, asks
        self._room, self._chosen = next(iter(asks)), True
        return Ambiguous("hardware.which_piece", room=room, rooms=tuple(asks))

    # What time and the table do

    def table_changed(self, fresh: bool) -> None:
        """Somebody acted: a choice made on the old board is void, and closed eyes open."""
        self._settle()
        self._peek = None
        if fresh:
            self._room, self._shown = 1, False

    def due(self) -> float | None:
        """When something ends by itself."""
        ends = []
        if self._shown:
            ends.append(self._touched + IDLE)
        if self._peek:
            ends.append(self._peek[1] + PEEK)
        if self._rest_at is not None and not self.resting:
            ends.append(self._rest_at)
        return min(ends, default=None)

    def advance(self, now: float) -> None:
        """End what has lasted long enough."""
        if self._shown and now >= self._touched + IDLE:
            self._settle()
            self._shown = False
        if self._peek and now >= self._peek[1] + PEEK:
            self._peek = None
        if self._rest_at is not None and now >= self._rest_at:
            self._rest_at, self.resting = None, True


def attempt(table: Table, seat: Seat, action: object) -> tuple[Event, ...]:
    """Act for a seat. A refusal stays unsaid, so that a board refuses in no way that can be seen."""
    try:
        return table.act(seat, action)
    except NotSaved:
        raise
    except Illegal:
        return ()


def pointed(table: Table, room: int) -> tuple[Move, ...]:
    """What pointing at a room can mean, by what lies open on the table."""
    return table.game.pointed(table.view(PUBLIC), room) if table.game else ()
