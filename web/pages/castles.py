"""The pages of the study: tonight's castle and animals, the castles of the house, one room after another."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import msgspec

from companion.games.canterville.castle import LOCKABLE, ROOMS, check
from companion.games.canterville.options import ANIMALS
from companion.refusals import Illegal
from web import parcels
from web.castles import drafts
from web.castles.drafts import GRID, Draft
from web.pages.backroom import paper
from web.pages.castle import drawing
from web.pages.castle_board import house
from web.pages.castle_voice import castle_voice
from web.scene import Notice


class Desk(msgspec.Struct, frozen=True):
    """What lies on the desk of the study."""

    language: str
    token: str
    castles: Mapping[str, Draft]
    chosen: str = ""
    """The name of tonight's castle."""
    sizes: Mapping[str, int] = {}
    """How many animals each frame holds, as far as anybody knows."""
    notices: tuple[Notice, ...] = ()

    def castle(self, key: str) -> Draft:
        """One of the castles."""
        if key not in self.castles:
            raise Illegal("castle.unknown")
        return self.castles[key]


def _page(desk: Desk, name: str, title: str, **facts: Any) -> str:
    facts |= {"c": castle_voice(desk.language), "title": title}
    return paper(f"canterville/{name}.html", desk.language, desk.token, desk.notices, **facts)


def hall(desk: Desk, brought: str = "") -> str:
    """Tonight's castle, the animals, and every castle of the house; one that was brought by a link waits."""
    c = castle_voice(desk.language)
    return _page(
        desk,
        "study",
        c("study"),
        chosen=desk.chosen,
        brought=brought,
        castles={key: (draft, _ready(draft)) for key, draft in desk.castles.items()},
        animals=[(animal, c(f"animal_{animal}"), desk.sizes.get(animal, "")) for animal in ANIMALS],
        counted=len(desk.sizes) == len(ANIMALS),
    )


def _ready(draft: Draft) -> bool:
    return not check(draft.castle).errors


def one(desk: Desk, key: str) -> str:
    """One castle: its drawing, what is missing, what is wrong, and how to pass it on."""
    c, draft = castle_voice(desk.language), desk.castle(key)
    found = check(draft.castle)
    sheet = drawing(draft.castle) if draft.rooms else None
    return _page(
        desk,
        "one",
        draft.name,
        key=key,
        draft=draft,
        sheet=sheet,
        house=house(draft.castle) if sheet else "",
        follows=drafts.next_room(draft),
        asks=[(room, c(why, room=room)) for room, why in drafts.missing(draft)],
        errors=[saying.said(desk.language) for saying in found.errors],
        warnings=[saying.said(desk.language) for saying in found.warnings],
        code=parcels.code("/castles", drafts.to_text(draft)),
        text=drafts.to_text(draft),
    )


ASKS_ONLY = {"ask_place": "place", "ask_door": "door"}
"""Where a single thing is missing, a check-up asks for that alone; else for all there is to a room."""


def checkup(desk: Desk, key: str, after: int = 0) -> str:
    """The next thing that is missing, and nothing else; after the last one, the castle itself."""
    rest = [(room, why) for room, why in drafts.missing(desk.castle(key)) if room > after]
    return room(desk, key, *rest[0], left=len(rest)) if rest else one(desk, key)


def room(desk: Desk, key: str, room: int, why: str = "", left: int = 0) -> str:
    """What there is to ask about one room; in a check-up, why it is asked and how many are left."""
    c, draft = castle_voice(desk.language), desk.castle(key)
    if room not in ROOMS:
        raise Illegal("canterville.castle_room_outside", room=room)
    here = draft.rooms.get(room)
    walks, walls = drafts.around(draft.castle.walks, room), drafts.around(draft.castle.walls, room)
    return _page(
        desk,
        "room",
        c("room", room=room),
        asked=c(why, room=room) if why else "",
        left=left,
        only=ASKS_ONLY.get(why, ""),
        key=key,
        draft=draft,
        number=room,
        here=here if here and here.w else None,
        others=[other for other in draft.rooms.values() if other.w and other.room != room],
        cells=_free_cells(draft, room),
        grid=GRID,
        walks=walks,
        walls=walls,
        numbers=ROOMS,
        lockable=room in LOCKABLE,
        door=draft.castle.doors.get(str(room)),
        follows=drafts.next_room(draft),
    )


def _free_cells(draft: Draft, room: int) -> list[tuple[int, int]]:
    """The squares of the sheet where nothing else is drawn."""
    others = [other for other in draft.rooms.values() if other.w and other.room != room]
    return [
        (x, y)
        for y in range(GRID)
        for x in range(GRID)
        if not any(o.x <= x < o.x + o.w and o.y <= y < o.y + o.h for o in others)
    ]
