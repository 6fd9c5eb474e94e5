"""Where Max can be, from what the whole table has seen. Exact: every hidden route since the last showing.

Routes are many, but they need not be listed. Those that end in the same room, over the same rooms and with
as many pauses, have the same future: they are counted together. What the table sees moves the counts along
(Max prowls) or strikes some out (a figure finds a room empty). One of the routes is found again by going back
through the counts.
"""

from __future__ import annotations

from bisect import bisect
from collections.abc import Callable, Iterator
from functools import cached_property, lru_cache
from itertools import accumulate
from random import Random
from typing import Any

from msgspec.structs import replace

from companion.contract import Odds, OneWorld, Worlds
from companion.games.canterville.castle import Ways, as_set, in_set
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
    State,
    room_before,
    room_of,
)
from companion.refusals import Illegal

Spot = tuple[int, int, int]
"""Where Max is, how often he has paused, and where he was before (0 where that makes no difference)."""

Counts = dict[Spot, dict[int, int]]
"""For each spot and each set of visited rooms, the number of routes that lead there."""


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


def _kept(counts: Counts, fits: Callable[[Spot, int], bool]) -> Counts:
    after: Counts = {}
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


# The worlds of a view


def worlds(known: State, hidden: bool) -> Worlds[State]:
    """The states that fit what a seat knows."""
    if not hidden or not known.facts or known.phase == "over":
        return OneWorld(known)
    if not known.options.ways.mapped:
        return Guesses(known)
    if any(isinstance(fact, Prowl) and fact.turn is not None for fact in known.facts):
        return Listed(known)
    return Prowling(known)


class Prowling(Worlds[State]):
    """All worlds while Max is out of sight, each found by its number."""

    def __init__(self, known: State) -> None:
        self.known = known
        self.house = house(known.options)
        first = known.facts[0]
        assert isinstance(first, Known)
        self.first = first
        self.counts = possible(self.house, known.facts)

    @cached_property
    def _ends(self) -> list[tuple[Spot, int]]:
        return [(spot, visited) for spot, sets in self.counts.items() for visited in sets]

    @cached_property
    def _sums(self) -> list[int]:
        return list(accumulate(n for sets in self.counts.values() for n in sets.values()))

    def __len__(self) -> int:
        return self._sums[-1] if self._sums else 0

    def __getitem__(self, index: Any) -> Any:
        size = len(self)
        if not -size <= index < size:
            raise IndexError(index)
        index %= size
        end = bisect(self._sums, index)
        spot, visited = self._ends[end]
        rest = index - (self._sums[end - 1] if end else 0)
        route = route_to(self.house, self.known.facts, spot, visited, rest)
        return replace(self.known, route=route, visited=visited, pause=self.first.pause - spot[1])


class Listed(Worlds[State]):
    """The worlds where x2 told from which turn the card came (`take_from_row`): order matters. GJ-Q6."""

    def __init__(self, known: State) -> None:
        every = Prowling(known)
        hidden = [fact for fact in known.facts if isinstance(fact, Prowl)]
        begin = len(every[0].route) - len(hidden)
        self._fitting = [world for world in every if self._fits(world.route, begin, hidden)]

    @staticmethod
    def _fits(route: tuple[int, ...], begin: int, hidden: list[Prowl]) -> bool:
        for n, fact in enumerate(hidden, begin):
            laid = [turn for turn in range(n) if route[turn] == route[n]]
            if fact.turn is not None and (not laid or laid[-1] != fact.turn):
                return False
        return True

    def __len__(self) -> int:
        return len(self._fitting)

    def __getitem__(self, index: Any) -> Any:
        return self._fitting[index]


class Guesses(Worlds[State]):
    """Some worlds without a map: Max can be nearly everywhere, so a few are drawn, always the same ones."""

    MANY = 64

    def __init__(self, known: State) -> None:
        self.known = known
        first = known.facts[0]
        assert isinstance(first, Known)
        self.first = first
        chance, found = Random(len(known.facts)), dict[tuple[int, ...], None]()
        for _ in range(self.MANY * 100):
            route = self._guess(chance)
            if route is not None:
                found[route] = None
            if len(found) == self.MANY:
                break
        self._routes = list(found)

    def _guess(self, chance: Random) -> tuple[int, ...] | None:
        """A route made up step by step; null where it runs into something that was seen."""
        route = self.first.route or (chance.choice(self.first.rooms),)
        visited, paused = self.first.visited, 0
        for fact in self.known.facts[1:]:
            room = room_of(route)
            assert room is not None
            if (isinstance(fact, Empty) and room == fact.room) or (
                isinstance(fact, At) and room != fact.room
            ):
                return None
            if not isinstance(fact, Prowl):
                continue
            step = self._step(chance, route, visited, paused, fact)
            if step is None:
                return None
            route, visited, paused = (*route, step), visited | (1 << step & ~1), paused + (step == PAUSE)
        return route

    def _step(
        self, chance: Random, route: tuple[int, ...], visited: int, paused: int, fact: Prowl
    ) -> int | None:
        room = room_of(route)
        assert room is not None
        free = list(_targets(house(self.known.options), room, fact))
        steps = [target for target in free if bool(visited >> target & 1) == fact.cheat]
        if fact.turn is not None:
            steps = [target for target in steps if _turn_of(route, target) == fact.turn]
        if fact.cheat and self.known.options.x2_target == "not_previous_room":
            steps = [target for target in steps if target != room_before(route)]
        if not fact.cheat and not fact.trapped and paused < self.first.pause:
            steps.append(PAUSE)
        return chance.choice(steps) if steps else None

    def __len__(self) -> int:
        return len(self._routes)

    def __getitem__(self, index: Any) -> Any:
        route = self._routes[index]
        hidden = route[len(self.first.route) :]
        visited = self.first.visited | as_set(room for room in hidden if room != PAUSE)
        pause = self.first.pause - hidden.count(PAUSE)
        return replace(self.known, route=route, visited=visited, pause=pause)


def _turn_of(route: tuple[int, ...], room: int) -> int | None:
    return max((turn for turn, laid in enumerate(route) if laid == room), default=None)


# The hunters' map


def odds(known: State) -> Odds:
    """How many hidden routes there are, and the share of them that ends in each room."""
    ways = known.options.ways
    rooms = dict.fromkeys(in_set(ways.rooms), 0)
    if not known.facts:
        return Odds(1, dict.fromkeys(rooms, 0.0))
    if not ways.mapped:
        raise Illegal("canterville.no_map_no_odds", rule="GJ-31")
    found = worlds(known, hidden=True) if known.phase != "over" else None
    if isinstance(found, Listed):
        for world in found:
            rooms[room_of(world.route)] += 1  # type: ignore[index]
    else:
        for (room, _, _), sets in possible(house(known.options), known.facts).items():
            rooms[room] += sum(sets.values())
    total = sum(rooms.values())
    return Odds(total, {room: n / total for room, n in rooms.items()})
