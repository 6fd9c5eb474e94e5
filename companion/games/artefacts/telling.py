"""Telling what happened, or would happen, in a person's language."""

from __future__ import annotations

from typing import Any

from msgspec.structs import asdict

from companion.contract import Event
from companion.games.artefacts.events import Over, Sprung, Surprise
from companion.games.artefacts.foresight import Fear
from companion.games.artefacts.manor import COLOURS, Placed, Tile
from companion.words import Saying, say, sentences


def tell(event: Event, language: str = "en") -> str:
    """An event as a sentence, short enough to be read out while people copy it on the table."""
    tag = str(event.__struct_config__.tag)
    if isinstance(event, Over):
        return say(f"artefacts.event_won_{event.winner}", language, reason=reason(event, language))
    facts = {name: _fact(name, value) for name, value in asdict(event).items()}
    if isinstance(event, Sprung):
        facts["card"] = Saying(f"artefacts.trap_{event.card}")
    if isinstance(event, Surprise):
        facts["what"] = surprising(event, language)
    if "tile" in facts:
        facts |= _tile_facts(facts["tile"])
    return say(f"artefacts.event_{_form(tag, facts)}", language, **facts)


def reason(over: Over, language: str = "en") -> str:
    """Why a game has ended, for those who know who won."""
    return say(f"artefacts.over_{over.reason}", language)


def surprising(event: Surprise, language: str = "en") -> str:
    """What there is more of than we thought: a card, a trap, a kind of tile."""
    return say(f"artefacts.{PILED[event.deck]}_{event.what}", language)


def warn(fear: Fear, language: str = "en") -> str:
    """A warning as a sentence."""
    return say(f"artefacts.warn_{fear.what}", language, ghost=_fact("ghost", fear.ghost), n=fear.n)


def _form(tag: str, facts: dict[str, Any]) -> str:
    """Two events have two sentences: what was kept or not, with a crucifix or without."""
    if tag == "unlayable":
        return "returned" if facts["kept"] else "unlayable"
    if tag == "fought":
        return "crucifix" if facts["crucifix"] else "fought"
    return tag


def _fact(name: str, value: Any) -> Any:
    if name in NAMED and f"{NAMED[name]}_{value}" in sentences("artefacts", "en"):
        return Saying(f"artefacts.{NAMED[name]}_{value}")
    if value in COLOURS:
        return Saying(f"artefacts.colour_{value}")
    return _squares(value) if isinstance(value, tuple) else value


NAMED = {"card": "card", "deck": "deck", "ghost": "ghost", "heading": "side"}
"""The facts that have words of their own, and how their keys begin."""
PILED = {"tiles": "kind", "objects": "card", "traps": "trap"}
"""How the words for what lies in a pile begin."""


def _tile_facts(tile: Tile | Placed | str) -> dict[str, Any]:
    """What is said of a tile: its kind, its exits, and where it lies. Its id begins with its kind."""
    if isinstance(tile, str):
        return {"tile": Saying(f"artefacts.kind_{tile.partition('-')[0]}")}
    where = {"at": _squares(tile.at)} if isinstance(tile, Placed) else {}
    exits = tuple(Saying(f"artefacts.side_{side}") for side in tile.exits)
    return {"tile": Saying(f"artefacts.kind_{tile.kind}"), "exits": exits, **where}


def _squares(value: tuple[Any, ...]) -> str:
    """A square as two numbers; several squares in brackets."""
    if value and isinstance(value[0], int):
        return f"{value[0]}, {value[1]}"
    return ", ".join(f"({_squares(each)})" for each in value)
