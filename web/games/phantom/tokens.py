"""With tokens on the board: the ghosts that the companion hides have none, and people are told so."""

from __future__ import annotations

from typing import Any

from companion.games.phantom import GAME
from companion.games.phantom.view import Shows
from web.scene import Place, Scene
from web.texts import Texts

BOTH = "both"
"""The keeper with whom ghosts lie on the board as tokens, and the companion knows of them."""


def planned(scene: Scene, t: Texts) -> dict[str, Any]:
    """What the host is told before the game."""
    plan = scene.plan
    assert plan is not None
    chosen = {option.name: option.value for option in plan.options}.get("keeper", "")
    keeper = chosen or GAME.presets.get(plan.preset, {}).get("keeper", "")
    # Before roles are given out anybody may come to hide ghosts.
    return {"tokenless": keeper == BOTH and any(map(_is_bots, scene.places))}


def missing(scene: Scene) -> bool:
    """Whether ghosts of this game have no token on the board. Somebody's who got up lie there already."""
    shows: Shows = scene.shows
    return shows.keeper == BOTH and shows.result is None and any(map(_is_bots, scene.places))


def _is_bots(place: Place) -> bool:
    return place.bot is not None and place.left_by is None and place.role in ("master", None)
