"""What the whole table was told, in the words of a language."""

from __future__ import annotations

from companion.words import say
from web import games
from web.evening.evening import Evening
from web.scene import Says, Scene
from web.texts import texts


def says(evening: Evening, opened: Scene | None, language: str) -> tuple[Says, ...]:
    """Every announcement; `opened` is the running game as everybody sees it."""
    seats = [chair.seat for chair in evening.chairs()]

    def in_words(facts: dict[str, str]) -> dict[str, str]:
        """A seat by its place at the table, a line of the record by what it says."""
        said = dict(facts)
        if facts.get("seat") in seats:
            said["seat"] = str(seats.index(facts["seat"]) + 1)
        if "line" in facts:
            said["move"] = _move(opened, int(facts["line"]), language) if opened else ""
        return said

    return tuple(Says(told.n, say(told.key, language, **in_words(told.facts))) for told in evening.book.told)


def _move(scene: Scene, n: int, language: str) -> str:
    """What a line of the record says to everybody."""
    tell, t = games.find(scene.game or "").news, texts(language)
    lines = [line for line in scene.history if line.n == n]
    return " ".join(news.words.striptags() for line in lines for news in tell(scene, t, line))
