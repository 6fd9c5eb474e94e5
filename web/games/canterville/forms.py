"""What the host and the moderator settle in Gespensterjagd, and the animals they count: as forms."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import msgspec

from companion import boxes
from companion.contract import MODERATOR, TABLE, converted, plain
from companion.games.canterville.actions import Foul, Stands
from companion.games.canterville.options import ANIMALS
from companion.games.canterville.view import Shows
from companion.refusals import Forbidden, Illegal, Malformed
from web.evening import match
from web.evening.evening import Evening
from web.games.canterville.judging import trap_at, turn_of, yes
from web.site.routes import Call, form, host_form

GAME = "canterville"
BOX = "Gespensterjagd"
"""The name under which the counted animals are kept."""


# The animals


def count(evening: Evening, fields: Mapping[str, str]) -> None:
    """Keep how many animals each frame holds: they are asked for once. GJ-3."""
    if evening.shelf is None:
        raise Forbidden("canterville_pages.no_folder")
    told = {animal: number(fields, animal) for animal in ANIMALS if fields.get(animal, "").strip()}
    data = {"box_profile": boxes.VERSION, "name": BOX, "game": GAME, "box": {"frames": told}}
    evening.shelf.add(boxes.from_file(msgspec.json.encode(data)), replace=True)
    match.plan(evening, {"game": GAME, "option-frames": "", "box": BOX})


def number(fields: Mapping[str, str], name: str) -> int | None:
    """A field that is a small number, or null where it is empty."""
    text = fields.get(name, "").strip()
    if not text:
        return None
    if not (text.isdecimal() and len(text) < 3):
        raise Malformed("evening.bad_number", field=name)
    return int(text)


@host_form("/host/animals")
def animals(call: Call) -> None:
    """The animals of this box, counted on the host's page."""
    count(call.evening, call.fields)


# A step that no map could check


@host_form("/castles/judge")
def judge(call: Call) -> None:
    """The host says for the whole table whether a step was possible. GJ-Q22."""
    action = _verdict(call.field("action"))
    with call.evening.lock:
        call.evening.versions.check_last_move(call.number("version"))
        call.evening.table.act(TABLE, plain(action))


def _verdict(text: str) -> Foul | Stands:
    try:
        verdict: Foul | Stands = converted(msgspec.json.decode(text), Foul | Stands)
    except (msgspec.MsgspecError, RecursionError) as fault:
        raise Malformed("companion.not_json", fault=str(fault)) from None
    return verdict


# The moderator's repair


@form("/castles/repair")
def repair(call: Call) -> None:
    """Set straight whatever differs from what the page of the moderator showed."""
    call.evening.guests.check_may_speak(call.guest(), MODERATOR)
    with call.evening.lock:
        call.evening.versions.check_last_move(call.number("version"))
        shows = call.evening.table.view(MODERATOR).shows
        fixes = dict(_fixes(shows, call.fields)) if isinstance(shows, Shows) else {}
        if not fixes:
            raise Illegal("canterville_pages.nothing_to_mend")
        match.act(call.evening, MODERATOR, {"type": "repair", "set": fixes})


def _fixes(shows: Shows, fields: Mapping[str, str]) -> Iterator[tuple[str, Any]]:
    """What the form says differently, as the action takes it."""
    figures = {f: n for f in shows.figures if (n := _changed(fields, f"figure-{f}", shows.figures[f]))}
    if figures:
        yield "figures", figures
    taken = {
        animal: {"size": frame.size, "taken": n}
        for animal, frame in shows.frames.items()
        if (n := _changed(fields, f"taken-{animal}", frame.taken)) is not None
    }
    if taken:
        yield "frames", taken
    if "frame" in fields and fields["frame"] != (shows.frame or ""):
        yield "frame", fields["frame"] or None
    if "locked" in fields and fields["locked"] != str(shows.locked or ""):
        yield "locked", number(fields, "locked")
    yield from _max_fixes(shows, fields)
    yield from _card_fixes(shows, fields)
    yield from _turn_fixes(shows, fields)


def _changed(fields: Mapping[str, str], name: str, now: int | None) -> int | None:
    told = number(fields, name)
    return told if told != now else None


def _max_fixes(shows: Shows, fields: Mapping[str, str]) -> Iterator[tuple[str, Any]]:
    fixes: dict[str, Any] = {}
    if (room := _changed(fields, "max-room", shows.max.room)) is not None:
        fixes["room"] = room
    if fields.get("max-shown", "") not in ("", yes(shows.max.shown)):
        fixes["shown"] = not shows.max.shown
    if fixes:
        yield "max", fixes


def _card_fixes(shows: Shows, fields: Mapping[str, str]) -> Iterator[tuple[str, Any]]:
    """Cards in Max's hand, and the trap: before a hunter, in a room, or nowhere."""
    cards: dict[str, Any] = {}
    for name, now in (("x2", shows.cards.x2), ("pause", shows.cards.pause)):
        if (left := _changed(fields, f"card-{name}", now)) is not None:
            cards[name] = left
    for name, has in (("door", shows.cards.door), ("chimney", shows.cards.chimney)):
        if fields.get(f"card-{name}", "") not in ("", yes(has)):
            cards[name] = not has
    if "trap" in fields and fields["trap"] != trap_at(shows):
        _, lies, room = fields["trap"].partition("room-")
        yield "trap", number({"trap": room}, "trap") if lies else None
        cards["trap"] = False if lies else fields["trap"] or False
    if cards:
        yield "cards", cards


def _turn_fixes(shows: Shows, fields: Mapping[str, str]) -> Iterator[tuple[str, Any]]:
    turn = fields.get("turn", "")
    if turn in ("", turn_of(shows)):
        return
    yield "phase", turn if turn in ("framing", "max") else "hunters"
    yield "to_act", list(shows.owners) if turn == "framing" else [turn]
