"""A hotel under way, for "Show me": a learning game in which the visitor is the four ghosts."""

from __future__ import annotations

from web.games.record import Demonstration

LAID_AND_HIDDEN = 40
"""36 tiles and four ghosts."""
SHOWN = Demonstration(
    seat="p2",
    options={"players": 2, "privacy": "learning"},
    moves=LAID_AND_HIDDEN + 4,
    phase="playing",
)
