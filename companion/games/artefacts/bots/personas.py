"""What hunters are like: each weighs things a little differently, and so no two of them play the same."""

from __future__ import annotations

from random import Random

from companion.bots import Persona
from companion.games.artefacts.bots.worth import Weighing

LEANINGS: dict[str, dict[str, float]] = {
    "brave": {"vacuum": 0.85},
    "collector": {"vacuum": 1.15},
    "courier": {"turn": 1.25},
    "guardian": {"dice": 1.25},
}
"""What each of them minds less or more than others do."""


def drawn(fate: int) -> Persona:
    """The character that a fate gives."""
    return Persona(f"artefacts.persona_{_name(fate)}")


def leaning(weighing: Weighing, fate: int) -> Weighing:
    """How that character weighs."""
    changes = LEANINGS[_name(fate)]
    return weighing._replace(**{name: getattr(weighing, name) * by for name, by in changes.items()})


def _name(fate: int) -> str:
    return Random(f"{fate} persona").choice(sorted(LEANINGS))
