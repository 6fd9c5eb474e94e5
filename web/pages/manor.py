"""The pages of Chasseurs Fantômes Artéfacts: the manor that grows, whose turn it is, and what to copy.

Nobody has secrets from the others here, so one page shows all. Everything that can be done is a radio button
of one form: squares on the map, cards and deeds below it. The first tap chooses, the second does it.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from itertools import groupby
from typing import Any

import msgspec

from companion.contract import TABLE, Event, Seat
from companion.games.artefacts import actions
from companion.games.artefacts.manor import COLOURS, Square, Tile, turned
from companion.games.artefacts.options import ESCAPES, POINTS
from companion.games.artefacts.telling import tell, warn
from companion.games.artefacts.view import Shows
from web.manor.plan import floor, plan, sills
from web.manor.voice import ManorVoice, manor_voice
from web.pages import plain
from web.pages.people import name_of, waiting_for
from web.pages.voice import Voice
from web.scene import Scene

WIDE = 8
"""A manor of more columns than this is shown from near, to be panned."""
EVENTS: dict[str, type[Event]] = {
    str(each.__struct_config__.tag): each
    for each in vars(actions).values()
    if isinstance(each, type) and issubclass(each, Event) and each is not Event
}
ICONS = {
    "moved": "spook", "stayed": "spook", "escaped": "spook", "grew": "dice", "appeared": "spook",
    "banished": "check", "sprung": "bell", "round": "swap", "laid": "board", "over": "bell",
}  # fmt: skip
LATEST = 12
"""So many of the latest deeds are told while the game goes on."""
GOES_ON = ("trap", "drawn", "choose", "give")
"""What interrupts the ghosts on their way, after which they go on."""


class Pick(msgspec.Struct, frozen=True):
    """Something that can be chosen: a square of the map or a deed, and what the second tap would do."""

    id: str
    action: str
    what: str
    note: str
    group: str
    at: Square | None = None
    tile: Tile | None = None
    """A tile to be seen: the one laid here, taken, or told."""
    hand: int = 0
    """Which of the tiles in hand it is about."""
    icon: str = "hand"
    short: str = ""
    """What it is called under the heading of its group."""
    about: str = ""
    """What sets its group apart from others of its kind: the ghost to fight."""


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


def draw(scene: Scene, t: Voice) -> tuple[str, dict[str, Any]]:
    """The template of a page of this game, and what it shows."""
    m, shows = manor_voice(scene.language), scene.shows
    acting = acting_seat(scene)
    picks = tuple(choices(scene, m, acting)) if acting else ()
    facts: dict[str, Any] = {
        "m": m,
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
        "copy": to_copy(scene),
        "told": ticker(scene),
    }
    facts |= the_map(scene, m, picks)
    match scene.page:
        case "moderator":
            return "manor/moderator.html", plain.draw(scene, t)[1] | facts | the_map(scene, m, ())
        case "table" | "demo":
            return "manor/table.html", facts
    if shows.result:
        return "manor/result.html", facts
    if scene.page == "watch" or scene.seat not in COLOURS:
        return "manor/watch.html", facts
    return "manor/play.html", facts | play(scene, m, picks)


def acting_seat(scene: Scene) -> Seat | None:
    """For whom this page may act: its own seat, or the table where real cards are drawn."""
    if scene.page != "play" or scene.paused or scene.shows.result:
        return None
    return next((seat for seat in (scene.seat, TABLE) if seat and scene.legal.get(seat)), None)


# Where the game stands, in words


def headline(scene: Scene, t: Voice, m: ManorVoice, acting: Seat | None) -> str:
    """Whose turn it is, or who won."""
    shows: Shows = scene.shows
    if shows.result:
        return m(f"won_{shows.result.winner}")
    if acting == TABLE:
        return m("head_table")
    if acting:
        return m("head_yours", name=name_of(scene, t, scene.seat), colour=m.named("colour", acting))
    if scene.to_act == (TABLE,):
        return m("head_draw")
    colours = t.among([m.named("colour", seat) for seat in scene.to_act])
    return m("head_others", names=waiting_for(scene, t), colours=colours)


def line(scene: Scene, m: ManorVoice, acting: Seat | None) -> str:
    """What is to be done now."""
    shows: Shows = scene.shows
    if shows.result:
        return tell(actions.Over(shows.result.winner, shows.result.reason), scene.language)  # type: ignore[arg-type]
    pending = shows.pending
    if pending:
        ghost = m.named("ghost", pending.ghost) if pending.ghost else ""
        colour = m.named("colour", pending.colour) if pending.colour else ""
        return m(f"do_{pending.what}", n=pending.n, ghost=ghost, colour=colour)
    return m(f"do_{shows.phase}" if acting else f"see_{shows.phase}")


def checklist(shows: Shows, m: ManorVoice) -> list[Step]:
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


def party(scene: Scene, t: Voice, m: ManorVoice) -> list[dict[str, Any]]:
    """The four colours: who runs them, their life, their cards, their artefact."""
    shows: Shows = scene.shows
    return [
        {
            "colour": colour,
            "word": m.named("colour", colour),
            "name": name_of(scene, t, colour),
            "life": shows.life[colour],
            "cards": shows.cards[colour],
            "hand": [m.named("card", card) for card in shows.hands[colour] or ()],
            "artefact": artefact(shows, m, colour),
            "leader": colour == shows.leader,
            "now": colour in shows.to_act,
        }
        for colour in shows.people
    ]


def artefact(shows: Shows, m: ManorVoice, colour: str) -> str:
    """Where a colour's artefact is."""
    found = shows.artefacts[colour]
    if found.home:
        return m("artefact_home")
    if found.by:
        return m("artefact_carried", colour=m.named("colour", found.by))
    return m("artefact_lies", at=square(found.at)) if found.at else m("artefact_unknown")


