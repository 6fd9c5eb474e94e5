"""The bots of Gespensterjagd, by level. Each plays from its seat's view alone."""

from __future__ import annotations

from companion.games.canterville.belief import Habits
from companion.games.canterville.bots.hunters import Weighing
from companion.games.canterville.bots.player import Player
from companion.games.canterville.bots.prowler import Taste

LIKELY = Habits(near=-1.5, far=0.3, open=0.3, care=1.0, pause=-0.7, cheat=-1.0)
"""How a strong player takes Max to choose."""

EASY = Player(
    forgets=0.4,
    weighing=Weighing(freedom=0.2, later=0.3),
    taste=Taste(freedom=0.2, hidden=0.2, last=0.2, short=0.1, pause=0.1, cheat=0.1),
)
"""Forgets each clue now and then, and lives for the moment."""
NORMAL = Player()
"""Keeps exactly what is possible."""
STRONG = Player(
    habits=LIKELY,
    weighing=Weighing(freedom=0.8, ahead=0.5),
    feared=Weighing(ahead=0.5),
    taste=Taste(ahead=0.4),
    wavers=0.004,
)
"""Weighs how likely it is, too, and looks one round further."""

__all__ = ["EASY", "LIKELY", "NORMAL", "STRONG"]
