"""The pages of The Phantom Society: a hotel floor of 36 rooms."""

from __future__ import annotations

import json
from functools import lru_cache
from typing import Any

import msgspec
from markupsafe import Markup

from companion.contract import Seat
from companion.games.phantom.board import COLOURS
from companion.games.phantom.view import Shows
from web.games.phantom import story, tokens, tournament
from web.games.phantom.board.gauge import Gauge, festoon, gauge
from web.games.phantom.board.hotel import Floor, board, hides, secrets
from web.games.phantom.laying_page import build_step, build_words
from web.games.phantom.texts import own
from web.render.aids import aids
from web.render.board import comparing
from web.render.lamps import strip_lamp
from web.render.people import face, name_of, role_word, thinking, waiting_for
from web.render.templates import kept
from web.scene import PLAYERS, Scene
from web.texts import Texts

DOES = {"placing": "place", "hiding": "hide", "playing": "remove"}
"""What tapping a square does in each phase."""
NEWS = "phantom/news.html"
MOMENTS = 8
"""So many moments are kept as everybody sees them: one a language."""


def draw(scene: Scene, t: Texts) -> tuple[str, dict[str, Any]]:
    """A page of this game: its template, and what it shows."""
    if scene.stage != "result":
        if scene.page == "watch":
            return "phantom/watch.html", watch(scene, t)
        if scene.page in PLAYERS and scene.phase == "playing":
            return "phantom/play.html", hunt(scene, t)
    shows: Shows = scene.shows
    sum = summed(shows, t)
    facts: dict[str, Any] = {"g": own(t), "shows": shows, "sum": sum, "colours": COLOURS}
    facts["gauge"] = drawn_sum(sum, t)
    if shows.result:
        facts["winners"] = story.winners(scene, t, shows.result.winner)
    if scene.stage == "result" and scene.page in (*PLAYERS, "watch"):
        standing = tournament.points(scene, t)
        return "phantom/result.html", facts | story.told(scene, t) | {"tournament": standing}
    facts |= {"turn": turn(scene, t), "tokenless": tokens.missing(scene)}
    match scene.page:
        case "moderator":
            return "phantom/moderator.html", facts | moderator(scene, t)
        case "table":
            return "phantom/table.html", facts | table(scene, t)
    return "phantom/setup.html", facts | setup(scene, t)


# Words about the game


class Sum(msgspec.Struct, frozen=True):
    """The damage in words and lamps."""

    gauge: Gauge
    done: str
    goal: str | None
    left: str | None


def summed(shows: Shows, t: Texts) -> Sum:
    """The damage, and what is left until the goal."""
    fresh = shows.removed[-1].value if shows.removed and shows.removed[-1].ghost is None else 0
    goal, left = shows.objective, max(0, (shows.objective or 0) - shows.damage)
    return Sum(
        gauge(shows.damage, goal, 0 if shows.asking else fresh),
        own(t).money(shows.damage),
        own(t).money(goal) if goal else None,
        own(t).money(left) if goal else None,
    )


def drawn_sum(sum: Sum, t: Texts) -> Markup:
    """The damage as phones show it."""
    return kept("phantom/sum.html", "gauge")(sum, own(t))


class Turn(msgspec.Struct, frozen=True):
    """The headline: lit where the reader may act."""

    lit: bool
    head: str
    line: str
    held: str = ""


def turn(scene: Scene, t: Texts) -> Turn:
    """Whose turn it is, in the reader's own words."""
    shows: Shows = scene.shows
    name = name_of(scene, t, scene.seat)
    if shows.build is not None:
        return Turn(not scene.paused, *build_words(t, shows.build))
    if scene.seat in scene.to_act:
        role = shows.roles.get(scene.seat or "") or "player"
        step = f"found_{role}" if shows.asking else f"{shows.phase}_{role}"
        if shows.phase in ("placing", "bidding"):
            step = shows.phase
        words = own(t)(f"do_{step}", **(hidden_so_far(scene) if shows.phase == "hiding" else {}))
        return Turn(
            not scene.paused,
            t("your_turn", name=name),
            words,
            own(t)("held") if shows.phase == "playing" else "",
        )
    waited = waiting_for(scene, t)
    mover = shows.roles.get(scene.to_act[0]) if scene.to_act else None
    checked = comparing(scene, t)
    if shows.phase == "playing":
        line = checked or last_told(scene, t)
        head = thinking(scene, t, scene.to_act) or own(t)(f"turn_{mover or 'player'}", name=waited)
        return Turn(False, head, line)
    # While ghosts hide nobody is pointed at: who is done says nothing, who is slow might.
    line = checked or own(t)(f"why_{shows.phase}")
    return Turn(False, thinking(scene, t, _busy(scene)) or own(t)(f"wait_{shows.phase}", name=waited), line)


