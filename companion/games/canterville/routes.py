"""The routes Max can have taken since the last showing, counted exactly, from what the whole table has seen.

Routes are many, but they need not be listed. Those that end in the same room, over the same rooms and with
as many pauses, have the same future: they are counted together. What the table sees moves the counts along
(Max prowls) or strikes some out (a figure finds a room empty). One of the routes is found again by going back
through the counts.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import lru_cache
from typing import TypeVar

from companion.games.canterville.castle import Ways, in_set
from companion.games.canterville.options import Options
from companion.games.canterville.state import (
    PAUSE,
    At,
    CanMove,
    Empty,
    Fact,
    Known,
    Once,
    Prowl,
    room_before,
)

Spot = tuple[int, int, int]
"""Where Max is, how often he has paused, and where he was before (0 where that makes no difference)."""

Counts = dict[Spot, dict[int, int]]
"""For each spot and each set of visited rooms, the number of routes that lead there."""

N = TypeVar("N", int, float)
"""Routes are counted, or weighed."""


class House:
    """What the counting needs to know of a table: the ways of Max, and whether x2 may lead straight back."""

    def __init__(self, ways: Ways, straight_back: bool) -> None:
        self.haunt = ways.haunt
        self.straight_back = straight_back

    def spot(self, room: int, paused: int, before: int) -> Spot:
        """A spot; two that differ only in what makes no difference are the same."""
        return room, paused, 0 if self.straight_back else before


@lru_cache(maxsize=64)
def _house(ways: Ways, straight_back: bool) -> House:
    return House(ways, straight_back)


def house(options: Options) -> House:
    """The house of a table; the same one for the same castle."""
    return _house(options.ways, options.x2_target == "any_visited")


# Counting routes


@lru_cache(maxsize=256)
def possible(here: House, facts: tuple[Fact, ...]) -> Counts:
    """The routes that fit everything the table has seen, counted."""
    first = facts[0]
    assert isinstance(first, Known)
    if len(facts) == 1:
        before = room_before(first.route)
        return {here.spot(room, 0, before): {first.visited: 1} for room in first.rooms}
    return narrowed(here, possible(here, facts[:-1]), facts[-1], first.pause)


def narrowed(here: House, counts: Counts, fact: Fact, pauses: int) -> Counts:
    """The routes that also fit one more fact; Max had that many pause cards when knowledge began."""
    match fact:
        case Prowl(cheat=True):
            return _cheated(here, counts, fact)
        case Prowl():
            return _prowled(here, counts, fact, pauses)
    return fitting(here, counts, fact, pauses)


def fitting(
    here: House, counts: dict[Spot, dict[int, N]], fact: Fact, pauses: int
) -> dict[Spot, dict[int, N]]:
    """The routes that also fit a fact that is no step of Max's."""
    match fact:
        case Empty(room=room):
            return {spot: sets for spot, sets in counts.items() if spot[0] != room}
        case At(room=room):
            return {spot: sets for spot, sets in counts.items() if spot[0] == room}
        case CanMove():
            return _kept(counts, lambda spot, visited: _can_move(here, spot, visited, fact, pauses))
        case Once(facts=later):
            return _kept(counts, lambda spot, visited: _can_go_on(here, spot, visited, later, pauses))
    return counts


def _prowled(here: House, counts: Counts, fact: Prowl, pauses: int) -> Counts:
    """Max went somewhere new, or stayed if he still could. GJ-34, GJ-41."""
    after: Counts = {}
    for (room, paused, before), sets in counts.items():
        if paused < pauses and not fact.trapped:
            _add(after.setdefault((room, paused + 1, before), {}), sets)
        for target in _targets(here, room, fact):
            bit = 1 << target
            fresh = {visited | bit: n for visited, n in sets.items() if not visited & bit}
            if fresh:
                _add(after.setdefault(here.spot(target, paused, room), {}), fresh)
    return after


