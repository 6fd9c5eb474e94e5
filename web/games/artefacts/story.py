"""What the saved story of a game in the manor tells besides."""

from __future__ import annotations

from typing import Any

from web.games.artefacts.pages import said
from web.scene import Scene
from web.texts import Texts


def facts(scene: Scene, t: Texts) -> dict[str, Any]:
    """What happened, by rounds; before the first one the manor was built."""
    rounds: list[tuple[int, list[str]]] = [(0, [])]
    for line in scene.history:
        for event in () if line.undone else line.events:
            if event["type"] == "round":
                rounds.append((event["round"], []))
            rounds[-1][1].append(said(event, scene.language))
    return {"rounds": rounds}