def _busy(scene: Scene) -> tuple[Seat, ...]:
    """Whose part of the set-up it is, whoever of them is done already."""
    shows: Shows = scene.shows
    if shows.phase == "hiding":
        return tuple(seat for seat, role in shows.roles.items() if role == "master")
    return tuple(shows.roles) if shows.phase == "bidding" else scene.to_act


def news(scene: Scene, t: Texts) -> Markup | None:
    """What just happened, in one sentence."""
    shows: Shows = scene.shows
    if not shows.removed:
        return None
    last = shows.removed[-1]
    name, room = name_of(scene, t, last.by), last.room
    if last.ghost:
        return own(t).rich("news_found", name=name, room=room, ghost=own(t)(f"ghost_{last.ghost}"))
    key = "news_devastated" if shows.roles.get(last.by) == "master" else "news_lifted"
    return own(t).rich(key, name=name, room=room, sum=own(t).money(last.value))


def last_told(scene: Scene, t: Texts) -> str:
    """What the dotted lines mean, where there are some."""
    marks = scene.lamps.marks.values() if scene.lamps else ()
    if any("target" in mark for mark in marks):
        return own(t)("why_learning")
    if any("origin" in mark for mark in marks):
        return own(t)("why_lines")
    return own(t)("why_playing")


# What all see alike


class Everybody(msgspec.Struct, frozen=True):
    """What lies open at one moment, drawn once for all who look at it in one language."""

    gauge: Markup
    turn: Turn
    board: Floor
    news: Markup | None
    face: str
    """Whose deed the news is: the picture of a role."""
    round: tuple[Markup, ...]


def everybody(scene: Scene, t: Texts) -> Everybody:
    """What everybody sees at the moment of a scene."""
    return opened(scene.open, t) if scene.open else opened.__wrapped__(scene, t)


@lru_cache(MOMENTS)
def opened(scene: Scene, t: Texts) -> Everybody:
    """The same, of a scene that has nobody's secrets in it."""
    shows: Shows = scene.shows
    last = shows.removed[-1].by if shows.removed else ""
    chip = kept("parts.html", "chip")
    return Everybody(
        gauge=drawn_sum(summed(shows, t), t),
        turn=turn(scene, t),
        board=board(scene, t),
        news=news(scene, t),
        face="lantern" if shows.roles.get(last) == "hunter" else "spook",
        round=tuple(
            chip(
                face(scene.game, place.role),
                name_of(scene, t, place.seat),
                role_word(t, scene.game, place.role),
                place.to_act,
            )
            for place in scene.places
        ),
    )


def watch(scene: Scene, t: Texts) -> dict[str, Any]:
    """The page of whoever has no seat."""
    seen = everybody(scene, t)
    face = "spook" if seen.board.public else "lantern"
    return {
        "turn": kept(NEWS, "headline")(seen.turn),
        "gauge": seen.gauge,
        "board": seen.board.under(None, aids(scene, t).rooms),
        "story": kept(NEWS, "note")(seen.news, face) if seen.news else "",
        "round": seen.round,
    }


# The player's page


def hunt(scene: Scene, t: Texts) -> dict[str, Any]:
    """The hunt as one seat sees it: what all see alike, what it may do now, and its secrets."""
    shows, seen, legal = scene.shows, everybody(scene, t), scene.legal.get(scene.seat or "", ())
    mine, master = scene.seat in scene.to_act, shows.roles.get(scene.seat or "") == "master"
    step = ("found" if shows.asking else "playing") if mine and not scene.paused else "wait"
    floor = (
        board(scene, t, DOES.get(step, ""), secret=master)
        if mine
        else seen.board.under(secrets(scene) if master else None, aids(scene, t).rooms)
    )
    headline = turn(scene, t) if mine else seen.turn
    return {
        "turn": kept("parts.html", "turn")(headline, floor.secret is not None),
        "gauge": seen.gauge,
        "board": floor,
        "story": told(seen) if seen.news else "",
        "step": step,
        "master": master,
        "words": secret_words(scene, t) if master else (),
        "may_pass": step == "playing" and (master or any(action["type"] == "pass" for action in legal)),
        "findings": tuple(action["ghost"] for action in legal) if step == "found" else (),
        "otherwise": otherwise(shows, legal) if step == "found" else None,
    }


