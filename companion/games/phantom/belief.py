"""How likely each hiding place is, from what the whole table has seen and a model of how ghosts behave.

What is possible is exact and lies in `worlds`. Here worlds have weights, and what makes that quick is that a
master's deeds speak of his own ghosts alone: for each way to share the ghosts there is one small table a
master, from the rooms of his ghosts to a weight, and a world weighs the product of its masters' tables.
Where agreed rules tie the masters together (`friendly_fire`, `blocked_master`) the product is a little too
generous; whoever asks strikes out what `worlds` knows to be impossible.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import lru_cache
from itertools import product
from typing import NamedTuple

from companion.contract import Model, Seat
from companion.games.phantom.board import COLOURS, EVERY_ROOM, REACHES, ROOMS, SIZE, in_set, straight
from companion.games.phantom.state import Began, Fact, Seen, SeenLift, SeenPass, State
from companion.games.phantom.worlds import Sets, Spots, spots

Rooms = tuple[int, ...]
Table = dict[Rooms, float]
"""The weight of each way in which one master's ghosts can lie, by their rooms in the order of colours."""

Tables = tuple[tuple[Table, ...] | None, ...]
"""For each way to share the ghosts the tables of its masters; null where no world is left."""

Values = tuple[int, ...]
"""What the tile of each room is worth, by number; 0 where none ever lay."""

Chances = list[dict[int, float]]
"""For each colour the chance of each room to hide its ghost; nothing for a colour that has been found."""


class Habits(NamedTuple):
    """How ghosts are taken to hide and to move.

    Hiding: a room weighs e to the sum of `inside` for each step from the wall, `under` for each thousand of
    its own tile and `beside` for each thousand of the tiles around it. Moving: a tile weighs e to the sum of
    `greed` for each thousand, and `care` times the logarithm of how likely it was to be within his reach.
    """

    inside: float = 0.0
    under: float = 0.0
    beside: float = 0.0
    greed: float = 0.0
    care: float = 0.0


UNIFORM = Habits()
"""Every world counts once: nothing is read into a move but that it was possible."""

MODELS: dict[Model, Habits] = {
    "uniform": UNIFORM,
    "careful": Habits(beside=0.08, greed=0.3, care=0.5),
    "human": Habits(inside=0.3, greed=0.6),
}
"""The models of the hunters' map. Careful ghosts choose what tells little; people go for what is dear."""


class Belief(NamedTuple):
    """The weight of every world, if ghosts have certain habits; all of it tells how well they fit."""

    here: Spots
    habits: Habits
    tables: Tables

    def colours(self, share: int, master: int) -> tuple[int, ...]:
        """The numbers of the colours that a master leads."""
        return _colours(self.here.shares[share], self.here.began.masters[master])

    def size(self) -> int:
        """How many entries there are: what every thought has to go through."""
        return sum(len(table) for tables in self.tables if tables for table in tables)

    def add_to(self, sums: Chances, found: int) -> float:
        """Add the weight of each room to those of its colour; the weight of everything comes back."""
        everything = 0.0
        for share, tables in enumerate(self.tables):
            if tables is None:
                continue
            totals = [sum(table.values()) for table in tables]
            whole = math.prod(totals)
            everything += whole
            for master, table in enumerate(tables):
                numbers = self.colours(share, master)
                scale = whole / (totals[master] or 1.0)
                for place, number in enumerate(numbers):
                    if not found >> number & 1:
                        into = sums[number]
                        for rooms, weight in table.items():
                            room = rooms[place]
                            into[room] = into.get(room, 0.0) + weight * scale
        return everything


@lru_cache(maxsize=64)
def _colours(owners: tuple[Seat, ...], seat: Seat) -> tuple[int, ...]:
    return tuple(number for number, owner in enumerate(owners) if owner == seat)


class Opinion(NamedTuple):
    """Several beliefs side by side: whose habits explain best what was seen counts most."""

    beliefs: tuple[Belief, ...]

    @property
    def here(self) -> Spots:
        """Where knowledge starts."""
        return self.beliefs[0].here

    def size(self) -> int:
        """What every thought has to go through."""
        return sum(belief.size() for belief in self.beliefs)

    def chances(self, found: int) -> Chances:
        """For each colour not found how likely each room is."""
        sums: Chances = [{} for _ in COLOURS]
        for belief in self.beliefs:
            belief.add_to(sums, found)
        return [_shares(each) for each in sums]

    def after(self, fact: Fact, values: Values) -> Opinion:
        """What to think after one more fact."""
        return Opinion(tuple(after(belief, fact, values) for belief in self.beliefs))

    def found_out(self, number: int, room: int, there: bool) -> Opinion:
        """What to think when a ghost turns out to be in a room, or not to be there."""
        return Opinion(tuple(found_out(belief, number, room, there) for belief in self.beliefs))

    def only(self, sets: Sets) -> Opinion:
        """Without the ways to share the ghosts that cannot be."""
        return Opinion(tuple(_only(belief, sets) for belief in self.beliefs))

    def moves(self, by: Seat, tiles: int, found: int, values: Values) -> dict[int, float]:
        """How likely a master is to devastate each tile next."""
        sums: dict[int, float] = {}
        for belief in self.beliefs:
            _add_moves(sums, belief, by, tiles, found, values)
        return _shares(sums)


