"""The pages of Gespensterjagd: Max's phone, the hunters' phones, the table, the spectator, the story.

Everybody sees the same castle. What Max alone may know lies in elements of class `secret` or `when-held`,
which only his own page has. A move and a pause are one tap on a room and one on the same button.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from itertools import islice
from typing import Any

import msgspec
from markupsafe import Markup

from companion.contract import Seat
from companion.games.canterville.actions import FrameAt
from companion.games.canterville.options import MAX
from companion.games.canterville.view import Shows
from companion.table import Line
from web.games.canterville import hunter_phone, max_phone
from web.games.canterville.board import Pick, board
from web.games.canterville.judging import judging, repairs
from web.games.canterville.max_phone import spelled
from web.games.generic import pages as plain
from web.games.record import News
from web.render.aids import RoomAid, aids
from web.render.people import awaited as awaited_in_words
from web.render.people import name_of, thinking
from web.scene import PLAYERS, Scene
from web.texts import Texts, game_texts


class AnimalFrame(msgspec.Struct, frozen=True):
    """A frame of animals."""

    animal: str
    words: str
    size: int
    taken: int
    now: bool


def draw(scene: Scene, t: Texts) -> tuple[str, dict[str, Any]]:
    """The template of a page of this game, and what it shows."""
    c, shows = game_texts(scene.language, "canterville"), scene.shows
    signs = aids(scene, t).rooms
    facts: dict[str, Any] = {
        "g": c,
        "shows": shows,
        "round": round_of(shows),
        "head": headline(scene, t, c),
        "line": line(scene, t, c),
        "frames": frames(shows, c),
        # Max's closed phone says where he was seen, as everybody knows, and nothing of his way.
        "sight": sight(scene.open.shows if scene.open else shows, c, way=scene.seat != MAX),
        "told": ticker(scene, t),
    }
    if scene.page == "moderator":
        plainly = plain.draw(scene, t)[1] | {"squares": ()}
        return "canterville/moderator.html", plainly | facts | moderator(scene, c, facts["told"], signs)
    if scene.page == "table":
        return "canterville/table.html", facts | {
            "board": board(scene, c, lamps=True, signs=signs),
            "asked": asked(scene, c),
            # The end is the headline.
            "lines": [(icon, words) for _, icon, words in facts["told"][bool(shows.result) :][:5]],
        }
    if shows.result:
        return "canterville/result.html", facts | {
            "board": board(scene, c),
            "rounds": rounds(shows, c),
            "judging": judging(scene, c) if scene.page in PLAYERS else None,
        }
    if scene.page == "watch" or scene.seat == "public":
        return "canterville/watch.html", facts | {"board": board(scene, c, signs=signs)}
    return "canterville/play.html", facts | play(scene, c, signs)


# Where the game stands, in words


def round_of(shows: Shows) -> int:
    """The number of this round: an animal leaves the board in each."""
    return 1 + sum(frame.taken for frame in shows.frames.values())


def awaited(shows: Shows) -> tuple[Seat, ...]:
    """Who has to act: whoever may only lay the trap keeps nobody waiting. GJ-Q18."""
    return shows.to_act[:1] if shows.phase in ("max", "hunters") else shows.to_act


def headline(scene: Scene, t: Texts, c: Texts) -> str:
    """Whose turn it is."""
    shows: Shows = scene.shows
    waited = awaited(shows)
    if shows.result:
        return c(f"won_{shows.result.winner}")
    if scene.seat in waited:
        return t("your_turn", name=name_of(scene, t, scene.seat))
    if shows.phase == "max" and not shows.doubt:
        return thinking(scene, t, waited) or c("head_max")
    if len(waited) > 1 and MAX not in waited and not thinking(scene, t, waited):
        return c("head_hunters")
    return awaited_in_words(scene, t, waited)


def line(scene: Scene, t: Texts, c: Texts) -> str:
    """What to do, or what goes on."""
    shows: Shows = scene.shows
    mine = scene.seat in awaited(shows)
    if shows.result:
        return f"{winners(scene, t, shows.result.winner)}. {c(f'reason_{shows.result.reason}')}"
    if shows.doubt:
        return c("do_doubt" if mine else "wait_doubt")
    if not mine:
        return c("do_trap_now" if scene.seat in shows.to_act else f"wait_{shows.phase}")
    if shows.phase == "hunters" and scene.ground is None:
        return c("do_hunters_unmapped")
    side = "max" if scene.seat == MAX else "hunter"
    return c(f"do_{shows.phase}_{side}")


def frames(shows: Shows, c: Texts) -> list[AnimalFrame]:
    """The frames of this game."""

    def told(animal: str, frame: FrameAt) -> str:
        return c("frame_at", animal=c(f"animal_{animal}"), taken=frame.taken, size=frame.size)

    return [
        AnimalFrame(animal, told(animal, frame), frame.size, frame.taken, animal == shows.frame)
        for animal, frame in shows.frames.items()
    ]


def sight(shows: Shows, c: Texts, way: bool) -> Markup | None:
    """Where Max stands or was last seen, as far as this table keeps it in sight; and his way there."""
    if shows.result or shows.phase == "starting":
        return None
    if shows.max.shown and shows.max.room is not None:
        if shows.max.room == shows.trap and not shows.route:
            return c.rich("seen_trapped", room=shows.max.room)
        told = c.rich("seen_now", room=shows.max.room)
        steps = shows.route[max(shows.news - 1, 0) :] if way else ()
        return Markup("{} {}").format(told, c("seen_way", way=spelled(steps, c))) if len(steps) > 1 else told
    if rooms := [step for step in shows.route if step != "pause"]:
        return c.rich("seen_last", room=rooms[-1])
    return None


def asked(scene: Scene, c: Texts) -> Markup | None:
    """Which figure is meant, while the board asks that with its lamps."""
    marks = scene.lamps.marks if scene.lamps else {}
    offered = [room for room, on in marks.items() if "chosen" in on]
    towards = [room for room, on in marks.items() if "cursor" in on]
    return c.rich("which_figure", room=towards[0], here=offered[0]) if offered and towards else None


# The players' pages


def play(scene: Scene, c: Texts, signs: tuple[RoomAid, ...] = ()) -> dict[str, Any]:
    """What one seat may do now."""
    shows: Shows = scene.shows
    seat = scene.seat or ""
    mine = seat in scene.to_act and not scene.paused
    legal = scene.legal.get(seat, ()) if mine else ()
    is_max = seat == MAX
    prowls = is_max and scene.phase == "max" and shows.doubt is None
    picks = tuple((max_phone if prowls else hunter_phone).picks(scene, c)) if mine else ()
    picks += hunter_phone.guesses(scene, c)
    go = _go(scene, picks, c)
    return {
        "board": board(scene, c, picks, go, secret=is_max, signs=signs),
        "step": _step(shows, mine),
        "is_max": is_max,
        "figures": shows.owners.get(seat, ()),
        "tools": [
            (tool, c("tool_figure", figure=tool) if tool in shows.figures else c(f"tool_{tool}"))
            for tool in _tools(picks)
        ],
        "go": go,
        "stays": [
            (a["figure"], json.dumps(a), c(f"{a['type']}_figure", figure=a["figure"]))
            for a in legal
            if a["type"] in ("stay", "unlock")
        ],
        "guess_away": hunter_phone.guess(None)
        if shows.guess and any(p.tool == "guess" for p in picks)
        else "",
        "choices": [(a["animal"], json.dumps(a)) for a in legal if a["type"] == "frame"],
        "cards": max_phone.cards(scene, c, picks) if is_max and shows.phase != "starting" else [],
        "back": max_phone.back_words(scene, c) if prowls else "",
        "own": max_phone.own_words(scene, c) if is_max else [],
        "judging": judging(scene, c),
    }


def _step(shows: Shows, mine: bool) -> str:
    """What this phone is asked for now."""
    if not mine:
        return "wait"
    return "doubt" if shows.doubt else shows.phase


BESIDES = ("door", "guess", "trap")


def _tools(picks: tuple[Pick, ...]) -> list[str]:
    """Figures first, then what is done besides."""
    found = dict.fromkeys(pick.tool for pick in picks)
    return sorted(found, key=lambda tool: (tool in BESIDES, tool))


def _go(scene: Scene, picks: tuple[Pick, ...], c: Texts) -> str:
    """The words of the second tap: for Max the same whatever was chosen."""
    if not picks:
        return ""
    return c("go_start" if scene.phase == "starting" else "go_max" if scene.seat == MAX else "go_walk")


# The moderator's page


def moderator(
    scene: Scene, c: Texts, told: list[tuple[int, str, Markup]], signs: tuple[RoomAid, ...]
) -> dict[str, Any]:
    """Everything there is to know, and what every seat may do now."""
    shows: Shows = scene.shows
    acting = () if scene.paused else tuple(seat for seat in scene.legal if scene.legal[seat])
    return {
        "board": board(scene, c, signs=signs),
        "judging": judging(scene, c),
        "repairs": repairs(scene, c),
        "choices": [(seat, _by_kind(scene.legal[seat], c)) for seat in acting] if not shows.doubt else [],
        "facts": [
            (c("result_way"), spelled(shows.route, c)),
            (c("card_x2"), shows.cards.x2),
            (c("card_pause"), shows.cards.pause),
        ],
        "news": [words for *_, words in told[:8]],
    }


def _by_kind(actions: tuple[dict[str, Any], ...], c: Texts) -> list[plain.Choices]:
    kinds = dict.fromkeys(action["type"] for action in actions)
    return [
        plain.Choices(
            c(f"kind_{kind}"),
            tuple((json.dumps(one), _in_words(one, c)) for one in actions if one["type"] == kind),
        )
        for kind in kinds
    ]


def _in_words(action: dict[str, Any], c: Texts) -> str:
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


def rounds(shows: Shows, c: Texts) -> list[str]:
    """Max's way, a step a round, for the story after the game."""
    return [c("pause_step") if step == "pause" else c("room", room=step) for step in shows.route]


