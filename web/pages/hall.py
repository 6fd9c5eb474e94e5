"""The hall of the house: pages that are the same whatever is played."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

from web.pages import castle_plan, doctor
from web.pages.gauge import festoon
from web.pages.handover import handover_voice
from web.pages.lamps import gauge_lamp
from web.pages.paper import Leaf, Stencil, filled, stencil
from web.pages.parts import DESKS, OUTLINES, Outline, Parts, outline, outlined
from web.pages.people import face, name_of, place_of, role_word, seat_number, waiting_for
from web.pages.voice import Voice, voice
from web.scene import MOMENT, GameOffer, Option, Page, Plan, Scene

ARROWS = {"left": "◀", "up": "▲", "down": "▼", "right": "▶"}
OPEN_GAMES = ("artefacts",)
"""Games in which a seat has nothing to hide: no button to hold, and a phone with several follows the turn."""
PLAYERS = {"phantom": (2, 3, 4), "canterville": (2, 3, 4, 5), "artefacts": (1, 2, 3, 4)}
"""How many can play a game, where we know."""


def draw(scene: Scene, t: Voice) -> tuple[str, dict[str, Any]]:
    """The template of a page of the hall, and what it shows."""
    match scene.page:
        case "front" | "join" | "gone":
            return f"{scene.page}.html", {}
        case "host":
            return "host.html", _desk(scene, t)
        case "doctor":
            return doctor.draw(scene, t)
        case "play" if not any(place.mine for place in scene.places):
            return "seats.html", {"free": [p for p in scene.places if p.phone is None and p.bot is None]}
        case "moderator":
            return "umpire.html", _desk(scene, t)
    return "lobby.html", {"drawings": tuple(doctor.drawings(scene.lamps.strips))} if scene.lamps else {}


def common(scene: Scene, page: Page, t: Voice) -> dict[str, Any]:
    """What every template may use."""
    kept = outline(scene)
    facts = {**everyday(scene, page, t), "parts": parts(kept, t)}
    return facts | _running(scene, kept, t) if page in ("host", "moderator") else facts


@lru_cache(OUTLINES)
def parts(kept: Outline, t: Voice) -> Parts:
    """The parts that pages with the same outline are made of."""
    scene = outlined(kept)
    return Parts("parts.html", everyday(scene, scene.page, t))


def leaf(scene: Scene, page: Page, t: Voice, drawn: Leaf) -> tuple[list[str], str]:
    """A page of which most was drawn before, and its title."""
    kept, named = outline(scene), title(scene, page, t)
    live = parts(kept, t).live(drawn.look, named, turn_key(scene))
    fillings = {"live": (live,), **drawn.fillings}
    return filled(stencils(drawn.template, drawn.facts, tuple(fillings), kept, t), fillings), named


@lru_cache(OUTLINES)
def stencils(
    name: str, facts: tuple[tuple[str, Any], ...], gaps: tuple[str, ...], kept: Outline, t: Voice
) -> Stencil:
    """What there is of a page between two moves."""
    scene = outlined(kept)
    known = {**everyday(scene, scene.page, t), "parts": parts(kept, t)}
    return stencil(name, known | dict(facts), gaps)


@lru_cache(DESKS)
def desk_parts(kept: Outline, t: Voice) -> Parts:
    """The parts of a desk, which grow with the number of phones."""
    scene = outlined(kept)
    return Parts("desk.html", everyday(scene, scene.page, t))


def _running(scene: Scene, kept: Outline, t: Voice) -> dict[str, Any]:
    """What the desk of whoever runs the evening is made of."""
    placing = scene.phase == "placing" and scene.game == "phantom"
    return {
        "desk": desk_parts(kept, t),
        "laying": (placing, placing and scene.shows.build is not None),
        "boxless": scene.plan is not None and not any(box.chosen for box in scene.plan.boxes),
    }


def everyday(scene: Scene, page: Page, t: Voice) -> dict[str, Any]:
    """The words and names that pages and their parts are made of."""
    mine = place_of(scene, scene.seat) or next((place for place in scene.places if place.mine), None)
    return {
        "t": t,
        "b": voice(scene.language, "building"),
        "h": handover_voice(scene.language),
        "scene": scene,
        "moment": MOMENT,
        "page": page,
        "title": title(scene, page, t),
        "turn_key": turn_key(scene),
        "mine": mine,
        "my_role": mine.role if mine else None,
        "here": here(scene, page),
        "who": lambda seat: name_of(scene, t, seat),
        "seat_words": lambda seat: seat_words(scene, t, seat),
        "role_word": lambda role: role_word(t, role),
        "rule_lines": lambda role: rule_lines(t, scene.game, role),
        "face": face,
        "waiting": waiting_for(scene, t),
        "arrows": ARROWS,
        "button_words": lambda button: button_words(t, button),
        "festoon": festoon(),
        "gauge_lamp": gauge_lamp,
        "game_word": lambda name: known(t, f"game_{name}", name),
    }


def here(scene: Scene, page: Page) -> str:
    """Where a form comes back to: this page. A single seat needs no name, so it may change under it."""
    if page == "play":
        if scene.hold or scene.hand or scene.game in OPEN_GAMES:
            return "/play"
        several = scene.me is not None and len(scene.me.seats) > 1 and scene.seat != "public"
        return f"/play/{scene.seat}" if several and scene.seat else "/play"
    return {"front": "/", "gone": "/", "join": f"/j/{scene.code}"}.get(page, f"/{page}")


def turn_key(scene: Scene) -> str:
    """By which a phone notices that it is somebody else's turn."""
    return f"{scene.stage} {scene.phase} {' '.join(scene.to_act)}"


