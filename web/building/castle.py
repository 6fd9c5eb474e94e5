"""How the castle's board differs from its record: a figure stands in another room.

That a figure stands there already tells whether Max does: so only the moderator corrects the record, and a
host has the figure put back.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from companion.games.canterville.view import Shows
from companion.refusals import Malformed
from web.building.questions import Mark, Question


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


def question(shows: Shows, key: str, mark: Mark, felt: bool) -> Question:
    """Where a figure belongs."""
    room = shows.figures[_figure(shows, key)]
    assert room is not None
    return Question(key=key, room=room, kind="figure", felt=felt, correctable=True, moderator_only=True)


def _figure(shows: Shows, key: str) -> Any:
    return next(figure for figure in shows.figures if figure == key)


def correction(question: Question, told: dict[str, str]) -> dict[str, Any] | None:
    """The figure in the room where it really stands."""
    room = told.get("stands", "")
    if not (room.isdecimal() and len(room) < 3):
        raise Malformed("building.no_room")
    return {"type": "repair", "set": {"figures": {question.key: int(room)}}}