def otherwise(shows: Shows, legal: tuple[dict[str, Any], ...]) -> str:
    """What can have lain there but for the record, as the form says it; empty where both answers are open."""
    tile = shows.rooms[shows.asking - 1] if shows.asking else None
    told = {action["ghost"] for action in legal}
    left = [ghost for ghost in (None, tile.colour if tile else None) if ghost not in told]
    return json.dumps({"type": "found", "ghost": left[0]}) if left else ""


def told(seen: Everybody) -> Markup:
    """What just happened; where there are dotted lines, with what they mean."""
    return kept(NEWS, "dotted")(seen.news) if seen.board.public else kept(NEWS, "note")(seen.news, seen.face)


def setup(scene: Scene, t: Texts) -> dict[str, Any]:
    """Before the hunt: what one seat may do now, and its secrets."""
    shows: Shows = scene.shows
    legal = scene.legal.get(scene.seat or "", ())
    master = shows.roles.get(scene.seat or "") == "master"
    step = shows.phase if scene.seat in scene.to_act and not scene.paused else "wait"
    if step == "hiding" and any(action["type"] == "ready" for action in legal):
        step = "ready"
    facts: dict[str, Any] = {
        "step": step,
        "master": master,
        "board": board(scene, t, DOES.get(step, ""), secret=master),
        "words": (whose(scene, t) if shows.phase == "hiding" else secret_words(scene, t)) if master else (),
        **build_step(scene, t),
    }
    if step == "placing":
        facts |= tray(scene, scene.seat)
    if step == "bidding":
        facts["bids"] = [action["thousands"] for action in legal]
    return facts


def hidden_so_far(scene: Scene) -> dict[str, int]:
    """How many ghosts a master has hidden, of how many."""
    ghosts, roles = scene.shows.ghosts.values(), [*scene.shows.roles.values()]
    hidden = sum(ghost.owner == scene.seat and ghost.room is not None for ghost in ghosts)
    return {"n": hidden, "of": len(COLOURS) // roles.count("master")}


def whose(scene: Scene, t: Texts) -> tuple[Markup, ...]:
    """While ghosts hide: whose each is and where, as far as this master may know, and what is left."""
    told, free = list[Markup](), list[str]()
    for colour, ghost in scene.shows.ghosts.items():
        facts: dict[str, Any] = {"ghost": own(t)(f"name_{colour}"), "room": ghost.room}
        if ghost.owner is None:
            free.append(facts["ghost"])
            continue
        mine = ghost.owner == scene.seat
        key = ("hiding_own" if mine else "hiding_allied") + ("" if ghost.room else "_somewhere")
        told.append(own(t).rich(key, name=name_of(scene, t, ghost.owner), **facts))
    return (*told, *([own(t).rich("hiding_free", ghosts=t.among(free))] if free else []))


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


def secret_words(scene: Scene, t: Texts) -> tuple[Markup, ...]:
    """A master's secrets in words, for eyes and for screen readers."""
    shows: Shows = scene.shows
    rooms: dict[str | None, list[int]] = {}
    for ghost in shows.ghosts.values():
        if ghost.room is not None and not ghost.revealed:
            rooms.setdefault(ghost.owner, []).append(ghost.room)
    mine = tuple(sorted(rooms.pop(scene.seat, ())))
    allied = [
        (name_of(scene, t, owner), tuple(sorted(rooms[owner]))) for owner in sorted(filter(None, rooms))
    ]
    return hideouts(mine, tuple(allied), t)


@lru_cache(64)
def hideouts(
    mine: tuple[int, ...], allied: tuple[tuple[str, tuple[int, ...]], ...], t: Texts
) -> tuple[Markup, ...]:
    """The rooms where ghosts hide, in words."""
    lines = [own(t).rich("own", rooms=t.among([*map(str, mine)]), n=len(mine))] if mine else []
    lines += [
        own(t).rich("allied", name=name, rooms=t.among([*map(str, rooms)]), n=len(rooms))
        for name, rooms in allied
    ]
    return tuple(lines)


# The other pages


def table(scene: Scene, t: Texts) -> dict[str, Any]:
    """The public board, large."""
    return {
        "board": board(scene, t, large=True),
        "lines": [(deed.icon, deed.text, deed.amount) for deed in story.ticker(scene, t)[:5]],
        "tournament": tournament.points(scene, t) if scene.stage == "result" else None,
        "festoon": festoon(),
        "strip_lamp": strip_lamp,
    }


def moderator(scene: Scene, t: Texts) -> dict[str, Any]:
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
        **build_step(scene, t),
    }
    return facts | (tray(scene, mover) if shows.phase == "placing" else {})


