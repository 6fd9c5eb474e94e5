"""What the moderator puts right, read from a form: the table is right, and the record follows it.

Each form names one thing: a hunter, a ghost, a tile, an artefact, the cards beside the piles, the turn, what
is in the box. Here it becomes the fields of a repair; whether such a table can be is for the game to say.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import msgspec
from msgspec.structs import replace

from companion.boxes import BoxProblems
from companion.contract import converted, plain
from companion.games.artefacts.box import OBJECTS, TRAPS, Box
from companion.games.artefacts.manor import ROUND, Square, turned
from companion.games.artefacts.options import HAND, POINTS
from companion.games.artefacts.view import Shows
from companion.refusals import Illegal, Malformed
from companion.words import Saying
from web.games.artefacts.box import PILES, pile_said, written

Fields = Mapping[str, str]
Fixes = dict[str, Any]
GONE = "gone"
"""Said of a place: it is not on the table at all."""
SHEET = "sheet"
"""Said of a box: all of it is as its sheet says."""


def fixes(shows: Shows, fields: Fields, box: Box, sheet: Box | None = None) -> Fixes:
    """The fields of the repair that a form asks for; `box` is the game's, `sheet` the one written down."""
    kind = _word(fields, "fix", (*KINDS, "box"))
    found = {"box": plain(_box(fields, box, sheet))} if kind == "box" else KINDS[kind](shows, fields)
    if shows.phase == "over":
        # It ended by mistake: the hunters go on, the leader first.
        found = {"phase": "acting", "points": POINTS, "pending": None} | found
    return found


def _hunter(shows: Shows, fields: Fields) -> Fixes:
    """Where a hunter stands, life and cards."""
    colour = _word(fields, "colour", tuple(shows.pawns))
    held = [_word(fields, f"card-{n}", OBJECTS) for n in range(HAND) if fields.get(f"card-{n}")]
    return {
        "pawns": {colour: _square(fields, "at")},
        "life": {colour: _number(fields, "life")},
        "hands": {colour: sorted(held)},
    }


def _ghost(shows: Shows, fields: Fields) -> Fixes:
    """Where a ghost is, its colour and its power; without a name it is one that the record lacks."""
    id = fields.get("ghost", "")
    others = [plain(each) for each in shows.ghosts if each.id != id]
    if fields.get("at") == GONE:
        return {"ghosts": others}
    colour = _word(fields, "colour", tuple(shows.pawns))
    if not id.startswith(colour):
        taken = {each["id"] for each in others}
        id = next(name for n in range(1, 10) if (name := f"{colour}{n}") not in taken)
    ghost = {"id": id, "colour": colour, "power": _number(fields, "power"), "at": _square(fields, "at")}
    return {"ghosts": [*others, ghost]}


def _tile(shows: Shows, fields: Fields) -> Fixes:
    """A tile that lies elsewhere, is turned, or is not in the manor; what stands on it goes with it."""
    tile = next((each for each in shows.manor if each.id == fields.get("tile")), None)
    if tile is None:
        raise Malformed("evening.which_field", field="tile")
    if fields.get("at") == GONE:
        return {"manor": [plain(each) for each in shows.manor if each is not tile]}
    at = _square(fields, "at") if fields.get("at") else tile.at
    further = _number(fields, "turn") % 4
    moved = plain(tile) | {"at": at, "turn": (tile.turn + further) % 4, "exits": turned(tile.exits, further)}
    found: Fixes = {"manor": [moved if each is tile else plain(each) for each in shows.manor]}
    if at == tile.at:
        return found
    ghosts = [plain(each) | ({"at": at} if each.at == tile.at else {}) for each in shows.ghosts]
    lying = {c: plain(each) | {"at": at} for c, each in shows.artefacts.items() if each.at == tile.at}
    pawns = {colour: at for colour, stands in shows.pawns.items() if stands == tile.at}
    return found | {"ghosts": ghosts, "artefacts": lying, "pawns": pawns}


