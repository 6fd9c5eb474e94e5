"""What lies on the castle for one reader: figures, Max where he may be seen, his trail, trap, closed door."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache

import msgspec
from markupsafe import Markup

from companion.games.canterville.castle import Castle
from companion.games.canterville.options import MAX
from companion.games.canterville.view import Shows
from web.games.canterville.drawing import Chamber, Drawing, drawing, threshold
from web.render.aids import RoomAid
from web.render.lamps import Lamp, board_lamp
from web.render.templates import kept, macro
from web.scene import Scene
from web.texts import Texts


class Pick(msgspec.Struct, frozen=True):
    """A room that can be tapped, and what the second tap would do."""

    chamber: Chamber
    tool: str
    """With what: a figure, `trap`, `door`, or `go`."""
    action: str
    label: str
    what: str
    note: str
    back: bool = False
    """Whether it is a room that an x2 card opens to Max."""


LAID_DOWN = ("guess", "trap")
"""What a hunter lays down, instead of moving a figure there."""


class Handle(msgspec.Struct, frozen=True):
    """Where a tap on a figure selects it."""

    figure: str
    room: int
    x: float
    y: float
    w: float
    h: float


class Pawn(msgspec.Struct, frozen=True):
    """A figure on the castle, placed from the middle of its room; one that is still to move waits."""

    figure: str
    chamber: Chamber
    x: float
    y: float
    waits: bool


class Trail(msgspec.Struct, frozen=True):
    """A route drawn from room to room: a line, and a dot for each stop."""

    path: str
    dots: tuple[tuple[float, float], ...]
    fresh: bool
    """Whether it is being shown right now, and so drawn stroke by stroke."""


class Secret(msgspec.Struct, frozen=True):
    """What Max sees while he holds the button."""

    here: Chamber
    fresh: tuple[Chamber, ...]
    cheats: tuple[Chamber, ...]
    trail: Trail | None


class CastleBoard(msgspec.Struct, frozen=True):
    """Everything that lies on the castle for this reader."""

    house: Markup
    to_mark: Markup
    sheet: Drawing
    label: str
    caption: str
    pawns: tuple[Pawn, ...]
    picks: tuple[Pick, ...] = ()
    taps: tuple[Markup, ...] = ()
    """The same, drawn."""
    handles: tuple[Handle, ...] = ()
    doors: tuple[tuple[float, float], ...] = ()
    """The red doors that Max could close."""
    max: Chamber | None = None
    seen: Chamber | None = None
    guess: Chamber | None = None
    trap: Chamber | None = None
    shut: tuple[float, float] | None = None
    trail: Trail | None = None
    secret: Secret | None = None
    lamps: tuple[tuple[Chamber, Lamp], ...] = ()
    aids: tuple[tuple[Chamber, RoomAid], ...] = ()
    """The signs of the map and of the pencil."""


def board(
    scene: Scene,
    c: Texts,
    picks: tuple[Pick, ...] = (),
    go: str = "",
    secret: bool = False,
    lamps: bool = False,
    signs: tuple[RoomAid, ...] = (),
) -> CastleBoard:
    """The castle as this page's reader sees it; Max's own secrets only where the page can close them.

    `go` is what the button says that does what was tapped.
    """
    shows: Shows = scene.shows
    sheet = drawing(scene.ground)
    standing = tuple(pawns(shows, sheet))
    open_to_all = scene.seat != MAX or shows.result is not None
    rooms = [step for step in shows.route if isinstance(step, int)]
    last = sheet.chambers.get(rooms[-1]) if rooms and open_to_all and not shows.max.shown else None
    return CastleBoard(
        house=house(scene.ground),
        to_mark=to_mark(scene.ground),
        sheet=sheet,
        label=label(shows, c),
        caption=caption(shows, c),
        pawns=standing,
        picks=picks,
        taps=tuple(tap(pick, c(f"go_{pick.tool}") if pick.tool in LAID_DOWN else go) for pick in picks),
        handles=tuple(handles(standing, picks)),
        doors=tuple(door(scene.ground, sheet, pick.chamber.room) for pick in picks if pick.tool == "door"),
        max=sheet.chambers.get(shows.max.room or 0) if shows.max.shown else None,
        seen=None if shows.result else last,
        guess=sheet.chambers.get(shows.guess or 0),
        trap=sheet.chambers.get(shows.trap or 0),
        shut=shut_door(shows, scene.ground, sheet),
        trail=trail(shows, sheet) if open_to_all else None,
        secret=secrets(scene, sheet) if secret else None,
        lamps=tuple((one, board_lamp(scene.lamps, one.room)) for one in sheet.chambers.values())
        if lamps
        else (),
        aids=tuple((sheet.chambers[aid.room], aid) for aid in signs if aid.room in sheet.chambers),
    )


def tap(pick: Pick, go: str) -> Markup:
    """A room that can be tapped, drawn."""
    return kept("canterville/tap.html", "tap")(pick, go)


@lru_cache(maxsize=16)
def house(castle: Castle | None) -> Markup:
    """The castle itself, which is the same on every page."""
    return macro("canterville/house.html", "house")(drawing(castle))


@lru_cache(maxsize=16)
def to_mark(castle: Castle | None) -> Markup:
    """Its rooms for the pencil."""
    return macro("canterville/house.html", "to_mark")(drawing(castle))


def label(shows: Shows, c: Texts) -> str:
    """The castle as it is spoken: where everybody is, as far as all may know."""
    parts = [
        c("figure_in", figure=figure, room=room) for figure, room in shows.figures.items() if room is not None
    ]
    if shows.max.shown and shows.max.room:
        parts.append(c("max_in", room=shows.max.room))
    if shows.guess:
        parts.append(c("guess_in", room=shows.guess))
    if shows.trap:
        parts.append(c("trap_in", room=shows.trap))
    if shows.locked:
        parts.append(c("door_in", room=shows.locked))
    return ". ".join([c("castle_label"), *parts])


def caption(shows: Shows, c: Texts) -> str:
    """What castle this is; an invented one says so."""
    if shows.invented:
        return c("castle_invented")
    return c("castle_no_map") if shows.castle == "none" else shows.castle


def pawns(shows: Shows, sheet: Drawing) -> Iterator[Pawn]:
    """The figures, side by side where they share a room."""
    moving = next((shows.owners[seat] for seat in shows.to_act if seat in shows.owners), ())
    for room, chamber in sheet.chambers.items():
        there = [figure for figure, at in shows.figures.items() if at == room]
        step = min(16.0, chamber.w / (len(there) + 1))
        for n, figure in enumerate(there):
            x = step * (n - (len(there) - 1) / 2)
            waits = shows.phase == "hunters" and figure in moving and figure not in shows.acted
            yield Pawn(figure, chamber, round(x, 1), round(chamber.top + chamber.h - 1, 1), waits)


def handles(standing: tuple[Pawn, ...], picks: tuple[Pick, ...]) -> Iterator[Handle]:
    """A tap on a figure selects it where it has a choice; beside it too, unless that room is meant."""
    tools, taken = {pick.tool for pick in picks}, [pick.chamber for pick in picks]
    taken += [pawn.chamber for pawn in standing if pawn.x]
    for pawn in standing:
        room, size = pawn.chamber, 16 if pawn.x else 26
        if not pawn.waits or pawn.figure not in tools:
            continue
        if room in taken:
            x = round(room.middle[0] + pawn.x - size / 2, 1)
            yield Handle(pawn.figure, room.room, x, room.y + room.h - 26, size, 26)
        else:
            yield Handle(pawn.figure, room.room, room.x, room.y, room.w, room.h)


def shut_door(shows: Shows, castle: Castle | None, sheet: Drawing) -> tuple[float, float] | None:
    """Where the closed door stands."""
    if shows.locked is None or shows.locked not in sheet.chambers:
        return None
    return door(castle, sheet, shows.locked)


def door(castle: Castle | None, sheet: Drawing, room: int) -> tuple[float, float]:
    """Where a room's red door is. Without a map: in its room. GJ-Q15."""
    if castle is not None and str(room) in castle.doors:
        return threshold(sheet, room, castle.doors[str(room)])
    chamber = sheet.chambers[room]
    return chamber.x + chamber.w - 8, chamber.y + chamber.h - 8


