"""The pages of Gespensterjagd: Max's phone, the hunters' phones, the table, the spectator, the story.

Everybody sees the same castle. What Max alone may know lies in elements of class `secret` or `when-held`,
which only his own page has. A move and a pause are one tap on a room and one on the same button.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any
from urllib.parse import quote_plus

import msgspec
from markupsafe import Markup

from companion.games.canterville.actions import FrameAt
from companion.games.canterville.castle import CHIMNEY, PASSAGE
from companion.games.canterville.options import ANIMALS, KNOWN_SIZES, MAX
from companion.games.canterville.view import Shows
from web.pages import plain
from web.pages.castle import Chamber, Drawing, drawing
from web.pages.castle_board import Pick, board, open_to_max
from web.pages.castle_referee import judging, repairs
from web.pages.castle_voice import CastleVoice, castle_voice
from web.pages.paper import ENVIRONMENT
from web.pages.people import name_of, waiting_for
from web.pages.voice import Voice
from web.scene import Plan, Scene


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


def animals(c: CastleVoice) -> list[tuple[str, str, int | str]]:
    """What the host is asked to count: every kind, and how many of it we know of. GJ-3."""
    return [(animal, c(f"animal_{animal}"), KNOWN_SIZES.get(animal, "")) for animal in ANIMALS]


def planned(plan: Plan, c: CastleVoice) -> str:
    """The castle of the host's plan in words; an invented one says so."""
    options = {
        option.name: option.value for game in plan.games if game.name == plan.game for option in game.options
    }
    castle = options.get("castle") or "demo"
    if castle in ("demo", "none"):
        return f"{c(f'pick_{castle}')} ({c(f'pick_{castle}_hint')})"
    return str(json.loads(castle).get("name", "")) if castle.startswith("{") else castle


ENVIRONMENT.globals |= {
    "castle_voice": castle_voice,
    "castle_planned": planned,
    "castle_judging": judging,
    "castle_animals": animals,
}


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
        return "canterville/table.html", facts | {
            "board": board(scene, c, lamps=True),
            "asked": asked(scene, c),
        }
    if shows.result:
        return "canterville/result.html", facts | {
            "board": board(scene, c),
            "rounds": rounds(shows, c),
            "judging": judging(scene, c) if scene.page == "play" else None,
        }
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
        way = shows.route[max(shows.news - 1, 0) :]
        return Markup("{} {}").format(told, c("seen_way", way=spelled(way, c))) if len(way) > 1 else told
    if shows.seat != MAX and (rooms := [step for step in shows.route if step != "pause"]):
        return c.rich("seen_last", room=rooms[-1])
    return None


def asked(scene: Scene, c: CastleVoice) -> Markup | None:
    """Which figure is meant, while the board asks that with its lamps."""
    marks = scene.lamps.marks if scene.lamps else {}
    offered = [room for room, on in marks.items() if "chosen" in on]
    towards = [room for room, on in marks.items() if "cursor" in on]
    return c.rich("which_figure", room=towards[0], here=offered[0]) if offered and towards else None


def spelled(route: tuple[int | str, ...], c: CastleVoice) -> str:
    """A route in words."""
    return " → ".join(c("pause_step") if step == "pause" else str(step) for step in route)


# Max


def max_picks(scene: Scene, c: CastleVoice, sheet: Drawing) -> Iterator[Pick]:
    """Every room can be tapped, open or not, and his own means a pause: a tap tells nobody anything."""
    shows: Shows = scene.shows
    legal = scene.legal.get(MAX, ())
    steps = {room: _step(shows, room) for room in sheet.chambers}
    for (room, action), sent in zip(steps.items(), alike(list(steps.values())), strict=True):
        what = c("pick_pause") if action["type"] == "pause" else c("pick_go", room=room)
        note = c(f"note_{_kind(shows, action)}" if action in legal else "note_not_open")
        yield Pick(sheet.chambers[room], "go", sent, spoken(c, sheet.chambers[room]), what, note)
    for room in open_to_max(scene)["lock"]:
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
    rooms = open_to_max(scene)
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
        "judging": judging(scene, c),
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
        "judging": judging(scene, c),
        "repairs": repairs(scene, c),
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
    "doubted": "eye", "stood": "check", "caught": "bell", "taken": "check", "shown": "eye",
    "sent_back": "undo", "repaired": "keys",
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
