"""A player of Gespensterjagd: what it remembers, how it weighs, and what it then does."""

from __future__ import annotations

import math
from random import Random
from typing import Any

from msgspec.structs import replace

from companion.bots import Bot, Hint, Moment, Persona
from companion.contract import Action, View
from companion.games.canterville.actions import Cheat, Lock, Move, Pause, Stay, Trap, Unlock, Walk
from companion.games.canterville.belief import Habits, chances
from companion.games.canterville.bots import before, hints, hunters, personas, unmapped
from companion.games.canterville.bots.hunters import Hunt, Plan, Weighing
from companion.games.canterville.bots.memory import remembered
from companion.games.canterville.bots.prowler import Choice, Prowler, Taste
from companion.games.canterville.ground import Rooms, ground
from companion.games.canterville.options import MAX, Figure
from companion.games.canterville.state import (
    Fact,
    Known,
    Prowl,
    State,
    animals_left,
    occupied,
    own_figures,
    room_of,
)

WARMTH = 0.02
"""How far below the best a choice may be and still be made now and then; three times that, and it is not."""
LAST_ROUNDS = 8
"""From here on cards lose their worth: what is kept until the end is lost."""
SNAPS = 0.6
"""What it is worth to see Max in the trap, measured by what it is worth to catch him."""
KEPT_TRAP = 0.15
"""What it is worth to keep the trap for later."""
OPENED = 0.005
"""Opening a door is better than doing nothing beside it."""

Rates = list[tuple[Any, float]]


class Player(Bot):
    """Remembers what was seen but for what it forgets, and weighs it by the habits it takes Max to have."""

    def __init__(
        self,
        forgets: float = 0.0,
        habits: Habits | None = None,
        weighing: Weighing | None = None,
        taste: Taste | None = None,
        feared: Weighing | None = None,
        wavers: float = WARMTH,
    ) -> None:
        """As a hunter it weighs plans by `weighing`; as Max it takes hunters to weigh them as `feared` says.

        `wavers` is the warmth of its choices as a hunter: whoever wavers leaves the plan of the others.
        """
        self.forgets, self.habits = forgets, habits
        self.weighing, self.taste = weighing or Weighing(), taste or Taste()
        self.feared, self.wavers = feared or self.weighing, wavers

    def persona(self, view: View, fate: int) -> Persona | None:
        """What it is like as Max."""
        return personas.drawn(fate) if view.seat == MAX else None

    def choose(self, moment: Moment) -> Action:
        """One of the choices, whatever part of the game it is."""
        warmth = WARMTH if moment.view.seat == MAX else self.wavers
        action: Action = warmly(self.rates(moment), moment.chance, warmth)
        return action

    def hint(self, moment: Moment) -> Hint:
        """The best choice, and why."""
        best, _ = max(self.rates(moment), key=lambda each: each[1])
        if len(moment.choices) == 1:
            return Hint(best, hints.only())
        known: State = moment.view.knows
        hunt = None if known.phase in ("starting", "framing") else self.hunt(known, known.facts)
        return Hint(best, hints.because(known, best, hunt))

    def rates(self, moment: Moment) -> Rates:
        """How good each choice is."""
        known: State = moment.view.knows
        seat, choices = moment.view.seat, moment.choices
        if len(choices) == 1:
            return [(choices[0], 0.0)]
        if not known.options.ways.mapped:
            return unmapped.rates(known, choices)
        match known.phase:
            case "starting":
                return self._beginnings(known, seat, choices)
            case "framing":
                return [(each, before.soon_full(known.frames[each.animal])) for each in choices]
        return self._prowls(moment) if seat == MAX else self._hunts(moment)

    def _beginnings(self, known: State, seat: str, choices: Any) -> Rates:
        placed = tuple(sorted(room for room in known.figures.values() if room is not None))
        if seat == MAX:
            rooms = before.hideouts(ground(known), placed)
        else:
            rooms = before.watched(ground(known), placed, len(known.figures) - len(placed))
        return [(each, rooms[each.room]) for each in choices]

    # Hunters

    def hunt(self, known: State, facts: tuple[Fact, ...]) -> Hunt:
        """The hunt as it is after some facts: before Max's turn, or while figures have yet to act."""
        first = facts[0]
        assert isinstance(first, Known)
        order = to_come(known)
        return Hunt(
            castle=ground(known),
            chances=chances(known, facts, self.habits),
            waiting=tuple(room for figure in order if (room := known.figures[figure])),
            standing=tuple(room for figure, room in known.figures.items() if figure not in order and room),
            closed=first.visited,
            pauses=known.pause_open > 0,
            rounds=animals_left(known),
        )

    def _hunts(self, moment: Moment) -> Rates:
        """What hunters do in their turn. GJ-44, GJ-50, GJ-52."""
        known: State = moment.view.knows
        hunt = self.hunt(known, remembered(known, moment.fate, self.forgets))
        found = hunters.plans(hunt, self.weighing)
        best, first = hunters.steps(found), max(found, key=lambda each: each.worth)
        places = {figure: place for place, figure in enumerate(to_come(known))}
        opened = hunt._replace(castle=ground(replace(known, locked=None)))
        worth: dict[Action, float] = {}

        def of(figure: Figure, room: int | None) -> Plan | None:
            # What is in no plan that was thought through is far below the best.
            return best.get((places[figure], room or 0))

        for each in moment.choices:
            match each:
                case Walk(figure=figure, room=room) if plan := of(figure, room):
                    worth[each] = plan.worth
                case Stay(figure=figure) if plan := of(figure, known.figures[figure]):
                    worth[each] = plan.worth
                case Unlock(figure=figure):
                    rooms = list(first.rooms)
                    rooms[places[figure]] = hunt.waiting[places[figure]]
                    gain = self._worth(opened, tuple(rooms)) - self._worth(hunt, first.rooms)
                    worth[each] = OPENED + first.worth + gain
        going, _ = hunters.prowled(hunt, hunt.chances, hunt.figures(hunt.waiting), self.weighing)
        otherwise = max(worth.values(), default=0.0) - KEPT_TRAP * _late(known)
        for each in moment.choices:
            if isinstance(each, Trap):
                worth[each] = otherwise + SNAPS * going.get(each.room, 0.0)
        return list(worth.items())

    def _worth(self, hunt: Hunt, rooms: Rooms) -> float:
        return hunters.plan(hunt, rooms, self.weighing).worth

    # Max

    def _prowls(self, moment: Moment) -> Rates:
        """What Max does in his turn. GJ-31 to GJ-43."""
        known: State = moment.view.knows
        taste = personas.flavoured(self.taste, moment.fate)
        facts = remembered(known, moment.fate, self.forgets)
        heard: dict[Prowl, Prowler] = {}

        def hearing(cheat: bool, trapped: bool) -> Prowler:
            """Max's thoughts about hunters who hear this of his move."""
            fact = Prowl(cheat, occupied(known), known.trap, trapped)
            if fact not in heard:
                hunt = self.hunt(known, (*facts, fact))
                heard[fact] = Prowler(hunt, self.feared, taste, _shown_in(known))
            return heard[fact]

        ways = [
            (each, hearing(isinstance(each, Cheat), _snaps(known, each)), _arrived(known, each), price)
            for each in moment.choices
            if (price := _price(each, taste, _late(known))) is not None
        ]
        rates = [(each, max_.rate(choice) - price) for each, max_, choice, price in ways]
        if taste.ahead:
            rates = self._further(moment, ways) or rates
        return rates + self._locks(moment, taste, max((rate for _, rate in rates), default=0.0))

    def _further(self, moment: Moment, ways: list[tuple[Any, Prowler, Choice, float]]) -> Rates:
        """The same one turn further; nothing if time is up before all have been thought through."""
        rates = []
        for each, max_, choice, price in ways:
            if not moment.in_time:
                return []
            rates.append((each, max_.rate_ahead(choice) - price))
        return rates

    def _locks(self, moment: Moment, taste: Taste, otherwise: float) -> Rates:
        """Closing a door is worth the freedom that it brings; the move comes after it."""
        known: State = moment.view.knows
        here, figures = room_of(known.route), tuple(sorted(r for r in known.figures.values() if r))
        assert here is not None
        open_ = ground(known).freedom(figures, known.visited)[here]
        rates: Rates = []
        for each in moment.choices:
            if isinstance(each, Lock):
                closed = ground(replace(known, locked=each.room, opening=False))
                gain = closed.freedom(figures, known.visited)[here] - open_
                rates.append((each, otherwise + 2 * taste.freedom * gain - taste.door * _late(known)))
        return rates