def square(at: Square | list[int]) -> str:
    """A square as the sentences of the game name it."""
    return f"{at[0]}, {at[1]}"


# The map


def the_map(scene: Scene, m: ManorVoice, picks: tuple[Pick, ...]) -> dict[str, Any]:
    """The floor plan, and the squares of it that can be chosen."""
    drawn = plan(scene.shows, scene.ahead, (pick.at for pick in picks if pick.at))
    spots: dict[Square, list[Pick]] = {}
    for pick in picks:
        if pick.at:
            spots.setdefault(pick.at, []).append(pick)
    return {
        "plan": drawn,
        "spots": [[spots.get(at, []) for at in row] for row in drawn.sheet.squares()] if spots else [],
        "near": scene.page == "play" and not scene.shows.result and drawn.sheet.columns > WIDE,
        "label": described(scene, m),
    }


def described(scene: Scene, m: ManorVoice) -> str:
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


# What can be done


def choices(scene: Scene, m: ManorVoice, seat: Seat) -> Iterator[Pick]:
    """Everything a seat may do, as it is offered."""
    lying: set[tuple[str, Any, str]] = set()
    for action in scene.legal[seat]:
        kind = action["type"]
        if kind == "lay":
            tile = in_hand(scene.shows)[action["tile"]]
            looks = action["tile"], tuple(action["at"]), turned(tile.exits, action["turn"])
            if looks in lying:
                continue  # a tile that looks the same after another turn
            lying.add(looks)
        yield Pick(**{"action": json.dumps(action), "group": kind} | OFFERS[kind](scene.shows, m, action))


def in_hand(shows: Shows) -> dict[str, Tile]:
    """The tiles to lay or take now: one's own before the game, then the open ones."""
    tiles = shows.held[shows.active] if shows.phase == "building" and shows.active else shows.open
    return {tile.id: tile for tile in tiles}


def tile_words(m: ManorVoice, tile: Tile) -> str:
    """A tile in words: its kind, its colour, the sides it is open to."""
    sides = ", ".join(m.named("side", side) for side in tile.exits)
    return m("tile", kind=kind_words(m, tile), sides=sides)


def kind_words(m: ManorVoice, tile: Tile) -> str:
    """The kind of a tile, and whose it is."""
    kind = m.named("kind", tile.kind)
    return m("tile_colour", kind=kind, colour=m.named("colour", tile.colour)) if tile.colour else kind


def _lay(shows: Shows, m: ManorVoice, action: dict[str, Any]) -> dict[str, Any]:
    tiles = in_hand(shows)
    tile = tiles[action["tile"]]
    tile = Tile(tile.id, tile.kind, tile.colour, turned(tile.exits, action["turn"]))
    at, hand = tuple(action["at"]), list(tiles).index(tile.id)
    return {
        "id": f"lay-{hand}-{at[0]}-{at[1]}-{tile.exits}-{tile.id}",
        "what": m("pick_lay", at=square(at)),
        "note": tile_words(m, tile),
        "at": at,
        "tile": tile,
        "hand": hand,
    }


