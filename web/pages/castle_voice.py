"""What the pages of the castle say."""

from __future__ import annotations

from functools import cache
from pathlib import Path

from companion import words
from web.pages.voice import Voice

words.register("castle", Path(__file__).parents[1] / "castles" / "words")


class CastleVoice(Voice):
    """The castle's own sentences; called like the house's."""

    def __call__(self, key: str, **facts: object) -> str:
        """A sentence as plain text."""
        return words.say(f"castle.{key}", self.language, **facts)

    def has(self, key: str) -> bool:
        """Whether there is such a sentence at all."""
        return key in words.sentences("castle", "en")


@cache
def castle_voice(language: str) -> CastleVoice:
    """The castle's voice in a language."""
    return CastleVoice(language)