def to_come(known: State) -> list[Figure]:
    """The figures that have yet to act in this round, in the order of their turns. GJ-30."""
    return [
        figure
        for seat in known.options.hunter_seats
        for figure in own_figures(known, seat)
        if figure not in known.acted
    ]


def _late(known: State) -> float:
    """1 for most of the game, less and less in the last rounds."""
    return min(animals_left(known) / LAST_ROUNDS, 1.0)


def _shown_in(known: State) -> int:
    frame = known.frames[known.frame] if known.frame else None
    return frame.size - frame.taken if frame else 0


def _snaps(known: State, action: Any) -> bool:
    return isinstance(action, Move | Cheat) and action.room == known.trap


def _price(action: Any, taste: Taste, late: float) -> float | None:
    """What the card costs that it takes; null for what is no move."""
    match action:
        case Move():
            return 0.0
        case Pause():
            return taste.pause * late
        case Cheat():
            return taste.cheat * late
    return None


def _arrived(known: State, action: Any) -> Choice:
    """Where Max is then."""
    cards = known.x2 + known.pause
    if isinstance(action, Move):
        return Choice(action.room, known.visited | 1 << action.room, cards)
    room = action.room if isinstance(action, Cheat) else room_of(known.route)
    return Choice(room or 0, known.visited, cards - 1)


def warmly(rates: Rates, chance: Random, warmth: float) -> Any:
    """Mostly the best; what is far below it is left out."""
    best = max(rate for _, rate in rates)
    near = [(each, rate) for each, rate in rates if rate >= best - 3 * warmth]
    weights = [math.exp((rate - best) / warmth) for _, rate in near]
    return chance.choices([each for each, _ in near], weights)[0]
