"""The pages of Chasseurs Fantômes Artéfacts: the manor that grows, whose turn it is, and what to copy.

Players help each other here, so every page shows the same but for a hand kept private. Everything that can
be done is a radio button of one form: squares on the map, deeds below it. The first tap chooses, the second
does it.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import msgspec
from markupsafe import Markup, escape

from companion.contract import TABLE, Event, Seat, converted
from companion.games.artefacts import events
from companion.games.artefacts.manor import COLOURS, Square
from companion.games.artefacts.options import POINTS
from companion.games.artefacts.telling import reason, tell, warn
from companion.games.artefacts.view import Shows
from companion.table import Line
from web.games.artefacts.floor_plan import drawing, floor, plan, sills
from web.games.artefacts.offers import Pick, by_hand, choices, grouped, in_hand, square, tile_words
from web.games.artefacts.repair_pages import repairs
from web.games.artefacts.strip import strip
from web.games.artefacts.surprises import in_play
from web.games.artefacts.texts import ArtefactsTexts, artefacts_texts
from web.games.record import News
from web.render.people import name_of, thinking, waiting_for
from web.render.templates import kept
from web.scene import PLAYERS, Scene
from web.texts import Texts

FRAME = "artefacts/frame.html"
WIDE = 7
"""A manor of more columns than this is shown from near, to be panned."""
EVENTS: dict[str, type[Event]] = {
    str(each.__struct_config__.tag): each
    for each in vars(events).values()
    if isinstance(each, type) and issubclass(each, Event) and each is not Event
}
ICONS = {
    "moved": "spook", "stayed": "spook", "escaped": "spook", "grew": "dice", "appeared": "spook",
    "banished": "check", "sprung": "bell", "round": "swap", "laid": "board", "over": "bell", "fork": "spook",
    "trap_ahead": "bell",
}  # fmt: skip
LATEST = 12
"""So many of the latest deeds are told while the game goes on."""


class Step(msgspec.Struct, frozen=True):
    """A step of the round: who has done it, who is at it, who is still to come."""

    name: str
    state: str
    """`done`, `now` or `next`."""
    colours: tuple[tuple[str, str], ...] = ()


class Told(msgspec.Struct, frozen=True):
    """Something that happened, in words."""

    id: str
    icon: str
    words: str
    kind: str = ""


def draw(scene: Scene, t: Texts) -> tuple[str, dict[str, Any]]:
    """The template of a page of this game, and what it shows."""
    m, shows = artefacts_texts(scene.language), scene.shows
    acting = acting_seat(scene)
    picks = tuple(choices(shows, scene.legal[acting], scene.ahead, m)) if acting else ()
    facts: dict[str, Any] = {
        "g": m,
        "shows": shows,
        "colours": COLOURS,
        "floor": floor,
        "sills": sills,
        "acting": acting,
        "picks": picks,
        "head": headline(scene, t, m, acting),
        "line": line(scene, m, acting),
        "steps": checklist(shows, m),
        "party": party(scene, t, m),
        "fears": [warn(fear, scene.language) for fear in scene.ahead.warnings],
        "ahead": foretold(scene),
        "private": private(scene),
        **copying(scene),
        **in_play(scene, t),
        "told": ticker(scene),
    }
    facts |= the_map(scene, m, picks)
    match scene.page:
        case "moderator":
            return "artefacts/moderator.html", facts | moderator(scene, m, picks)
        case "table":
            # The end is the headline.
            lines = [(step.icon, step.words) for step in facts["told"][bool(shows.result) :][:3]]
            return "artefacts/table.html", facts | {"strip": strip(shows, scene.lamps, m), "lines": lines}
    if shows.result:
        return "artefacts/result.html", facts
    if scene.page == "watch" or scene.seat not in COLOURS:
        return "artefacts/watch.html", facts
    return "artefacts/play.html", facts | play(scene, m, picks)


def acting_seat(scene: Scene) -> Seat | None:
    """For whom this page may act: its seat, the table where real cards are drawn, for a moderator anybody."""
    if scene.page == "moderator":
        return next((seat for seat in scene.to_act if scene.legal.get(seat)), None)
    if scene.page not in PLAYERS or scene.paused or scene.shows.result:
        return None
    return next((seat for seat in (scene.seat, TABLE) if seat and scene.legal.get(seat)), None)


# Where the game stands, in words


def headline(scene: Scene, t: Texts, m: ArtefactsTexts, acting: Seat | None) -> str:
    """Whose turn it is, or who won."""
    shows: Shows = scene.shows
    if shows.result:
        return m(f"won_{shows.result.winner}")
    if acting == TABLE:
        return m("head_table")
    if acting and scene.page in PLAYERS:
        return m("head_yours", name=name_of(scene, t, scene.seat), colour=m.named("colour", acting))
    if scene.to_act == (TABLE,):
        return m("head_draw")
    if words := thinking(scene, t, scene.to_act):
        return words
    if len(scene.to_act) == len(COLOURS):
        return m("head_all")
    colours = t.among([m.named("colour", seat) for seat in scene.to_act])
    return m("head_others", names=waiting_for(scene, t), colours=colours)


def line(scene: Scene, m: ArtefactsTexts, acting: Seat | None) -> str:
    """What is to be done now."""
    shows: Shows = scene.shows
    if shows.result:
        return reason(events.Over(shows.result.winner, shows.result.reason), scene.language)  # type: ignore[arg-type]
    pending = shows.pending
    if pending:
        ghost = m.named("ghost", pending.ghost) if pending.ghost else ""
        colour = m.named("colour", pending.colour) if pending.colour else ""
        words = m(f"do_{pending.what}", n=pending.n, ghost=ghost, colour=colour)
        return words[:1].upper() + words[1:]
    return m(f"do_{shows.phase}" if acting else f"see_{shows.phase}")


def checklist(shows: Shows, m: ArtefactsTexts) -> list[Step]:
    """The round, step by step, so that nobody forgets one. CFA-20 to CFA-23."""
    if shows.phase in ("drafting", "building"):
        first = "now" if shows.phase == "drafting" else "done"
        second = "next" if shows.phase == "drafting" else "now"
        return [Step(m("step_drafting"), first), Step(m("step_building"), second)]
    phases = ("laying", "acting", "ending")
    now = phases.index(shows.phase) if shows.phase in phases else len(phases)
    return [
        Step(
            m(f"step_{phase}"),
            "done" if n < now else "now" if n == now else "next",
            _turns(shows, n, now) if phase != "ending" else (),
        )
        for n, phase in enumerate(phases)
    ]


def _turns(shows: Shows, step: int, now: int) -> tuple[tuple[str, str], ...]:
    """The colours from the leader on, each with whether it has had its go."""
    seating = list(shows.people)
    order = [*seating[seating.index(shows.leader) :], *seating[: seating.index(shows.leader)]]
    if step != now:
        return tuple((colour, "done" if step < now else "next") for colour in order)
    at = order.index(shows.active) if shows.active else 0
    return tuple((c, "done" if n < at else "now" if n == at else "next") for n, c in enumerate(order))


def party(scene: Scene, t: Texts, m: ArtefactsTexts) -> list[dict[str, Any]]:
    """The four colours: who runs them, their life, their cards, their artefact."""
    shows: Shows = scene.shows
    return [
        {
            "colour": colour,
            "word": m.named("colour", colour),
            "name": name_of(scene, t, colour),
            "life": shows.life[colour],
            "cards": shows.cards[colour],
            "hand": () if private(scene) else [m.named("card", card) for card in shows.hands[colour] or ()],
            "artefact": artefact(shows, m, colour),
            "leader": colour == shows.leader,
            "now": colour in shows.to_act,
        }
        for colour in shows.people
    ]


def artefact(shows: Shows, m: ArtefactsTexts, colour: str) -> str:
    """Where a colour's artefact is."""
    found = shows.artefacts[colour]
    if found.home:
        return m("artefact_home")
    if found.by:
        return m("artefact_carried", colour=m.named("colour", found.by))
    return m("artefact_lies", at=square(found.at)) if found.at else m("artefact_unknown")


