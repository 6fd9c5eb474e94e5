"""Where Max can be: the worlds that fit a view."""

from __future__ import annotations

from bisect import bisect
from functools import cached_property
from itertools import accumulate
from random import Random
from typing import Any

from msgspec.structs import replace

from companion.contract import OneWorld, Worlds
from companion.games.canterville.castle import as_set
from companion.games.canterville.routes import Spot, house, narrowed, possible, route_to
from companion.games.canterville.state import PAUSE, Known, Prowl, State, room_before

Route = tuple[int, ...]

GUESSES = 64
"""How many worlds are drawn where there is no map."""


def worlds(known: State, hidden: bool) -> Worlds[State]:
    """The states that fit what a seat knows: exactly, or some of them where there is no map."""
    if not hidden or not known.facts or known.phase == "over":
        return OneWorld(known)
    if not known.options.ways.mapped:
        return Listed(known, guesses(known))
    if any(isinstance(fact, Prowl) and fact.turn is not None for fact in known.facts):
        return Listed(known, [world.route for world in Counted(known) if fits_turns(known, world.route)])
    return Counted(known)


def beginning(known: State) -> Known:
    """Where everybody's knowledge starts."""
    first = known.facts[0]
    assert isinstance(first, Known)
    return first


def world(known: State, route: Route) -> State:
    """The state in which Max has taken a route."""
    first = beginning(known)
    hidden = route[len(first.route) :]
    visited = first.visited | as_set(room for room in hidden if room != PAUSE)
    return replace(known, route=route, visited=visited, pause=first.pause - hidden.count(PAUSE))


class Counted(Worlds[State]):
    """All worlds while Max is out of sight, each found by its number."""

    def __init__(self, known: State) -> None:
        self.known = known
        self.house = house(known.options)
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
        number = range(len(self))[index]
        end = bisect(self._sums, number)
        rest = number - (self._sums[end - 1] if end else 0)
        return world(self.known, route_to(self.house, self.known.facts, *self._ends[end], rest))


class Listed(Worlds[State]):
    """Worlds whose routes are listed one by one."""

    def __init__(self, known: State, routes: list[Route]) -> None:
        self.known = known
        self.routes = routes

    def __len__(self) -> int:
        return len(self.routes)

    def __getitem__(self, index: Any) -> Any:
        return world(self.known, self.routes[index])


def fits_turns(known: State, route: Route) -> bool:
    """Whether each x2 took up the card that the table saw taken from the row (`take_from_row`). GJ-Q6."""
    prowls = [fact for fact in known.facts if isinstance(fact, Prowl)]
    for n, fact in enumerate(prowls, len(route) - len(prowls)):
        laid = [turn for turn in range(n) if route[turn] == route[n]]
        if fact.turn is not None and laid[-1:] != [fact.turn]:
            return False
    return True


def guesses(known: State) -> list[Route]:
    """Some routes without a map: Max can be nearly everywhere, so a few are drawn, always the same ones."""
    chance, found = Random(len(known.facts)), dict[Route, None]()
    for _ in range(GUESSES * 100):
        route = _guess(known, chance)
        if route is not None and fits_turns(known, route):
            found[route] = None
        if len(found) == GUESSES:
            break
    return list(found)


def _guess(known: State, chance: Random) -> Route | None:
    """A route made up step by step; null where it runs into something that was seen."""
    first, here = beginning(known), house(known.options)
    room = chance.choice(first.rooms)
    spot, visited, route = here.spot(room, 0, room_before(first.route)), first.visited, first.route or (room,)
    for fact in known.facts[1:]:
        counts = narrowed(here, {spot: {visited: 1}}, fact, first.pause)
        if not counts:
            return None
        after, sets = chance.choice(list(counts.items()))
        if isinstance(fact, Prowl):
            route = (*route, PAUSE if after[1] > spot[1] else after[0])
        spot, visited = after, next(iter(sets))
    return route
