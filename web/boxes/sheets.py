"""The sheets on which a box is written down: a form for each game, and what its fields say about the box.

A sheet never refuses: it gives the box as plain data, and every problem that only a form can have. The game
itself checks the rest, so that everything that is wrong is told at once.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any, NamedTuple

from companion.contract import plain
from companion.games.artefacts import box as artefacts
from companion.games.artefacts.manor import COLOURS as HUNTERS
from companion.games.artefacts.manor import turned
from companion.games.canterville import box as canterville
from companion.games.canterville.options import ANIMALS
from companion.games.phantom import box as phantom
from companion.games.phantom.board import COLOURS, ROOMS
from companion.words import Saying

Fields = Mapping[str, str]
Written = tuple[dict[str, Any], list[Saying]]

SHAPES = ("NESW", "NES", "NS", "NE", "N")
"""The five forms of a tile; how it is turned says nothing, for it may be laid any way."""
KINDS = ("plain", "trap", "teleporter", "ghost")
"""Tiles that are counted; of artefacts there is one in each colour."""
MOST = 48
"""More of one thing is in no box."""


class Sheet(NamedTuple):
    """The form of one game."""

    written: Callable[[Any], dict[str, str]]
    """The fields of the form that say this box."""
    read: Callable[[Fields, Any], Written]
    """The box that the fields say; what the form has no field for stays as it was before."""


def _count(fields: Fields, name: str, problems: list[Saying]) -> int:
    """How many of something; nothing said is none."""
    text = fields.get(name, "").strip()
    if not text:
        return 0
    if not (text.isdecimal() and len(text) < 3 and int(text) <= MOST):
        problems.append(Saying("boxes.no_count", text=text[:12], most=MOST))
        return 0
    return int(text)


def _said(counts: Iterable[tuple[str, int]]) -> dict[str, str]:
    """Counts as fields; none is left empty."""
    return {name: str(n) for name, n in counts if n}


# The Phantom Society


def _phantom_written(box: phantom.Box) -> dict[str, str]:
    tiles = {f"tiles-{colour}": "".join(map(str, box.tiles.get(colour, ()))) for colour in COLOURS}
    names = {f"name-{room}": name for room, name in zip(ROOMS, box.names, strict=False)}
    types = {f"type-{colour}": kind for colour, kind in box.types.items()}
    return {**tiles, **names, **types, "turn": str(box.turn)}


def _phantom_read(fields: Fields, before: Any) -> Written:
    """Nine digits a colour, as they are read off the tiles; what is no digit is worth nothing. PS-2."""
    problems: list[Saying] = []
    texts = {colour: "".join(fields.get(f"tiles-{colour}", "").split()) for colour in COLOURS}
    tiles = {c: [int(each) if each in "0123456789" else 0 for each in text] for c, text in texts.items()}
    names = [" ".join(fields.get(f"name-{room}", "").split()) for room in ROOMS]
    if missing := [room for room, name in zip(ROOMS, names, strict=True) if not name]:
        if len(missing) < len(names):
            problems.append(Saying("boxes.names_missing", n=len(missing), rooms=missing))
        names = []
    types = {colour: kind for colour in COLOURS if (kind := fields.get(f"type-{colour}", ""))}
    turn = fields.get("turn", "0")
    return {
        "tiles": tiles,
        "names": names,
        "types": types,
        "turn": int(turn) if turn.isdecimal() else 0,
    }, problems


# Chasseurs Fantômes Artéfacts


def shape_of(exits: str) -> str:
    """A tile's form, however it is turned."""
    return next(turned(exits, turn) for turn in range(4) if turned(exits, turn) in SHAPES)


def _artefacts_written(box: artefacts.Box) -> dict[str, str]:
    counts: dict[str, int] = {}
    for lot in box.tiles:
        if lot.kind != "artefact":
            name = f"{lot.kind}-{shape_of(lot.exits)}"
            counts[name] = counts.get(name, 0) + lot.count
    painted = {f"artefact-{lot.colour}": shape_of(lot.exits) for lot in box.tiles if lot.kind == "artefact"}
    objects = ((f"object-{card}", n) for card, n in box.objects.items())
    traps = ((f"trapcard-{card}", n) for card, n in box.traps.items())
    return {**_said(counts.items()), **painted, **_said(objects), **_said(traps)}


def _artefacts_read(fields: Fields, before: Any) -> Written:
    """How many tiles of each kind and form, and of each card. CFA-1 to CFA-3."""
    problems: list[Saying] = []
    lots = [(kind, shape, _count(fields, f"{kind}-{shape}", problems)) for kind in KINDS for shape in SHAPES]
    tiles: list[dict[str, Any]] = [{"kind": kind, "exits": exits, "count": n} for kind, exits, n in lots if n]
    tiles += [
        {"kind": "artefact", "exits": shape, "colour": colour}
        for colour in HUNTERS
        if (shape := fields.get(f"artefact-{colour}", ""))
    ]
    objects = {card: _count(fields, f"object-{card}", problems) for card in artefacts.OBJECTS}
    traps = {card: _count(fields, f"trapcard-{card}", problems) for card in artefacts.TRAPS}
    label = " ".join(fields.get("name", "").split())
    return {"label": label, "tiles": tiles, "objects": objects, "traps": traps}, problems


# Gespensterjagd


def _canterville_written(box: canterville.Box) -> dict[str, str]:
    return _said((animal, n) for animal, n in box.frames.items())


def _canterville_read(fields: Fields, before: canterville.Box | None) -> Written:
    """How many animals each frame holds; a castle that came with the box stays in it. GJ-3."""
    problems: list[Saying] = []
    counts = {animal: _count(fields, animal, problems) for animal in ANIMALS}
    frames = {animal: n for animal, n in counts.items() if n}
    problems += [Saying("boxes.frame", n=n) for n in frames.values() if n > 8]
    castle = plain(before.castle) if before is not None and before.castle is not None else None
    return {"frames": {animal: min(n, 8) for animal, n in frames.items()}, "castle": castle}, problems


SHEETS = {
    "artefacts": Sheet(_artefacts_written, _artefacts_read),
    "canterville": Sheet(_canterville_written, _canterville_read),
    "phantom": Sheet(_phantom_written, _phantom_read),
}
"""Games whose boxes can be written down here; those of others are passed on as they are."""
LAID_OPEN = ("phantom",)
"""Games whose whole box lies on the table for all to see; of others the table knows what it was told."""