def _to_square(shows: Shows, m: ManorVoice, action: dict[str, Any]) -> dict[str, Any]:
    """A step, a teleporter, a tele-portable: somewhere to go."""
    at = tuple(action.get("to") or action["target"])
    kind = next((tile.kind for tile in shows.manor if tile.at == at), "plain")
    note = "note_trap" if kind == "trap" and action["type"] == "step" else f"note_{action['type']}"
    return {
        "id": f"{action['type']}-{at[0]}-{at[1]}",
        "what": m(f"pick_{action['type']}", at=square(at)),
        "note": m(note),
        "at": at,
    }


def _choose(shows: Shows, m: ManorVoice, action: dict[str, Any]) -> dict[str, Any]:
    pending = shows.pending
    assert pending is not None
    at = pending.options[action["option"]]
    ghost = m.named("ghost", pending.ghost) if pending.ghost else ""
    words = {"what": m(f"pick_{pending.what}", ghost=ghost, at=square(at)), "note": m("note_choose")}
    return {"id": f"choose-{at[0]}-{at[1]}", "at": at, **words}


def _tile(shows: Shows, m: ManorVoice, action: dict[str, Any]) -> dict[str, Any]:
    """Take an open tile, or give one up that has no spot."""
    tile = in_hand(shows)[action["tile"]]
    kind = action["type"]
    return {"id": f"{kind}-{tile.id}", "what": tile_words(m, tile), "note": m(f"note_{kind}"), "tile": tile}


def _reveal(shows: Shows, m: ManorVoice, action: dict[str, Any]) -> dict[str, Any]:
    tile = msgspec.convert(action["tiles"][0], Tile)
    words = {"what": tile_words(m, tile), "note": m("note_reveal"), "about": kind_words(m, tile)}
    return {"id": f"reveal-{tile.id}-{tile.exits}", "tile": tile, **words}


def _fight(shows: Shows, m: ManorVoice, action: dict[str, Any]) -> dict[str, Any]:
    """A fight with its numbers: what it costs and what the ghost has left. CFA-60."""
    ghost = next(each for each in shows.ghosts if each.id == action["ghost"])
    vacuums, life = action["vacuums"], action["life"]
    left = 0 if action["crucifix"] else ghost.power - vacuums - life
    paid = [m(f"pay_{what}", n=n) for what, n in (("vacuums", vacuums), ("life", life)) if n]
    means = m.named("card", "crucifix") if action["crucifix"] else " + ".join(paid)
    about = m("fight_ghost", ghost=m.named("ghost", ghost.id), power=ghost.power)
    return {
        "id": f"fight-{ghost.id}-{vacuums}-{life}-{action['crucifix']:d}",
        "what": m("fight_with", about=about, means=means),
        "note": m("fight_left", n=left) if left else m("fight_gone"),
        "icon": "spook",
        "short": means,
        "about": about,
    }


def _use(shows: Shows, m: ManorVoice, action: dict[str, Any]) -> dict[str, Any]:
    card, target = action["card"], action["target"]
    if isinstance(target, list | tuple):
        return _to_square(shows, m, action)
    word = m.named("card", card)
    on = m("use_on", card=word, colour=m.named("colour", target)) if target else m("use_it", card=word)
    return {"id": f"use-{card}-{target}", "what": on, "note": m(f"card_{card}")}


def _card(shows: Shows, m: ManorVoice, action: dict[str, Any]) -> dict[str, Any]:
    """A card: given away, or told by whoever drew it from a real pile."""
    kind, card = action["type"], action["card"]
    word = m.named("trap" if kind == "trap" else "card", card)
    note = m(f"trap_{card}") if kind == "trap" else m(f"card_{card}")
    return {"id": f"{kind}-{card}", "what": word, "note": note}


def _plain(shows: Shows, m: ManorVoice, action: dict[str, Any]) -> dict[str, Any]:
    kind = action["type"]
    icon = {"end": "check", "draw": "dice"}.get(kind, "hand")
    return {"id": kind, "what": m(f"pick_{kind}"), "note": m(f"note_{kind}"), "icon": icon}