def _cheated(here: House, counts: Counts, fact: Prowl) -> Counts:
    """Max went back to a room he had visited. GJ-40, GJ-Q5."""
    after: Counts = {}
    for (room, paused, before), sets in counts.items():
        for target in _targets(here, room, fact):
            again = {visited: n for visited, n in sets.items() if visited >> target & 1}
            if again and (here.straight_back or target != before):
                _add(after.setdefault(here.spot(target, paused, room), {}), again)
    return after


def _targets(here: House, room: int, fact: Prowl) -> Iterator[int]:
    """The free rooms next to one, as far as the trap kept silent or snapped. GJ-33, GJ-52."""
    free = here.haunt[room] & ~fact.figures
    if fact.trap is None:
        return in_set(free)
    trap = 1 << fact.trap
    return in_set(free & trap if fact.trapped else free & ~trap)


def _add(sum_: dict[int, int], more: dict[int, int]) -> None:
    if not sum_:
        sum_.update(more)
        return
    for visited, n in more.items():
        sum_[visited] = sum_.get(visited, 0) + n


def _kept(counts: dict[Spot, dict[int, N]], fits: Callable[[Spot, int], bool]) -> dict[Spot, dict[int, N]]:
    after: dict[Spot, dict[int, N]] = {}
    for spot, sets in counts.items():
        kept = {visited: n for visited, n in sets.items() if fits(spot, visited)}
        if kept:
            # Mostly everything fits, and then there is no need to keep it twice.
            after[spot] = sets if len(kept) == len(sets) else kept
    return after


def _can_move(here: House, spot: Spot, visited: int, fact: CanMove, pauses: int) -> bool:
    """Whether Max is not stuck. GJ-72."""
    room, paused, before = spot
    free = here.haunt[room] & ~fact.figures
    if paused < pauses or free & ~visited:
        return True
    back = free & visited
    return bool(fact.x2 and (back if here.straight_back else back & ~(1 << before)))


def _can_go_on(here: House, spot: Spot, visited: int, facts: tuple[Fact, ...], pauses: int) -> bool:
    counts: Counts = {spot: {visited: 1}}
    for fact in facts:
        counts = narrowed(here, counts, fact, pauses)
    return bool(counts)


# Finding a route again


def _previous(
    here: House, facts: tuple[Fact, ...], spot: Spot, visited: int
) -> Iterator[tuple[int, Spot, int]]:
    """The step that leads to a spot, and every spot and set it can have come from, before the last prowl."""
    fact, before = facts[-1], possible(here, facts[:-1])
    assert isinstance(fact, Prowl)
    room, paused, _ = spot
    if not fact.cheat and not fact.trapped and visited in before.get((room, paused - 1, spot[2]), {}):
        yield PAUSE, (room, paused - 1, spot[2]), visited
    for earlier in before:
        steps = here.spot(room, earlier[1], earlier[0]) == spot and room in _targets(here, earlier[0], fact)
        if steps and (not fact.cheat or here.straight_back or room != earlier[2]):
            yield room, earlier, visited if fact.cheat else visited & ~(1 << room)


def route_to(here: House, facts: tuple[Fact, ...], spot: Spot, visited: int, index: int) -> tuple[int, ...]:
    """One of the routes that lead to a spot over a set of rooms: the hidden steps after what is known."""
    steps: list[int] = []
    for last in range(len(facts), 1, -1):
        if not isinstance(facts[last - 1], Prowl):
            continue
        counts = possible(here, facts[: last - 1])
        for step, earlier, rooms in _previous(here, facts[:last], spot, visited):
            n = counts[earlier].get(rooms, 0)
            if index < n:
                steps.append(step)
                spot, visited = earlier, rooms
                break
            index -= n
    first = facts[0]
    assert isinstance(first, Known)
    # Where a position was entered with Max hidden, nobody has seen the room he began in.
    begin = first.route if first.route else (spot[0],)
    return (*begin, *reversed(steps))
