"""How Max thinks: where the hunters will look next, how free he is wherever he goes, and how long he lasts.

They cannot tell one move of his from another, nor from a pause. So what they will do next is worked out once,
from what everybody knows, and each of his moves is weighed against it: the chance to be found at once, his
freedom between the figures as they will stand, and how much they expect him there.
"""

from __future__ import annotations

import math
from typing import NamedTuple

from companion.games.canterville.bots.hunters import Hunt, Plan, Weighing, plans, prowled
from companion.games.canterville.castle import as_set
from companion.games.canterville.ground import Rooms

SURE = 0.04
"""Plans whose worth differs by this are chosen nearly alike; what is three times worse is left out."""
LIKELIEST = 2
"""So many plans of the hunters are thought through one turn further."""
NARROW = 16
"""So many of them are looked at then."""
SPARE = 6
"""So many rooms more than there are rounds are as good as any number."""
MISSED = 0.25
"""How often a figure that wanders about steps into a room beside it."""
NOWHERE = -0.8
"""What it is worth to have no way on."""


class Taste(NamedTuple):
    """What Max makes of a move; all measured by what it costs to be caught."""

    freedom: float = 0.4
    """To roam between the figures."""
    hidden: float = 0.5
    """To be where they do not expect him."""
    anyhow: float = 0.3
    """How far he reckons with hunters who wander about, and not with those who think."""
    last: float = 0.4
    """To have ways on for longer than the game takes."""
    short: float = 0.2
    """To have too few of them, for each round that is not provided for."""
    pause: float = 0.25
    cheat: float = 0.3
    """To keep a pause card, and an x2; in the last rounds less and less."""
    door: float = 0.08
    """To keep the door card."""
    rim: float = 0.0
    """To be in a room with few neighbours."""
    ahead: float = 0.0
    """How much of what comes after his next turn but one counts."""


class Choice(NamedTuple):
    """Where Max is after a move, the rooms he may not enter again, and the cards he has left to get on."""

    room: int
    visited: int
    cards: int


class Prowler:
    """Max, weighing his moves against what hunters will do who think they are in this hunt."""

    def __init__(self, hunt: Hunt, weighing: Weighing, taste: Taste, shown_in: int) -> None:
        self.hunt, self.weighing, self.taste = hunt, weighing, taste
        self.shown_in = shown_in
        """The number of rounds after which he shows himself."""
        self.expected = likely_plans(hunt, weighing)
        self._later: dict[tuple[Rooms, int], Prowler] = {}

    def rate(self, choice: Choice) -> float:
        """What a move is worth: what it brings at once, and how long he lasts from there."""
        return self._at_once(choice) + self._lasting(choice)

    def rate_ahead(self, choice: Choice) -> float:
        """The same, with his best move after the hunters' most likely plans in place of a guess."""
        if self.hunt.rounds < 2:
            return self.rate(choice)
        likeliest = sorted(self.expected, key=lambda each: -each[1])[:LIKELIEST]
        total = sum(chance for _, chance in likeliest)
        later = sum(
            chance / total * self._after(plan, choice)
            for plan, chance in likeliest
            if choice.room not in plan.rooms
        )
        return self._at_once(choice) + self.taste.ahead * later

    def _at_once(self, choice: Choice) -> float:
        hunt, taste, room = self.hunt, self.taste, choice.room
        found = roams = 0.0
        for plan, chance in self.expected:
            if room in plan.rooms:
                found += chance
            elif hunt.rounds > 1:
                roams += chance * hunt.castle.freedom(hunt.figures(plan.rooms), choice.visited)[room]
        beside = sum(room in hunt.castle.walks[figure] for figure in hunt.waiting)
        risk = (1 - taste.anyhow) * found + taste.anyhow * (1 - (1 - MISSED) ** beside)
        unseen = taste.hidden * hunt.chances.get(room, 0.0)
        return taste.freedom * roams - risk - unseen + taste.rim * (len(hunt.castle.next[room]) < 3)

    def _lasting(self, choice: Choice) -> float:
        """Whether there are rooms and cards for all the rounds to come. GJ-34, GJ-72."""
        wanted = self.hunt.rounds - 1
        if wanted < 1:
            return 0.0
        spare = self.hunt.castle.longest(choice.room, choice.visited, wanted + SPARE) + choice.cards - wanted
        return self.taste.last * min(spare, SPARE) / SPARE if spare >= 0 else self.taste.short * spare

    def _after(self, plan: Plan, choice: Choice) -> float:
        """What his best move is worth after the hunters did this."""
        figures = self.hunt.figures(plan.rooms)
        next_ = self._next(plan, figures, choice)
        taken = choice.visited | as_set(figures)
        moves = [
            next_.rate(Choice(beside, choice.visited | 1 << beside, choice.cards))
            for beside in self.hunt.castle.next[choice.room]
            if not taken >> beside & 1
        ]
        return max(moves, default=NOWHERE)

    def _next(self, plan: Plan, figures: Rooms, choice: Choice) -> Prowler:
        """The same thoughts a round later; if he shows himself meanwhile, the hunters know where he is."""
        shown = self.shown_in == 1
        asked = figures, choice.room if shown else 0
        if asked not in self._later:
            hunt = self.hunt
            rest = {room: chance for room, chance in hunt.chances.items() if room not in plan.rooms}
            if shown:
                hunt, rest = hunt._replace(closed=choice.visited), {choice.room: 1.0}
            going, _ = prowled(hunt, rest, figures, self.weighing)
            total = sum(going.values()) or 1.0
            going = {room: chance / total for room, chance in going.items()}
            hunt = hunt._replace(chances=going, waiting=figures, standing=(), rounds=hunt.rounds - 1)
            self._later[asked] = Prowler(
                hunt._replace(widest=NARROW), self.weighing, self.taste, self.shown_in - 1
            )
        return self._later[asked]


def likely_plans(hunt: Hunt, weighing: Weighing) -> list[tuple[Plan, float]]:
    """What the hunters will do, with the chance of each plan."""
    found = plans(hunt, weighing._replace(ahead=0.0))
    best = max(plan.worth for plan in found)
    near = [(plan, math.exp((plan.worth - best) / SURE)) for plan in found if plan.worth > best - 3 * SURE]
    total = sum(weight for _, weight in near)
    return [(plan, weight / total) for plan, weight in near]
