"""A castle under way, for "Show me": the visitor is Max, three bots hunt him."""

from __future__ import annotations

from companion.games.canterville.options import MAX, MEASURED_FRAMES
from web.games.record import Demonstration

SHOWN = Demonstration(
    seat=MAX,
    options={"hunters": 3, "preset": "first_game", "castle": "demo", "frames": MEASURED_FRAMES},
    moves=18,
    phase="max",
    pace=1.6,
)
