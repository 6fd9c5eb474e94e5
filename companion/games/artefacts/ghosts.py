"""Ghosts: how they appear, walk, grow, escape and are banished. CFA-21, CFA-23, CFA-32, CFA-40 to CFA-53."""

from __future__ import annotations

from itertools import count

from msgspec.structs import replace

from companion.contract import Result, Told
from companion.games.artefacts.events import Appeared, Escaped, Grew, Moved, Stayed
from companion.games.artefacts.manor import Colour, Square
from companion.games.artefacts.options import ESCAPES, STRONGEST
from companion.games.artefacts.paths import farthest
from companion.games.artefacts.routes import heading_of, next_steps, to_centre
from companion.games.artefacts.state import (
    Ghost,
    Pending,
    State,
    Stepping,
    bonus,
    escaped,
    free_dice,
    ghost_of,
    with_ghost,
)

BASE_POWER = 2
NO_DICE = Result("ghosts", "no_dice")


# Appearing


def die_for(state: State, colour: Colour) -> Colour | None:
    """The colour of a new ghost's die: its own, or of the first to the left with a free one. CFA-40."""
    free = free_dice(state)
    return next((near for near in state.options.clockwise(colour) if free[near]), None)


def appear(state: State, colour: Colour, at: Square, told: list[Told]) -> State:
    """A ghost of a colour appears on a square; without a die the game is lost. CFA-40, CFA-71, CFA-Q8."""
    die = die_for(state, colour)
    if die is None:
        return replace(state, result=NO_DICE)
    names = (f"{die}{n}" for n in count(1))
    taken = {ghost.id for ghost in state.ghosts}
    id = next(name for name in names if name not in taken)
    ghost = Ghost(id, die, min(STRONGEST, BASE_POWER + bonus(state)), at)
    told.append(Appeared(ghost.id, ghost.colour, ghost.at, ghost.power))
    state = replace(state, ghosts=tuple(sorted((*state.ghosts, ghost), key=lambda each: each.id)))
    if state.options.out_of_dice == "when_stock_empty" and not any(free_dice(state).values()):
        return replace(state, result=NO_DICE)
    return state


def haunt(state: State, colour: Colour, told: list[Told]) -> State:
    """A ghost appears at the end of a colour's path; on a tie the leader says where. CFA-32, CFA-64."""
    ends = farthest(state, colour)
    if len(ends) > 1 and die_for(state, colour) is not None:
        return replace(state, pending=Pending("haunt", colour=colour, options=ends))
    return appear(state, colour, ends[0], told)


def haunt_leader(state: State, told: list[Told]) -> State:
    """The pile is empty: a ghost of the leader's colour comes out of its artefact tile. CFA-21, CFA-Q18."""
    for at, tile in state.plan.tiles.items():
        if tile.kind == "artefact" and tile.colour == state.leader:
            return appear(state, state.leader, at, told)
    return haunt(state, state.leader, told)


# Growing


def grow(state: State, told: list[Told]) -> State:
    """Every ghost gains a point of power, as far as its die goes. CFA-23, CFA-44, CFA-53, CFA-Q7."""
    for ghost in state.ghosts:
        if ghost.power < STRONGEST:
            state = with_ghost(state, replace(ghost, power=ghost.power + 1))
            told.append(Grew(ghost.id, ghost.power + 1))
    return state


# Walking


def next_ghosts(state: State) -> tuple[Ghost, ...]:
    """Which ghost goes next: colours from the leader on, the nearest to the centre first. CFA-Q6.

    Two of a colour that are equally near are both here, and the leader says; by `ghost_order` always.
    """
    waiting = [ghost for ghost in state.ghosts if not ghost.escaped and ghost.id not in state.moved]
    order = state.options.clockwise(state.leader)

    def place(ghost: Ghost) -> tuple[int, int]:
        return order.index(ghost.colour), to_centre(state, ghost) or len(state.manor) + 9

    ranked = sorted(waiting, key=lambda ghost: (place(ghost), ghost.id))
    if not ranked or to_centre(state, ranked[0]) is None:
        return tuple(ranked[:1])
    first = ranked[0]
    always = state.options.ghost_order == "leader"
    rivals = [g for g in ranked[1:] if (g.colour == first.colour if always else place(g) == place(first))]
    # Two that are alike in everything are as good as one.
    return (first, *(g for g in rivals if replace(g, id=first.id) != first))


def speed(ghost: Ghost) -> int:
    """How many tiles a ghost goes: two at the highest power. CFA-50."""
    return 2 if ghost.power == STRONGEST else 1


def move_on(state: State, told: list[Told]) -> State | None:
    """Let the ghosts go one step further; null when all have gone their way. CFA-50."""
    if state.stepping is None:
        nearest = next_ghosts(state)
        if len(nearest) > 1:
            return replace(state, pending=_who_first(nearest))
        return set_off(state, nearest[0].id) if nearest else None
    ghost = ghost_of(state, state.stepping.ghost)
    if state.stepping.left == 0 or ghost.escaped:
        return replace(state, stepping=None, moved=(*state.moved, ghost.id))
    ways = next_steps(state, ghost)
    if not ways:
        told.append(Stayed(ghost.id))
        return replace(state, stepping=Stepping(ghost.id, 0))
    if len(ways) > 1:
        return replace(state, pending=Pending("fork", ghost=ghost.id, colour=ghost.colour, options=ways))
    return go(state, ways[0], told)


def _who_first(rivals: tuple[Ghost, ...]) -> Pending:
    """The leader is asked which of these ghosts goes first. CFA-Q6."""
    squares, ids = tuple(ghost.at for ghost in rivals), tuple(ghost.id for ghost in rivals)
    return Pending("order", colour=rivals[0].colour, options=squares, ghosts=ids)


def set_off(state: State, id: str) -> State:
    """A ghost is the next to go. CFA-50."""
    return replace(state, stepping=Stepping(id, speed(ghost_of(state, id))))


def go(state: State, to: Square, told: list[Told]) -> State:
    """The ghost on its way enters a square, with what that brings. CFA-41, CFA-50, CFA-52, CFA-Q28."""
    stepping = state.stepping
    assert stepping is not None
    ghost = ghost_of(state, stepping.ghost)
    heading = heading_of(ghost.at, to)
    told.append(Moved(ghost.id, ghost.at, to, heading))
    state = with_ghost(state, replace(ghost, at=to, heading=heading))
    state = replace(state, stepping=Stepping(ghost.id, stepping.left - 1))
    if ghost_of(state, ghost.id).escaped:
        told.append(Escaped(ghost.id, escaped(state)))
        return replace(state, result=Result("ghosts", "escaped")) if escaped(state) >= ESCAPES else state
    if state.plan.kind(to) == "trap" and state.options.ghost_trap_victim == "player":
        return replace(state, pending=Pending("trap", colour=ghost.colour, ghost=ghost.id))
    return state
