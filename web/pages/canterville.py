"""The pages of Gespensterjagd: Max's phone, the hunters' phones, the table, the spectator, the story.

Everybody sees the same castle. What Max alone may know lies in elements of class `secret` or `when-held`,
which only his own page has. A move and a pause are one tap on a room and one on the same button.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from functools import lru_cache
from typing import Any
from urllib.parse import quote_plus

import msgspec
from markupsafe import Markup

from companion.games.canterville.actions import FrameAt
from companion.games.canterville.castle import CHIMNEY, PASSAGE, Castle
from companion.games.canterville.options import MAX
from companion.games.canterville.view import Shows
from web.pages import plain
from web.pages.castle import Chamber, Drawing, drawing, threshold
from web.pages.castle_voice import CastleVoice, castle_voice
from web.pages.lamps import Lamp, board_lamp
from web.pages.paper import ENVIRONMENT, macro
from web.pages.people import name_of, waiting_for
from web.pages.voice import Voice
from web.scene import Plan, Scene


class Pick(msgspec.Struct, frozen=True):
    """A room that can be tapped, and what the second tap would do."""

    chamber: Chamber
    tool: str
    """With what: a figure, `trap`, `door`, or `go`."""
    action: str
    label: str
    what: str
    note: str


class Pawn(msgspec.Struct, frozen=True):
    """A figure on the castle; one that is still to move in this turn waits."""

    figure: str
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


class Board(msgspec.Struct, frozen=True):
    """Everything that lies on the castle for this reader."""

    house: Markup
    sheet: Drawing
    label: str
    caption: str
    pawns: tuple[Pawn, ...]
    picks: tuple[Pick, ...] = ()
    max: Chamber | None = None
    seen: Chamber | None = None
    trap: Chamber | None = None
    shut: tuple[float, float] | None = None
    trail: Trail | None = None
    secret: Secret | None = None
    lamps: tuple[tuple[Chamber, Lamp], ...] = ()


class Card(msgspec.Struct, frozen=True):
    """One of Max's special cards: what lies open of it, and what he alone reads."""

    face: str
    name: str
    does: str
    held: str = ""
    spent: bool = False


class Frame(msgspec.Struct, frozen=True):
    """A frame of animals."""

    animal: str
    words: str
    size: int
    taken: int
    now: bool


def planned(plan: Plan, c: CastleVoice) -> str:
    """The castle of the host's plan in words; an invented one says so."""
    options = {
        option.name: option.value for game in plan.games if game.name == plan.game for option in game.options
    }
    castle = options.get("castle") or "demo"
    if castle in ("demo", "none"):
        return f"{c(f'pick_{castle}')} ({c(f'pick_{castle}_hint')})"
    return str(json.loads(castle).get("name", "")) if castle.startswith("{") else castle


ENVIRONMENT.globals |= {"castle_voice": castle_voice, "castle_planned": planned}


def draw(scene: Scene, t: Voice) -> tuple[str, dict[str, Any]]:
    """The template of a page of this game, and what it shows."""
    c, shows = castle_voice(scene.language), scene.shows
    facts: dict[str, Any] = {
        "c": c,
        "shows": shows,
        "round": round_of(shows),
        "head": headline(scene, t, c),
        "line": line(scene, c),
        "frames": frames(shows, c),
        "sight": sight(shows, c),
        "told": ticker(scene, t, c),
    }
    if scene.page == "moderator":
        plainly = plain.draw(scene, t)[1]
        return "canterville/moderator.html", plainly | facts | moderator(scene, c, facts["told"])
    if scene.page in ("table", "demo"):
        return "canterville/table.html", facts | {"board": board(scene, c, lamps=True)}
    if shows.result:
        return "canterville/result.html", facts | {"board": board(scene, c), "rounds": rounds(shows, c)}
    if scene.page == "watch" or scene.seat == "public":
        return "canterville/watch.html", facts | {"board": board(scene, c)}
    return "canterville/play.html", facts | play(scene, c)


# Where the game stands, in words


