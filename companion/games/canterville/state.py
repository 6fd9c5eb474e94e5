"""The whole truth about a game of Gespensterjagd, as one frozen value."""

from __future__ import annotations

import msgspec

from companion.contract import Result, Seat
from companion.games.canterville.actions import FrameAt, InDoubt
from companion.games.canterville.castle import as_set
from companion.games.canterville.options import Animal, Figure, Options, dealt

PAUSE = 0
"""A pause in a route, where a room would be."""


# What everybody at the table has seen since Max last showed himself, in order. It is kept through an undo.


class Known(msgspec.Struct, frozen=True, tag=True):
    """Knowledge starts here: Max's whole route up to now, where he can be, and his pause cards.

    A repair of Max's own things starts a new chapter, so that what was seen before it is not mistaken for
    the truth after it.
    """

    chapter: int
    route: tuple[int, ...]
    visited: int
    rooms: tuple[int, ...]
    pause: int


class Prowl(msgspec.Struct, frozen=True, tag=True):
    """Max moved or paused, or announced an x2: past which figures, and whether the trap snapped."""

    cheat: bool
    figures: int
    trap: int | None
    trapped: bool
    turn: int | None = None


class Empty(msgspec.Struct, frozen=True, tag=True):
    """Max is not in a room: a figure stands there."""

    room: int


class At(msgspec.Struct, frozen=True, tag=True):
    """Max is in a room: a trap laid there showed him. GJ-Q19."""

    room: int


class CanMove(msgspec.Struct, frozen=True, tag=True):
    """Max's turn began, and he was not stuck between these figures. GJ-72."""

    figures: int
    x2: int


class Once(msgspec.Struct, frozen=True, tag=True):
    """What was seen after a move of Max's that has been taken back: he can go on like that from here."""

    facts: tuple[Fact, ...]


Fact = Known | Prowl | Empty | At | CanMove | Once


class State(msgspec.Struct, frozen=True):
    """A moment of the game.

    Secret are `route` beyond the first `open` steps, `visited`, and the true number of `pause` cards; of
    those everybody knows only that there are at most `pause_open`. `news` is where the part of the route
    begins that the last showing turned up. `shown` says why Max's figure stands on the board: `showing`,
    `trap`, or not at all. `acted` are the figures that have had their turn in this round. `doubt` is a step
    of the open route that a hunter does not believe. `guess` is where the hunters' marker lies while Max is
    out of sight; it has no effect.
    """

    options: Options
    phase: str = "starting"
    drawn: bool = False
    frames: dict[Animal, FrameAt] = {}
    frame: Animal | None = None
    filled: Animal | None = None
    figures: dict[Figure, int | None] = {}
    acted: tuple[Figure, ...] = ()
    route: tuple[int, ...] = ()
    visited: int = 0
    open: int = 0
    news: int = 0
    shown: str = ""
    x2: int = 0
    pause: int = 0
    pause_open: int = 0
    doors_left: int = 0
    locked: int | None = None
    opening: bool = False
    holder: Seat | None = None
    trap: int | None = None
    doubt: InDoubt | None = None
    guess: int | None = None
    caught_by: Seat | None = None
    result: Result | None = None
    facts: tuple[Fact, ...] = ()


def room_of(route: tuple[int, ...]) -> int | None:
    """The last room of a route: a pause is no room. GJ-Q8."""
    return next((room for room in reversed(route) if room != PAUSE), None)


def room_before(route: tuple[int, ...]) -> int:
    """The room Max was in before his last one, or 0."""
    rooms = [room for room in route if room != PAUSE]
    return rooms[-2] if len(rooms) > 1 else 0


def occupied(state: State) -> int:
    """The rooms with a figure in them."""
    return as_set(room for room in state.figures.values() if room is not None)


def own_figures(state: State, seat: Seat) -> tuple[Figure, ...]:
    """The figures of a hunter that are in the game."""
    return tuple(figure for figure in dealt(state.options).get(seat, ()) if figure in state.figures)


def hunter_to_act(state: State) -> Seat | None:
    """The first hunter, clockwise, with a figure that has not acted in this round. GJ-30."""
    for seat in state.options.hunter_seats:
        if any(figure not in state.acted for figure in own_figures(state, seat)):
            return seat
    return None


def animals_left(state: State) -> int:
    """How many animals still stand on the board."""
    return sum(frame.size - frame.taken for frame in state.frames.values())


def known(state: State, chapter: int | None = None) -> Known:
    """What is known to somebody who sees Max, his whole route and his cards."""
    room = room_of(state.route)
    assert room is not None
    if chapter is None:
        first = state.facts[0] if state.facts else None
        chapter = first.chapter if isinstance(first, Known) else 1
    return Known(chapter, state.route, state.visited, (room,), state.pause)