LATEST = 12
"""So many things that happened are told while a game goes on; when it is over, all."""


def ticker(scene: Scene, t: Texts) -> list[tuple[int, str, Markup]]:
    """What happened and stands, newest first: number, icon, words."""
    told = (
        (entry.n, one.icon, one.words)
        for entry in reversed(scene.history)
        if not entry.undone
        for one in [*happened(scene, t, entry)][::-1]
    )
    return list(told if scene.shows.result else islice(told, LATEST))


ICONS = {
    "started": "hand", "frame": "board", "prowled": "spook", "cheated": "spook", "trapped": "bell",
    "locked": "keys", "opened": "keys", "walked": "lantern", "stayed": "lantern", "trap_laid": "bell",
    "doubted": "eye", "stood": "check", "caught": "bell", "taken": "check", "shown": "eye",
    "sent_back": "undo", "repaired": "keys", "guessed": "spook", "over": "bell",
}  # fmt: skip
MOMENTS = frozenset(
    {"cheated", "trapped", "locked", "opened", "doubted", "stood", "caught", "taken", "shown", "sent_back"}
    | {"repaired", "over"}
)


def happened(scene: Scene, t: Texts, line: Line) -> Iterator[News]:
    """What a line of the record tells."""
    c, name = game_texts(t.language, "canterville"), name_of(scene, t, line.seat)
    for event in line.events:
        kind = event["type"]
        if kind not in ICONS:
            continue
        facts = {key: fact for key, fact in event.items() if isinstance(fact, str | int) and key != "type"}
        facts |= {"name": name}
        if "animal" in facts:
            facts["animal"] = c(f"{'gone' if kind == 'taken' else 'animal'}_{facts['animal']}")
        if kind == "started" and not event.get("figure"):
            kind = "started_max"
        if kind == "guessed" and event.get("room") is None:
            kind = "guessed_away"
        # While a step is judged everybody knows which; the record forgets it when Max's way closes.
        if kind == "doubted" and (doubt := scene.shows.doubt):
            kind, facts["way"] = "doubted_now", f"{doubt.start} → {doubt.end}"
        if kind == "stayed" and event.get("unlocks"):
            kind = "unlocks"
        if kind == "taken":
            kind = "taken_last" if not facts["all_left"] else "taken" if facts["left"] else "taken_full"
            facts["n"] = facts["all_left"]
        if kind == "over":
            facts = {"won": c(f"won_{event['winner']}"), "reason": c(f"reason_{event['reason']}")}
            facts["names"] = winners(scene, t, event["winner"])
        if kind == "repaired" and (changed := _changed(scene, t, c, line.action.get("set", {}))):
            kind, facts = "repaired_of", {"what": ". ".join(changed)}
        yield News(event["type"], ICONS[event["type"]], c.rich(f"told_{kind}", **facts))