def round_of(shows: Shows) -> int:
    """The number of this round: an animal leaves the board in each."""
    return 1 + sum(frame.taken for frame in shows.frames.values())


def headline(scene: Scene, t: Voice, c: CastleVoice) -> str:
    """Whose turn it is."""
    if scene.shows.result:
        return c(f"won_{scene.shows.result.winner}")
    if scene.seat in scene.to_act:
        return t("your_turn", name=name_of(scene, t, scene.seat))
    if scene.phase == "max":
        return c("head_max")
    return t("waiting_for", name=waiting_for(scene, t))


def line(scene: Scene, c: CastleVoice) -> str:
    """What to do, or what goes on."""
    shows: Shows = scene.shows
    if shows.result:
        return c(f"reason_{shows.result.reason}")
    if scene.seat not in scene.to_act:
        return c(f"wait_{shows.phase}")
    if shows.phase == "hunters" and scene.ground is None:
        return c("do_hunters_unmapped")
    side = "max" if scene.seat == MAX else "hunter"
    return c(f"do_{shows.phase}_{side}")


def frames(shows: Shows, c: CastleVoice) -> list[Frame]:
    """The frames of this game."""

    def told(animal: str, frame: FrameAt) -> str:
        return c("frame_at", animal=c(f"animal_{animal}"), taken=frame.taken, size=frame.size)

    return [
        Frame(animal, told(animal, frame), frame.size, frame.taken, animal == shows.frame)
        for animal, frame in shows.frames.items()
    ]


def sight(shows: Shows, c: CastleVoice) -> Markup | None:
    """Where Max stands or was last seen, as far as this table keeps it in sight."""
    if shows.result or shows.phase == "starting":
        return None
    if shows.max.shown and shows.max.room is not None:
        if shows.max.room == shows.trap and not shows.route:
            return c.rich("seen_trapped", room=shows.max.room)
        told = c.rich("seen_now", room=shows.max.room)
        way = shows.route[shows.news :]
        return Markup("{} {}").format(told, c("seen_way", way=spelled(way, c))) if len(way) > 1 else told
    if shows.seat != MAX and (rooms := [step for step in shows.route if step != "pause"]):
        return c.rich("seen_last", room=rooms[-1])
    return None


def spelled(route: tuple[int | str, ...], c: CastleVoice) -> str:
    """A route in words."""
    return " → ".join(c("pause_step") if step == "pause" else str(step) for step in route)


def unchecked(shows: Shows, c: CastleVoice) -> str:
    """The steps that no map could check, for the table to judge. GJ-Q22."""
    return c("unchecked", steps=", ".join(f"{one} → {two}" for one, two in shows.unchecked))


def fouls(shows: Shows, c: CastleVoice) -> list[tuple[str, str]]:
    """What the moderator may call a foul. GJ-Q22."""
    return [
        (json.dumps({"type": "foul", "from": one, "to": two}), c("foul", one=one, two=two))
        for one, two in shows.unchecked
    ]


# The castle with what lies on it


def board(
    scene: Scene, c: CastleVoice, picks: tuple[Pick, ...] = (), secret: bool = False, lamps: bool = False
) -> Board:
    """The castle as this page's reader sees it; Max's own secrets only where the page can close them."""
    shows: Shows = scene.shows
    sheet = drawing(scene.ground)
    open_to_all = scene.seat != MAX or shows.result is not None
    rooms = [step for step in shows.route if isinstance(step, int)]
    last = sheet.chambers.get(rooms[-1]) if rooms and open_to_all and not shows.max.shown else None
    return Board(
        house=house(scene.ground),
        sheet=sheet,
        label=label(shows, c),
        caption=caption(shows, c),
        pawns=tuple(pawns(shows, sheet)),
        picks=picks,
        max=sheet.chambers.get(shows.max.room or 0) if shows.max.shown else None,
        seen=None if shows.result else last,
        trap=sheet.chambers.get(shows.trap or 0),
        shut=shut_door(shows, scene.ground, sheet),
        trail=trail(shows, sheet) if open_to_all else None,
        secret=secrets(scene, sheet) if secret else None,
        lamps=tuple((one, board_lamp(scene.lamps, one.room)) for one in sheet.chambers.values())
        if lamps
        else (),
    )


