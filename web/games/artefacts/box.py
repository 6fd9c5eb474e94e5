"""A box of Chasseurs Fantômes Artéfacts, written down: tiles by kind and form, and the cards."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from msgspec.structs import asdict

from companion import words
from companion.contract import plain
from companion.games.artefacts.box import (
    INVENTED,
    OBJECT_SUM,
    OBJECTS,
    TILE_SUM,
    TRAP_SUM,
    TRAPS,
    USUAL_ARMS,
    Box,
    Costs,
    Deck,
)
from companion.games.artefacts.manor import ARMS, COLOURS, turned
from companion.words import Saying
from web.admin.boxes.fields import count, labels, said
from web.games.artefacts.floor_plan import floor, sills
from web.games.record import BoxForm
from web.texts import game_texts

SHAPES = ("NESW", "NES", "NS", "NE", "N")
"""The five forms of a tile; how it is turned says nothing, for it may be laid any way."""
KINDS = ("plain", "trap", "teleporter", "ghost")
"""Tiles that are counted; of artefacts there is one in each colour."""
COSTS = ("0", "1", "2", "3")
"""Action points that a card may cost: a turn has three."""
PLACES = ("1", "2", "3", "4")
"""The seats clockwise around the table."""
PILES: tuple[Deck, ...] = ("tiles", "objects", "traps")
"""What is counted apart from each other, and can be left uncounted."""
Fields = Mapping[str, str]


def shape_of(exits: str) -> str:
    """A tile's form, however it is turned."""
    return next(turned(exits, turn) for turn in range(4) if turned(exits, turn) in SHAPES)


def written(box: Box) -> dict[str, str]:
    """The fields of the form that say this box."""
    counts: dict[str, int] = {}
    for lot in box.tiles:
        if lot.kind != "artefact":
            name = f"{lot.kind}-{shape_of(lot.exits)}"
            counts[name] = counts.get(name, 0) + lot.count
    painted = {f"artefact-{lot.colour}": shape_of(lot.exits) for lot in box.tiles if lot.kind == "artefact"}
    objects = ((f"object-{card}", n) for card, n in box.objects.items())
    traps = ((f"trapcard-{card}", n) for card, n in box.traps.items())
    guessed = {f"unknown-{pile}": "1" for pile in PILES if pile in box.unknown}
    return {**said(counts.items()), **painted, **said(objects), **said(traps), **guessed, **_printed(box)}


def _printed(box: Box) -> dict[str, str]:
    """What stands on cards and cross, and how the colours sit around it; empty where it is as usual."""
    costs = {f"cost-{card}": str(getattr(box.cost, card)) for card in OBJECTS}
    arms = {f"arm-{colour}": side for colour, side in box.arms.items()}
    return (
        costs | arms | {f"seat-{place}": colour for place, colour in zip(PLACES, box.seating, strict=False)}
    )


def read(fields: Fields, before: Any) -> tuple[dict[str, Any], list[Saying]]:
    """How many tiles of each kind and form, and of each card. CFA-1 to CFA-3."""
    problems: list[Saying] = []
    label = " ".join(fields.get("name", "").split())
    counted: dict[str, Any] = {pile: pile_said(pile, fields, problems) for pile in PILES}
    unknown = [pile for pile in PILES if fields.get(f"unknown-{pile}")]
    return {"label": label, **counted, "unknown": unknown, **_printed_said(fields, problems)}, problems


def pile_said(pile: Deck, fields: Fields, problems: list[Saying]) -> Any:
    """What there is of one pile; where nobody has counted and nothing is said, the guess that is shipped."""
    found = _tiles_said(fields, problems) if pile == "tiles" else _cards_said(pile, fields, problems)
    nothing = not (any(found.values()) if isinstance(found, dict) else found)
    return plain(getattr(INVENTED, pile)) if nothing and fields.get(f"unknown-{pile}") else found


def _tiles_said(fields: Fields, problems: list[Saying]) -> list[dict[str, Any]]:
    lots = [(kind, shape, count(fields, f"{kind}-{shape}", problems)) for kind in KINDS for shape in SHAPES]
    tiles: list[dict[str, Any]] = [{"kind": kind, "exits": exits, "count": n} for kind, exits, n in lots if n]
    painted = [(colour, fields.get(f"artefact-{colour}", "")) for colour in COLOURS]
    return tiles + [{"kind": "artefact", "exits": exits, "colour": c} for c, exits in painted if exits]


def _cards_said(pile: Deck, fields: Fields, problems: list[Saying]) -> dict[str, int]:
    if pile == "objects":
        return {card: count(fields, f"object-{card}", problems) for card in OBJECTS}
    return {card: count(fields, f"trapcard-{card}", problems) for card in TRAPS}


def _printed_said(fields: Fields, problems: list[Saying]) -> dict[str, Any]:
    """What stands on cards and cross, and how the colours sit; nothing where it is as usual."""
    return {
        "cost": {
            card: count(fields, f"cost-{card}", problems) for card in OBJECTS if f"cost-{card}" in fields
        },
        "arms": {colour: side for colour in COLOURS if (side := fields.get(f"arm-{colour}", ""))},
        "seating": [colour for place in PLACES if (colour := fields.get(f"seat-{place}", ""))],
    }


def facts(language: str) -> dict[str, Any]:
    """What the form calls and draws."""
    return {
        "kinds": labels("artefacts", "kind", KINDS, language),
        "shapes": SHAPES,
        "hunters": labels("artefacts", "colour", COLOURS, language),
        "objects": labels("artefacts", "card", OBJECTS, language),
        "traps": labels("artefacts", "trap", TRAPS, language),
        "costs": COSTS,
        "usual_costs": {card: str(n) for card, n in asdict(Costs()).items()},
        "cost_hint": words.say("artefacts.option_cost_hint", language),
        "sides": labels("artefacts", "side", ARMS, language),
        "usual_sides": USUAL_ARMS,
        "places": dict(zip(PLACES, COLOURS, strict=True)),
        "floor": floor,
        "sills": sills,
        "sums": {"tiles": TILE_SUM, "objects": OBJECT_SUM, "traps": TRAP_SUM},
    }


def summary(box: Box, language: str) -> Iterator[tuple[str, str]]:
    """So many tiles of each kind, and the cards."""
    g, known = game_texts(language, "artefacts"), facts(language)
    for kind, word in known["kinds"].items():
        yield word, str(sum(lot.count for lot in box.tiles if lot.kind == kind))
    for cards, pile in (("objects", box.objects), ("traps", box.traps)):
        yield g(f"box_{cards}"), ", ".join(f"{known[cards][card]} {n}" for card, n in pile.items())


FORM = BoxForm(template="artefacts/box.html", written=written, read=read, facts=facts, summary=summary)
