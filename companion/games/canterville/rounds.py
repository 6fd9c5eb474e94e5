"""How a round goes on: Max, the hunters, the animal, the showing; and how the game ends. GJ-30, GJ-60 on."""

from __future__ import annotations

from itertools import pairwise

from msgspec.structs import replace

from companion.contract import Result, Told
from companion.games.canterville.actions import FrameAt, Opened, Over, RouteStep, Shown, Taken
from companion.games.canterville.options import Options
from companion.games.canterville.reach import stuck
from companion.games.canterville.state import (
    PAUSE,
    CanMove,
    State,
    animals_left,
    hunter_to_act,
    known,
    occupied,
    room_of,
)

Step = tuple[State, tuple[Told, ...]]


def max_turn(state: State, told: tuple[Told, ...] = ()) -> Step:
    """Max's turn begins; if he can neither move nor stay, the hunters have won. GJ-72, GJ-Q3, GJ-Q4."""
    if stuck(state):
        return end(state, Result("hunters", "stuck"), told)
    facts = (*state.facts, CanMove(occupied(state), state.x2))
    return replace(state, phase="max", facts=facts), told


def framing(state: State, told: tuple[Told, ...] = ()) -> Step:
    """The hunters choose a frame. GJ-23, GJ-60."""
    return replace(state, phase="framing", frame=None), told


def hunters_turn(state: State, told: tuple[Told, ...] = ()) -> Step:
    """The next hunter with a figure to move is to act, or the round ends. GJ-30."""
    if hunter_to_act(state) is None:
        return end_of_round(replace(state, acted=()), told)
    return replace(state, phase="hunters"), told


def end_of_round(state: State, told: tuple[Told, ...]) -> Step:
    """An animal of the current frame leaves the board; a full frame shows Max, the last animal saves him.

    GJ-30, GJ-60, GJ-71, GJ-Q2.
    """
    animal = state.frame
    assert animal is not None
    if state.opening and state.locked is not None:
        told = (*told, Opened(state.locked))
        state = replace(state, opening=False, locked=None)
    frame = FrameAt(state.frames[animal].size, state.frames[animal].taken + 1)
    state = replace(state, frames={**state.frames, animal: frame})
    told = (*told, Taken(animal, frame.size - frame.taken, animals_left(state)))
    full = frame.taken == frame.size
    if full:
        state = replace(state, filled=animal)
    if not animals_left(state):
        return end(state, Result("max", "last_animal"), told)
    if full:
        return framing(*show(state, told))
    return framing(state, told) if state.options.free_kind else max_turn(state, told)


def show(state: State, told: tuple[Told, ...] = ()) -> Step:
    """Max turns his cards up and stands on the board. GJ-60, GJ-Q8."""
    state, room = turned_up(state), room_of(state.route)
    assert room is not None
    news = state.route[state.news :] if state.options.visited_display != "never" else ()
    # The step into the first of the new rooms counts as well, so judging starts one card earlier.
    doubts = unchecked(state.options, state.route[max(state.news - 1, 0) :])
    return state, (*told, Shown(room, spelled(news), doubts))


def turned_up(state: State) -> State:
    """The state with all of Max's cards face up; everybody's knowledge starts afresh from here."""
    return replace(
        state,
        open=len(state.route),
        news=state.open,
        shown="showing",
        pause_open=state.pause,
        doubt=None,
        facts=(known(state),),
    )


def spelled(route: tuple[int, ...]) -> tuple[RouteStep, ...]:
    """A route as the protocol writes it."""
    return tuple(room if room != PAUSE else "pause" for room in route)


def unchecked(options: Options, route: tuple[int, ...]) -> tuple[tuple[int, int], ...]:
    """The steps of a route that no map could check. GJ-Q22, GJ-T21."""
    ways, rooms = options.ways, [room for room in route if room != PAUSE]
    return tuple((one, two) for one, two in pairwise(rooms) if ways.unchecked(one, two))


def end(state: State, result: Result, told: tuple[Told, ...] = ()) -> Step:
    """The game stops, and Max shows his cards. GJ-70 to GJ-72."""
    state = replace(turned_up(state), phase="over", result=result, acted=())
    return state, (*told, Over(result.winner, result.reason))