def beyond_door(shows: Shows, castle: Castle | None, room: int) -> list[int]:
    """The rooms that the red door of a room would shut off; without a map nobody knows. GJ-Q15."""
    if castle is None:
        return []
    if shows.door_scope == "all_doors_of_room":
        return sorted({end for way in castle.walks if room in way for end in way} - {room})
    return [castle.doors[str(room)]]


def trail(shows: Shows, sheet: Drawing) -> Trail | None:
    """The route that lies open, as a line."""
    stops = [
        sheet.chambers[step].middle
        for step in shows.route
        if isinstance(step, int) and step in sheet.chambers
    ]
    if len(stops) < 2:
        return None
    path = "M" + "L".join(f"{x:g} {y:g}" for x, y in stops)
    return Trail(path, tuple(stops), fresh=shows.max.shown and shows.result is None)


def secrets(scene: Scene, sheet: Drawing) -> Secret | None:
    """Where Max is and where he may go."""
    shows: Shows = scene.shows
    if shows.max.room is None:
        return None
    rooms = open_to_max(scene)
    return Secret(
        here=sheet.chambers[shows.max.room],
        fresh=tuple(sheet.chambers[room] for room in rooms["move"]) if sheet.mapped else (),
        cheats=tuple(sheet.chambers[room] for room in rooms["cheat"]) if sheet.mapped else (),
        trail=trail(shows, sheet),
    )


def open_to_max(scene: Scene) -> dict[str, list[int]]:
    """The rooms that Max may go to, go back to, or lock, by the type of the action."""
    rooms: dict[str, list[int]] = {"move": [], "cheat": [], "lock": []}
    for action in scene.legal.get(MAX, ()):
        if action["type"] in rooms:
            rooms[action["type"]].append(action["room"])
    return rooms


def spoken(c: Texts, chamber: Chamber) -> str:
    """A room as it is spoken."""
    name = chamber.name.get(c.language) or chamber.name.get("en", "")
    return c("room_named", room=chamber.room, name=name) if name else c("room", room=chamber.room)
