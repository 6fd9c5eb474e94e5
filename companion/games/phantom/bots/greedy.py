"""Ghosts that think of nothing but damage: what hunters of other programs are measured against."""

from __future__ import annotations

from typing import Any

from companion.bots import Bot, Moment
from companion.games.phantom.actions import Hide, Remove
from companion.games.phantom.belief import UNIFORM, values_of
from companion.games.phantom.bots import before
from companion.games.phantom.state import State, hidden_under


class Greedy(Bot):
    """Hides anywhere, and takes the dearest tile that hides no ghost."""

    def choose(self, moment: Moment) -> Any:
        """The dearest; before the hunt, anything."""
        known: State = moment.view.knows
        choices, chance = moment.choices, moment.chance
        if isinstance(choices[0], Hide):
            return before.hide(known, choices, UNIFORM, chance)
        removals = [each for each in choices if isinstance(each, Remove)]
        if not removals:
            return chance.choice(choices)
        allied, values = hidden_under(known), values_of(known)
        removals = [each for each in removals if not allied >> each.room & 1] or removals
        most = max(values[each.room] for each in removals)
        return chance.choice([each for each in removals if values[each.room] == most])