def title(scene: Scene, page: Page, t: Voice) -> str:
    """What stands on the browser's tab."""
    if page == "play" and scene.seat in scene.to_act:
        return t("your_turn", name=name_of(scene, t, scene.seat))
    return t("title", page=t(f"page_{page}"), house=t("house"))


def known(t: Voice, key: str, otherwise: str) -> str:
    """Words for a name that may come from a game we know nothing about."""
    return t(key) if t.has(key) else otherwise.replace("_", " ")


def seat_words(scene: Scene, t: Voice, seat: str) -> str:
    """A seat and its role: Seat 2, ghost master."""
    place = place_of(scene, seat)
    number = seat_number(scene, seat) if place else seat
    return t("seat_words", number=number, role=role_word(t, place.role if place else None))


def button_words(t: Voice, button: str) -> str:
    """A button of the board by name; rows, columns and contacts keep theirs."""
    return known(t, f"button_{button}", button)


def rule_lines(t: Voice, game: str | None, role: str | None) -> list[str]:
    """The rules in a minute, for one role; for all roles where a seat has none yet."""
    lines = [f"{game}_rules_{role or 'player'}_{number}" for number in range(1, 7)]
    return [t(line) for line in lines if t.has(line)] or [t("rules_booklet")]


# The host's desk


def _desk(scene: Scene, t: Voice) -> dict[str, Any]:
    plan = scene.plan
    taken = sum(place.phone is not None or place.bot is not None for place in scene.places)
    offer = next((game for game in plan.games if game.name == plan.game), None) if plan else None
    return {
        "head": _host_head(scene, t),
        "taken": taken,
        "levels": tuple((level, known(t, f"level_{level}", level)) for level in plan.levels) if plan else (),
        "names": tuple((phone.id, phone.name) for phone in scene.phones),
        "offer": offer,
        "plan_counted": bool(plan and _is_counted(plan, offer)),
        "count": (plan.players if plan else None) or len(scene.places),
        "counts": PLAYERS.get(plan.game, tuple(range(2, 7))) if plan else (),
        "options": _choices(scene, t, offer) if offer and scene.stage == "lobby" else [],
        "privacies": ("fair", "learning", "eyes_closed") if plan and plan.privacy else (),
        "preset_word": lambda name: known(t, f"preset_{name}", name),
    }


def _host_head(scene: Scene, t: Voice) -> tuple[str, str]:
    """Where the evening stands, without a secret: a headline and a line."""
    if scene.stage == "lobby":
        return t("host_lobby"), t("host_lobby_hint")
    if scene.stage == "result":
        return t("host_over"), t("host_over_hint")
    if scene.paused:
        return t("paused"), t("host_paused_hint")
    if scene.stage == "setup" and scene.game == "phantom":
        return t("host_setup"), t("host_setup_hint")
    return t("waiting_for", name=waiting_for(scene, t)), t("host_playing_hint")


def _is_counted(plan: Plan, offer: GameOffer | None) -> bool:
    """Whether somebody has told what is in the box of the planned game."""
    told = any(option.name == "frames" and option.value for option in offer.options) if offer else False
    return told or any(box.chosen for box in plan.boxes)


def _choices(scene: Scene, t: Voice, offer: GameOffer) -> list[dict[str, Any]]:
    """The options that a person can set, with their words; the rest is for box profiles and programs."""
    players = (scene.plan.players if scene.plan else 0) or len(scene.places)
    found = []
    for option in offer.options:
        values = option.choices or (("true", "false") if option.kind == "yes_no" else ())
        if offer.name == "canterville":
            values = castle_plan.offered(option.name, values, players)
        if option.kind != "json" and len(values) != 1 and option.name != "hunters":
            found.append(_choice(t, offer, option, values))
    return found


def _choice(t: Voice, offer: GameOffer, option: Option, values: tuple[str, ...]) -> dict[str, Any]:
    """An option with its words."""
    stem = f"option_{offer.name}_{option.name}"
    yes_no = {"true": "yes", "false": "no"}
    words = {
        value: known(t, f"{stem}_{value}", t(yes_no[value]) if value in yes_no else value) for value in values
    }
    hint = known(t, f"{stem}_hint", "")
    return {"option": option, "label": known(t, stem, option.name), "words": words, "hint": hint}