@lru_cache(maxsize=16)
def house(castle: Castle | None) -> Markup:
    """The castle itself, which is the same on every page."""
    return macro("canterville/house.html", "house")(drawing(castle))


def label(shows: Shows, c: CastleVoice) -> str:
    """The castle as it is spoken: where everybody is, as far as all may know."""
    parts = [
        c("figure_in", figure=figure, room=room) for figure, room in shows.figures.items() if room is not None
    ]
    if shows.max.shown and shows.max.room:
        parts.append(c("max_in", room=shows.max.room))
    if shows.trap:
        parts.append(c("trap_in", room=shows.trap))
    if shows.locked:
        parts.append(c("door_in", room=shows.locked))
    return ". ".join([c("castle_label"), *parts])


def caption(shows: Shows, c: CastleVoice) -> str:
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
            x = chamber.middle[0] + step * (n - (len(there) - 1) / 2)
            waits = shows.phase == "hunters" and figure in moving and figure not in shows.acted
            yield Pawn(figure, round(x, 1), chamber.y + chamber.h - 1, waits)


def shut_door(shows: Shows, castle: Castle | None, sheet: Drawing) -> tuple[float, float] | None:
    """Where the closed door stands. Without a map: in its room. GJ-Q15."""
    if shows.locked is None or shows.locked not in sheet.chambers:
        return None
    if castle is not None and str(shows.locked) in castle.doors:
        return threshold(sheet, shows.locked, castle.doors[str(shows.locked)])
    chamber = sheet.chambers[shows.locked]
    return chamber.x + chamber.w - 8, chamber.y + chamber.h - 8


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


# Max


def secrets(scene: Scene, sheet: Drawing) -> Secret | None:
    """Where Max is and where he may go."""
    shows: Shows = scene.shows
    if shows.max.room is None:
        return None
    rooms = _open_to_max(scene)
    return Secret(
        here=sheet.chambers[shows.max.room],
        fresh=tuple(sheet.chambers[room] for room in rooms["move"]) if sheet.mapped else (),
        cheats=tuple(sheet.chambers[room] for room in rooms["cheat"]) if sheet.mapped else (),
        trail=trail(shows, sheet),
    )


def _open_to_max(scene: Scene) -> dict[str, list[int]]:
    rooms: dict[str, list[int]] = {"move": [], "cheat": [], "lock": []}
    for action in scene.legal.get(MAX, ()):
        if action["type"] in rooms:
            rooms[action["type"]].append(action["room"])
    return rooms


def max_picks(scene: Scene, c: CastleVoice, sheet: Drawing) -> Iterator[Pick]:
    """Every room can be tapped, open or not, and his own means a pause: a tap tells nobody anything."""
    shows: Shows = scene.shows
    legal = scene.legal.get(MAX, ())
    steps = {room: _step(shows, room) for room in sheet.chambers}
    for (room, action), sent in zip(steps.items(), alike(list(steps.values())), strict=True):
        what = c("pick_pause") if action["type"] == "pause" else c("pick_go", room=room)
        note = c(f"note_{_kind(shows, action)}" if action in legal else "note_not_open")
        yield Pick(sheet.chambers[room], "go", sent, spoken(c, sheet.chambers[room]), what, note)
    for room in _open_to_max(scene)["lock"]:
        chamber, lock = sheet.chambers[room], json.dumps({"type": "lock", "room": room})
        yield Pick(chamber, "door", lock, spoken(c, chamber), c("pick_lock", room=room), c("note_lock"))


def _step(shows: Shows, room: int) -> dict[str, Any]:
    if room == shows.max.room:
        return {"type": "pause"}
    return {"type": "cheat" if room in (shows.visited or ()) else "move", "room": room}


