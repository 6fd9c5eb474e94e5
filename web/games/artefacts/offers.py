"""What can be done now, as it is offered: on a square of the map, or as a deed beside it."""

from __future__ import annotations

import json
from collections.abc import Iterator
from itertools import groupby
from typing import Any

import msgspec

from companion.contract import converted
from companion.games.artefacts.foresight import Ahead
from companion.games.artefacts.manor import SIDES, Placed, Square, Tile, turned
from companion.games.artefacts.view import Shows
from web.games.artefacts.box import KINDS, SHAPES, shape_of
from web.games.artefacts.texts import ArtefactsTexts


class Pick(msgspec.Struct, frozen=True):
    """Something that can be chosen: a square of the map or a deed, and what the second tap would do."""

    id: str
    action: str
    """One action, or several in a row, such as the steps of a walk."""
    what: str
    note: str
    group: str
    at: Square | None = None
    tile: Tile | None = None
    """A tile to be seen: the one laid here, taken, or told."""
    hand: int = 0
    """Which of the tiles in hand it is about; while one acts it is 1 for the tele-portable."""
    icon: str = "hand"
    short: str = ""
    """What it is called under the heading of its group."""
    about: str = ""
    """What sets its group apart from others of its kind: the ghost to fight."""
    card: str = ""
    """The card in hand that it plays."""


def by_hand(pick: Pick) -> bool:
    """Whether it is offered for a card in hand, so that it tells of it."""
    return bool(pick.card) or pick.group == "give"


def square(at: Square | list[int]) -> str:
    """A square as the sentences of the game name it."""
    return f"{at[0]}, {at[1]}"


def choices(
    shows: Shows, legal: tuple[dict[str, Any], ...], ahead: Ahead, m: ArtefactsTexts
) -> Iterator[Pick]:
    """Everything that may be done, as it is offered: what looks or comes to the same, once."""
    offered: set[tuple[Any, ...]] = set()
    for action in sorted(legal, key=_as_held):
        looks = _looks(shows, action)
        if looks in offered:
            continue
        offered.add(looks)
        kind = action["type"]
        if kind == "draw" and ahead.draws:
            yield from (_drawing(m, card) for card in ahead.draws)
        elif kind != "step":
            yield Pick(**{"action": json.dumps(action), "group": kind} | OFFERS[kind](shows, m, action))
    if ("step",) in offered:
        free = {tuple(action["to"]) for action in legal if action["type"] == "teleport"}
        yield from (_walk(shows, m, way) for way in ahead.walks if way[-1] not in free)


def _as_held(action: dict[str, Any]) -> bool:
    """Of a tile that was turned up the way comes first in which its form is always drawn."""
    return action["type"] == "reveal" and action["tiles"][0]["exits"] not in SHAPES


def _looks(shows: Shows, action: dict[str, Any]) -> tuple[Any, ...]:
    """What is the same for actions that are offered together: a tile that lies alike, or is held anyhow."""
    match action:
        case {"type": "lay", "tile": tile, "at": at, "turn": turn}:
            return tile, tuple(at), turned(in_hand(shows)[tile].exits, turn)
        case {"type": "reveal", "tiles": tiles}:
            return ("reveal", tiles[0]["id"])
        case {"type": "step"}:
            return ("step",)
    return (json.dumps(action),)


def _walk(shows: Shows, m: ArtefactsTexts, way: tuple[Square, ...]) -> Pick:
    """All the steps to a square; a trap there springs. CFA-22, CFA-41."""
    at = way[-1]
    trap = any(tile.at == at and tile.kind == "trap" for tile in shows.manor)
    return Pick(
        id=f"step-{at[0]}-{at[1]}",
        action=json.dumps([{"type": "step", "to": to} for to in way]),
        what=m("pick_step", at=square(at)),
        note=m("note_trap" if trap else "note_step", n=len(way)),
        group="step",
        at=at,
    )


def _drawing(m: ArtefactsTexts, card: str) -> Pick:
    """A card drawn from a real pile, and told at once. CFA-22."""
    word = m.named("card", card)
    return Pick(
        id=f"draw-{card}",
        action=json.dumps([{"type": "draw"}, {"type": "drawn", "card": card}]),
        what=m("pick_drawn", card=word),
        note=m(f"card_{card}"),
        group="draw",
        icon="dice",
        short=word,
        about=m("draw_which"),
    )


def in_hand(shows: Shows) -> dict[str, Tile]:
    """The tiles to lay or take now: one's own before the game, then the open ones."""
    tiles = shows.held[shows.active] if shows.phase == "building" and shows.active else shows.open
    return {tile.id: tile for tile in tiles}


def tile_words(m: ArtefactsTexts, tile: Tile) -> str:
    """A tile in words: its kind, its colour, the sides it is open to."""
    if len(tile.exits) == len(SIDES):
        return m("tile_all", kind=kind_words(m, tile))
    sides = ", ".join(m.named("side", side) for side in tile.exits)
    return m("tile", kind=kind_words(m, tile), sides=sides)


