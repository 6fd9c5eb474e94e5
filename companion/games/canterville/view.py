"""What each seat may know of a game of Gespensterjagd, built up field by field from nothing."""

from __future__ import annotations

import msgspec

from companion.contract import MODERATOR, Result, Seat, View
from companion.games.canterville.actions import CardsLeft, FrameAt, InDoubt, RouteStep
from companion.games.canterville.castle import Castle, in_set
from companion.games.canterville.judging import to_judge
from companion.games.canterville.options import MAX, Animal, Figure, dealt
from companion.games.canterville.rounds import spelled, unchecked
from companion.games.canterville.state import State, room_of
from companion.games.canterville.turns import movers


class MaxSeen(msgspec.Struct, frozen=True):
    """What a seat sees of Max: his room, or null; and whether his figure stands on the board."""

    room: int | None
    shown: bool


class Shows(msgspec.Struct, frozen=True):
    """A view as it goes out; the same fields for every seat, null where it may not know."""

    seat: Seat
    phase: str
    to_act: tuple[Seat, ...]
    players: int
    castle: str
    invented: bool
    owners: dict[str, tuple[Figure, ...]]
    names: dict[str, str] | None
    figures: dict[Figure, int | None]
    acted: tuple[Figure, ...]
    max: MaxSeen
    route: tuple[RouteStep, ...]
    news: int
    visited: tuple[int, ...] | None
    unchecked: tuple[tuple[int, int], ...]
    to_judge: tuple[tuple[int, int], ...]
    doubt: InDoubt | None
    guess: int | None
    cards: CardsLeft
    frames: dict[Animal, FrameAt]
    frame: Animal | None
    trap: int | None
    locked: int | None
    opening: bool
    door_scope: str
    illegal_max_move: str
    caught_by: Seat | None
    result: Result | None


def view(state: State, seat: Seat) -> View:
    """All that a seat may know: `knows` for reasoning, and what of it is shown."""
    known = knowledge(state, seat)
    return View(seat, shown(known, seat), known)


def sees_max(seat: Seat) -> bool:
    """Whether nothing is hidden from a seat."""
    return seat in (MAX, MODERATOR)


def knowledge(state: State, seat: Seat) -> State:
    """The state as far as a seat can know it: the open table, and blanks for what Max keeps to himself."""
    secret = not sees_max(seat) and state.phase != "over"
    return State(
        options=state.options,
        phase=state.phase,
        drawn=state.drawn,
        frames=state.frames,
        frame=state.frame,
        filled=state.filled,
        figures=state.figures,
        acted=state.acted,
        route=state.route[: state.open] if secret else state.route,
        visited=0 if secret else state.visited,
        open=state.open,
        news=state.news,
        shown=state.shown,
        x2=state.x2,
        pause=state.pause_open if secret else state.pause,
        pause_open=state.pause_open,
        doors_left=state.doors_left,
        locked=state.locked,
        opening=state.opening,
        holder=state.holder,
        trap=state.trap,
        doubt=state.doubt,
        guess=state.guess,
        caught_by=state.caught_by,
        result=state.result,
        facts=state.facts,
    )


def shown(known: State, seat: Seat) -> Shows:
    """What a page shows of what a seat knows: what the table plays by memory is left out. GJ-53, GJ-Q9."""
    options, everything = known.options, sees_max(seat) or known.phase == "over"
    castle = options.castle
    route = known.route if everything else _route_on_display(known)
    return Shows(
        seat=seat,
        phase=known.phase,
        to_act=movers(known),
        players=len(options.hunter_seats) + 1,
        castle=castle.name if isinstance(castle, Castle) else castle,
        invented=castle.invented if isinstance(castle, Castle) else castle == "demo",
        owners=dict(dealt(options)),
        names=options.names,
        figures=known.figures,
        acted=known.acted,
        max=MaxSeen(room_of(known.route) if everything else _room_on_board(known), bool(known.shown)),
        route=spelled(route),
        news=min(known.news, len(route)),
        visited=tuple(in_set(known.visited)) if everything else None,
        unchecked=unchecked(options, route),
        to_judge=to_judge(known),
        doubt=known.doubt,
        guess=None if known.shown else known.guess,
        cards=CardsLeft(
            x2=known.x2,
            pause=known.pause,
            chimney=options.chimney,
            door=known.doors_left > 0,
            trap=known.holder or False,
        ),
        frames=known.frames,
        frame=known.frame,
        trap=known.trap,
        locked=known.locked,
        opening=known.opening,
        door_scope=options.door_scope,
        illegal_max_move=options.illegal_max_move,
        caught_by=known.caught_by,
        result=known.result,
    )


def _room_on_board(known: State) -> int | None:
    """Where Max's figure stands for all to see: it shows a place, and after a trap nothing else. GJ-Q19."""
    if known.shown == "trap":
        return known.trap
    return room_of(known.route) if known.shown else None


def _route_on_display(known: State) -> tuple[int, ...]:
    """The part of the route that lies face up. GJ-Q9."""
    display = known.options.visited_display
    if display == "always" or (display == "during_reveal" and known.shown == "showing"):
        return known.route
    return ()