OFFERS = {
    "lay": _lay, "step": _to_square, "teleport": _to_square, "choose": _choose, "take": _tile,
    "discard": _tile, "reveal": _reveal, "fight": _fight, "use": _use, "give": _card, "drawn": _card,
    "trap": _card, "draw": _plain, "pick": _plain, "end": _plain,
}  # fmt: skip
"""How each kind of action is offered."""
ORDER = ("take", "discard", "reveal", "drawn", "trap", "give", "pick", "fight", "use", "draw", "end")
"""The order of deeds beside the map."""


# The player's page


def play(scene: Scene, m: ManorVoice, picks: tuple[Pick, ...]) -> dict[str, Any]:
    """One seat's own things: life, points, cards, tiles."""
    shows: Shows = scene.shows
    seat = scene.seat or ""
    gauge = scene.lamps.gauges.get(f"life.{seat}") if scene.lamps else None
    mine = shows.active == seat and shows.phase == "acting"
    return {
        "groups": list(grouped(picks, m)),
        "here": "/play",  # one phone may run several colours: the page goes with whoever's turn it is
        "most_life": (gauge.of if gauge else None) or shows.life[seat],
        "points": shows.points + shows.moves if mine else None,
        "most_points": max(POINTS, shows.points + shows.moves),
        "done": deeds(shows, m) if mine else [],
        "tiles": [(n, tile, tile_words(m, tile)) for n, tile in enumerate(in_hand(shows).values())],
        "hand": [(m.named("card", card), m(f"card_{card}")) for card in shows.hands[seat] or ()],
        "others": [s for s in (scene.me.seats if scene.me else ()) if s != seat and s in scene.to_act],
        "escapes": ESCAPES,
    }


def grouped(picks: tuple[Pick, ...], m: ManorVoice) -> Iterator[tuple[str, str, list[Pick]]]:
    """What can be done beside the map, under headings; ending the turn comes last."""
    deeds = sorted((pick for pick in picks if pick.at is None), key=lambda pick: ORDER.index(pick.group))
    for (group, about), some in groupby(deeds, key=lambda pick: (pick.group, pick.about)):
        yield group, about or m(f"group_{group}"), list(some)


def deeds(shows: Shows, m: ManorVoice) -> list[tuple[str, bool]]:
    """What may be done once a turn, and whether it has been. CFA-22."""
    spent = {what.partition(":")[0] for what in shows.spent}
    return [(m(f"deed_{deed}"), deed in spent) for deed in ("fight", "use", "draw")]


# What happened, what is to be copied, what is coming


def said(event: dict[str, Any], language: str) -> str:
    """An event of the record as a sentence, with a capital."""
    words = tell(msgspec.convert(event, EVENTS[event["type"]]), language)
    return words[:1].upper() + words[1:]


def to_copy(scene: Scene) -> list[Told]:
    """What the ghosts did at the end of the last turn, step by step, for the table to copy. CFA-23."""
    steps: list[Told] = []
    going = False
    for entry in scene.history:
        if entry.undone:
            continue
        kind = entry.action["type"]
        if kind == "end":
            going, steps = True, []
        elif kind not in GOES_ON:
            going = False
            if kind in ("step", "teleport", "fight", "use", "draw", "pick"):
                steps = []  # the next turn is under way, so the ghosts have been moved
        if going:
            steps += [_told(scene, entry.n, n, event) for n, event in enumerate(entry.events)]
    return steps


def _told(scene: Scene, line: int, n: int, event: dict[str, Any]) -> Told:
    return Told(f"{line}-{n}", ICONS.get(event["type"], "lantern"), said(event, scene.language))


def ticker(scene: Scene) -> list[Told]:
    """What happened and stands, newest first."""
    standing = [entry for entry in scene.history if not entry.undone]
    if scene.shows.result is None:
        standing = standing[-LATEST:]
    told = [_told(scene, entry.n, n, event) for entry in standing for n, event in enumerate(entry.events)]
    return told[::-1]


def foretold(scene: Scene) -> list[Told]:
    """What would happen if the turn ended now."""
    told = []
    for n, event in enumerate(scene.ahead.preview):
        words = tell(event, scene.language)
        tag = str(event.__struct_config__.tag)
        told.append(Told(f"ahead-{n}", ICONS.get(tag, "spook"), words[:1].upper() + words[1:]))
    return told
