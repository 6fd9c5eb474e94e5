"""How the castle's board differs from its record: a figure stands in another room.

That a figure stands there already tells whether Max does: so only the moderator corrects the record, and a
host has the figure put back.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from companion.games.canterville.view import Shows
from companion.refusals import Malformed
from web.checkup import Difference, Mark
from web.scene import Scene
from web.texts import game_texts

TEMPLATE = "canterville/check.html"


def can_check(shows: Shows) -> bool:
    """From the moment all figures stand on the board until the game is over."""
    return shows.phase not in ("starting", "over") and bool(keys(shows))


def keys(shows: Shows) -> Sequence[str]:
    """The figures that stand somewhere."""
    return [figure for figure, room in shows.figures.items() if room is not None]


def recorded(shows: Shows, key: str) -> object:
    """The room where it stands."""
    return shows.figures[_figure(shows, key)]


def ordered(keys: Iterable[str]) -> list[str]:
    """By name."""
    return sorted(keys)


def felt(shows: Shows, rooms: Sequence[int]) -> tuple[str, ...]:
    """The figures that the board misses; one it feels elsewhere is the same figure."""
    return tuple(figure for figure in keys(shows) if shows.figures[_figure(shows, figure)] in rooms)


def mark(fields: Mapping[str, str]) -> Mark:
    """Nobody is asked what stands there instead."""
    return Mark()


def question(shows: Shows, key: str, mark: Mark, felt: bool) -> Difference:
    """Where a figure belongs."""
    room = shows.figures[_figure(shows, key)]
    assert room is not None
    return Difference(key=key, room=room, kind="figure", felt=felt, correctable=True, moderator_only=True)


def _figure(shows: Shows, key: str) -> Any:
    return next(figure for figure in shows.figures if figure == key)


def correction(question: Difference, told: Mapping[str, str]) -> dict[str, Any] | None:
    """The figure in the room where it really stands."""
    room = told.get("stands", "")
    if not (room.isdecimal() and len(room) < 3):
        raise Malformed("canterville_pages.no_room")
    return {"type": "repair", "set": {"figures": {question.key: int(room)}}}


def facts(scene: Scene) -> dict[str, Any]:
    """Where each figure stands by the record and whether it was marked, and the question in words."""
    check, g = scene.check, game_texts(scene.language, "canterville")
    assert check is not None
    standing = scene.shows.figures.items()
    figures = [(name, room, name in check.marked) for name, room in standing if room is not None]
    if (asked := check.question) is None:
        return {"figures": figures}
    known = {"room": asked.room, "figure": asked.key.upper()}
    words = {f"{says}_do": g(f"{says}_figure", **known) for says in ("record", "board")}
    return {"figures": figures, "question": asked, "head": g("ask_figure", **known), **words}
