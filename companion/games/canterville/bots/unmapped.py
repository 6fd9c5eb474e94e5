"""Play without a map. A bot does not see the printed castle, so it goes by the numbers of the rooms.

Rooms are numbered one after the other, so the next number is mostly next door; and the rules name a few ways.
Whoever sits at the board sees more: if a step of the companion's Max is doubted, he owns up. GJ-38, GJ-Q22.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from companion.games.canterville.actions import (
    Cheat,
    Foul,
    Frame,
    Lock,
    Move,
    Pause,
    Stands,
    Stay,
    Trap,
    Walk,
)
from companion.games.canterville.bots.before import soon_full
from companion.games.canterville.state import State, room_of

UNLIKELY = -1.0
"""What is done only where there is nothing else to do."""
CARD = -0.1


def rates(known: State, choices: Sequence[Any]) -> list[tuple[Any, float]]:
    """How sensible each choice is, as far as numbers tell."""
    return [(each, _rate(known, each)) for each in choices]


def _rate(known: State, choice: Any) -> float:
    here, ways = room_of(known.route), known.options.ways
    match choice:
        case Move(room=room) | Cheat(room=room) if here is not None:
            card = CARD if isinstance(choice, Cheat) else 0.0
            beside = abs(room - here) == 1 or not ways.unchecked(here, room)
            return card + (0.0 if beside else UNLIKELY - abs(room - here))
        case Pause():
            return CARD
        case Walk(figure=figure, room=room):
            stands = known.figures[figure] or room
            return _near(known, room) if abs(room - stands) == 1 else UNLIKELY - abs(room - stands)
        case Stay(figure=figure):
            return _near(known, known.figures[figure] or 0) - 0.01
        case Frame(animal=animal):
            return soon_full(known.frames[animal])
        case Foul():
            return 0.0
        case Stands() | Lock() | Trap():
            return UNLIKELY
    return 0.0


def _near(known: State, room: int) -> float:
    """Towards the number where Max was last seen."""
    seen = room_of(known.route)
    return 0.0 if seen is None else -0.02 * abs(room - seen)
