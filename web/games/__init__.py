"""The pages of the games, found by the entry point group `companion.pages`; others get the generic ones."""

from __future__ import annotations

from functools import cache
from importlib.metadata import entry_points

from msgspec.structs import replace

from companion import games
from web.games.record import GamePages

__all__ = ["GENERIC", "GamePages", "demonstrated", "every", "find", "template"]

GROUP = "companion.pages"
GENERIC = "generic"
"""The pages of a game that brings none."""


@cache
def find(name: str) -> GamePages:
    """What a game offers the phones."""
    generic = _brought(GENERIC)
    assert generic is not None
    pages = _brought(name)
    if pages is None:
        return replace(generic, game=name, folder=None, styles=())
    return replace(pages, draw=pages.draw or generic.draw, story=pages.story or generic.story)


@cache
def _brought(name: str) -> GamePages | None:
    """The record that a package brings for a game."""
    found: list[GamePages] = [point.load() for point in entry_points(group=GROUP, name=name)]
    return found[0] if found else None


@cache
def every() -> tuple[GamePages, ...]:
    """The pages of all installed games, in the order in which games are offered."""
    return tuple(sorted((find(name) for name in games.names()), key=lambda pages: (pages.rank, pages.game)))


def demonstrated() -> tuple[str, ...]:
    """The games that "Show me" can show."""
    return tuple(pages.game for pages in every() if pages.demo)


def template(name: str) -> tuple[str, str, None] | None:
    """The source of a game's template: `phantom/play.html` is `play.html` in the templates of `phantom`."""
    game, _, file = name.partition("/")
    if game != GENERIC and game not in games.names():
        return None
    folder = find(game).folder
    path = folder / "templates" / file if folder else None
    return (path.read_text(encoding="utf-8"), str(path), None) if path and path.is_file() else None
