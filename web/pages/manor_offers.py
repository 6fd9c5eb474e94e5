"""What can be done now, as it is offered: on a square of the map, or as a deed beside it."""

from __future__ import annotations

import json
from collections.abc import Iterator
from itertools import groupby
from typing import Any

import msgspec

from companion.games.artefacts.manor import Placed, Square, Tile, turned
from companion.games.artefacts.view import Shows
from web.pages.manor_voice import ManorVoice


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


def square(at: Square | list[int]) -> str:
    """A square as the sentences of the game name it."""
    return f"{at[0]}, {at[1]}"


def choices(shows: Shows, legal: tuple[dict[str, Any], ...], m: ManorVoice) -> Iterator[Pick]:
    """Everything that may be done, as it is offered."""
    lying: set[tuple[str, Any, str]] = set()
    for action in legal:
        kind = action["type"]
        if kind == "lay":
            tile = in_hand(shows)[action["tile"]]
            looks = action["tile"], tuple(action["at"]), turned(tile.exits, action["turn"])
            if looks in lying:
                continue  # a tile that looks the same after another turn
            lying.add(looks)
        yield Pick(**{"action": json.dumps(action), "group": kind} | OFFERS[kind](shows, m, action))


def in_hand(shows: Shows) -> dict[str, Tile]:
    """The tiles to lay or take now: one's own before the game, then the open ones."""
    tiles = shows.held[shows.active] if shows.phase == "building" and shows.active else shows.open
    return {tile.id: tile for tile in tiles}


def tile_words(m: ManorVoice, tile: Tile) -> str:
    """A tile in words: its kind, its colour, the sides it is open to."""
    sides = ", ".join(m.named("side", side) for side in tile.exits)
    return m("tile", kind=kind_words(m, tile), sides=sides)


def kind_words(m: ManorVoice, tile: Tile | Placed) -> str:
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
    words = {"what": tile_words(m, tile), "note": m("note_reveal"), "about": m.named("kind", tile.kind)}
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


def grouped(picks: tuple[Pick, ...], m: ManorVoice) -> Iterator[tuple[str, str, list[Pick]]]:
    """What can be done beside the map, under headings; ending the turn comes last."""
    deeds = sorted((pick for pick in picks if pick.at is None), key=lambda pick: ORDER.index(pick.group))
    for (group, about), some in groupby(deeds, key=lambda pick: (pick.group, pick.about)):
        yield group, about or m(f"group_{group}"), list(some)
