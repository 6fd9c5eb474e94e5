"""The page "My phone"."""

from __future__ import annotations

from pathlib import Path

import msgspec

from companion import words
from web.admin.settings.look import CHOICES, Look
from web.push.scene import Notice
from web.render.templates import draw as fill
from web.render.texts import texts

words.register("settings", Path(__file__).parent / "words")


def draw(language: str, token: str, look: Look, back: str, notices: tuple[Notice, ...] = ()) -> str:
    """The page, with what this phone has chosen so far."""
    facts = {
        "s": texts(language, "settings"),
        "t": texts(language),
        "token": token,
        "back": back,
        "notices": notices,
        "choices": CHOICES,
        "look": msgspec.structs.asdict(look),
    }
    return fill("settings/page.html", facts)
