"""The pages of The Phantom Society: a hotel floor of 36 rooms."""

from __future__ import annotations

import json
from functools import lru_cache
from typing import Any

import msgspec
from markupsafe import Markup

from companion.contract import Seat
from companion.games.phantom.board import COLOURS, SIZE
from companion.games.phantom.view import Shows
from web.pages import story
from web.pages.gauge import Gauge, gauge
from web.pages.lamps import Lamp, board_lamp
from web.pages.lines import Line, centre, first_tiles, in_line, stroke
from web.pages.paper import macro
from web.pages.people import name_of, waiting_for
from web.pages.voice import Voice
from web.scene import Scene

CRACKS = (
    "M46 3l-8 12 6 8-11 9M22 53l4-11-6-8M50 40l-8 4",
    "M4 26l12 3 3 9-6 9M52 30l-11 2-4 9",
    "M52 10 40 19l3 9-9 8M6 44l10-8 7 3",
    "M14 52l3-12-7-8 6-6M48 50l-8-9 4-9-6-6",
)
"""How the glass of a dark window is broken: four ways, by the number of the room."""


DOES = {"placing": "place", "hiding": "hide", "playing": "remove"}
"""What tapping a square does in each phase."""


class Cell(msgspec.Struct, frozen=True):
    """One square of the board as a page shows it."""

    room: int
    kind: str
    """`tile`, `slot` (nothing laid yet), `gone` or `found`."""
    label: str
    colour: str = ""
    value: int = 0
    classes: str = ""
    does: str = ""
    """The action that choosing it leads to, as JSON; for a slot the name of the form field."""
    what: str = ""
    note: str = ""
    ghost: str = ""
    lamp: Lamp | None = None


class Den(msgspec.Struct, frozen=True):
    """A ghost the reader of the page knows of, where it hides."""

    room: int
    colour: str
    mine: bool
    x: int
    y: int


class Secret(msgspec.Struct, frozen=True):
    """What a master sees while he holds the button."""

    dens: tuple[Den, ...]
    lines: tuple[Line, ...]


class Board(msgspec.Struct, frozen=True):
    """The board, ready to be drawn."""

    rows: tuple[Markup, ...]
    public: tuple[Line, ...]
    secret: Secret | None = None
    large: bool = False


def draw(scene: Scene, t: Voice) -> tuple[str, dict[str, Any]]:
    """The template of a page of this game, and what it shows."""
    shows: Shows = scene.shows
    facts: dict[str, Any] = {"shows": shows, "sum": Sum(shows, t), "colours": COLOURS}
    if scene.stage == "result" and scene.page in ("play", "watch"):
        return "phantom/result.html", facts | story.told(scene, t)
    facts |= {"turn": turn(scene, t), "news": news(scene, t)}
    match scene.page:
        case "moderator":
            return "phantom/moderator.html", facts | moderator(scene, t)
        case "table" | "demo":
            return "phantom/table.html", facts | table(scene, t)
        case "watch":
            return "phantom/watch.html", facts | {"board": board(scene, t)}
    return "phantom/play.html", facts | play(scene, t)


# Words about the game


class Sum:
    """The damage in words and lamps."""

    def __init__(self, shows: Shows, t: Voice) -> None:
        fresh = shows.removed[-1].value if shows.removed and shows.removed[-1].ghost is None else 0
        self.gauge: Gauge = gauge(shows.damage, shows.objective, 0 if shows.asking else fresh)
        self.done = t.money(shows.damage)
        self.goal = t.money(shows.objective) if shows.objective else None
        self.left = t.money(max(0, shows.objective - shows.damage)) if shows.objective else None


class Turn(msgspec.Struct, frozen=True):
    """The headline: lit where the reader may act."""

    lit: bool
    head: str
    line: str
    held: str = ""