def errand(scene: Scene, t: Texts, event: dict[str, Any]) -> Markup:
    """What hands do on the real board: an animal goes, a figure is moved for the companion."""
    kind = event["type"]
    if kind == "taken":
        kind = f"taken_{event['animal']}"
    elif kind == "started" and not event["figure"]:
        kind = "started_max"
    facts = {name: str(fact) for name, fact in event.items() if name in ("room", "figure")}
    return game_texts(t.language, "canterville").rich(f"errand_{kind}", **facts)


def winners(scene: Scene, t: Texts, side: str) -> str:
    """The names of the side that has won."""
    won = [place.seat for place in scene.places if (place.seat == MAX) == (side == MAX)]
    return t.among([name_of(scene, t, seat) for seat in won])


def _changed(scene: Scene, t: Texts, c: Texts, fixes: dict[str, Any]) -> list[str]:
    """What a repair has set straight, as far as everybody may know it."""
    said = [c("repair_stands", figure=figure, room=room) for figure, room in fixes.get("figures", {}).items()]
    for what in ("trap", "locked"):
        if what in fixes:
            said.append(
                c(f"repair_{what}_now", room=fixes[what]) if fixes[what] else c(f"repair_{what}_none")
            )
    for animal, frame in fixes.get("frames", {}).items():
        said.append(c("frame_at", animal=c(f"animal_{animal}"), taken=frame["taken"], size=frame["size"]))
    waited = [name_of(scene, t, seat) for seat in fixes.get("to_act", ())]
    return said + ([t("waiting_for", name=t.among(waited))] if waited else [])
