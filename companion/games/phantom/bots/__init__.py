"""The bots of The Phantom Society, by level. Each plays from its seat's view alone."""

from __future__ import annotations

from companion.games.phantom.belief import UNIFORM, Habits
from companion.games.phantom.bots.greedy import Greedy
from companion.games.phantom.bots.player import Player

KINDS = (Habits(beside=0.06, greed=0.3),)
"""What a strong player takes ghosts to be like: they hide beside dear rooms, and go for what is dear."""

EASY = Player(forgets=0.5)
"""Forgets every other clue."""
NORMAL = Player()
"""Keeps exactly what is possible."""
STRONG = Player(kinds=KINDS, feared=(UNIFORM, *KINDS), looks_ahead=True)
"""Weighs how likely it is, too, and looks one turn ahead."""
GREEDY = Greedy()
"""Ghosts that take the dearest tile, to measure hunters against."""

__all__ = ["EASY", "GREEDY", "KINDS", "NORMAL", "STRONG", "UNIFORM"]
