"""Pages that are the same whatever is played: the ways in, the lobby, the host's desk."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

from companion.contract import Seat
from companion.verify import HAPPENED
from companion.words import say
from web import games
from web.access.credentials import HOST_LENGTH
from web.evening import planning
from web.render import doctor, moments
from web.render.aids import aids
from web.render.handover import handover_texts
from web.render.parts import DESKS, OUTLINES, Outline, Parts, outline, outlined
from web.render.people import (
    awaited,
    face,
    name_of,
    place_of,
    place_word,
    role_word,
    seat_number,
    seat_words,
    waiting_for,
)
from web.scene import MOMENT, Page, Place, Plan, Scene
from web.texts import Texts, game_texts, game_word, known, texts

ARROWS = {"left": "◀", "up": "▲", "down": "▼", "right": "▶"}


def draw(scene: Scene, t: Texts) -> tuple[str, dict[str, Any]]:
    """The template of a page, and what it shows."""
    match scene.page:
        case "front" | "gone":
            return f"{scene.page}.html", {}
        case "join":
            return "join.html", {"for_host": len(scene.code) == HOST_LENGTH}
        case "host":
            return "host.html", _desk(scene, t)
        case "doctor":
            return doctor.draw(scene, t)
        case "play" if not any(place.mine for place in scene.places):
            free = [place for place in scene.places if place.phone is None]
            return "seats.html", {"free": sorted(free, key=lambda place: place.bot is not None)}
        case "moderator":
            return "moderator_lobby.html", _desk(scene, t)
    return "lobby.html", {"drawings": tuple(doctor.drawings(scene.lamps.strips))} if scene.lamps else {}


def common(scene: Scene, page: Page, t: Texts) -> dict[str, Any]:
    """What every template may use."""
    kept = outline(scene)
    facts = {**everyday(scene, page, t), "parts": parts(kept, t), "aids": aids(scene, t)}
    facts["again"] = games.find(scene.game or "").again(scene.shows, t) if scene.stage == "result" else ""
    facts["moments"] = facts["parts"].moments(**moments.facts(scene, t))
    facts["errand"] = facts["parts"].errand(moments.errand(scene, t))
    if page == "demo":
        return facts | demo_facts(scene, t)
    return facts | _running(scene, kept, t) if page in ("host", "moderator") else facts


def demo_facts(scene: Scene, t: Texts) -> dict[str, Any]:
    """What "Show me" tells besides: what one sees, does and waits for, and what has just happened."""
    return {
        "demos": games.demonstrated(),
        "captions": [game_texts(t.language, scene.game or "")(f"demo_{n}") for n in (1, 2, 3)],
        "caption_now": 2 if scene.legal else 3,
        "latest": moments.latest(scene, t),
    }


@lru_cache(OUTLINES)
def parts(kept: Outline, t: Texts) -> Parts:
    """The parts that pages with the same outline are made of."""
    scene = outlined(kept)
    return Parts("parts.html", everyday(scene, scene.page, t))


@lru_cache(DESKS)
def desk_parts(kept: Outline, t: Texts) -> Parts:
    """The parts of a desk, which grow with the number of phones."""
    scene = outlined(kept)
    return Parts("desk.html", everyday(scene, scene.page, t) | {"parts": parts(kept, t)})


def _running(scene: Scene, kept: Outline, t: Texts) -> dict[str, Any]:
    """What the desk of whoever runs the evening is made of."""
    pages, told = games.find(scene.game or ""), scene.plan and any(box.chosen for box in scene.plan.boxes)
    return {
        "desk": desk_parts(kept, t),
        "chairs": tuple(zip(scene.places, kept[0], strict=True)),
        "laying": pages.entry.due(scene) if pages.entry and scene.shows else (False, False),
        "learnable": scene.plan is not None and not told and pages.box is not None and pages.box.lies_open,
    }


def everyday(scene: Scene, page: Page, t: Texts) -> dict[str, Any]:
    """The words and names that pages and their parts are made of."""
    mine = place_of(scene, scene.seat) or next((place for place in scene.places if place.mine), None)
    return {
        "t": t,
        "g": game_texts(scene.language, scene.game or ""),
        "b": texts(scene.language, "board"),
        "h": handover_texts(scene.language),
        "scene": scene,
        "moment": MOMENT,
        "page": page,
        "title": title(scene, page, t),
        "turn_key": turn_key(scene),
        "mine": mine,
        "my_role": mine.role if mine else None,
        "here": here(scene, page),
        "act": f"/demo/{scene.game}/act" if page == "demo" else "/act",
        "who": lambda seat: name_of(scene, t, seat),
        "seat_words": lambda seat: seat_words(scene, t, seat),
        "role_word": lambda role: role_word(t, scene.game, role),
        "place_word": lambda place: place_word(scene, t, place),
        "opposite": lambda place: opposite(scene, t, place),
        "seat_symbols": games.find(scene.game or "").seat_symbols,
        "rule_lines": lambda role: rule_lines(t, scene.game, role),
        "happening": lambda name, times: say(HAPPENED[name], scene.language, times=times),
        "face": lambda role: face(scene.game, role),
        "awaited": awaited(scene, t, scene.to_act),
        "waiting": waiting_for(scene, t),
        "arrows": ARROWS,
        "button_words": lambda button: button_words(t, button),
        "game_word": lambda name: game_word(scene.language, name),
    }


def here(scene: Scene, page: Page) -> str:
    """Where a form comes back to: this page. A single seat needs no name, so it may change under it."""
    if page == "play":
        if scene.hold or scene.hand or games.find(scene.game or "").open_hands:
            return "/play"
        several = scene.me is not None and len(scene.me.seats) > 1 and scene.seat != "public"
        return f"/play/{scene.seat}" if several and scene.seat else "/play"
    addresses = {"front": "/", "gone": "/", "join": f"/j/{scene.code}", "demo": f"/demo/{scene.game}"}
    return addresses.get(page, f"/{page}")


def turn_key(scene: Scene) -> str:
    """By which a phone notices that it is somebody else's turn."""
    return f"{scene.stage} {scene.phase} {' '.join(scene.to_act)}"