def turn(scene: Scene, t: Voice) -> Turn:
    """Whose turn it is, in the reader's own words."""
    shows: Shows = scene.shows
    name = name_of(scene, t, scene.seat)
    if scene.page == "demo":
        return _demo_turn(scene, t)
    if scene.seat in scene.to_act:
        role = shows.roles.get(scene.seat or "") or "player"
        step = f"found_{role}" if shows.asking else f"{shows.phase}_{role}"
        if shows.phase in ("placing", "bidding"):
            step = shows.phase
        return Turn(True, t("your_turn", name=name), t(f"phantom_do_{step}"), t("phantom_held"))
    waited = waiting_for(scene, t)
    mover = shows.roles.get(scene.to_act[0]) if scene.to_act else None
    if shows.phase == "playing":
        return Turn(False, t(f"phantom_turn_{mover or 'player'}", name=waited), last_told(scene, t))
    # While ghosts hide nobody is pointed at: who is done says nothing, who is slow might.
    return Turn(False, t(f"phantom_wait_{shows.phase}", name=waited), t(f"phantom_why_{shows.phase}"))


def _demo_turn(scene: Scene, t: Voice) -> Turn:
    """In the demonstration the reader plays the ghosts, if he likes."""
    side = "over" if scene.stage == "result" else "ghosts" if scene.legal else "hunters"
    return Turn(side == "ghosts", t(f"phantom_demo_head_{side}"), t(f"phantom_demo_{side}"))


def news(scene: Scene, t: Voice) -> Markup | None:
    """What just happened, in one sentence."""
    shows: Shows = scene.shows
    if not shows.removed:
        return None
    last = shows.removed[-1]
    name, room = name_of(scene, t, last.by), last.room
    if last.ghost:
        return t.rich("phantom_news_found", name=name, room=room, ghost=t(f"phantom_ghost_{last.ghost}"))
    key = "phantom_news_devastated" if shows.roles.get(last.by) == "master" else "phantom_news_lifted"
    return t.rich(key, name=name, room=room, sum=t.money(last.value))


def last_told(scene: Scene, t: Voice) -> str:
    """What the dotted lines mean, where there are some."""
    marks = scene.lamps.marks.values() if scene.lamps else ()
    if any("target" in mark for mark in marks):
        return t("phantom_why_learning")
    if any("origin" in mark for mark in marks):
        return t("phantom_why_lines")
    return t("phantom_why_playing")


@lru_cache(4096)
def room_name(t: Voice, room: int, colour: str, value: int) -> str:
    """A room as it is spoken: Room 14, red library, 3,000 pounds."""
    return t("phantom_room", room=room, kind=t(f"phantom_kind_{colour}"), sum=t.pounds(value))


# The board


def board(scene: Scene, t: Voice, does: str = "", secret: bool = False, large: bool = False) -> Board:
    """The board as this page's reader sees it; `does` is the type of action that a tile stands for."""
    reach = in_reach(scene)
    cells = [_cell(scene, t, room, does, large, room in reach) for room in range(1, SIZE * SIZE + 1)]
    rows = tuple(
        Markup("").join(cell_html(cell) for cell in cells[at : at + SIZE])
        for at in range(0, len(cells), SIZE)
    )
    return Board(rows, public_lines(scene), secrets(scene) if secret else None, large)


def in_reach(scene: Scene) -> set[int]:
    """The rooms that a master may devastate now, on his own page and the moderator's.

    Who plays by memory is shown nothing: so the lamps of that seat tell it, not what is legal.
    """
    if scene.page == "moderator" and scene.phase == "playing":
        masters = [seat for seat in scene.to_act if scene.shows.roles.get(seat) == "master"]
        return {action.get("room", 0) for seat in masters for action in scene.legal.get(seat, ())}
    marks = scene.picture.marks if scene.picture else {}
    return {room for room, names in marks.items() if "target" in names}


@lru_cache(8192)
def cell_html(cell: Cell) -> Markup:
    """A square's HTML; the same look is drawn once."""
    return macro("phantom/cell.html", "cell")(cell, CRACKS)


