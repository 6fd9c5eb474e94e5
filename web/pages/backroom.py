"""What all rooms behind the host's desk look like."""

from __future__ import annotations

from typing import Any

from web.pages.paper import draw
from web.pages.voice import voice
from web.scene import Notice


def paper(page: str, language: str, token: str, notices: tuple[Notice, ...], **facts: Any) -> str:
    """A page of a room."""
    return draw(page, {"t": voice(language), "token": token, "notices": notices} | facts)


def closed(language: str, notices: tuple[Notice, ...]) -> str:
    """What everybody else sees there: why not."""
    return paper("backroom.html", language, "", notices, title=voice(language)("house"))
