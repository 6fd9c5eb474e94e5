"""A box of The Phantom Society, written down: tiles, printed names, which colour is which room."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, get_args

from companion.games.phantom.board import COLOURS, ROOMS
from companion.games.phantom.box import Box, RoomType
from companion.words import Saying
from web.admin.boxes.fields import labels
from web.games.record import BoxForm
from web.texts import game_texts


def written(box: Box) -> dict[str, str]:
    """The fields of the form that say this box."""
    tiles = {f"tiles-{colour}": "".join(map(str, box.tiles.get(colour, ()))) for colour in COLOURS}
    names = {f"name-{room}": name for room, name in zip(ROOMS, box.names, strict=False)}
    types = {f"type-{colour}": kind for colour, kind in box.types.items()}
    return {**tiles, **names, **types, "turn": str(box.turn)}


def read(fields: Mapping[str, str], before: Any) -> tuple[dict[str, Any], list[Saying]]:
    """Nine digits a colour, as they are read off the tiles; what is no digit is worth nothing. PS-2."""
    problems: list[Saying] = []
    texts = {colour: "".join(fields.get(f"tiles-{colour}", "").split()) for colour in COLOURS}
    tiles = {c: [int(each) if each in "0123456789" else 0 for each in text] for c, text in texts.items()}
    names = [" ".join(fields.get(f"name-{room}", "").split()) for room in ROOMS]
    if missing := [room for room, name in zip(ROOMS, names, strict=True) if not name]:
        if len(missing) < len(names):
            problems.append(Saying("phantom_pages.box_names_missing", n=len(missing), rooms=missing))
        names = []
    types = {colour: kind for colour in COLOURS if (kind := fields.get(f"type-{colour}", ""))}
    turn = int(text) if (text := fields.get("turn", "0")).isdecimal() else 0
    return {"tiles": tiles, "names": names, "types": types, "turn": turn}, problems


def facts(language: str) -> dict[str, Any]:
    """What the form calls things."""
    return {
        "colours": labels("phantom", "colour", COLOURS, language),
        "types": labels("phantom", "type", get_args(RoomType), language),
        "rooms": ROOMS,
    }


def summary(box: Box, language: str) -> Iterator[tuple[str, str]]:
    """The tiles, and what else is printed."""
    g = game_texts(language, "phantom")
    for colour, word in facts(language)["colours"].items():
        yield word, " ".join(map(str, box.tiles[colour]))
    if box.names:
        yield g("box_names"), ", ".join(box.names)
    yield g("box_turn"), g(f"box_turn_{box.turn}")


FORM = BoxForm(
    template="phantom/box.html", written=written, read=read, facts=facts, summary=summary, lies_open=True
)
