"""The page where a whole board is entered by one person for all, or a dealt one is built tile by tile."""

from __future__ import annotations

import json
from typing import Any

from companion.games.phantom.board import COLOURS, ROOMS
from companion.games.phantom.view import Build
from web.games.phantom.board.squares import BoardSquare, rows, spoken
from web.games.phantom.layout import Problem, Sketch
from web.games.phantom.texts import own
from web.scene import Scene
from web.texts import Texts


def draw(scene: Scene, t: Texts) -> tuple[str, dict[str, Any]]:
    """The template, and what it shows."""
    g, sketch = own(t), scene.sketch
    facts = {
        "g": g,
        "colours": COLOURS,
        "keys": {colour: g(f"key_{colour}") for colour in COLOURS},
        "squares": rows(_entered(sketch, t) if sketch else _built(scene, t)),
        "problems": [_problem(each, g) for each in sketch.problems] if sketch else [],
    }
    return "phantom/lay.html", facts | build_step(scene, t)


def _built(scene: Scene, t: Texts) -> list[BoardSquare]:
    """A dealt board as far as it is built."""
    build = scene.shows.build if scene.shows else None
    if build is None:
        return []
    return [
        BoardSquare(room, spoken(t, room, tile), tile, True, " next" if room == build.room else "")
        for room, tile in zip(ROOMS, scene.shows.rooms, strict=True)
    ]


def _entered(sketch: Sketch, t: Texts) -> list[BoardSquare]:
    return [
        BoardSquare(
            room=room,
            label=spoken(t, room, tile),
            tile=tile,
            fixed=room in sketch.fixed,
            marks=" doubtful" if room in sketch.doubtful else "",
            chosen=room == sketch.at,
            ask=own(t)("lay_ask", room=room),
        )
        for room, tile in zip(ROOMS, sketch.tiles, strict=True)
    ]


def _problem(problem: Problem, g: Texts) -> str:
    """What cannot be right about the board as it was entered."""
    colour = g(f"name_{problem.colour}")
    if problem.value is None:
        return g("too_many", colour=colour, n=problem.n, has=problem.has)
    return g("not_in_box", colour=colour, n=problem.n, has=problem.has, value=problem.value)


def build_step(scene: Scene, t: Texts) -> dict[str, Any]:
    """The next step of building, and the actions that say that it is done."""
    build: Build | None = scene.shows.build if scene.shows else None
    if build is None:
        return {"build": None}
    done = [(action["value"], json.dumps(action)) for action in scene.legal.get("table", ())]
    laid = sum(tile is not None for tile in scene.shows.rooms)
    return {"build": build, "build_words": build_words(t, build), "build_done": done, "laid": laid}


def build_words(t: Texts, build: Build) -> tuple[str, str]:
    """What goes where: a headline and a line."""
    g = own(t)
    kind = g(f"kind_{build.colour}")
    if build.value is None:
        return g("build_any_head", room=build.room, kind=kind), g("build_any")
    return g("build_head", room=build.room, kind=kind, value=build.value), g("build_line")