def _cell(scene: Scene, t: Voice, room: int, does: str, large: bool, reached: bool) -> Cell:
    shows: Shows = scene.shows
    lamp = board_lamp(scene.lamps, room) if large else None
    tile = shows.rooms[room - 1]
    if tile is None:
        return _empty(scene, t, room, does, lamp)
    label = room_name(t, room, tile.colour, tile.value)
    marks = scene.lamps.marks.get(room, ()) if scene.lamps and not scene.lamps.dark else ()
    classes = "".join(
        f" {name}"
        for name, is_so in (
            ("maybe", "origin" in marks),
            ("aim", "target" in marks),
            ("reach", reached and not large),
            ("lit", bool(lamp and lamp.fill)),
        )
        if is_so
    )
    kind = t(f"phantom_kind_{tile.colour}")
    facts: dict[str, Any] = {"room": room, "colour": tile.colour, "value": tile.value, "lamp": lamp}
    if scene.page == "moderator":
        facts["ghost"] = next((c for c in COLOURS if _hides(shows, c, room)), "")
    hide = {"type": "hide", "ghost": tile.colour, "room": room}
    if does == "hide" and any(hide in actions for actions in scene.legal.values()):
        ghost = t(f"phantom_ghost_{tile.colour}")
        what = t("phantom_hide_what", ghost=ghost, room=room)
        return Cell(
            kind="tile",
            label=label,
            classes=classes,
            does=json.dumps(hide),
            what=what,
            note=t("phantom_hide_note", kind=kind, sum=t.money(tile.value)),
            **facts,
        )
    removable = does == "remove"
    return Cell(
        kind="tile",
        label=label,
        classes=classes,
        does=json.dumps({"type": does, "room": room}) if removable else "",
        what=t("phantom_room_short", room=room, kind=kind) if removable else "",
        note=t("phantom_remove_note", sum=t.money(tile.value)) if removable else "",
        **facts,
    )


def _hides(shows: Shows, colour: str, room: int) -> bool:
    ghost = shows.ghosts[colour]
    return ghost.room == room and not ghost.revealed


def _empty(scene: Scene, t: Voice, room: int, does: str, lamp: Lamp | None) -> Cell:
    shows: Shows = scene.shows
    for colour in COLOURS:
        ghost = shows.ghosts[colour]
        if ghost.revealed and ghost.room == room:
            label = t("phantom_room_found", room=room, ghost=t(f"phantom_ghost_{colour}"))
            return Cell(room, "found", label, ghost=colour, lamp=lamp)
    if shows.phase == "placing" or (shows.phase == "bidding" and not any(shows.rooms)):
        return Cell(room, "slot", t("phantom_room_free", room=room), does="room" if does == "place" else "")
    last = shows.removed[-1] if shows.removed else None
    if last and last.room == room:
        label = t("phantom_room_last", room=room, sum=t.pounds(last.value))
        return Cell(room, "gone", label, classes=" last", note=f"+{last.value}", lamp=lamp)
    return Cell(room, "gone", t("phantom_room_empty", room=room), lamp=lamp)


def public_lines(scene: Scene) -> tuple[Line, ...]:
    """Dotted lines to the last devastated room from where it can have come."""
    lamps = scene.lamps
    if lamps is None or lamps.dark or not scene.shows.removed:
        return ()
    last = scene.shows.removed[-1].room
    origins = [room for room, marks in lamps.marks.items() if "origin" in marks]
    return tuple(stroke(room, last) for room in origins if in_line(room, last))


