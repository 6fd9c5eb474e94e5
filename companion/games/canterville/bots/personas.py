"""What Max is like: each has a taste of his own, so that no habit of his can be relied on."""

from __future__ import annotations

from random import Random

from companion.bots import Persona
from companion.games.canterville.bots.prowler import Taste

TASTES: dict[str, dict[str, float]] = {
    "bold": {"hidden": 0.8, "anyhow": 0.15},
    "hoarder": {"pause": 1.5, "cheat": 1.5},
    "runner": {"freedom": 1.5},
    "wall_hugger": {"rim": 0.04},
}
"""How each of them differs: prices of cards and the love of freedom as multiples, the rest as they are."""


def drawn(fate: int) -> Persona:
    """The character that a fate gives."""
    return Persona(f"canterville.persona_{_name(fate)}")


def flavoured(taste: Taste, fate: int) -> Taste:
    """A taste as that character has it."""
    changes = TASTES[_name(fate)]
    times = {name: getattr(taste, name) * by for name, by in changes.items() if name in MULTIPLES}
    return taste._replace(**{**changes, **times})


MULTIPLES = ("freedom", "pause", "cheat")


def _name(fate: int) -> str:
    return Random(f"{fate} persona").choice(sorted(TASTES))
