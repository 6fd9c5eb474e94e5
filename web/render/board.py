"""The pages about the real board: entering it whole, and comparing it with the record."""

from __future__ import annotations

from typing import Any

from web import games
from web.scene import Scene
from web.texts import Texts, texts


def draw(scene: Scene, t: Texts) -> tuple[str, dict[str, Any]]:
    """The template of a page, and what it shows: the game's own, where it has a board to lay or to check."""
    pages = games.find(scene.game or "")
    home = "/host" if scene.me and scene.me.host else "/moderator"
    facts = {"home": home, "title": texts(scene.language, "board")(f"{scene.page}_title")}
    if scene.page == "lay":
        name, shown = pages.entry.draw(scene, t) if pages.entry else ("board/lay.html", {})
        return name, facts | shown
    if pages.check and scene.check:
        return pages.check.TEMPLATE, facts | pages.check.facts(scene)
    return "board/check.html", facts


def comparing(scene: Scene, t: Texts) -> str:
    """That board and record are being compared, for everybody who sees a lamp blink; empty where not."""
    marks = scene.lamps.marks if scene.lamps else {}
    room = next((room for room, names in marks.items() if "differs" in names), None)
    return texts(t.language, "board")("asked_line", room=room) if room else ""
