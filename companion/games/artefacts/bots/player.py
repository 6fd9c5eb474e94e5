"""A player of Chasseurs Fantômes Artéfacts: what it sees, how it weighs, and what it then does."""

from __future__ import annotations

import math
from random import Random
from typing import Any

from companion.bots import Bot, Hint, Moment, Persona
from companion.contract import Action, View
from companion.games.artefacts.actions import Discard, Lay, Take
from companion.games.artefacts.bots import hints, personas, tiles, turns
from companion.games.artefacts.bots.worth import Weighing, worth
from companion.games.artefacts.state import State

WARMTH = 0.01
"""How far below the best a choice may be and still be made now and then; three times that, and it is not."""

Rates = dict[Any, float]


class Player(Bot):
    """Sees what lies on the table but for the ghosts it overlooks, and weighs what each action leaves."""

    def __init__(
        self, overlooks: float = 0.0, weighing: Weighing | None = None, spots: int = 10, moments: int = 300
    ) -> None:
        """So many spots for a tile, and moments of a turn, it thinks through."""
        self.overlooks, self.weighing = overlooks, weighing or Weighing()
        self.spots, self.moments = spots, moments

    def persona(self, view: View, fate: int) -> Persona | None:
        """What it is like as a hunter."""
        return personas.drawn(fate)

    def choose(self, moment: Moment) -> Action:
        """One of the choices, whatever part of the game it is."""
        action: Action = warmly(self.rates(moment), moment.chance)
        return action

    def hint(self, moment: Moment) -> Hint:
        """The best choice, and why."""
        rates = self.rates(moment)
        best = max(rates, key=lambda each: rates[each])
        if len(moment.choices) == 1:
            return Hint(best, hints.only())
        known: State = moment.view.knows
        after, _ = moment.game.apply(known, moment.view.seat, best)
        return Hint(best, hints.because(known, best, after))

    def rates(self, moment: Moment) -> Rates:
        """How good each choice is that is worth a thought."""
        known: State = moment.view.knows
        choices = moment.choices
        if len(choices) == 1:
            return {choices[0]: 0.0}
        if isinstance(choices[0], Take):
            useful = tiles.shared(known.open)
            return {each: useful[each.tile] for each in choices}
        thought = Thought(moment, personas.leaning(self.weighing, moment.fate), self.overlooked(moment))
        if isinstance(choices[0], Lay | Discard):
            return thought.lays(self.spots)
        if known.pending is not None:
            return {each: thought.after(each) for each in choices}
        return thought.acts(self.moments)

    def overlooked(self, moment: Moment) -> frozenset[str]:
        """The ghosts that it does not think of in this round."""
        known: State = moment.view.knows
        return frozenset(
            ghost.id
            for ghost in known.ghosts
            if Random(f"{moment.fate} {known.round} {ghost.id}").random() < self.overlooks
        )


class Thought:
    """One moment, weighed in one way, without the ghosts that are overlooked."""

    def __init__(self, moment: Moment, weighing: Weighing, overlooked: frozenset[str]) -> None:
        self.moment, self.weighing, self.overlooked = moment, weighing, overlooked
        self.known: State = moment.view.knows

    def worth(self, state: State) -> float:
        """What a state is worth."""
        return worth(state, self.weighing, self.overlooked)

    def after(self, action: Any) -> float:
        """What the game is worth after an action and all that follows by itself."""
        after, _ = self.moment.game.apply(self.known, self.moment.view.seat, action)
        return self.worth(after)

    def lays(self, most: int) -> Rates:
        """The spots that look best, and what the manor is worth with each."""
        assert self.known.active is not None
        rates: Rates = {each: self.after(each) for each in self.moment.choices if not isinstance(each, Lay)}
        lays = [each for each in self.moment.choices if isinstance(each, Lay)]
        glances = tiles.promising(self.known, self.known.active, lays, self.weighing)
        for each in sorted(glances, key=lambda each: -glances[each])[:most]:
            if rates and not self.moment.in_time:
                break
            rates[each] = glances[each] + self.after(each)
        return rates

    def acts(self, most: int) -> Rates:
        """The best ends of a turn, by what it begins with."""
        assert self.known.active is not None
        sprung = turns.SPRUNG * self.weighing.vacuum
        return turns.rate(
            self.known, self.known.active, sprung, self.worth, most, lambda: self.moment.in_time
        )


def warmly(rates: Rates, chance: Random) -> Any:
    """Mostly the best; what is far below it is left out."""
    best = max(rates.values())
    near = {each: rate for each, rate in rates.items() if rate >= best - 3 * WARMTH}
    return chance.choices(list(near), [math.exp((rate - best) / WARMTH) for rate in near.values()])[0]
