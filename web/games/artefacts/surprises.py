"""More than we thought: what turned up that the box should not have, and where the box is changed. CFA-3."""

from __future__ import annotations

from typing import Any

from companion.contract import converted
from companion.games.artefacts.events import Surprise
from companion.games.artefacts.telling import surprising
from web.games.artefacts.texts import artefacts_texts
from web.scene import Scene
from web.texts import Texts


def in_play(scene: Scene, t: Texts) -> dict[str, Any]:
    """What the card is given: the surprises in words, nothing where there is none."""
    over = scene.shows is None or scene.shows.result is not None
    found = [] if over else [surprising(each, scene.language) for each in _since_the_box_was_changed(scene)]
    words = t.among([*dict.fromkeys(found)])
    return {"surprise": artefacts_texts(t.language)("surprise", what=words) if words else ""}


def _since_the_box_was_changed(scene: Scene) -> list[Surprise]:
    found: list[Surprise] = []
    for line in scene.history:
        if line.undone:
            continue
        if "box" in line.action.get("set", ()):
            found = []
        found += [converted(each, Surprise) for each in line.events if each["type"] == "surprise"]
    return found
