"""How likely Max is in each room, from what the whole table has seen and a model of how he chooses.

What is possible is exact and lies in `routes`. Here the same routes have weights: each of Max's choices along
one of them has the chance that a model gives it. No choice is ever given none, so a room is possible under
every model or under none.
"""

from __future__ import annotations

import math
from functools import lru_cache
from typing import NamedTuple

from companion.contract import Model
from companion.games.canterville.castle import ROOMS, in_set
from companion.games.canterville.ground import Ground, ground
from companion.games.canterville.routes import House, Spot, fitting, house, possible
from companion.games.canterville.state import CanMove, Fact, Known, Prowl, State, room_before

Weights = dict[Spot, dict[int, float]]
"""For each spot and each set of visited rooms, how likely it is that Max came there."""

Chances = dict[int, float]
"""The chance of each room to have Max in it; rooms where he cannot be are left out."""

FARTHEST = 4
"""So many steps from a figure, one more makes no difference to anybody."""


class Habits(NamedTuple):
    """How Max is taken to choose. A room that he can go to weighs e to the sum of these.

    `near` if a figure can walk in next; `far` for each step that the nearest figure has to walk; `open` for
    each way on to a room that has not been seen on his route; `care` times the logarithm of how unlikely he
    is to be there. To stay weighs as much as to come there, and `pause`; to go back, and `cheat`.
    """

    near: float = 0.0
    far: float = 0.0
    open: float = 0.0
    care: float = 0.0
    pause: float = 0.0
    cheat: float = 0.0


HABITS: dict[Model, Habits] = {
    "careful": Habits(near=-1.5, far=0.3, open=0.3, care=0.5, pause=-0.7, cheat=-1.0),
    "human": Habits(near=-2.0, far=0.6, open=0.2, pause=-2.0, cheat=-2.0),
}
"""The models of the hunters' map besides `uniform`, for which every route counts once. A careful Max goes
where few would look for him; people run from the figures and save their cards."""


def chances(known: State, facts: tuple[Fact, ...], habits: Habits | None) -> Chances:
    """Where Max is after what was seen, under some habits; without any, every route counts once."""
    here = house(known.options)
    if habits is None:
        return shares(possible(here, facts))
    return shares(believed(here, ground(known), facts, habits))


def shares(counts: Weights | dict[Spot, dict[int, int]]) -> Chances:
    """The share of each room in what leads there."""
    rooms: Chances = {}
    for (room, _, _), sets in counts.items():
        rooms[room] = rooms.get(room, 0.0) + sum(sets.values())
    total = sum(rooms.values())
    return {room: each / total for room, each in sorted(rooms.items())}


@lru_cache(maxsize=32)
def believed(here: House, castle: Ground, facts: tuple[Fact, ...], habits: Habits) -> Weights:
    """How likely every route is that fits everything the table has seen."""
    first, last = facts[0], facts[-1]
    assert isinstance(first, Known)
    if len(facts) == 1:
        before = room_before(first.route)
        return {here.spot(room, 0, before): {first.visited: 1.0} for room in first.rooms}
    earlier = believed(here, castle, facts[:-1], habits)
    if not isinstance(last, Prowl):
        return fitting(here, earlier, last, first.pause)
    # His turn began with the cards he had then; a trap may have been laid since.
    x2 = next((fact.x2 for fact in reversed(facts) if isinstance(fact, CanMove)), 0)
    step = Choosing(here, castle, last, first, bool(x2 or last.cheat), habits)
    return step.after(earlier)


class Choosing:
    """One choice of Max's, as somebody with these habits makes it on every route at once."""

    def __init__(
        self, here: House, castle: Ground, fact: Prowl, first: Known, x2: bool, habits: Habits
    ) -> None:
        self.here, self.castle, self.fact, self.first = here, castle, fact, first
        self.x2, self.habits = x2, habits
        self.likes = self._likes()

    def _likes(self) -> list[float]:
        """How much each room appeals to him."""
        habits, figures = self.habits, self.fact.figures
        far = self.castle.nearest(tuple(in_set(figures))) if figures else [FARTHEST] * (ROOMS[-1] + 1)
        likes = [0.0] * (ROOMS[-1] + 1)
        for room in self.castle.rooms:
            steps = min(far[room], FARTHEST)
            ways = (self.castle.haunt[room] & ~figures & ~self.first.visited).bit_count()
            likes[room] = math.exp(
                habits.near * (steps <= 1) + habits.far * steps + habits.open * min(ways, 3)
            )
        return likes

    def after(self, weights: Weights) -> Weights:
        """How likely the routes are that go on like this."""
        if self.habits.care:
            going = shares(_scaled(self._spread(weights, told=False)))
            for room, chance in going.items():
                self.likes[room] *= max(chance, 0.01) ** -self.habits.care
        return _scaled(self._spread(weights, told=True))

    def _spread(self, weights: Weights, told: bool) -> Weights:
        """Each route with every choice that he has on it, or only with those that fit what was told."""
        after: Weights = {}
        likes, fact = self.likes, self.fact
        pause, cheat = math.exp(self.habits.pause), math.exp(self.habits.cheat)
        fresh_told, again_told = not (told and fact.cheat), not told or fact.cheat
        for spot, sets in weights.items():
            room, paused, before = spot
            targets = [(to, 1 << to, likes[to]) for to in in_set(self.here.haunt[room] & ~fact.figures)]
            stay = likes[room] * pause if paused < self.first.pause else 0.0
            stays = after.setdefault((room, paused + 1, before), {}) if stay else {}
            into = {to: after.setdefault(self.here.spot(to, paused, room), {}) for to, _, _ in targets}
            for visited, weight in sets.items():
                steps = []
                total = stay
                for to, bit, like in targets:
                    if not visited & bit:
                        total += like
                        if fresh_told and self._silent(to, told):
                            steps.append((to, visited | bit, like))
                    elif self.x2 and (self.here.straight_back or to != before):
                        total += like * cheat
                        if again_told and self._silent(to, told):
                            steps.append((to, visited, like * cheat))
                scale = weight / total if total else 0.0
                for to, over, like in steps:
                    sums = into[to]
                    sums[over] = sums.get(over, 0.0) + like * scale
                if stay and fresh_told and not (told and fact.trapped):
                    stays[visited] = stays.get(visited, 0.0) + stay * scale
        return {spot: sets for spot, sets in after.items() if sets}

    def _silent(self, room: int, told: bool) -> bool:
        """Whether the trap did what it does when he comes to a room. GJ-52."""
        return not told or self.fact.trap is None or self.fact.trapped is (room == self.fact.trap)


def _scaled(weights: Weights) -> Weights:
    """The same, summing to one: many small chances would be lost in the end."""
    total = sum(sum(sets.values()) for sets in weights.values())
    if not total:
        return {}
    return {spot: {over: w / total for over, w in sets.items()} for spot, sets in weights.items()}