def kind_words(m: ArtefactsTexts, tile: Tile | Placed) -> str:
    """The kind of a tile, and whose it is."""
    kind = m.named("kind", tile.kind)
    return m("tile_colour", kind=kind, colour=m.named("colour", tile.colour)) if tile.colour else kind


def _lay(shows: Shows, m: ArtefactsTexts, action: dict[str, Any]) -> dict[str, Any]:
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


def _to_square(shows: Shows, m: ArtefactsTexts, action: dict[str, Any]) -> dict[str, Any]:
    """A teleporter to go to from another, or by the tele-portable."""
    kind, at = action["type"], tuple(action.get("to") or action["target"])
    words = {"what": m(f"pick_{kind}", at=square(at)), "note": m(f"note_{kind}")}
    return {"id": f"{kind}-{at[0]}-{at[1]}", "at": at, **words}


def _choose(shows: Shows, m: ArtefactsTexts, action: dict[str, Any]) -> dict[str, Any]:
    pending = shows.pending
    assert pending is not None
    at = pending.options[action["option"]]
    chosen = pending.ghosts[action["option"]] if pending.what == "order" else pending.ghost
    ghost = m.named("ghost", chosen) if chosen else ""
    words = {"what": m(f"pick_{pending.what}", ghost=ghost, at=square(at)), "note": m("note_choose")}
    return {"id": f"choose-{action['option']}-{at[0]}-{at[1]}", "at": at, **words}


def _tile(shows: Shows, m: ArtefactsTexts, action: dict[str, Any]) -> dict[str, Any]:
    """Take an open tile, or give one up that has no spot."""
    tile = in_hand(shows)[action["tile"]]
    kind = action["type"]
    return {"id": f"{kind}-{tile.id}", "what": tile_words(m, tile), "note": m(f"note_{kind}"), "tile": tile}


def _reveal(shows: Shows, m: ArtefactsTexts, action: dict[str, Any]) -> dict[str, Any]:
    tile = converted(action["tiles"][0], Tile)
    words = {"what": kind_words(m, tile), "note": m(f"box_shape_{shape_of(tile.exits)}")}
    return {"id": f"reveal-{tile.id}", "tile": tile, **words, "about": m.named("kind", tile.kind)}


def _fight(shows: Shows, m: ArtefactsTexts, action: dict[str, Any]) -> dict[str, Any]:
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
        "card": "crucifix" if action["crucifix"] else "vacuum" if vacuums else "",
    }


def _use(shows: Shows, m: ArtefactsTexts, action: dict[str, Any]) -> dict[str, Any]:
    card, target = action["card"], action["target"]
    if isinstance(target, list | tuple):
        return {"hand": 1, "card": card, **_to_square(shows, m, action)}
    word = m.named("card", card)
    on = m("use_on", card=word, colour=m.named("colour", target)) if target else m("use_it", card=word)
    return {"id": f"use-{card}-{target}", "what": on, "note": m(f"card_{card}"), "card": card}


def _card(shows: Shows, m: ArtefactsTexts, action: dict[str, Any]) -> dict[str, Any]:
    """A card: given away, or told by whoever drew it from a real pile."""
    kind, card = action["type"], action["card"]
    word = m.named("trap" if kind == "trap" else "card", card)
    note = m(f"trap_{card}") if kind == "trap" else m(f"card_{card}")
    return {"id": f"{kind}-{card}", "what": word, "note": note}


def _plain(shows: Shows, m: ArtefactsTexts, action: dict[str, Any]) -> dict[str, Any]:
    kind = action["type"]
    icon = {"end": "check", "draw": "dice"}.get(kind, "hand")
    return {"id": kind, "what": m(f"pick_{kind}"), "note": m(f"note_{kind}"), "icon": icon}


OFFERS = {
    "lay": _lay, "teleport": _to_square, "choose": _choose, "take": _tile,
    "discard": _tile, "reveal": _reveal, "fight": _fight, "use": _use, "give": _card, "drawn": _card,
    "trap": _card, "draw": _plain, "pick": _plain, "end": _plain,
}  # fmt: skip
"""How each kind of action is offered."""
ORDER = ("take", "discard", "reveal", "drawn", "trap", "give", "pick", "fight", "use", "draw", "end")
"""The order of deeds beside the map."""


def grouped(picks: tuple[Pick, ...], m: ArtefactsTexts) -> Iterator[tuple[str, str, list[Pick]]]:
    """What can be done beside the map, under headings; ending the turn comes last."""
    deeds = sorted((pick for pick in picks if pick.at is None), key=_place)
    for (group, about), some in groupby(deeds, key=lambda pick: (pick.group, pick.about)):
        yield group, about or m(f"group_{group}"), list(some)


def _place(pick: Pick) -> tuple[Any, ...]:
    """Where a deed stands among the others; tiles that were turned up by kind, colour and form."""
    if pick.group != "reveal" or pick.tile is None:
        return (ORDER.index(pick.group),)
    tile = pick.tile
    rank = (*KINDS, "artefact").index(tile.kind), tile.colour or "", SHAPES.index(shape_of(tile.exits))
    return (ORDER.index(pick.group), *rank)
