"""Who gets where now: Max through the walls, figures along the dotted lines, the trap where it may lie."""

from __future__ import annotations

from companion.contract import Seat
from companion.games.canterville.castle import as_set, in_set
from companion.games.canterville.state import State, occupied, own_figures, room_before, room_of

# Max


def reachable(state: State) -> int:
    """The rooms next to Max without a figure in them, visited or not. GJ-31, GJ-33, GJ-36, GJ-42."""
    room = room_of(state.route)
    assert room is not None
    return state.options.ways.haunt[room] & ~occupied(state)


def fresh_rooms(state: State) -> int:
    """Where Max may move: each room once a game. GJ-34."""
    return reachable(state) & ~state.visited


def cheat_rooms(state: State) -> int:
    """Where an x2 card takes Max back to. GJ-40, GJ-Q5."""
    if not state.x2:
        return 0
    rooms = reachable(state) & state.visited
    if state.options.x2_target == "not_previous_room":
        rooms &= ~(1 << room_before(state.route))
    return rooms


def stuck(state: State) -> bool:
    """Whether Max can neither move nor stay. GJ-72, GJ-Q3."""
    return not (state.pause or fresh_rooms(state) or cheat_rooms(state))


# Figures


def reach(state: State, room: int) -> int:
    """Where a figure may walk from a room: along dotted lines, not through the closed door. GJ-44, GJ-50."""
    walks = state.options.ways.walk[room]
    closed = behind_door(state)
    if room == state.locked:
        return walks & ~closed
    return walks & ~(1 << state.locked) if state.locked and closed >> room & 1 else walks


def behind_door(state: State) -> int:
    """The rooms on the other side of the closed door. Without a map nobody knows. GJ-Q15."""
    ways = state.options.ways
    if state.locked is None or not ways.mapped:
        return 0
    if state.options.door_scope == "all_doors_of_room":
        return ways.walk[state.locked]
    return 1 << ways.doors[state.locked]


def may_unlock(state: State, room: int) -> bool:
    """Whether a figure in a room stands at the closed door. GJ-44, GJ-Q16."""
    if state.locked is None or state.opening:
        return False
    if room == state.locked:
        return True
    if state.options.unlock_side == "listed_room_only":
        return False
    return not state.options.ways.mapped or bool(behind_door(state) >> room & 1)


def trap_rooms(state: State, seat: Seat) -> int:
    """Where the holder may lay the trap. GJ-52, GJ-Q18."""
    ways, where = state.options.ways, state.options.trap_where
    if where == "any_room":
        return ways.rooms
    own = as_set(room for figure in own_figures(state, seat) if (room := state.figures[figure]))
    if where == "own_room":
        return own
    near = own
    for room in in_set(own):
        near |= ways.walk[room]
    return near