# The map


def the_map(scene: Scene, m: ArtefactsTexts, picks: tuple[Pick, ...]) -> dict[str, Any]:
    """The floor plan, and the squares of it that can be chosen."""
    drawn = plan(scene.shows, scene.ahead, (pick.at for pick in picks if pick.at), scene.copied)
    spots: dict[Square, list[Pick]] = {}
    for pick in picks:
        if pick.at:
            spots.setdefault(pick.at, []).append(pick)
    near = scene.page in (*PLAYERS, "moderator") and not scene.shows.result and drawn.sheet.columns > WIDE
    return {
        "plan": drawn,
        "drawing": drawing(drawn, described(scene, m)),
        "mapbar": kept(FRAME, "mapbar")(m, COLOURS, near),
        "legend": kept(FRAME, "legend")(m, floor, sills),
        "spots": [[spots.get(at, []) for at in row] for row in drawn.sheet.squares()] if spots else [],
        "faces": {(pick.hand, pick.tile.exits): pick.tile for pick in picks if pick.at and pick.tile},
    }


def described(scene: Scene, m: ArtefactsTexts) -> str:
    """The map in words."""
    shows: Shows = scene.shows
    said = [m("map_tiles", n=len(shows.manor))]
    for colour, at in shows.pawns.items():
        said.append(m("map_pawn", colour=m.named("colour", colour), at=square(at)))
    for ghost in shows.ghosts:
        route = scene.ahead.routes.get(ghost.id)
        key = "map_ghost_goes" if route else "map_ghost"
        facts = {"at": square(ghost.at), "to": square(route[0]) if route else ""}
        said.append(m(key, ghost=m.named("ghost", ghost.id), power=ghost.power, **facts))
    return " ".join(said)