def secrets(scene: Scene) -> Secret | None:
    """The ghosts this seat knows of, and in its turn the true lines of its own."""
    shows: Shows = scene.shows
    dens = tuple(
        Den(ghost.room, colour, ghost.owner == scene.seat, *centre(ghost.room))
        for colour, ghost in shows.ghosts.items()
        if ghost.room is not None and not ghost.revealed
    )
    tiles = {room for room, tile in enumerate(shows.rooms, start=1) if tile}
    aims = in_reach(scene)
    lines = tuple(
        stroke(den.room, room, 49, 45)
        for den in dens
        if den.mine
        for room in first_tiles(den.room, tiles)
        if room in aims
    )
    return Secret(dens, lines) if dens else None


# The player's page


def play(scene: Scene, t: Voice) -> dict[str, Any]:
    """What one seat may do now, and its secrets."""
    shows: Shows = scene.shows
    mine = scene.seat in scene.to_act
    legal = scene.legal.get(scene.seat or "", ())
    master = shows.roles.get(scene.seat or "") == "master"
    step = ("found" if shows.asking else shows.phase) if mine and not scene.paused else "wait"
    does = DOES.get(step, "")
    if step == "hiding" and any(action["type"] == "ready" for action in legal):
        step, does = "ready", ""
    facts: dict[str, Any] = {
        "step": step,
        "master": master,
        "board": board(scene, t, does, secret=master),
        "secret_words": secret_words(scene, t) if master else (),
        "may_pass": master or any(action["type"] == "pass" for action in legal),
    }
    if step == "placing":
        facts |= tray(scene, scene.seat)
    if step == "bidding":
        facts["bids"] = [action["thousands"] for action in legal]
    if step == "found":
        facts["findings"] = [action["ghost"] for action in legal]
    if shows.bids and scene.seat:
        facts["sealed"] = next((bid for bid in shows.bids.values() if bid), None)
    return facts


class Tray(msgspec.Struct, frozen=True):
    """What may be laid now: the values left of each colour, and how many of it lie already."""

    colour: str
    values: tuple[int, ...]
    laid: int


def tray(scene: Scene, seat: Seat | None) -> dict[str, Any]:
    """The tiles a seat may lay; the moderator lays them for it."""
    values: dict[str, set[int]] = {}
    for action in scene.legal.get(seat or "", ()):
        values.setdefault(action["colour"], set()).add(action["value"])
    laid = [tile.colour for tile in scene.shows.rooms if tile]
    trays = [Tray(c, tuple(sorted(values[c])), laid.count(c)) for c in COLOURS if c in values]
    for_other = seat if scene.page == "moderator" else None
    return {"tray": trays, "laid_count": len(laid), "seat_acting": scene.seat, "playing_for": for_other}


def secret_words(scene: Scene, t: Voice) -> tuple[Markup, ...]:
    """A master's secrets in words, for eyes and for screen readers."""
    shows: Shows = scene.shows
    known = {c: g for c, g in shows.ghosts.items() if g.room is not None and not g.revealed}
    own = [str(ghost.room) for ghost in known.values() if ghost.owner == scene.seat]
    lines = [t.rich("phantom_own", rooms=t.among(own), n=len(own))] if own else []
    for owner in sorted({ghost.owner for ghost in known.values() if ghost.owner not in (None, scene.seat)}):
        rooms = [str(ghost.room) for ghost in known.values() if ghost.owner == owner]
        name = name_of(scene, t, owner)
        lines.append(t.rich("phantom_allied", name=name, rooms=t.among(rooms), n=len(rooms)))
    return tuple(lines)


# The other pages


def table(scene: Scene, t: Voice) -> dict[str, Any]:
    """The public board, large."""
    does = "remove" if scene.page == "demo" and scene.legal and scene.phase == "playing" else ""
    return {"board": board(scene, t, does, large=True), "ticker": story.ticker(scene, t)[:5], "does": does}


