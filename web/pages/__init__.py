"""What people see: a scene becomes HTML.

`front`, `join`, `host` and the lobby are the same for every game. A game draws its own pages in a module here
(`phantom`) with templates in a folder of its name; a game without one gets `plain`: facts and buttons.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from web.pages import building, canterville, hall, handover, manor, phantom, plain
from web.pages.paper import Leaf, draw, drawn
from web.pages.voice import Voice, voice
from web.scene import Page, Scene

__all__ = ["fragment", "render"]

Drawn = tuple[str, dict[str, Any]] | Leaf
GAMES: dict[str, Callable[[Scene, Voice], Drawn]] = {
    "artefacts": manor.draw,
    "canterville": canterville.draw,
    "phantom": phantom.draw,
}
"""Games with pages of their own."""


def render(scene: Scene, page: Page) -> str:
    """A whole HTML document."""
    t = voice(scene.language)
    body, title = _body(scene, page, t)
    facts = {
        "t": t,
        "page": page,
        "body": "".join(body),
        "title": title,
        "in_hall": page in ("front", "join", "gone"),
    }
    return draw("document.html", facts)


def fragment(scene: Scene, page: Page) -> list[str]:
    """What of it changes, piece by piece."""
    return _body(scene, page, voice(scene.language))[0]


def _body(scene: Scene, page: Page, t: Voice) -> tuple[list[str], str]:
    made = _choose(scene, page)(scene, t)
    if isinstance(made, Leaf):
        return hall.leaf(scene, page, t, made)
    name, facts = made
    common = hall.common(scene, page, t)
    return drawn(name, common | facts), facts.get("title", common["title"])


def _choose(scene: Scene, page: Page) -> Callable[[Scene, Voice], Drawn]:
    """Who draws this page: the hall of the house, or the game that is being played."""
    if scene.hand is not None:
        return handover.draw
    if page in ("lay", "check"):
        return building.draw
    seatless = page == "play" and scene.seat in (None, "public")
    if page in ("front", "join", "host", "gone") or scene.shows is None or seatless:
        return hall.draw
    return GAMES.get(scene.game or "", plain.draw)