# The player's page


def play(scene: Scene, m: ArtefactsTexts, picks: tuple[Pick, ...]) -> dict[str, Any]:
    """One seat's own things: life, points, cards, tiles."""
    shows: Shows = scene.shows
    seat = scene.seat or ""
    gauge = scene.lamps.gauges.get(f"life.{seat}") if scene.lamps else None
    mine = shows.active == seat and shows.phase == "acting"
    return {
        **offers(shows, m, picks, private(scene)),
        "most_life": (gauge.of if gauge else None) or shows.life[seat],
        "points": shows.points + shows.moves if mine else None,
        "most_points": max(POINTS, shows.points + shows.moves),
        "done": deeds(shows, m) if mine else [],
        "hand": [(m.named("card", card), m(f"card_{card}")) for card in shows.hands[seat] or ()],
        "docked": [(m.named("card", card), _plays(picks, card)) for card in shows.hands[seat] or ()],
        "others": [s for s in (scene.me.seats if scene.me else ()) if s != seat and s in scene.to_act],
    }


def private(scene: Scene) -> bool:
    """Whether the cards in hand on this page are for its reader alone. CFA-61."""
    everybody = scene.open.shows.hands.values() if scene.open and scene.page in PLAYERS else ()
    return not scene.shows.result and any(hand is None for hand in everybody)


def offers(shows: Shows, m: ArtefactsTexts, picks: tuple[Pick, ...], private: bool = False) -> dict[str, Any]:
    """What can be chosen beside the map: deeds under headings, and the tiles to lay.

    What a private hand allows is apart: it would tell what is in it.
    """
    shown = tuple(pick for pick in picks if not (private and by_hand(pick)))
    hidden = tuple(pick for pick in picks if private and by_hand(pick))
    kinds = {pick.group for pick in shown or picks}
    return {
        "groups": list(grouped(shown, m)),
        "kept_groups": list(grouped(hidden, m)),
        "by_card": any(pick.at for pick in hidden),
        "verb": m(f"verb_{next(iter(kinds))}" if len(kinds) == 1 else "go"),
        "only_end": len(shown) == 1,
        "may_end": "end" in kinds,
        "telling": shows.pending.n if shows.pending and "reveal" in kinds else 0,
        "tiles": [(n, tile, tile_words(m, tile)) for n, tile in enumerate(in_hand(shows).values())],
    }


