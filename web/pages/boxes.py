"""The pages of the boxroom: every box of the house, the sheet of one, and one that somebody brought."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, get_args

import msgspec

from companion import boxes, games, words
from companion.boxes import Profile
from companion.games.artefacts.box import OBJECT_SUM, OBJECTS, TILE_SUM, TRAP_SUM, TRAPS
from companion.games.artefacts.manor import COLOURS as HUNTERS
from companion.games.canterville.options import ANIMALS
from companion.games.phantom.board import COLOURS, ROOMS
from companion.games.phantom.box import RoomType
from companion.refusals import Illegal, Refusal
from web import parcels
from web.boxes.sheets import KINDS, SHAPES, SHEETS
from web.pages.backroom import paper
from web.pages.castle_voice import castle_voice
from web.pages.hall import known
from web.pages.manor_plan import floor, sills
from web.pages.voice import voice
from web.scene import Notice

MARK = "box1:"
"""How the text of a box begins, behind a QR code or pasted."""


class Desk(msgspec.Struct, frozen=True):
    """What lies in the boxroom."""

    language: str
    token: str
    boxes: Mapping[str, Profile]
    faults: tuple[tuple[str, Refusal], ...]
    """Files that cannot be read, and why."""
    chosen: str
    """The box of the next game."""
    lies_there: str
    """The game whose whole box lies on the table for all to see."""
    notices: tuple[Notice, ...]

    def box(self, name: str) -> Profile:
        """One of the boxes."""
        if name not in self.boxes:
            raise Illegal("companion.box_missing", name=name, names=tuple(self.boxes))
        return self.boxes[name]


def to_text(profile: Profile) -> str:
    """A box as a short text."""
    return parcels.packed(MARK, msgspec.json.encode(msgspec.json.decode(boxes.to_file(profile))))


def _page(desk: Desk, page: str, title: str, **facts: Any) -> str:
    facts |= {"b": voice(desk.language, "boxes"), "title": title}
    facts |= {"game_word": lambda game: known(voice(desk.language), f"game_{game}", game)}
    return paper(f"boxes/{page}.html", desk.language, desk.token, desk.notices, **facts)


def hall(desk: Desk) -> str:
    """Every box, by game; how to begin one, learn one and bring one."""
    by_game = {game: [box for box in desk.boxes.values() if box.game == game] for game in _games()}
    faults = [(file, fault.message(desk.language)) for file, fault in desk.faults]
    b = voice(desk.language, "boxes")
    return _page(
        desk,
        "hall",
        b("boxes"),
        by_game=by_game,
        writable=SHEETS,
        chosen=desk.chosen,
        faults=faults,
        lies_there=desk.lies_there,
    )


def _games() -> list[str]:
    """The games that a box says something about."""
    return [game for game in games.names() if games.find(game).box is not None]


def one(desk: Desk, name: str) -> str:
    """A box: its sheet, and everything else that can be done with it."""
    profile = desk.box(name)
    if profile.game in SHEETS:
        return sheet(desk, profile.game, SHEETS[profile.game].written(profile.box), name)
    return _page(desk, "sealed", name, **_shared(desk, profile))


def sheet(desk: Desk, game: str, fields: Mapping[str, str], was: str = "") -> str:
    """The form of a box, filled with what is known or was typed."""
    if game not in SHEETS:
        raise Illegal("boxes.no_sheet", game=games.find(game).name)
    b = voice(desk.language, "boxes")
    shared = _shared(desk, desk.boxes[was]) if was in desk.boxes else {"profile": None}
    name = fields.get("name", was)
    facts = {"game": game, "was": was, "name": name, "said": fields, **shared, **DRAWN[game](desk.language)}
    return _page(desk, game, name or b("new"), **facts)


def offered(desk: Desk, profile: Profile, name: str | None = None) -> str:
    """A box that somebody brought, before it is kept."""
    b, shown = voice(desk.language, "boxes"), profile.name if name is None else name
    return _page(
        desk,
        "offered",
        b("offered"),
        profile=profile,
        name=shown,
        there=boxes.key(shown) in map(boxes.key, desk.boxes),
        lines=list(summary(profile, desk.language)),
        text=to_text(profile),
    )


def _shared(desk: Desk, profile: Profile) -> dict[str, Any]:
    """How a box is passed on."""
    text = to_text(profile)
    return {
        "profile": profile,
        "chosen": desk.chosen == profile.name,
        "text": text,
        "code": parcels.code("/boxes/import", text),
    }


# What the games call things


def _label(key: str, language: str) -> str:
    """A word of a game at the beginning of a line."""
    word = words.say(key, language)
    return word[:1].upper() + word[1:]


def _phantom(language: str) -> dict[str, Any]:
    return {
        "colours": {colour: _label(f"phantom.colour_{colour}", language) for colour in COLOURS},
        "types": {kind: _label(f"phantom.type_{kind}", language) for kind in get_args(RoomType)},
        "rooms": ROOMS,
    }


def _artefacts(language: str) -> dict[str, Any]:
    return {
        "kinds": {kind: _label(f"artefacts.kind_{kind}", language) for kind in KINDS},
        "shapes": SHAPES,
        "hunters": {colour: _label(f"artefacts.colour_{colour}", language) for colour in HUNTERS},
        "objects": {card: _label(f"artefacts.card_{card}", language) for card in OBJECTS},
        "traps": {card: _label(f"artefacts.trap_{card}", language) for card in TRAPS},
        "floor": floor,
        "sills": sills,
        "sums": {"tiles": TILE_SUM, "objects": OBJECT_SUM, "traps": TRAP_SUM},
    }


def _canterville(language: str) -> dict[str, Any]:
    return {"animals": {animal: castle_voice(language)(f"animal_{animal}") for animal in ANIMALS}}


DRAWN = {"artefacts": _artefacts, "canterville": _canterville, "phantom": _phantom}
"""What the sheet of each game needs to be drawn."""


# A box in a few lines


def summary(profile: Profile, language: str) -> Iterator[tuple[str, str]]:
    """What a box says, for whoever decides about it."""
    b = voice(language, "boxes")
    yield b("game"), known(voice(language), f"game_{profile.game}", profile.game)
    match profile.game:
        case "phantom":
            for colour, word in _phantom(language)["colours"].items():
                yield word, " ".join(map(str, profile.box.tiles[colour]))
            if profile.box.names:
                yield b("names"), ", ".join(profile.box.names)
            yield b("turn"), b(f"turn_{profile.box.turn}")
        case "artefacts":
            for kind, word in _artefacts(language)["kinds"].items():
                yield word, str(sum(lot.count for lot in profile.box.tiles if lot.kind == kind))
            for cards, pile in (("objects", profile.box.objects), ("traps", profile.box.traps)):
                names = _artefacts(language)[cards]
                yield b(cards), ", ".join(f"{names[card]} {n}" for card, n in pile.items())
        case "canterville":
            for animal, word in _canterville(language)["animals"].items():
                yield word, str(profile.box.frames[animal])
            if profile.box.castle is not None:
                yield b("castle"), profile.box.castle.name
