"""A hunter's phone: the rooms for the figures, for the trap, and for the guess where Max is."""

from __future__ import annotations

import json
from collections.abc import Iterator
from functools import lru_cache

from companion.games.canterville.castle import Castle
from companion.games.canterville.view import Shows
from web.games.canterville.board import Pick, spoken
from web.games.canterville.drawing import drawing
from web.scene import Scene
from web.texts import Texts


def picks(scene: Scene, c: Texts) -> Iterator[Pick]:
    """The rooms for the figures of this hunter, one after the other at the start, and for the trap."""
    legal, sheet = scene.legal.get(scene.seat or "", ()), drawing(scene.ground)
    first = next((action.get("figure") for action in legal if action["type"] == "start"), None)
    for action in legal:
        kind, figure = action["type"], action.get("figure")
        if kind not in ("start", "walk", "trap") or (kind == "start" and figure != first):
            continue
        chamber = sheet.chambers[action["room"]]
        whose = kind if figure or kind == "trap" else "start_max"
        what = c(f"pick_{whose}", figure=figure or "", room=chamber.room)
        note = c("note_walk_unchecked" if kind == "walk" and not sheet.mapped else f"note_{kind}")
        tool = "trap" if kind == "trap" else figure or "go"
        yield Pick(chamber, tool, json.dumps(action), spoken(c, chamber), what, note)


def guesses(scene: Scene, c: Texts) -> tuple[Pick, ...]:
    """Any room, at any time while Max is out of sight: his figure as a marker for all hunters. GJ-51."""
    shows: Shows = scene.shows
    if scene.seat not in shows.owners or shows.phase == "starting" or shows.max.shown or scene.paused:
        return ()
    return _anywhere(scene.ground, c)


@lru_cache(16)
def _anywhere(castle: Castle | None, c: Texts) -> tuple[Pick, ...]:
    return tuple(
        Pick(chamber, "guess", guess(room), spoken(c, chamber), c("pick_guess", room=room), c("note_guess"))
        for room, chamber in drawing(castle).chambers.items()
    )


def guess(room: int | None) -> str:
    """The marker into a room, or away."""
    return json.dumps({"type": "guess", "room": room})
