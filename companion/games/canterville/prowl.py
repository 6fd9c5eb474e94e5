"""Max's turn: through walls, back with x2, a pause, and the door he may close. GJ-31 to GJ-44."""

from __future__ import annotations

from collections.abc import Iterator

from msgspec.structs import replace

from companion.contract import Action, Told, Whisper
from companion.games.canterville import rounds
from companion.games.canterville.actions import (
    Cheat,
    Cheated,
    Lock,
    Locked,
    Move,
    Now,
    Pause,
    Prowled,
    Trapped,
)
from companion.games.canterville.castle import LOCKABLE, in_set
from companion.games.canterville.options import MAX
from companion.games.canterville.reach import cheat_rooms, fresh_rooms
from companion.games.canterville.state import PAUSE, Prowl, State, occupied, room_of
from companion.refusals import Illegal

Step = tuple[State, tuple[Told, ...]]


def lockable_now(state: State) -> list[int]:
    """The rooms whose red door Max may close. GJ-43."""
    if not state.doors_left:
        return []
    return [room for room in state.options.ways.lockable if room != state.locked]


def legal(state: State) -> Iterator[Action]:
    """Everything Max may do in his turn."""
    yield from map(Cheat, in_set(cheat_rooms(state)))
    yield from map(Lock, lockable_now(state))
    yield from map(Move, in_set(fresh_rooms(state)))
    if state.pause:
        yield Pause()


# Moving


def move(state: State, action: Move) -> Step:
    """Max goes to a room where he has not been. GJ-31 to GJ-36."""
    _check_way(state, action.room)
    if state.visited >> action.room & 1:
        raise Illegal("canterville.visited", rule="GJ-34", room=action.room)
    return _prowl(state, action.room)


def cheat(state: State, action: Cheat) -> Step:
    """Max goes back to a room, and says so. GJ-40."""
    if not state.x2:
        raise Illegal("canterville.no_x2", rule="GJ-40")
    _check_way(state, action.room)
    if not state.visited >> action.room & 1:
        raise Illegal("canterville.not_visited", rule="GJ-40", room=action.room)
    if not cheat_rooms(state) >> action.room & 1:
        raise Illegal("canterville.just_left", rule="GJ-Q5", room=action.room)
    return _prowl(replace(state, x2=state.x2 - 1), action.room, cheats=True)


def _check_way(state: State, room: int) -> None:
    here, ways = room_of(state.route), state.options.ways
    assert here is not None
    if not ways.has(room):
        raise Illegal("canterville.no_such_room", rule="GJ-1", room=room)
    if room == here:
        raise Illegal("canterville.must_leave", rule="GJ-35", room=room)
    if not ways.haunt[here] >> room & 1:
        raise Illegal("canterville.no_neighbour", rule="GJ-31", room=room, here=here)
    if occupied(state) >> room & 1:
        raise Illegal("canterville.figure_there", rule="GJ-33", room=room)


def _prowl(state: State, room: int, cheats: bool = False) -> Step:
    """Lay the card, take the figure off the board, and see whether the trap snaps. GJ-37, GJ-52."""
    here = room_of(state.route)
    assert here is not None
    turn = _card_laid(state.route, room) if cheats else None
    if state.options.x2_card_handling == "app_hidden":
        turn = None
    trapped = room == state.trap
    after = replace(
        state,
        route=(*state.route, room),
        visited=state.visited | 1 << room,
        shown="trap" if trapped else "",
        doubt=None,
        # The marker was his own figure, which has stood on the board meanwhile. GJ-51.
        guess=None if state.shown else state.guess,
        facts=(*state.facts, Prowl(cheats, occupied(state), state.trap, trapped, turn)),
    )
    told: tuple[Told, ...] = (
        Cheated(turn) if cheats else Prowled(),
        Whisper((MAX,), Now(room, state.options.ways.unchecked(here, room))),
    )
    return rounds.hunters_turn(after, (*told, Trapped(room)) if trapped else told)


def _card_laid(route: tuple[int, ...], room: int) -> int | None:
    """The turn in which the card of a room was last laid; the start is turn 0. GJ-Q6."""
    return max((turn for turn, laid in enumerate(route) if laid == room), default=None)


def pause(state: State) -> Step:
    """Max stays; to everybody else it looks like a move. GJ-41, GJ-Q7, GJ-Q25."""
    if not state.pause:
        raise Illegal("canterville.no_pause", rule="GJ-41")
    here = room_of(state.route)
    assert here is not None
    after = replace(
        state,
        route=(*state.route, PAUSE),
        pause=state.pause - 1,
        shown="",
        doubt=None,
        # The marker was his own figure, which has stood on the board meanwhile. GJ-51.
        guess=None if state.shown else state.guess,
        facts=(*state.facts, Prowl(False, occupied(state), state.trap, False)),
    )
    return rounds.hunters_turn(after, (Prowled(), Whisper((MAX,), Now(here))))


# The door


def lock(state: State, action: Lock) -> Step:
    """Max closes a red door, besides his move. GJ-43, GJ-Q17."""
    room = action.room
    if room not in LOCKABLE:
        raise Illegal("canterville.no_red_door", rule="GJ-43", room=room, rooms=LOCKABLE)
    if not state.doors_left:
        raise Illegal("canterville.no_door_card", rule="GJ-43")
    if room == state.locked:
        raise Illegal("canterville.closed_already", rule="GJ-43", room=room)
    if room not in state.options.ways.lockable:
        raise Illegal("canterville.door_not_in_castle", rule="GJ-43", room=room)
    after = replace(state, locked=room, opening=False, doors_left=state.doors_left - 1)
    return after, (Locked(room),)
