"""A page of the attic's own: for a seat one template, for everybody else the generic pages."""

from pathlib import Path
from typing import Any

from web import games
from web.games.record import GamePages
from web.scene import Scene
from web.texts import Texts


def draw(scene: Scene, t: Texts) -> tuple[str, dict[str, Any]]:
    """The template of a page, and what it shows."""
    template, facts = games.find(games.GENERIC).draw(scene, t)
    facts["left"] = 4 - len(scene.shows.doors)
    return "attic/play.html" if scene.page == "play" else template, facts


PAGES = GamePages(game="attic", folder=Path(__file__).parent, icon="spook", draw=draw)
