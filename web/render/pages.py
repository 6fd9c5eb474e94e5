"""What people see: a scene becomes HTML.

`front`, `join`, `host` and the lobby are the same for every game. A game's own pages are drawn as
its record in `web.games` says.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from web import games
from web.render import board, handover, lobby
from web.render.templates import draw
from web.scene import Page, Scene
from web.texts import Texts, texts

__all__ = ["fragment", "render"]

Drawn = tuple[str, dict[str, Any]]


def render(scene: Scene, page: Page) -> str:
    """A whole HTML document."""
    t = texts(scene.language)
    body, title = _body(scene, page, t)
    facts = {
        "t": t,
        "page": page,
        "body": body,
        "title": title,
        "plain_page": page in ("front", "join", "gone"),
        "games": (games.find(games.GENERIC), *games.every()),
    }
    return draw("document.html", facts)


def fragment(scene: Scene, page: Page) -> str:
    """What of it changes: a line that is the same as before is not sent again."""
    return _body(scene, page, texts(scene.language))[0]


def _body(scene: Scene, page: Page, t: Texts) -> tuple[str, str]:
    name, facts = _choose(scene, page)(scene, t)
    common = lobby.common(scene, page, t)
    return draw(name, common | facts), facts.get("title", common["title"])


def _choose(scene: Scene, page: Page) -> Callable[[Scene, Texts], Drawn]:
    """Who draws this page: the evening, or the game that is being played."""
    if scene.hand is not None:
        return handover.draw
    if page in ("lay", "check"):
        return board.draw
    seatless = page == "play" and scene.seat in (None, "public")
    if page in ("front", "join", "host", "gone") or scene.shows is None or seatless:
        return lobby.draw
    return games.find(scene.game or "").draw or lobby.draw