def title(scene: Scene, page: Page, t: Texts) -> str:
    """What stands on the browser's tab."""
    if page == "play" and scene.seat in scene.to_act:
        return t("your_turn", name=name_of(scene, t, scene.seat))
    return t("title", page=t(f"page_{page}"), house=t("house"))


def opposite(scene: Scene, t: Texts, place: Place) -> str:
    """Who sits across the table, or who will, where two or four sit around it."""
    if len(scene.places) not in (2, 4):
        return ""
    across = seat_number(scene, place.seat) - 1 + len(scene.places) // 2
    other = scene.places[across % len(scene.places)]
    return other.name or place_word(scene, t, other)


def button_words(t: Texts, button: str) -> str:
    """A button of the board in words; `row3` is the third of its kind."""
    kind = button.rstrip("0123456789")
    key = f"button_{kind}"
    return t(key, n=button[len(kind) :]) if t.has(key) else button


def rule_lines(t: Texts, game: str | None, role: str | None) -> list[str]:
    """The rules in a minute, for one role; for all roles where a seat has none yet."""
    g = game_texts(t.language, game or "")
    lines = [f"rules_{role or 'player'}_{number}" for number in range(1, 7)]
    return [g(line) for line in lines if g.has(line)] or [t("rules_booklet")]


# The host's desk


def _desk(scene: Scene, t: Texts) -> dict[str, Any]:
    plan = scene.plan
    taken = sum(place.phone is not None or place.bot is not None for place in scene.places)
    pages = games.find(scene.game or "")
    part = (pages.plan if plan else None) if scene.stage == "lobby" else pages.host
    return {
        "asks_first": False,
        "first_up": doctor.first_up,
        "part": part.template if part else "",
        "icons": {name: games.find(name).icon for name in plan.games} if plan else {},
        **(part.facts(scene, t) if part else {}),
        "head": _host_head(scene, t),
        "taken": taken,
        "levels": tuple((level, known(t, f"level_{level}", level)) for level in _levels(plan)),
        "names": tuple((phone.id, phone.name) for phone in scene.phones),
        "count": (plan.players if plan else None) or len(scene.places),
        "counts": planning.players(plan.game) if plan else (),
        "companion_words": lambda role: companion_words(t, scene.game, role),
        "empty": [seat_words(scene, t, p.seat) for p in scene.places if not (p.phone or p.bot)],
        "my_turn": _my_turn(scene) is not None,
    }


def _levels(plan: Plan | None) -> tuple[str, ...]:
    """The levels of bots that are offered: chance alone only where there is nothing better."""
    return plan.levels[1:] or plan.levels if plan else ()


def _my_turn(scene: Scene) -> Seat | None:
    """The seat of whoever looks that is to act, if the game goes on."""
    acting = (place.seat for place in scene.places if place.mine and place.to_act)
    return None if scene.paused else next(acting, None)


def companion_words(t: Texts, game: str | None, role: str) -> str:
    """That the companion plays a role, as the game says it."""
    g = game_texts(t.language, game or "")
    key = f"companion_{role}"
    return g(key) if g.has(key) else t("companion_plays", role=role_word(t, game, role))


def _host_head(scene: Scene, t: Texts) -> tuple[str, str]:
    """Where the evening stands, without a secret: a headline and a line."""
    if scene.stage == "lobby":
        return t("host_lobby"), t("host_lobby_hint")
    if scene.stage == "result":
        return t("host_over"), t("host_over_hint")
    if scene.paused:
        return t("paused"), t("host_paused_hint")
    if (mine := _my_turn(scene)) is not None:
        return t("your_turn", name=name_of(scene, t, mine)), t("host_your_turn")
    if scene.stage == "setup" and (g := game_texts(scene.language, scene.game or "")).has("host_setup"):
        return g("host_setup"), g("host_setup_hint")
    return awaited(scene, t, scene.to_act), t("host_playing_hint")