def _shares(weights: dict[int, float]) -> dict[int, float]:
    total = sum(weights.values())
    return {room: weight / total for room, weight in weights.items() if weight} if total else {}


def _only(belief: Belief, sets: Sets) -> Belief:
    alive = [tables if placed else None for tables, placed in zip(belief.tables, sets, strict=True)]
    return belief._replace(tables=tuple(alive))


# From facts to beliefs


@lru_cache(maxsize=24)
def believed(facts: tuple[Fact, ...], values: Values, habits: Habits) -> Belief:
    """What to think of the worlds after everything that was seen."""
    first = facts[0]
    assert isinstance(first, Began)
    if len(facts) == 1:
        return _at_first(spots(first), values, habits)
    return after(believed(facts[:-1], values, habits), facts[-1], values)


def _at_first(here: Spots, values: Values, habits: Habits) -> Belief:
    likes = [
        _shares({room: hiding_weight(room, values, habits) for room in rooms}) for rooms in here.began.rooms
    ]
    tables = []
    for owners in here.shares:
        of_share = []
        for master in here.began.masters:
            ways = product(*(likes[number].items() for number in _colours(owners, master)))
            of_share.append({tuple(r for r, _ in way): math.prod(w for _, w in way) for way in ways})
        tables.append(tuple(of_share))
    return Belief(here, habits, tuple(tables))


def hiding_weight(room: int, values: Values, habits: Habits) -> float:
    """How much a room is liked for hiding."""
    beside = sum(values[near] for near in in_set(TOUCHING[room])) if habits.beside else 0
    return math.exp(habits.inside * RING[room] + habits.under * values[room] + habits.beside * beside)


def after(belief: Belief, fact: Fact, values: Values) -> Belief:
    """What to think after one more fact."""
    match fact:
        case Seen() | SeenLift():
            return _after_lift(belief, fact, values)
        case SeenPass(by=by, tiles=tiles, found=found):
            began = belief.here.began
            if began.friendly_fire and not began.pass_if_only_allied:
                return _reweighed(belief, by, tiles, found, lambda reached: 0.0 if reached else 1.0)
    return belief


def _after_lift(belief: Belief, fact: Seen | SeenLift, values: Values) -> Belief:
    if fact.by in belief.here.began.masters:
        belief = _reweighed(belief, fact.by, fact.tiles, fact.found, _likelihood(belief, fact, values))
    number = belief.here.colour_of.get(fact.room)
    if number is None or fact.found >> number & 1:
        return belief
    return found_out(belief, number, fact.room, fact.ghost is not None)


Likelihood = Callable[[int], float]
"""From what a master's ghosts reach together to how likely his deed was."""


def _likelihood(belief: Belief, fact: Seen | SeenLift, values: Values) -> Likelihood:
    room, habits = fact.room, belief.habits
    if isinstance(fact, SeenLift):
        return lambda reached: 0.0 if reached >> room & 1 else 1.0
    if not (habits.greed or habits.care):
        return lambda reached: 1.0 if reached >> room & 1 else 0.0
    appeal = _appeal(belief, fact.by, fact.tiles, fact.found, values)
    like = appeal.likes[room]
    return lambda reached: like / appeal.of(reached) if reached >> room & 1 else 0.0


class Appeal:
    """How much each tile appeals to a master who moves, and all that he reaches together."""

    def __init__(self, likes: list[float]) -> None:
        self.likes = likes
        self._sums: dict[int, float] = {}

    def of(self, reached: int) -> float:
        """The sum of what is reached."""
        known = self._sums.get(reached)
        if known is None:
            if len(self._sums) > MOST_SUMS:
                self._sums.clear()
            known = self._sums[reached] = sum([self.likes[room] for room in in_set(reached)]) or 1.0
        return known


MOST_SUMS = 20_000
"""Enough for a hunt; what is more would only fill the memory."""


@lru_cache(maxsize=8)
def _by_greed(greed: float, values: Values) -> Appeal:
    return Appeal([math.exp(greed * value) for value in values])


