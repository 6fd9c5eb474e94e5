"""A manor under way, for "Show me": the visitor walks the green pawn, bots walk the others."""

from __future__ import annotations

from web.games.artefacts.forms import deeds
from web.games.record import Demonstration

SHOWN = Demonstration(
    seat="green",
    options={"players": 4, "decks": "virtual"},
    moves=30,
    phase="acting",
    pace=0.8,
    deeds=deeds,
)
