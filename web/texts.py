"""What a page says, in the language of the phone that reads it."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache, lru_cache
from pathlib import Path

from markupsafe import Markup, escape

from companion import games, words
from companion.contract import TABLE, Seat

words.register("web", Path(__file__).parent / "words")

KEPT = 2048
"""So many sentences of a voice, as it said them: most are said again with the next page."""


class Texts:
    """The sentences of one speaker in one language: call it with a key and facts."""

    def __init__(self, language: str, speaker: str = "web") -> None:
        self.language, self._speaker = language, speaker
        self._kept = lru_cache(KEPT)(self._said)

    def __call__(self, key: str, **facts: object) -> str:
        """A sentence as plain text."""
        try:
            return self._kept(key, *facts.items())
        except TypeError:
            # A list among the facts cannot be a key.
            return self._said(key, *facts.items())

    def _said(self, key: str, *facts: tuple[str, object]) -> str:
        return words.say(f"{self._speaker}.{key}", self.language, **dict(facts))

    def rich(self, key: str, **facts: object) -> Markup:
        """A sentence whose own tags count; facts that are text are escaped."""
        safe = {name: escape(fact) if isinstance(fact, str) else fact for name, fact in facts.items()}
        return Markup(self(key, **safe))

    def has(self, key: str) -> bool:
        """Whether there is such a sentence at all."""
        return key in words.sentences(self._speaker, "en")

    def among(self, names: list[str] | tuple[str, ...]) -> str:
        """Names in a row: Ada, Hamish and Zoé."""
        if len(names) < 2:
            return "".join(names)
        return self("and", first=", ".join(names[:-1]), last=names[-1])


@cache
def texts(language: str, speaker: str = "web") -> Texts:
    """The voice of a language; the house speaks, or one of its rooms."""
    return Texts(language, speaker)


def game_texts(language: str, game: str) -> Texts:
    """What the pages of a game say of themselves."""
    return texts(language, f"{game}_pages")


def known(t: Texts, key: str, otherwise: str) -> str:
    """Words for a name that may come from a game which has none for it."""
    return t(key) if t.has(key) else otherwise.replace("_", " ")


def game_says(language: str, game: str, key: str, otherwise: str) -> str:
    """What a game calls something: its pages, its own words, those of every page, or else its name."""
    speakers = (f"{game}_pages", game, "generic_pages", "web")
    said = (texts(language, speaker) for speaker in speakers if texts(language, speaker).has(key))
    return next((speaker(key) for speaker in said), otherwise.replace("_", " "))


def game_word(language: str, game: str) -> str:
    """What a game is called: by its pages, else by its own words, else by its name."""
    for speaker in (f"{game}_pages", game):
        if (own := texts(language, speaker)).has("game"):
            return own("game")
        if game in games.names():
            games.find(game)  # a game makes its words known when it is loaded
    return game.replace("_", " ")


def spoken(saying: words.Saying, names: Mapping[Seat, str], language: str) -> str:
    """A sentence in which the seats are called as people call them."""
    game = saying.key.partition(".")[0]
    facts = {
        name: _called(fact, names, game, language) if name in ("seat", "seats") else fact
        for name, fact in saying.facts.items()
    }
    return words.say(saying.key, language, **facts)


def _called(fact: object, names: Mapping[Seat, str], game: str, language: str) -> object:
    """A seat, or each of several, as the table calls whoever sits there."""
    if isinstance(fact, tuple | list):
        return tuple(_called(seat, names, game, language) for seat in fact)
    if fact == TABLE:
        return words.say("web.who_table", language)
    # Around a game that cannot begin as it is planned there are no chairs yet.
    chair, g = f"chair_{fact}", game_texts(language, game)
    return names.get(str(fact)) or (g(chair) if g.has(chair) else fact)
