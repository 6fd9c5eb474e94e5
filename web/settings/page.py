"""The page "My phone"."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import msgspec

from companion import words
from web.pages.paper import draw as fill
from web.pages.voice import Voice, voice
from web.scene import Notice
from web.settings.look import CHOICES, Look

words.register("settings", Path(__file__).parent / "words")


class PhoneVoice(Voice):
    """The sentences of this page; called like the house's."""

    def __call__(self, key: str, **facts: object) -> str:
        """A sentence as plain text."""
        return words.say(f"settings.{key}", self.language, **facts)

    def has(self, key: str) -> bool:
        """Whether there is such a sentence at all."""
        return key in words.sentences("settings", "en")


@cache
def phone_voice(language: str) -> PhoneVoice:
    """The voice of this page in a language."""
    return PhoneVoice(language)


def draw(language: str, token: str, look: Look, back: str, notices: tuple[Notice, ...] = ()) -> str:
    """The page, with what this phone has chosen so far."""
    facts = {
        "s": phone_voice(language),
        "t": voice(language),
        "token": token,
        "back": back,
        "notices": notices,
        "choices": CHOICES,
        "look": msgspec.structs.asdict(look),
    }
    return fill("settings/page.html", facts)
