"""The numbered rules of a game in words, in three languages: what a refusal's `rule` says.

A game keeps them in its folder `rules`, one TOML file a language, chapter by chapter. The pages in
`docs/rules` are made from the same files by `companion rules`, so that a rule is written down once.
"""

from __future__ import annotations

from functools import cache
from typing import Any, NamedTuple

from companion import games
from companion.words import LANGUAGES


class Chapter(NamedTuple):
    """Rules that belong together, by number."""

    title: str
    rules: dict[str, str]


def chapters(game: str, language: str = "en") -> tuple[Chapter, ...]:
    """A game's rules in a language, in the order of its page; none where a game has not written them down."""
    told = [dict(chapter) for chapter in _told(game, language).values() if isinstance(chapter, dict)]
    return tuple(Chapter(chapter.pop("title"), chapter) for chapter in told)


def rule(game: str, number: str, language: str = "en") -> str | None:
    """A rule in words; null where the game has none of that number."""
    found = (chapter.rules.get(number) for chapter in chapters(game, language))
    return next(filter(None, found), None)


def page(game: str, language: str = "en") -> str:
    """All rules of a game as a page in Markdown, each with an anchor; empty where it has none."""
    told = _told(game, language)
    if not told:
        return ""
    lines = [f"# {told['title']}"]
    for chapter in chapters(game, language):
        lines += ["", f"## {chapter.title}", ""]
        lines += [f'- <a id="{number}"></a>**{number}** {words}' for number, words in chapter.rules.items()]
    return "\n".join(lines) + "\n"


@cache
def _told(game: str, language: str) -> dict[str, Any]:
    import tomllib

    folder = games.find(game).rules
    if folder is None:
        return {}
    file = folder / f"{language if language in LANGUAGES else 'en'}.toml"
    return tomllib.loads(file.read_text(encoding="utf-8"))