def _kind(shows: Shows, action: dict[str, Any]) -> str:
    """Which note explains a lawful step of Max's."""
    if action["type"] != "move":
        return str(action["type"])
    way = {shows.max.room, action["room"]}
    if way == set(PASSAGE):
        return "passage"
    if way == set(CHIMNEY) and shows.cards.chimney:
        return "chimney"
    return "unchecked" if shows.castle == "none" else "move"


def alike(actions: list[dict[str, Any]]) -> list[str]:
    """Actions as texts that are equally long when a form sends them: a pause weighs what a move weighs."""
    texts = [json.dumps(action, separators=(",", ":")) for action in actions]
    longest = max(len(quote_plus(text)) for text in texts)
    return [text + " " * (longest - len(quote_plus(text))) for text in texts]


def own_words(scene: Scene, c: CastleVoice) -> list[Markup]:
    """Max's secrets in words."""
    shows: Shows = scene.shows
    if shows.max.room is None:
        return []
    told = [c.rich("own_room", room=shows.max.room)]
    rooms = _open_to_max(scene)
    if scene.phase == "max" and shows.castle != "none":
        told.append(
            c.rich("own_fresh", rooms=c.among([*map(str, rooms["move"])]))
            if rooms["move"]
            else c.rich("own_shut")
        )
        if rooms["cheat"]:
            told.append(c.rich("own_cheats", rooms=c.among([*map(str, rooms["cheat"])])))
    told.append(c.rich("own_way", way=spelled(shows.route, c)))
    return told


# The players' pages


def play(scene: Scene, c: CastleVoice) -> dict[str, Any]:
    """What one seat may do now."""
    shows: Shows = scene.shows
    sheet, seat = drawing(scene.ground), scene.seat or ""
    mine = seat in scene.to_act and not scene.paused
    legal = scene.legal.get(seat, ()) if mine else ()
    is_max = seat == MAX
    picks: tuple[Pick, ...] = ()
    if mine:
        picks = tuple(
            max_picks(scene, c, sheet) if is_max and scene.phase == "max" else hunter_picks(scene, c, sheet)
        )
    return {
        "board": board(scene, c, picks, secret=is_max),
        "step": shows.phase if mine else "wait",
        "is_max": is_max,
        "figures": shows.owners.get(seat, ()),
        "tools": [
            (tool, c(f"tool_{tool}") if tool in ("trap", "door", "go") else c("tool_figure", figure=tool))
            for tool in _tools(picks)
        ],
        "go": _go(scene, picks, c),
        "stays": [
            (a["figure"], json.dumps(a), c(f"{a['type']}_figure", figure=a["figure"]))
            for a in legal
            if a["type"] in ("stay", "unlock")
        ],
        "choices": [(a["animal"], json.dumps(a)) for a in legal if a["type"] == "frame"],
        "cards": cards(shows, c) if is_max and shows.phase != "starting" else [],
        "own": own_words(scene, c) if is_max else [],
        "unchecked": unchecked(shows, c) if shows.unchecked and not is_max else "",
    }


def hunter_picks(scene: Scene, c: CastleVoice, sheet: Drawing) -> Iterator[Pick]:
    """The rooms for the figures of this hunter, one after the other at the start, and for the trap."""
    legal = scene.legal.get(scene.seat or "", ())
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


def spoken(c: CastleVoice, chamber: Chamber) -> str:
    """A room as it is spoken."""
    name = chamber.name.get(c.language) or chamber.name.get("en", "")
    return c("room_named", room=chamber.room, name=name) if name else c("room", room=chamber.room)


def _tools(picks: tuple[Pick, ...]) -> list[str]:
    """Figures first, then what is done besides."""
    found = dict.fromkeys(pick.tool for pick in picks)
    return sorted(found, key=lambda tool: (tool in ("trap", "door"), tool))


def _go(scene: Scene, picks: tuple[Pick, ...], c: CastleVoice) -> str:
    """The words of the second tap: the same whatever was chosen."""
    if not picks:
        return ""
    return c("go_start" if scene.phase == "starting" else "go_max" if scene.seat == MAX else "go_walk")


