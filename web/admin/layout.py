"""What all rooms behind the host's desk look like."""

from __future__ import annotations

from typing import Any

from web import games
from web.push.scene import Notice
from web.render.templates import draw
from web.render.texts import texts


def paper(page: str, language: str, token: str, notices: tuple[Notice, ...], **facts: Any) -> str:
    """A page of a room."""
    styles = [link for pages in games.every() for link in pages.links]
    return draw(page, {"t": texts(language), "token": token, "notices": notices, "styles": styles} | facts)


def closed(language: str, notices: tuple[Notice, ...]) -> str:
    """What everybody else sees there: why not."""
    return paper("admin.html", language, "", notices, title=texts(language)("house"))