def _plays(picks: tuple[Pick, ...], card: str) -> str:
    """What is chosen by tapping a card in hand: what it does, or that one goes by the tele-portable."""
    found = next((pick for pick in picks if pick.card == card), None)
    return "" if found is None else f"tile-{found.hand}" if found.at else found.id


def moderator(scene: Scene, m: ArtefactsTexts, picks: tuple[Pick, ...]) -> dict[str, Any]:
    """Everything, in whose place to act, and how to put it right."""
    return offers(scene.shows, m, picks) | repairs(scene.shows, scene.ground, m)


def deeds(shows: Shows, m: ArtefactsTexts) -> list[tuple[str, bool]]:
    """What may be done once a turn, and whether it has been. CFA-22."""
    spent = {what.partition(":")[0] for what in shows.spent}
    return [(m(f"deed_{deed}"), deed in spent) for deed in ("fight", "use", "draw")]


# What happened, what is to be copied, what is coming


def said(event: dict[str, Any], language: str) -> str:
    """An event of the record as a sentence, with a capital."""
    words = tell(converted(event, EVENTS[event["type"]]), language)
    return words[:1].upper() + words[1:]


def errand(scene: Scene, t: Texts, event: dict[str, Any]) -> Markup:
    """What hands do on the table for what the companion did."""
    return escape(said(event, t.language))


def copying(scene: Scene) -> dict[str, Any]:
    """What the ghosts did at the end of the turn, which step of it is copied now, and by whom. CFA-23."""
    shows: Shows = scene.shows
    # Nobody has a board beside a demonstration.
    told = shows.steps if scene.page != "demo" else ()
    steps = [_happened(scene, f"{shows.round}-{n}", event) for n, event in enumerate(told)]
    return {
        "copy": steps,
        "cue": steps[scene.copied] if scene.copied < len(steps) else None,
        "may_copy": scene.joined,
    }


def _told(scene: Scene, line: int, n: int, event: dict[str, Any]) -> Told:
    return Told(f"{line}-{n}", ICONS.get(event["type"], "lantern"), said(event, scene.language))


def _happened(scene: Scene, id: str, event: Event) -> Told:
    words, kind = tell(event, scene.language), str(event.__struct_config__.tag)
    return Told(id, ICONS.get(kind, "lantern"), words[:1].upper() + words[1:], kind)


MOMENTS = frozenset(
    {
        "appeared",
        "banished",
        "died",
        "escaped",
        "home",
        "repaired",
        "revived",
        "robbed",
        "sent_home",
        "sprung",
    }
    | {"over"}
)
SET = {
    "pawns": "hunters", "life": "hunters", "ghosts": "ghosts", "manor": "tiles", "open": "tiles",
    "held": "tiles", "hands": "cards", "piles": "cards", "box": "cards", "artefacts": "artefacts",
}  # fmt: skip
"""What a repair is about, by what it sets; everything else is about whose turn it is."""


def happened(scene: Scene, t: Texts, line: Line) -> Iterator[News]:
    """What a line of the record tells."""
    m = artefacts_texts(t.language)
    for event in line.events:
        words, kind = said(event, t.language), event["type"]
        if kind == "repaired" and (fixes := line.action.get("set")):
            changed = dict.fromkeys(SET.get(name, "turn") for name in fixes)
            words = m("repaired_of", what=", ".join(m(f"set_{what}") for what in changed))
        yield News(kind, ICONS.get(kind, "lantern"), escape(words))


def ticker(scene: Scene) -> list[Told]:
    """What happened and stands, newest first."""
    standing = [entry for entry in scene.history if not entry.undone]
    if scene.shows.result is None:
        standing = standing[-LATEST:]
    told = [_told(scene, entry.n, n, event) for entry in standing for n, event in enumerate(entry.events)]
    return told[::-1]


def foretold(scene: Scene) -> list[Told]:
    """What would happen if the turn ended now."""
    return [_happened(scene, f"ahead-{n}", event) for n, event in enumerate(scene.ahead.preview)]
