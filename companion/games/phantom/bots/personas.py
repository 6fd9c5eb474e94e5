"""What ghosts are like: each hides by habits of its own, so that no habit can be relied on."""

from __future__ import annotations

from random import Random

from companion.bots import Persona
from companion.games.phantom.belief import UNIFORM, Habits

GHOSTS: dict[str, Habits] = {
    "bold": Habits(beside=0.06),
    "hoarder": Habits(under=0.4),
    "lurker": Habits(inside=0.6),
    "wall_hugger": Habits(inside=-0.6),
}
"""Where each of them likes to hide."""


WANDERER = "wanderer"
"""Hides anywhere: whoever does not weigh how hunters search has no reason to prefer a room."""


def drawn(fate: int, weighs: bool) -> tuple[Persona, Habits]:
    """The character that a fate gives, and its habits."""
    name = Random(f"{fate} persona").choice(sorted(GHOSTS)) if weighs else WANDERER
    return Persona(f"phantom.persona_{name}"), GHOSTS.get(name, UNIFORM)
