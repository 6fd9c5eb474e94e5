"""The bots of Chasseurs Fantômes Artéfacts, by level. Each plays from its seat's view alone."""

from __future__ import annotations

from companion.games.artefacts.bots.player import Player
from companion.games.artefacts.bots.worth import Weighing

EASY = Player(overlooks=0.25, weighing=Weighing(link=0.0, dice=1.0, fears=4, foresees=False), spots=4)
"""Overlooks a ghost now and then, and does not ask whose door it looks for."""
NORMAL = Player(weighing=Weighing(foresees=False))
"""Sees everything that lies on the table."""
STRONG = Player(spots=24, moments=800)
"""Counts what is still to come, too."""

__all__ = ["EASY", "NORMAL", "STRONG"]
