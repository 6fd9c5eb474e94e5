"""What the pages of the manor say."""

from __future__ import annotations

from functools import cache

from companion import words
from web.texts import Texts


class ArtefactsTexts(Texts):
    """The sentences of this game's pages, and the names that the game itself gives."""

    def __init__(self, language: str) -> None:
        super().__init__(language, "artefacts_pages")

    def named(self, kind: str, name: str) -> str:
        """What the game calls a card, a trap, a colour, a ghost or a kind of tile."""
        return words.say(f"artefacts.{kind}_{name}", self.language)


@cache
def artefacts_texts(language: str) -> ArtefactsTexts:
    """The sentences in a language."""
    return ArtefactsTexts(language)
