"""What the pages of the manor say."""

from __future__ import annotations

from functools import cache
from pathlib import Path

from companion import words
from web.pages.voice import Voice

words.register("manor", Path(__file__).parents[1] / "manor" / "words")


class ManorVoice(Voice):
    """The manor's own sentences, called like the house's, and the names that the game itself gives."""

    def __call__(self, key: str, **facts: object) -> str:
        """A sentence as plain text."""
        return words.say(f"manor.{key}", self.language, **facts)

    def has(self, key: str) -> bool:
        """Whether there is such a sentence at all."""
        return key in words.sentences("manor", "en")

    def named(self, kind: str, name: str) -> str:
        """What the game calls a card, a trap, a colour, a ghost or a kind of tile."""
        return words.say(f"artefacts.{kind}_{name}", self.language)


@cache
def manor_voice(language: str) -> ManorVoice:
    """The manor's voice in a language."""
    return ManorVoice(language)
