"""Max's own phone: where he may go, his cards, and his secrets in words."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any
from urllib.parse import quote_plus

import msgspec
from markupsafe import Markup

from companion.games.canterville.castle import CHIMNEY, PASSAGE
from companion.games.canterville.options import MAX
from companion.games.canterville.view import Shows
from web.games.canterville.board import Pick, beyond_door, open_to_max, spoken
from web.games.canterville.drawing import drawing
from web.scene import Scene
from web.texts import Texts


class Card(msgspec.Struct, frozen=True):
    """One of Max's special cards: what lies open of it, and what he alone reads.

    In his turn it is a button: it chooses a room, as a tap there would, or says what a tap means (`tool`).
    """

    face: str
    name: str
    does: str
    held: str = ""
    spent: bool = False
    room: int | None = None
    tool: bool = False


def picks(scene: Scene, c: Texts) -> Iterator[Pick]:
    """Every room can be tapped, open or not, and his own means a pause: a tap tells nobody anything."""
    shows, sheet, rooms = scene.shows, drawing(scene.ground), open_to_max(scene)
    steps = {room: _step(shows, room) for room in sheet.chambers}
    for (room, action), sent in zip(steps.items(), alike(list(steps.values())), strict=True):
        chamber = sheet.chambers[room]
        back = room in rooms["cheat"]
        yield Pick(chamber, "go", sent, spoken(c, chamber), *_words(scene, action, c), back=back)
    for room in rooms["lock"]:
        chamber, lock = sheet.chambers[room], json.dumps({"type": "lock", "room": room})
        beyond = c.among([*map(str, beyond_door(shows, scene.ground, room))])
        note = c("note_lock", room=room, rooms=beyond) if beyond else c("note_lock_unmapped")
        yield Pick(chamber, "door", lock, spoken(c, chamber), c("pick_lock", room=room), note)


def _step(shows: Shows, room: int) -> dict[str, Any]:
    if room == shows.max.room:
        return {"type": "pause"}
    return {"type": "cheat" if room in (shows.visited or ()) else "move", "room": room}


def _words(scene: Scene, action: dict[str, Any], c: Texts) -> tuple[str, str]:
    """What a step is called, and what it means."""
    what = c("pick_pause") if action["type"] == "pause" else c("pick_go", room=action["room"])
    if action not in scene.legal.get(MAX, ()):
        by_chimney = scene.shows.cards.chimney and action.get("room") in CHIMNEY
        return what, c("note_no_chimney" if by_chimney else "note_not_open")
    note = c(f"note_{_kind(scene.shows, action)}")
    snaps = action["type"] != "pause" and action["room"] == scene.shows.trap
    return what, f"{c('note_snaps')} {note}" if snaps else note


def _kind(shows: Shows, action: dict[str, Any]) -> str:
    """Which note explains a lawful step of Max's."""
    if action["type"] != "move":
        return str(action["type"])
    way = {shows.max.room, action["room"]}
    if way == set(PASSAGE):
        return "passage"
    if way == set(CHIMNEY) and shows.cards.chimney:
        return "chimney"
    return "unchecked" if shows.castle == "none" else "move"


def alike(actions: list[dict[str, Any]]) -> list[str]:
    """Actions as texts that are equally long when a form sends them: a pause weighs what a move weighs."""
    texts = [json.dumps(action, separators=(",", ":")) for action in actions]
    longest = max(len(quote_plus(text)) for text in texts)
    return [text + " " * (longest - len(quote_plus(text))) for text in texts]


def cards(scene: Scene, c: Texts, rooms: tuple[Pick, ...]) -> list[Card]:
    """Max's special cards and how many are left; of pauses only he knows. GJ-40 to GJ-43."""
    shows: Shows = scene.shows
    left, mine, here = shows.cards, bool(rooms) and scene.phase == "max", shows.max.room
    row = [
        Card("x2", c("card_x2"), c("card_left", n=left.x2), spent=not left.x2, tool=mine and left.x2 > 0),
        Card("pause", c("card_pause"), c("card_secret"), held=c("card_left", n=left.pause), room=here),
    ]
    if left.chimney:
        row.append(Card("chimney", c("card_chimney"), "42 ↔ 53", room=CHIMNEY[here != CHIMNEY[1]]))
    if left.door or shows.locked is not None:
        does, doors = c("card_once" if left.door else "card_spent"), open_to_max(scene)["lock"]
        row.append(Card("door", c("card_door"), does, spent=not left.door, tool=mine and bool(doors)))
    return row if mine else [msgspec.structs.replace(card, room=None) for card in row]


def own_words(scene: Scene, c: Texts) -> list[Markup]:
    """Max's secrets in words."""
    shows: Shows = scene.shows
    if shows.max.room is None:
        return []
    told = [c.rich("own_room", room=shows.max.room)]
    rooms = open_to_max(scene)
    if scene.phase == "max" and shows.castle != "none":
        told.append(
            c.rich("own_fresh", rooms=c.among([*map(str, rooms["move"])]))
            if rooms["move"]
            else c.rich("own_shut")
        )
        if rooms["cheat"]:
            told.append(c.rich("own_cheats", rooms=c.among([*map(str, rooms["cheat"])])))
    if shows.trap in (*rooms["move"], *rooms["cheat"]):
        told.append(c.rich("own_trap", room=shows.trap))
    told.append(c.rich("own_way", way=spelled(shows.route, c)))
    return told


def back_words(scene: Scene, c: Texts) -> str:
    """Where an x2 card leads from here. GJ-40."""
    rooms = open_to_max(scene)["cheat"]
    return c("do_x2", rooms=c.among([*map(str, rooms)])) if rooms else c("do_x2_none")


def spelled(route: tuple[int | str, ...], c: Texts) -> str:
    """A route in words."""
    return " → ".join(c("pause_step") if step == "pause" else str(step) for step in route)
