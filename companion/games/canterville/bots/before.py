"""Before the hunt: where figures and Max begin, and which frame is filled next. GJ-21 to GJ-23."""

from __future__ import annotations

from functools import lru_cache

from companion.games.canterville.actions import FrameAt
from companion.games.canterville.ground import Ground, Rooms

FARTHEST = 12
"""A room that is farther from every figure is as badly watched as one that nobody can walk to."""


@lru_cache(maxsize=64)
def watched(castle: Ground, placed: Rooms, more: int) -> dict[int, float]:
    """For each room how well the castle is watched if a figure begins there and others follow.

    `placed` is where figures stand already; `more` how many will, the one in question included.
    """
    rates = {}
    for room in castle.rooms:
        far = _nearer(castle, castle.nearest((*placed, room)), room)
        for _ in range(more - 1):
            far = min((_nearer(castle, far, other) for other in castle.rooms), key=_unwatched)
        rates[room] = -_unwatched(far)
    return rates


def _nearer(castle: Ground, far: list[int], room: int) -> list[int]:
    """How far each room is from the nearest figure, if one more stands in a room."""
    return [min(each, FARTHEST) for each in map(min, far, castle.distance[room])]


def _unwatched(far: list[int]) -> float:
    """The far corners count most."""
    return sum(each * each for each in far) / len(far)


def hideouts(castle: Ground, figures: Rooms) -> dict[int, float]:
    """For each room without a figure how freely Max roams from there, and how far the figures are. GJ-22."""
    roams, far = castle.freedom(figures, 0), castle.nearest(figures)
    return {room: roams[room] + 0.05 * min(far[room], 6) for room in castle.rooms if room not in figures}


def soon_full(frame: FrameAt) -> float:
    """Hunters like to see Max soon. GJ-60."""
    return -0.03 * (frame.size - frame.taken)
