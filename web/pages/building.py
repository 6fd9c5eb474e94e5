"""The pages about the real board: entering it whole, building a dealt one, comparing it with the record."""

from __future__ import annotations

import json
from typing import Any

import msgspec

from companion.games.phantom.actions import Tile
from companion.games.phantom.board import COLOURS, ROOMS, SIZE
from companion.games.phantom.view import Build, Shows
from web.building.layout import Problem
from web.pages.voice import Voice, voice
from web.scene import Scene


def draw(scene: Scene, t: Voice) -> tuple[str, dict[str, Any]]:
    """The template of a page, and what it shows."""
    b = voice(scene.language, "building")
    facts = {"b": b, "colours": COLOURS, "keys": keys(b), "home": home(scene)}
    if scene.page == "lay":
        facts |= {
            "title": b("lay_title"),
            "squares": rows(entered(scene, t, b)),
            "problems": problems(scene, t, b),
        }
        facts |= step(scene, t)
        return "building/lay.html", facts
    facts |= {"title": b("check_title"), "squares": rows(looked_at(scene, t)), "figures": figures(scene)}
    return "building/check.html", facts | asked(scene, t, b)


def home(scene: Scene) -> str:
    """Where whoever runs the evening belongs."""
    return "/host" if scene.me and scene.me.host else "/moderator"


def keys(b: Voice) -> dict[str, str]:
    """The letter that chooses each colour on a keyboard."""
    return {colour: b(f"key_{colour}") for colour in COLOURS}


# Squares


class Square(msgspec.Struct, frozen=True):
    """One square of either page."""

    room: int
    label: str
    tile: Tile | None = None
    fixed: bool = False
    marks: str = ""
    chosen: bool = False
    ask: str = ""
    ghost: str = ""


def rows(squares: list[Square]) -> list[list[Square]]:
    """Six squares a row."""
    return [squares[at : at + SIZE] for at in range(0, len(squares), SIZE)]


def spoken(t: Voice, room: int, tile: Tile | None) -> str:
    """A square as it is spoken."""
    if tile is None:
        return t("phantom_room_free", room=room)
    return t("phantom_room", room=room, kind=t(f"phantom_kind_{tile.colour}"), sum=t.pounds(tile.value))


def entered(scene: Scene, t: Voice, b: Voice) -> list[Square]:
    """The board as it is being entered, or built."""
    sketch, shows = scene.sketch, scene.shows
    if sketch is None:
        building = getattr(shows, "build", None)
        if building is None:
            return []
        return [
            Square(room, spoken(t, room, tile), tile, True, " next" if room == building.room else "")
            for room, tile in zip(ROOMS, shows.rooms, strict=True)
        ]
    return [
        Square(
            room=room,
            label=spoken(t, room, tile),
            tile=tile,
            fixed=room in sketch.fixed,
            marks=" doubtful" if room in sketch.doubtful else "",
            chosen=room == sketch.at,
            ask=b("lay_ask", room=room),
        )
        for room, tile in zip(ROOMS, sketch.tiles, strict=True)
    ]


def looked_at(scene: Scene, t: Voice) -> list[Square]:
    """The board as the record has it, to be compared with the real one."""
    if scene.check is None or scene.game != "phantom":
        return []
    shows: Shows = scene.shows
    found = {ghost.room: colour for colour, ghost in shows.ghosts.items() if ghost.revealed}
    return [
        Square(
            room=room,
            label=spoken(t, room, tile) if tile else t("phantom_room_empty", room=room),
            tile=tile,
            chosen=str(room) in scene.check.marked,
            ghost=found.get(room, ""),
        )
        for room, tile in zip(ROOMS, shows.rooms, strict=True)
    ]


def figures(scene: Scene) -> list[tuple[str, int, bool]]:
    """The figures of the castle, where each stands by the record, and whether it was marked."""
    if scene.check is None or scene.game != "canterville":
        return []
    standing = scene.shows.figures.items()
    return [(name, room, name in scene.check.marked) for name, room in standing if room is not None]


def problems(scene: Scene, t: Voice, b: Voice) -> list[str]:
    """What cannot be right about the board as it was entered."""
    return [_problem(each, t, b) for each in (scene.sketch.problems if scene.sketch else ())]


def _problem(problem: Problem, t: Voice, b: Voice) -> str:
    colour = t(f"phantom_name_{problem.colour}")
    if problem.value is None:
        return b("too_many", colour=colour, n=problem.n, has=problem.has)
    return b("not_in_box", colour=colour, n=problem.n, has=problem.has, value=problem.value)


# Building a dealt board


def step(scene: Scene, t: Voice) -> dict[str, Any]:
    """The next step of building, and the actions that say that it is done."""
    build: Build | None = getattr(scene.shows, "build", None)
    if build is None:
        return {"build": None}
    done = [(action["value"], json.dumps(action)) for action in scene.legal.get("table", ())]
    laid = sum(tile is not None for tile in scene.shows.rooms)
    return {"build": build, "build_words": build_words(t, build), "build_done": done, "laid": laid}


def build_words(t: Voice, build: Build) -> tuple[str, str]:
    """What goes where: a headline and a line."""
    b = voice(t.language, "building")
    kind = t(f"phantom_kind_{build.colour}")
    if build.value is None:
        return b("build_any_head", room=build.room, kind=kind), b("build_any")
    return b("build_head", room=build.room, kind=kind, value=build.value), b("build_line")


# One difference


def checked(scene: Scene, t: Voice) -> str:
    """That board and record are being compared, for everybody who sees a lamp blink."""
    marks = scene.lamps.marks if scene.lamps else {}
    room = next((room for room, names in marks.items() if "differs" in names), None)
    b = voice(t.language, "building")
    return b("asked_line", room=room) if room else ""


def asked(scene: Scene, t: Voice, b: Voice) -> dict[str, Any]:
    """What is asked about one difference, in words."""
    question = scene.check.question if scene.check else None
    if question is None:
        return {"question": None}
    here = question.recorded
    lies = tile_words(t, question.lies or here)
    told = "_told" if question.kind == "extra" and question.lies is None else ""
    facts = {
        "room": question.room,
        "figure": question.key.upper(),
        "tile": tile_words(t, here or question.lies),
    }
    return {
        "question": question,
        "head": b(f"ask_{question.kind}", **facts),
        "record_do": b(f"record_{question.kind}", **facts),
        "board_do": b(f"board_{question.kind}{told}", **facts | {"tile": lies}),
    }


def tile_words(t: Voice, tile: Tile | None) -> str:
    """A tile by its room type and value."""
    if tile is None:
        return ""
    return f"{t(f'phantom_kind_{tile.colour}')}, {t.money(tile.value)}"