def action_words(t: Texts, action: dict[str, Any]) -> str:
    """An action as the label of a button."""
    if action["type"] == "bid":
        return own(t).money(action["thousands"])
    if action["type"] == "found":
        return own(t)(f"ghost_{action['ghost']}") if action["ghost"] else own(t)("found_nothing")
    return own(t)(f"act_{action['type']}")


def whereabouts(scene: Scene, t: Texts) -> list[Markup]:
    """Where every ghost is, in words."""
    told = []
    for colour, ghost in scene.shows.ghosts.items():
        word = own(t)(f"ghost_{colour}")
        if ghost.revealed:
            told.append(own(t).rich("is_found", ghost=word, room=ghost.room))
        elif ghost.room:
            name = name_of(scene, t, ghost.owner)
            told.append(own(t).rich("is_hidden", ghost=word, room=ghost.room, name=name))
    return told


def repairs(scene: Scene, t: Texts) -> list[tuple[str, list[tuple[str, str]]]]:
    """What the moderator may set straight, grouped; each with the action that does it."""
    if scene.phase != "playing":
        return []
    groups = {"turn": _turn_fixes, "damage": _damage_fixes, "ghosts": _ghost_fixes, "tiles": _tile_fixes}
    return [
        (own(t)(f"repair_{name}"), [(_repair(fix), words) for fix, words in fixes(scene, t)])
        for name, fixes in groups.items()
    ]


def _repair(fix: dict[str, Any]) -> str:
    return json.dumps({"type": "repair", "set": fix})


def _turn_fixes(scene: Scene, t: Texts) -> list[tuple[dict[str, Any], str]]:
    return [
        ({"to_act": [place.seat]}, own(t)("fix_turn", name=name_of(scene, t, place.seat)))
        for place in scene.places
        if place.seat not in scene.to_act
    ]


def _damage_fixes(scene: Scene, t: Texts) -> list[tuple[dict[str, Any], str]]:
    now = scene.shows.damage
    sums = [now + step for step in range(-6, 7) if step and now + step >= 0]
    return [({"damage": total}, own(t)("fix_damage", sum=own(t).money(total))) for total in sums]


def _ghost_fixes(scene: Scene, t: Texts) -> list[tuple[dict[str, Any], str]]:
    fixes = []
    for colour, ghost in scene.shows.ghosts.items():
        word = own(t)(f"ghost_{colour}")
        for room, tile in enumerate(scene.shows.rooms, start=1):
            if tile and tile.colour == colour and room != ghost.room:
                fix = {"ghosts": {colour: {"room": room, "revealed": False}}}
                fixes.append((fix, own(t)("fix_ghost", ghost=word, room=room)))
    return fixes


def _tile_fixes(scene: Scene, t: Texts) -> list[tuple[dict[str, Any], str]]:
    fixes: list[tuple[dict[str, Any], str]] = []
    for gone in scene.shows.removed or ():
        tile = {"colour": gone.colour, "value": gone.value}
        fixes.append(({"rooms": {str(gone.room): tile}}, own(t)("fix_back", room=gone.room)))
    for room, lying in enumerate(scene.shows.rooms, start=1):
        if lying and not any(hides(scene.shows, colour, room) for colour in COLOURS):
            fixes.append(({"rooms": {str(room): None}}, own(t)("fix_off", room=room)))
    return fixes