def _appeal(belief: Belief, by: Seat, tiles: int, found: int, values: Values) -> Appeal:
    """The same tile appeals to all who are only greedy; the careful ask who else can have taken it."""
    greedy, care = _by_greed(belief.habits.greed, values), belief.habits.care
    if not care:
        return greedy
    within, everything = [0.0] * len(values), 0.0
    for reached, weight in _together(belief, by, tiles, found):
        everything += weight
        for room in in_set(reached):
            within[room] += weight
    floor = everything * 1e-4 or 1.0
    return Appeal([like * max(floor, seen) ** care for like, seen in zip(greedy.likes, within, strict=True)])


def _together(belief: Belief, by: Seat, tiles: int, found: int) -> list[tuple[int, float]]:
    """What a master's ghosts reach together, and how likely that is."""
    master, reach = belief.here.began.masters.index(by), _reaches(belief.here.began.reach, tiles)
    reached_by: list[tuple[int, float]] = []
    for share, tables in enumerate(belief.tables):
        if tables is None:
            continue
        others = math.prod(sum(table.values()) for m, table in enumerate(tables) if m != master)
        weights: dict[int, float] = {}
        for reached, _, weight in _ways(belief, share, master, found, reach):
            weights[reached] = weights.get(reached, 0.0) + weight
        reached_by += [(reached, weight * others) for reached, weight in weights.items()]
    return reached_by


def _add_moves(
    sums: dict[int, float], belief: Belief, by: Seat, tiles: int, found: int, values: Values
) -> None:
    appeal = _appeal(belief, by, tiles, found, values)
    scales: dict[int, float] = {}
    for reached, weight in _together(belief, by, tiles, found):
        scale = weight / appeal.of(reached)
        for room in in_set(reached):
            scales[room] = scales.get(room, 0.0) + scale
    for room, scale in scales.items():
        sums[room] = sums.get(room, 0.0) + scale * appeal.likes[room]


def _ways(
    belief: Belief, share: int, master: int, found: int, reach: list[int]
) -> list[tuple[int, Rooms, float]]:
    """Each way in which a master's ghosts can lie: what they reach, their rooms, the weight."""
    numbers = belief.colours(share, master)
    places = [place for place, number in enumerate(numbers) if not found >> number & 1]
    tables = belief.tables[share]
    assert tables is not None
    table = tables[master]
    if len(places) == 1:
        (one,) = places
        return [(reach[rooms[one]], rooms, weight) for rooms, weight in table.items()]
    if len(places) == 2:
        one, two = places
        return [(reach[rooms[one]] | reach[rooms[two]], rooms, weight) for rooms, weight in table.items()]
    ways = []
    for rooms, weight in table.items():
        reached = 0
        for place in places:
            reached |= reach[rooms[place]]
        ways.append((reached, rooms, weight))
    return ways


@lru_cache(maxsize=64)
def _reaches(reach: str, tiles: int) -> list[int]:
    """What is reached from each room."""
    reaches = REACHES[reach]
    return [0, *(reaches(room, tiles) for room in ROOMS)]


def _reweighed(belief: Belief, by: Seat, tiles: int, found: int, likelihood: Likelihood) -> Belief:
    """Each way in which a master's ghosts can lie, weighed by what they reach together."""
    master, reach = belief.here.began.masters.index(by), _reaches(belief.here.began.reach, tiles)
    shares: list[tuple[Table, ...] | None] = []
    for share, tables in enumerate(belief.tables):
        if tables is None:
            shares.append(None)
            continue
        kept = {}
        for reached, rooms, weight in _ways(belief, share, master, found, reach):
            if fits := likelihood(reached):
                kept[rooms] = weight * fits
        shares.append((*tables[:master], kept, *tables[master + 1 :]) if kept else None)
    return belief._replace(tables=tuple(shares))


def found_out(belief: Belief, number: int, room: int, there: bool) -> Belief:
    """What to think when a ghost turns out to be in a room, or not to be there."""
    shares: list[tuple[Table, ...] | None] = []
    masters = belief.here.began.masters
    for share, tables in enumerate(belief.tables):
        if tables is None:
            shares.append(None)
            continue
        master = masters.index(belief.here.shares[share][number])
        place = belief.colours(share, master).index(number)
        kept = {rooms: w for rooms, w in tables[master].items() if (rooms[place] == room) is there}
        shares.append((*tables[:master], kept, *tables[master + 1 :]) if kept else None)
    return belief._replace(tables=tuple(shares))


def values_of(known: State) -> Values:
    """What each room's tile is worth."""
    return tuple(tile.value if tile else 0 for tile in known.laid)


def _ring(room: int) -> int:
    row, column = divmod(room - 1, SIZE)
    return min(row, column, SIZE - 1 - row, SIZE - 1 - column)


RING = (0, *map(_ring, ROOMS))
"""How many steps each room lies from the wall."""
TOUCHING = (0, *(straight(room, EVERY_ROOM) for room in ROOMS))
"""The rooms around each room."""
