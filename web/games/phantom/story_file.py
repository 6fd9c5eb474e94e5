"""What the saved story of a game in the hotel tells besides: who removed what, and what lay where."""

from __future__ import annotations

from typing import Any

import msgspec

from companion.games.phantom.board import ROOMS, SIZE
from web.games.phantom.texts import own
from web.render.people import name_of, role_word
from web.scene import Scene
from web.texts import Texts


class Person(msgspec.Struct, frozen=True):
    """What somebody did in a game."""

    name: str
    role: str
    removed: int
    damage: str
    found: int


class Removal(msgspec.Struct, frozen=True):
    """One tile that left the board."""

    n: int
    name: str
    room: int
    kind: str
    value: str
    total: str
    ghost: str | None


class Room(msgspec.Struct, frozen=True):
    """A room as it was when the hunt began, and what became of it."""

    room: int
    colour: str = ""
    value: int = 0
    turn: Removal | None = None
    ghost: str | None = None


def facts(scene: Scene, t: Texts) -> dict[str, Any]:
    """The damage turn by turn, and the true positions."""
    turns = _turns(scene, t)
    rooms = [_room(scene, room, turns) for room in ROOMS]
    return {
        "people": [_person(scene, t, place.seat, place.role) for place in scene.places],
        "turn_by_turn": turns,
        "floor": [rooms[at : at + SIZE] for at in range(0, len(rooms), SIZE)],
    }


def _turns(scene: Scene, t: Texts) -> list[Removal]:
    turns, total = [], 0
    for n, gone in enumerate(scene.shows.removed or (), start=1):
        total += 0 if gone.ghost else gone.value
        name, kind = name_of(scene, t, gone.by), own(t)(f"kind_{gone.colour}")
        turns.append(
            Removal(n, name, gone.room, kind, own(t).money(gone.value), own(t).money(total), gone.ghost)
        )
    return turns


def _person(scene: Scene, t: Texts, seat: str, role: str | None) -> Person:
    removed = [gone for gone in scene.shows.removed or () if gone.by == seat]
    return Person(
        name_of(scene, t, seat),
        role_word(t, scene.game, role),
        len(removed),
        own(t).money(sum(gone.value for gone in removed if not gone.ghost)),
        sum(gone.ghost is not None for gone in removed),
    )


def _room(scene: Scene, room: int, turns: list[Removal]) -> Room:
    shows = scene.shows
    ghost = next((colour for colour, where in shows.ghosts.items() if where.room == room), None)
    turn = next((turn for turn in turns if turn.room == room), None)
    tile = shows.removed[turn.n - 1] if turn else shows.rooms[room - 1]
    return Room(room, tile.colour, tile.value, turn, ghost) if tile else Room(room, ghost=ghost)