def cards(shows: Shows, c: CastleVoice) -> list[Card]:
    """Max's special cards and how many are left; of pauses only he knows. GJ-40 to GJ-43."""
    left = shows.cards
    row = [
        Card("x2", c("card_x2"), c("card_left", n=left.x2), spent=not left.x2),
        Card("pause", c("card_pause"), c("card_secret"), held=c("card_left", n=left.pause)),
    ]
    if left.chimney:
        row.append(Card("chimney", c("card_chimney"), "42 ↔ 53"))
    if left.door or shows.locked is not None:
        row.append(
            Card("door", c("card_door"), c("card_once" if left.door else "card_spent"), spent=not left.door)
        )
    return row


# The moderator's page


def moderator(scene: Scene, c: CastleVoice, told: list[tuple[int, str, Markup]]) -> dict[str, Any]:
    """Everything there is to know, and what every seat may do now."""
    shows: Shows = scene.shows
    acting = () if scene.paused else tuple(seat for seat in scene.legal if scene.legal[seat])
    return {
        "board": board(scene, c),
        "fouls": fouls(shows, c),
        "choices": [(seat, _by_kind(scene.legal[seat], c)) for seat in acting],
        "facts": [
            (c("result_way"), spelled(shows.route, c)),
            (c("card_x2"), shows.cards.x2),
            (c("card_pause"), shows.cards.pause),
        ],
        "news": [words for *_, words in told[:8]],
    }


def _by_kind(actions: tuple[dict[str, Any], ...], c: CastleVoice) -> list[plain.Choices]:
    kinds = dict.fromkeys(action["type"] for action in actions)
    return [
        plain.Choices(
            c(f"kind_{kind}"),
            tuple((json.dumps(one), _in_words(one, c)) for one in actions if one["type"] == kind),
        )
        for kind in kinds
    ]


def _in_words(action: dict[str, Any], c: CastleVoice) -> str:
    """An action as a button says it."""
    kind, figure, room = action["type"], action.get("figure"), action.get("room")
    if kind == "frame":
        return c(f"animal_{action['animal']}")
    if kind == "drawn":
        return ", ".join(c(f"animal_{animal}") for animal in action["frames"])
    if kind in ("stay", "unlock"):
        return c(f"{kind}_figure", figure=figure)
    if kind in ("move", "cheat"):
        return c("pick_go", room=room)
    return c("pick_start_max" if kind == "start" and not figure else f"pick_{kind}", figure=figure, room=room)


# What happened


def rounds(shows: Shows, c: CastleVoice) -> list[str]:
    """Max's way, a step a round, for the story after the game."""
    return [c("pause_step") if step == "pause" else c("room", room=step) for step in shows.route]


def ticker(scene: Scene, t: Voice, c: CastleVoice) -> list[tuple[int, str, Markup]]:
    """What happened and stands, newest first: number, icon, words."""
    told = []
    for entry in scene.history:
        if not entry.undone:
            name = name_of(scene, t, entry.seat)
            told += [(entry.n, icon, words) for icon, words in _happened(entry.events, name, c)]
    return told[::-1]


ICONS = {
    "started": "hand", "frame": "board", "prowled": "spook", "cheated": "spook", "trapped": "bell",
    "locked": "keys", "opened": "keys", "walked": "lantern", "stayed": "lantern", "trap_laid": "bell",
    "caught": "bell", "taken": "check", "shown": "eye", "sent_back": "undo", "repaired": "keys",
}  # fmt: skip


def _happened(events: Any, name: str, c: CastleVoice) -> Iterator[tuple[str, Markup]]:
    for event in events:
        kind = event["type"]
        if kind not in ICONS:
            continue
        facts = {key: fact for key, fact in event.items() if isinstance(fact, str | int) and key != "type"}
        facts |= {"name": name}
        if "animal" in facts:
            facts["animal"] = c(f"animal_{facts['animal']}")
        if kind == "started" and not event.get("figure"):
            kind = "started_max"
        if kind == "stayed" and event.get("unlocks"):
            kind = "unlocks"
        yield ICONS[event["type"]], c.rich(f"told_{kind}", **facts)