def _new_tile(shows: Shows, fields: Fields) -> Fixes:
    """A tile that lies in the manor and the record lacks: any such tile of the box."""
    kind = _word(fields, "kind", ("plain", "trap", "teleporter", "ghost", "artefact"))
    exits = "".join(side for side in ROUND if fields.get(f"exit-{side}"))
    if not exits:
        raise Malformed("artefacts_pages.which_exits")
    colour = _word(fields, "colour", tuple(shows.pawns)) if kind == "artefact" else None
    tile = {"kind": kind, "exits": exits, "colour": colour, "at": _square(fields, "at")}
    return {"manor": [*map(plain, shows.manor), tile]}


def _artefact(shows: Shows, fields: Fields) -> Fixes:
    """Where an artefact is: unseen, lying, with somebody, or home."""
    colour = _word(fields, "colour", tuple(shows.pawns))
    where = fields.get("at", "")
    if where in shows.pawns:
        return {"artefacts": {colour: {"by": where}}}
    if where in ("home", "unknown"):
        return {"artefacts": {colour: {"home": True} if where == "home" else None}}
    picked = shows.artefacts[colour].picked or where != str(_text(_own_tile(shows, colour)))
    return {"artefacts": {colour: {"at": _square(fields, "at"), "picked": picked}}}


def _own_tile(shows: Shows, colour: str) -> Square | None:
    return next((tile.at for tile in shows.manor if tile.colour == colour), None)


def _cards(shows: Shows, fields: Fields) -> Fixes:
    """What lies on the discards and what is out of the game; the rest is in the piles."""
    beside = shows.piles
    return {
        "piles": {
            "used": {card: _number(fields, f"used-{card}") for card in OBJECTS},
            "gone": {card: _number(fields, f"gone-{card}") for card in OBJECTS},
            "sprung": {card: _number(fields, f"sprung-{card}") for card in TRAPS},
            "discarded": beside.discarded,
            "aside": beside.aside,
        }
    }


def _turn(shows: Shows, fields: Fields) -> Fixes:
    """Who leads, whose go it is, and what is left of it."""
    phase = _word(fields, "phase", ("building", "laying", "acting"))
    found: Fixes = {
        "leader": _word(fields, "leader", tuple(shows.pawns)),
        "phase": phase,
        "to_act": [_word(fields, "active", tuple(shows.pawns))],
    }
    if phase == "acting":
        found |= {"points": _number(fields, "points"), "moves": _number(fields, "moves"), "open": []}
    return found if phase == shows.phase else found | {"pending": None}


def _box(fields: Fields, box: Box, sheet: Box | None) -> Box:
    """What is in the box: a pile counted anew or left to follow, or all as the sheet says. CFA-3."""
    pile = next((each for each in PILES if each == fields.get("pile")), None)
    if pile is None:
        _word(fields, "pile", (SHEET,))
        if sheet is None:
            raise Illegal("artefacts_pages.no_sheet")
        # Everybody sits and stands where the cross has put them.
        return replace(sheet, arms=box.arms, seating=box.seating)
    left = tuple(each for each in box.unknown if each != pile)
    unknown = (*left, pile) if fields.get(f"unknown-{pile}") else left
    problems: list[Saying] = []
    # A form need not repeat what it does not ask, such as the forms of the artefact tiles.
    said = pile_said(pile, {**written(box), **fields}, problems)
    if problems:
        raise BoxProblems(tuple(problems))
    kind = next(field.type for field in msgspec.structs.fields(Box) if field.name == pile)
    return replace(box, **{pile: converted(said, kind), "unknown": unknown})


KINDS: dict[str, Callable[[Shows, Fields], Fixes]] = {
    "hunter": _hunter, "ghost": _ghost, "tile": _tile, "new_tile": _new_tile, "artefact": _artefact,
    "cards": _cards, "turn": _turn,
}  # fmt: skip


# Fields


def _word(fields: Fields, name: str, known: tuple[str, ...]) -> str:
    if fields.get(name) not in known:
        raise Malformed("evening.which_field", field=name)
    return fields[name]


def _number(fields: Fields, name: str) -> int:
    try:
        return int(fields.get(name, "")[:6] or 0)
    except ValueError:
        raise Malformed("evening.bad_number", field=name) from None


def _text(at: Square | None) -> str | None:
    return f"{at[0]},{at[1]}" if at else None


def _square(fields: Fields, name: str) -> Square:
    x, _, y = fields.get(name, "").partition(",")
    try:
        return int(x[:4]), int(y[:4])
    except ValueError:
        raise Malformed("evening.which_field", field=name) from None