def moderator(scene: Scene, t: Voice) -> dict[str, Any]:
    """Everything, and how to put it right."""
    shows: Shows = scene.shows
    does = DOES.get(shows.phase, "")
    mover = scene.to_act[0] if scene.to_act else None
    legal = scene.legal.get(mover or "", ())
    other = [action for action in legal if action["type"] not in ("remove", "hide", "place")]
    facts = {
        "board": board(scene, t, "" if shows.asking else does),
        "mover": mover,
        "other": [(json.dumps(action), action_words(t, action)) for action in other],
        "repairs": repairs(scene, t),
        "log": story.log(scene, t)[:12],
        "whereabouts": whereabouts(scene, t),
    }
    return facts | (tray(scene, mover) if shows.phase == "placing" else {})


def action_words(t: Voice, action: dict[str, Any]) -> str:
    """An action as the label of a button."""
    if action["type"] == "bid":
        return t.money(action["thousands"])
    if action["type"] == "found":
        return t(f"phantom_ghost_{action['ghost']}") if action["ghost"] else t("phantom_found_nothing")
    return t(f"phantom_act_{action['type']}")


def whereabouts(scene: Scene, t: Voice) -> list[Markup]:
    """Where every ghost is, in words."""
    told = []
    for colour, ghost in scene.shows.ghosts.items():
        word = t(f"phantom_ghost_{colour}")
        if ghost.revealed:
            told.append(t.rich("phantom_is_found", ghost=word, room=ghost.room))
        elif ghost.room:
            name = name_of(scene, t, ghost.owner)
            told.append(t.rich("phantom_is_hidden", ghost=word, room=ghost.room, name=name))
    return told


def repairs(scene: Scene, t: Voice) -> list[tuple[str, list[tuple[str, str]]]]:
    """What the moderator may set straight, grouped; each with the action that does it."""
    if scene.phase != "playing":
        return []
    groups = {"turn": _turn_fixes, "damage": _damage_fixes, "ghosts": _ghost_fixes, "tiles": _tile_fixes}
    return [
        (t(f"phantom_repair_{name}"), [(_repair(fix), words) for fix, words in fixes(scene, t)])
        for name, fixes in groups.items()
    ]


def _repair(fix: dict[str, Any]) -> str:
    return json.dumps({"type": "repair", "set": fix})


def _turn_fixes(scene: Scene, t: Voice) -> list[tuple[dict[str, Any], str]]:
    return [
        ({"to_act": [place.seat]}, t("phantom_fix_turn", name=name_of(scene, t, place.seat)))
        for place in scene.places
        if place.seat not in scene.to_act
    ]


def _damage_fixes(scene: Scene, t: Voice) -> list[tuple[dict[str, Any], str]]:
    now = scene.shows.damage
    sums = [now + step for step in range(-6, 7) if step and now + step >= 0]
    return [({"damage": total}, t("phantom_fix_damage", sum=t.money(total))) for total in sums]


def _ghost_fixes(scene: Scene, t: Voice) -> list[tuple[dict[str, Any], str]]:
    fixes = []
    for colour, ghost in scene.shows.ghosts.items():
        word = t(f"phantom_ghost_{colour}")
        for room, tile in enumerate(scene.shows.rooms, start=1):
            if tile and tile.colour == colour and room != ghost.room:
                fix = {"ghosts": {colour: {"room": room, "revealed": False}}}
                fixes.append((fix, t("phantom_fix_ghost", ghost=word, room=room)))
    return fixes


def _tile_fixes(scene: Scene, t: Voice) -> list[tuple[dict[str, Any], str]]:
    fixes: list[tuple[dict[str, Any], str]] = []
    for gone in scene.shows.removed or ():
        tile = {"colour": gone.colour, "value": gone.value}
        fixes.append(({"rooms": {str(gone.room): tile}}, t("phantom_fix_back", room=gone.room)))
    for room, lying in enumerate(scene.shows.rooms, start=1):
        if lying and not any(_hides(scene.shows, colour, room) for colour in COLOURS):
            fixes.append(({"rooms": {str(room): None}}, t("phantom_fix_off", room=room)))
    return fixes
