"""A player of The Phantom Society: what it remembers, how it weighs, and what it then does."""

from __future__ import annotations

import math
from collections.abc import Iterator
from itertools import repeat
from random import Random
from typing import Any

from companion.bots import Bot, Hint, Moment, Persona
from companion.contract import Seat, View
from companion.games.phantom.actions import Remove
from companion.games.phantom.belief import UNIFORM, Habits, Opinion, believed, values_of
from companion.games.phantom.bots import before, ghosts, hints, hunters, personas
from companion.games.phantom.bots.hunters import Hunt
from companion.games.phantom.state import Fact, Seen, State, found
from companion.games.phantom.view import role
from companion.games.phantom.worlds import possible

WORTH = 50.0
"""What ghosts can wreck against hunters of their own strength, for bids."""
WARMTH = 0.016
"""How far below the best odds of winning (their logarithm) a choice may be and still be made now and then."""
EFFORT = 120_000
"""How many table entries a hunter goes through before it chooses."""

REPLIES = 6
"""How many of the hunters' likely answers a ghost tries before it chooses."""
PATIENCE = 400_000
"""How many table entries it goes through for that: a master of four ghosts tries fewer answers at first."""


class Player(Bot):
    """Remembers what was seen but for what it forgets, and weighs it by the kinds of ghosts it knows."""

    def __init__(
        self,
        forgets: float = 0.0,
        kinds: tuple[Habits, ...] = (UNIFORM,),
        feared: tuple[Habits, ...] = (UNIFORM,),
        looks_ahead: bool = False,
    ) -> None:
        """As a hunter it weighs between `kinds` of ghosts; ghosts fear that hunters do by `feared`."""
        self.forgets, self.kinds, self.feared, self.looks_ahead = forgets, kinds, feared, looks_ahead

    def persona(self, view: View, fate: int) -> Persona | None:
        """What it is like as a master of ghosts."""
        return personas.drawn(fate, self.looks_ahead)[0] if view.seat in view.knows.masters else None

    def choose(self, moment: Moment) -> Any:
        """One of the choices, whatever part of the game it is."""
        known: State = moment.view.knows
        choices, chance = moment.choices, moment.chance
        if len(choices) == 1:
            return choices[0]
        match known.phase:
            case "placing":
                return before.lay(choices, role(known, moment.view.seat), chance)
            case "bidding":
                return before.bid(choices, WORTH, chance)
            case "hiding":
                return before.hide(known, choices, personas.drawn(moment.fate, self.looks_ahead)[1], chance)
        if known.asking:
            # Only eyes at the real table can tell; nothing is what mostly lies under a tile.
            return choices[0]
        rates = self.rates(moment)
        removals = {each.room: each for each in choices if isinstance(each, Remove)}
        return removals[warmly(rates, chance)]

    def hint(self, moment: Moment) -> Hint:
        """What it thinks best, and why."""
        known: State = moment.view.knows
        seat = moment.view.seat
        removals = {each.room: each for each in moment.choices if isinstance(each, Remove)}
        if not removals or known.options.keeper == "honour":
            return hints.before_the_hunt(known, seat, self.choose(moment))
        rates = self.rates(moment)
        best, hunt = removals[max(sorted(rates), key=lambda room: rates[room])], seen_of(known)
        if seat in known.masters:
            return hints.of_master(known, seat, hunt, best)
        return hints.of_hunter(hunt, self.opinion(known, hunt, self.kinds, moment.fate), best)

    def rates(self, moment: Moment) -> dict[int, float]:
        """How good each room is that is worth a thought: the chance of winning after its tile is gone."""
        known: State = moment.view.knows
        seat = moment.view.seat
        hunt = seen_of(known)
        watch = ticking(moment)
        if seat not in known.masters:
            opinion = self.opinion(known, hunt, self.kinds, moment.fate)
            return hunters.rate(hunt, opinion, EFFORT if self.looks_ahead else 0, watch)
        rooms = [each.room for each in moment.choices if isinstance(each, Remove)]
        mine = {n: g.room for n, g in enumerate(known.ghosts) if not g.revealed and g.room is not None}
        opinions = [self.opinion(known, hunt, (kind,), moment.fate) for kind in self.feared]
        risk, size = self.risk(known, hunt, opinions[0]), sum(opinion.size() for opinion in opinions)
        replies = min(REPLIES, PATIENCE // max(1, size * len(rooms))) if self.looks_ahead else 0
        return ghosts.rate(hunt, seat, rooms, mine, risk, opinions, replies, watch)

    def opinion(self, known: State, hunt: Hunt, kinds: tuple[Habits, ...], fate: int) -> Opinion:
        """What can be thought of where ghosts are, from what it remembers of what all have seen."""
        facts = self.remembered(known.facts, fate)
        opinion = Opinion(tuple(believed(facts, hunt.values, kind) for kind in kinds))
        return opinion.only(possible(facts))

    def remembered(self, facts: tuple[Fact, ...], fate: int) -> tuple[Fact, ...]:
        """The clues that it has not forgotten; a ghost on the table is seen by all, all the time."""
        if not self.forgets:
            return facts
        return tuple(
            fact
            for n, fact in enumerate(facts)
            if n == 0 or _in_sight(fact) or Random(f"{fate} clue {n}").random() >= self.forgets
        )

    def risk(self, known: State, hunt: Hunt, opinion: Opinion) -> dict[int, float]:
        """How likely each tile hides a ghost of the partner that the master does not see. PS-Q16."""
        if all(ghost.room is not None for ghost in known.ghosts):
            return {}
        unseen = [n for n, ghost in enumerate(known.ghosts) if ghost.room is None]
        chances = opinion.chances(hunt.found)
        return {room: chance for number in unseen for room, chance in chances[number].items()}


def _in_sight(fact: Fact) -> bool:
    return isinstance(fact, Seen) and fact.ghost is not None


def seen_of(known: State) -> Hunt:
    """What everybody sees of a hunt."""
    left = (known.objective or 0) - known.damage
    return Hunt(known.tiles, found(known), left, values_of(known), next_master(known))


def next_master(known: State) -> Seat | None:
    """The master who is due after this turn."""
    due = known.order[(known.turn + 1) % len(known.order)]
    return due if due in known.masters else None


def ticking(moment: Moment) -> Iterator[bool]:
    """Whether there is time left, as often as somebody asks."""
    return repeat(True) if moment.until is None else iter(lambda: moment.in_time, None)


def warmly(rates: dict[int, float], chance: Random) -> int:
    """Mostly the best; what is far below it is left out. In odds, so that it counts when all looks lost."""
    odds = {room: math.log(max(rate, 1e-12) / max(1 - rate, 1e-12)) for room, rate in sorted(rates.items())}
    best = max(odds.values())
    near = {room: rate for room, rate in odds.items() if rate >= best - 3 * WARMTH}
    return chance.choices(list(near), [math.exp((rate - best) / WARMTH) for rate in near.values()])[0]
