"""The hunters' turn: figures walk, stay, open the closed door, lay the trap and catch Max. GJ-50 on."""

from __future__ import annotations

from collections.abc import Iterator

from msgspec.structs import replace

from companion.contract import Action, Result, Seat, Told
from companion.games.canterville import rounds
from companion.games.canterville.actions import (
    Caught,
    Guess,
    Guessed,
    Opened,
    Stay,
    Stayed,
    Trap,
    TrapLaid,
    Trapped,
    Unlock,
    Walk,
    Walked,
)
from companion.games.canterville.castle import in_set
from companion.games.canterville.options import Figure
from companion.games.canterville.reach import may_unlock, reach, trap_rooms
from companion.games.canterville.state import At, Empty, State, hunter_to_act, own_figures, room_of
from companion.refusals import Forbidden, Illegal

Step = tuple[State, tuple[Told, ...]]


def waiting(state: State, seat: Seat) -> list[Figure]:
    """The figures with which a hunter has yet to act in this round."""
    if state.phase != "hunters" or hunter_to_act(state) != seat:
        return []
    return [figure for figure in own_figures(state, seat) if figure not in state.acted]


def legal(state: State, seat: Seat) -> Iterator[Action]:
    """Everything a hunter may do in the round."""
    figures = [(figure, room) for figure in waiting(state, seat) if (room := state.figures[figure])]
    yield from (Stay(figure) for figure, _ in figures)
    if state.holder == seat:
        yield from map(Trap, in_set(trap_rooms(state, seat)))
    yield from (Unlock(figure) for figure, room in figures if may_unlock(state, room))
    yield from (Walk(figure, target) for figure, room in figures for target in in_set(reach(state, room)))


def _room_of_waiting(state: State, seat: Seat, figure: Figure) -> int:
    """Where a figure stands that this hunter may still move. GJ-Q12."""
    if figure not in own_figures(state, seat):
        raise Illegal("canterville.not_your_figure", rule="GJ-30", figure=figure)
    if figure not in waiting(state, seat):
        if hunter_to_act(state) == seat and state.phase == "hunters":
            raise Illegal("canterville.has_acted", rule="GJ-50", figure=figure)
        raise Illegal("canterville.only_trap_now", rule="GJ-Q18")
    room = state.figures[figure]
    assert room is not None
    return room


def walk(state: State, seat: Seat, action: Walk) -> Step:
    """A figure walks to the next room, and catches Max if he is there. GJ-50, GJ-70, GJ-Q1."""
    figure, room = action.figure, action.room
    here = _room_of_waiting(state, seat, figure)
    ways = state.options.ways
    if not ways.has(room):
        raise Illegal("canterville.no_such_room", rule="GJ-1", room=room)
    if not reach(state, here) >> room & 1:
        if room != here and ways.walk[here] >> room & 1:
            raise Illegal("canterville.door_closed", rule="GJ-44", room=room, here=here)
        raise Illegal("canterville.no_walk", rule="GJ-50", room=room, here=here, figure=figure)
    state = replace(state, figures={**state.figures, figure: room})
    told: tuple[Told, ...] = (Walked(figure, room),)
    if room == room_of(state.route):
        caught = (*told, Caught(seat, figure, room))
        return rounds.end(replace(state, caught_by=seat), Result("hunters", "caught"), caught)
    state = replace(state, facts=(*state.facts, Empty(room)))
    return _acted(state, figure, told)


def stay(state: State, seat: Seat, action: Stay) -> Step:
    """A figure stays. GJ-50."""
    _room_of_waiting(state, seat, action.figure)
    return _acted(state, action.figure, (Stayed(action.figure),))


def unlock(state: State, seat: Seat, action: Unlock) -> Step:
    """A figure stays to take the closed door away. GJ-44, GJ-Q16."""
    room = _room_of_waiting(state, seat, action.figure)
    if state.locked is None:
        raise Illegal("canterville.no_closed_door", rule="GJ-44")
    if state.opening:
        raise Illegal("canterville.opening_already", rule="GJ-Q16")
    if not may_unlock(state, room):
        raise Illegal("canterville.not_at_door", rule="GJ-44", room=room, door=state.locked)
    told: tuple[Told, ...] = (Stayed(action.figure, True),)
    if not state.options.unlock_same_round_for_others:
        return _acted(replace(state, opening=True), action.figure, told)
    return _acted(replace(state, locked=None), action.figure, (*told, Opened(state.locked)))


def _acted(state: State, figure: Figure, told: tuple[Told, ...]) -> Step:
    return rounds.hunters_turn(replace(state, acted=(*state.acted, figure)), told)


def guess(state: State, seat: Seat, action: Guess) -> Step:
    """The hunters' marker for Max: it lies where they think he is, and changes nothing. GJ-51."""
    if seat not in state.options.hunter_seats:
        raise Forbidden("canterville.hunters_guess", rule="GJ-51")
    if state.result is not None:
        raise Illegal("companion.game_over")
    if state.phase == "starting" or state.shown:
        raise Illegal("canterville.max_in_sight", rule="GJ-51")
    if action.room is not None and not state.options.ways.has(action.room):
        raise Illegal("canterville.no_such_room", rule="GJ-1", room=action.room)
    return replace(state, guess=action.room), (Guessed(seat, action.room),)


def lay_trap(state: State, seat: Seat, action: Trap) -> Step:
    """Lay the trap. On Max himself it stays silent, unless the table agreed otherwise. GJ-52, GJ-Q19."""
    room = action.room
    if state.holder != seat:
        raise Illegal("canterville.no_trap", rule="GJ-52")
    if not state.options.ways.has(room):
        raise Illegal("canterville.no_such_room", rule="GJ-1", room=room)
    if not trap_rooms(state, seat) >> room & 1:
        raise Illegal("canterville.trap_too_far", rule="GJ-Q18", room=room)
    state = replace(state, holder=None, trap=room)
    told: tuple[Told, ...] = (TrapLaid(room),)
    if state.options.trap_on_occupied == "no_effect":
        return state, told
    if room != room_of(state.route):
        return replace(state, facts=(*state.facts, Empty(room))), told
    shown = state.shown or "trap"
    return replace(state, shown=shown, facts=(*state.facts, At(room))), (*told, Trapped(room))
