"""The floor plan: squares as they are drawn, pieces on them, the ways of the ghosts, the reach of the pawns.

A square of the manor is a cell of 56 by 56; the plan is as large as what lies there and what may lie there
next, so it grows with the manor.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache
from itertools import pairwise

import msgspec
from markupsafe import Markup

from companion.games.artefacts.events import Moved
from companion.games.artefacts.foresight import Ahead
from companion.games.artefacts.ghosts import speed
from companion.games.artefacts.manor import CENTRE, COLOURS, Square, manor_of
from companion.games.artefacts.state import Ghost
from companion.games.artefacts.view import Shows
from web.render.templates import kept

DRAWING = "artefacts/drawing.html"
CELL = 56
ROOM = "M15 15h26v26h-26z"
CORRIDORS = {
    "N": "M19 2h18v13h-18z",
    "E": "M41 19h13v18h-13z",
    "S": "M19 41h18v13h-18z",
    "W": "M2 19h13v18h-13z",
}
SILLS = {"N": "M19 2h18", "E": "M54 19v18", "S": "M19 54h18", "W": "M2 19v18"}
ANGLES = {(1, 0): 0, (0, -1): 90, (-1, 0): 180, (0, 1): 270}


def floor(exits: str) -> str:
    """The floor of a tile: a room, and a corridor to every exit."""
    return ROOM + "".join(CORRIDORS[side] for side in exits)


def sills(exits: str) -> str:
    """The thresholds of its exits."""
    return "".join(SILLS[side] for side in exits)


class Cell(msgspec.Struct, frozen=True):
    """A square as it is drawn; `kind` is that of its tile, or `arm` or `centre` of the cross."""

    x: int
    y: int
    at: Square
    kind: str
    exits: str
    colour: str | None = None


class Pawn(msgspec.Struct, frozen=True):
    """A colour's pawn, so far from the middle of its square; it lies where its colour is dead."""

    colour: str
    x: int
    y: int
    dx: float
    dy: int
    dead: bool
    now: bool


class Die(msgspec.Struct, frozen=True):
    """A ghost: its die with the power it shows."""

    colour: str
    number: str
    power: int
    x: int
    y: int
    dx: float
    dy: int


class Way(msgspec.Struct, frozen=True):
    """The way of a ghost: what it goes at the end of this turn, an arrow there, and what is left."""

    colour: str
    now: str
    later: str
    x: int
    y: int
    angle: int


class Cue(msgspec.Struct, frozen=True):
    """The step that is copied now: a ring where the ghost comes to stand, and the way it came."""

    x: int
    y: int
    line: str


class Gem(msgspec.Struct, frozen=True):
    """An artefact that lies or is carried."""

    colour: str
    x: int
    y: int
    dx: float
    dy: int


class Sheet(msgspec.Struct, frozen=True):
    """Where squares come to lie on paper."""

    west: int
    north: int
    columns: int
    rows: int

    def corner(self, at: Square) -> tuple[int, int]:
        """The upper left corner of a square."""
        return (at[0] - self.west) * CELL, (self.north - at[1]) * CELL

    def middle(self, at: Square) -> tuple[int, int]:
        """The centre of a square."""
        x, y = self.corner(at)
        return x + CELL // 2, y + CELL // 2

    def squares(self) -> list[list[Square]]:
        """Every square, row by row from the north."""
        return [
            [(self.west + column, self.north - row) for column in range(self.columns)]
            for row in range(self.rows)
        ]


def sheet_for(squares: Iterable[Square]) -> Sheet:
    """The smallest sheet with all these squares."""
    across, up = zip(*squares, strict=True)
    return Sheet(min(across), max(up), max(across) - min(across) + 1, max(up) - min(up) + 1)


class Plan(msgspec.Struct, frozen=True):
    """The manor, ready to be drawn."""

    sheet: Sheet
    cells: tuple[Cell, ...]
    pawns: tuple[Pawn, ...]
    dice: tuple[Die, ...]
    gems: tuple[Gem, ...]
    ways: tuple[Way, ...]
    reach: tuple[tuple[str, str], ...]
    """A path around every square that a colour's pawn can walk to."""
    cue: Cue | None = None

    @property
    def width(self) -> int:
        """How wide it is."""
        return self.sheet.columns * CELL

    @property
    def height(self) -> int:
        """How high it is."""
        return self.sheet.rows * CELL


