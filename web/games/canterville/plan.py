"""What the host chooses for a hunt: the castle, the animals, and only what the game would take."""

from __future__ import annotations

from typing import Any

from companion.games.canterville.options import ANIMALS, KNOWN_SIZES
from web.games.canterville.judging import judging
from web.scene import Scene
from web.texts import Texts, game_texts


def facts(scene: Scene, t: Texts) -> dict[str, Any]:
    """Which castle is planned, and the animals to be counted, every kind with what we know of it. GJ-3."""
    plan, c = scene.plan, game_texts(scene.language, "canterville")
    assert plan is not None
    counted = bool(plan.elsewhere.get("frames")) or any(box.chosen for box in plan.boxes)
    return {
        "castle": _castle(plan.elsewhere.get("castle") or "demo", c),
        "animals": [(animal, c(f"animal_{animal}"), KNOWN_SIZES.get(animal, "")) for animal in ANIMALS],
        "asks_first": not counted,
    }


def _castle(castle: str | dict[str, Any], c: Texts) -> str:
    """The planned castle in words; an invented one says so."""
    if castle in ("demo", "none"):
        return f"{c(f'pick_{castle}')} ({c(f'pick_{castle}_hint')})"
    return castle if isinstance(castle, str) else str(castle.get("name", ""))


def in_play(scene: Scene, t: Texts) -> dict[str, Any]:
    """What the host is asked about Max's way."""
    return {"judging": judging(scene, game_texts(scene.language, "canterville"))}
