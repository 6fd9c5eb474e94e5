"""Pages: tonight's castle and animals, every castle that is kept, one room after another."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import msgspec

from companion.games.canterville.castle import LOCKABLE, ROOMS, check
from companion.games.canterville.options import ANIMALS
from companion.refusals import Illegal
from web.admin import sharing
from web.admin.layout import paper
from web.games.canterville import drafts
from web.games.canterville.board import house
from web.games.canterville.drafts import GRID, Draft
from web.games.canterville.drawing import drawing
from web.scene import Notice
from web.site.routes import Call
from web.texts import game_texts


class CastlesView(msgspec.Struct, frozen=True):
    """What these pages show."""

    call: Call
    castles: Mapping[str, Draft]
    chosen: str = ""
    """The name of tonight's castle."""
    sizes: Mapping[str, int] = {}
    """How many animals each frame holds, as far as anybody knows."""
    notices: tuple[Notice, ...] = ()

    @property
    def language(self) -> str:
        """What whoever looks reads."""
        return self.call.language

    def castle(self, key: str) -> Draft:
        """One of the castles."""
        if key not in self.castles:
            raise Illegal("canterville_pages.unknown")
        return self.castles[key]


def _page(desk: CastlesView, name: str, title: str, **facts: Any) -> str:
    facts |= {"g": game_texts(desk.language, "canterville"), "title": title}
    return paper(f"canterville/{name}.html", desk.call, desk.notices, **facts)


def overview(desk: CastlesView, brought: str = "") -> str:
    """Tonight's castle, the animals, and every castle that is kept; one that was brought by a link waits."""
    c = game_texts(desk.language, "canterville")
    return _page(
        desk,
        "castles",
        c("study"),
        chosen=desk.chosen,
        brought=brought,
        castles={key: (draft, _ready(draft)) for key, draft in desk.castles.items()},
        animals=[(animal, c(f"animal_{animal}"), desk.sizes.get(animal, "")) for animal in ANIMALS],
        counted=len(desk.sizes) == len(ANIMALS),
    )


def _ready(draft: Draft) -> bool:
    return not check(draft.castle).errors


def one(desk: CastlesView, key: str) -> str:
    """One castle: its drawing, what is missing, what is wrong, and how to pass it on."""
    c, draft = game_texts(desk.language, "canterville"), desk.castle(key)
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
        code=sharing.code("/castles", drafts.to_text(draft)),
        text=drafts.to_text(draft),
    )


ASKS_ONLY = {"ask_place": "place", "ask_door": "door"}
"""Where a single thing is missing, a check-up asks for that alone; else for all there is to a room."""


def checkup(desk: CastlesView, key: str, after: int = 0) -> str:
    """The next thing that is missing, and nothing else; after the last one, the castle itself."""
    rest = [(room, why) for room, why in drafts.missing(desk.castle(key)) if room > after]
    return room(desk, key, *rest[0], left=len(rest)) if rest else one(desk, key)


def room(desk: CastlesView, key: str, room: int, why: str = "", left: int = 0) -> str:
    """What there is to ask about one room; in a check-up, why it is asked and how many are left."""
    c, draft = game_texts(desk.language, "canterville"), desk.castle(key)
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


SIGNS = {"wall": "", "walk": "M-4 0h8", "red": "M-6 7v-9a6 6 0 0 1 12 0v9z", "none": "M-4 -4l8 8M4 -4l-8 8"}
"""What is drawn on a shared wall, by who passes there."""


def sheet(desk: CastlesView, key: str) -> str:
    """The sheet on which all rooms are drawn, and who passes between them."""
    c, draft = game_texts(desk.language, "canterville"), desk.castle(key)
    words = {
        "again": c("draw_again", room="@1"),
        "all": c("draw_all"),
        "count": c("drawn_rooms", n="@1"),
        "erase": c("draw_erase", room="@1"),
        "kept": c("draw_kept"),
        "not_kept": c("draw_not_kept"),
        "room": c("draw_room", room="@1"),
        "signs": msgspec.json.encode(SIGNS).decode(),
        "taken": c("draw_taken", room="@1"),
        "ways": c("draw_ways_hint"),
        "way_none": c("way_none", one="@1", two="@2"),
        "way_red": c("way_red", one="@1", two="@2", room="@3"),
        "way_walk": c("way_walk", one="@1", two="@2"),
        "way_wall": c("way_wall", one="@1", two="@2"),
    }
    return _page(
        desk,
        "draw",
        c("draw"),
        key=key,
        draft=draft,
        grid=GRID,
        lockable=list(LOCKABLE),
        signs=SIGNS,
        castle=drafts.option(draft),
        words=msgspec.json.encode(words).decode(),
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