def plan(shows: Shows, ahead: Ahead, more: Iterable[Square] = (), copied: int | None = None) -> Plan:
    """The manor as it lies, with room for the squares somebody may choose; the next step after `copied`."""
    manor = manor_of(shows.manor)
    sheet = sheet_for((*manor.exits, *more))
    arms = {at: colour for colour, at in shows.arms.items()}
    cells = []
    for at, exits in manor.exits.items():
        tile = manor.tiles.get(at)
        kind = tile.kind if tile else "centre" if at == CENTRE else "arm"
        cells.append(Cell(*sheet.corner(at), at, kind, exits, tile.colour if tile else arms.get(at)))
    return Plan(
        sheet,
        tuple(cells),
        tuple(_pawns(shows, sheet)),
        tuple(_dice(shows, sheet)),
        tuple(_gems(shows, sheet)),
        tuple(_way(ghost, route, sheet) for ghost in shows.ghosts if (route := ahead.routes.get(ghost.id))),
        tuple((colour, _outline(squares, sheet)) for colour, squares in ahead.reach.items()),
        None if copied is None else _cue(shows, copied, sheet),
    )


def drawing(plan: Plan, label: str) -> Markup:
    """The plan's HTML: the same for everybody who sees the same, so it is drawn once."""
    cells = Markup("\n".join(kept(DRAWING, "cell")(cell, floor, sills) for cell in plan.cells))
    return kept(DRAWING, "drawing")(plan, label, cells)


def _beside(n: int, among: int, step: float) -> float:
    """How far from the middle the n-th of so many things in a row stands."""
    return (n - (among - 1) / 2) * step


def _pawns(shows: Shows, sheet: Sheet) -> Iterable[Pawn]:
    for colour in COLOURS:
        at = shows.pawns[colour]
        there = [other for other in COLOURS if shows.pawns[other] == at]
        x, y = sheet.middle(at)
        dx = _beside(there.index(colour), len(there), 13)
        yield Pawn(colour, x, y, dx, 24, not shows.life[colour], colour == shows.active)


def _dice(shows: Shows, sheet: Sheet) -> Iterable[Die]:
    for ghost in shows.ghosts:
        there = [other.id for other in shows.ghosts if other.at == ghost.at]
        x, y = sheet.middle(ghost.at)
        dx = _beside(there.index(ghost.id), len(there), 18)
        yield Die(ghost.colour, ghost.id[len(ghost.colour) :], ghost.power, x, y, dx, -12)


def _gems(shows: Shows, sheet: Sheet) -> Iterable[Gem]:
    for colour, artefact in shows.artefacts.items():
        if artefact.home:
            continue
        if artefact.at is not None:
            x, y = sheet.middle(artefact.at)
            yield Gem(colour, x, y, 17, 17)
        elif artefact.by is not None:
            pawn = next(pawn for pawn in _pawns(shows, sheet) if pawn.colour == artefact.by)
            yield Gem(colour, pawn.x, pawn.y, pawn.dx + 9, pawn.dy - 15)


def _way(ghost: Ghost, route: tuple[Square, ...], sheet: Sheet) -> Way:
    """The squares it passes at this turn's end, drawn through; the rest dotted. CFA-50."""
    steps = min(speed(ghost), len(route))
    stops = (ghost.at, *route)
    end, before = stops[steps], stops[steps - 1]
    angle = ANGLES[end[0] - before[0], end[1] - before[1]]
    return Way(
        ghost.colour, _line(stops[: steps + 1], sheet), _line(stops[steps:], sheet), *sheet.middle(end), angle
    )


def _cue(shows: Shows, copied: int, sheet: Sheet) -> Cue | None:
    """Where to look while a step of the ghosts is copied, if it is about a place. CFA-23."""
    step = shows.steps[copied] if copied < len(shows.steps) else None
    if isinstance(step, Moved):
        return Cue(*sheet.middle(step.to), _line((step.start, step.to), sheet))
    ghost = next((each for each in shows.ghosts if each.id == getattr(step, "ghost", None)), None)
    return Cue(*sheet.middle(ghost.at), "") if ghost else None


def _line(stops: tuple[Square, ...], sheet: Sheet) -> str:
    points = [sheet.middle(at) for at in stops]
    return "".join(f"M{x} {y}L{to_x} {to_y}" for (x, y), (to_x, to_y) in pairwise(points))


@lru_cache(256)
def _outline(squares: tuple[Square, ...], sheet: Sheet) -> str:
    corners = (sheet.corner(at) for at in squares)
    return "".join(f"M{x + 4} {y + 4}h48v48h-48z" for x, y in corners)
