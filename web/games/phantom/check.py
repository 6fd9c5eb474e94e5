"""How the hotel's board differs from its record: tiles that are gone, too many, or misread."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from companion.games.phantom.actions import Tile
from companion.games.phantom.board import COLOURS, ROOMS
from companion.games.phantom.view import Shows
from companion.refusals import Malformed
from web.checkup import Difference, Mark
from web.games.phantom.board.squares import BoardSquare, rows, spoken, tile_words
from web.games.phantom.texts import own
from web.scene import Scene
from web.texts import texts

TEMPLATE = "phantom/check.html"
KINDS = {"unknown": "what", "nothing": "gone", "value": "value", "colour": "colour"}
VALUES = ("1", "2", "3", "4", "5", "6")


def can_check(shows: Shows) -> bool:
    """From the moment the board is laid until the game is over."""
    laid = shows.phase == "bidding" and all(shows.rooms)
    return laid or shows.phase in ("hiding", "playing")


def keys(shows: Shows) -> Sequence[str]:
    """Every room."""
    return [str(room) for room in ROOMS]


def recorded(shows: Shows, key: str) -> object:
    """Its tile, or none."""
    return shows.rooms[int(key) - 1]


def ordered(keys: Iterable[str]) -> list[str]:
    """Row by row."""
    return sorted(keys, key=int)


def felt(shows: Shows, rooms: Sequence[int]) -> tuple[str, ...]:
    """The board feels tiles, so each room speaks for itself."""
    return tuple(str(room) for room in rooms)


def mark(fields: Mapping[str, str]) -> Mark:
    """Nothing, the same after all, another colour, or another value."""
    said, value = fields.get("lies", ""), fields.get("value", "")
    if said in ("nothing", "same", "colour"):
        return Mark(said)
    if said == "value" and value in VALUES:
        return Mark(said, int(value))
    raise Malformed("phantom_pages.no_tile")


def question(shows: Shows, key: str, mark: Mark, felt: bool) -> Difference:
    """What there is to ask about a room."""
    room = int(key)
    recorded = shows.rooms[room - 1]
    taken = next((gone for gone in reversed(shows.removed or ()) if gone.room == room), None)
    kind = "extra" if recorded is None else "gone" if felt else KINDS[mark.lies]
    lies = None
    if kind == "extra" and taken is not None:
        lies = Tile(_colour(taken.colour), taken.value)
    if kind == "value" and recorded is not None and mark.value is not None:
        lies = Tile(recorded.colour, mark.value)
    return Difference(
        key=key,
        room=room,
        kind=kind,
        recorded=recorded,
        lies=lies,
        felt=felt,
        correctable=_correctable(shows, kind),
        last=kind == "extra"
        and taken is not None
        and shows.removed is not None
        and taken == shows.removed[-1],
    )


def _correctable(shows: Shows, kind: str) -> bool:
    """What `correct` takes: never a colour, and before the hunt only a misread value. PS-24, PS-70."""
    if shows.phase != "playing" or shows.asking is not None:
        return kind == "value" and shows.phase in ("bidding", "hiding")
    return kind in ("extra", "value") or (kind == "gone" and shows.keeper != "honour")


def correction(question: Difference, told: Mapping[str, str]) -> dict[str, Any] | None:
    """The room as it really is; a tile that nobody remembers is told."""
    if not question.correctable:
        return None
    tile = None if question.kind == "gone" else question.lies or _told(told)
    lies = {"colour": tile.colour, "value": tile.value} if tile else None
    return {"type": "correct", "room": question.room, "tile": lies}


def _told(told: Mapping[str, str]) -> Tile:
    value = told.get("value", "")
    if told.get("colour") not in COLOURS or value not in VALUES:
        raise Malformed("phantom_pages.no_tile")
    return Tile(_colour(told["colour"]), int(value))


def _colour(name: str) -> Any:
    return next(colour for colour in COLOURS if colour == name)


# The page


def facts(scene: Scene) -> dict[str, Any]:
    """The board as the record has it, to be compared with the real one, and the question in words."""
    check, shows, t = scene.check, scene.shows, texts(scene.language)
    assert check is not None
    found = {ghost.room: colour for colour, ghost in shows.ghosts.items() if ghost.revealed}
    squares = [
        BoardSquare(
            room=room,
            label=spoken(t, room, tile) if tile else own(t)("room_empty", room=room),
            tile=tile,
            chosen=str(room) in check.marked,
            ghost=found.get(room, ""),
        )
        for room, tile in zip(ROOMS, shows.rooms, strict=True)
    ]
    asked = _asked(check.question, scene.language) if check.question else {}
    return {"g": own(t), "colours": COLOURS, "squares": rows(squares), "question": check.question, **asked}


def _asked(question: Difference, language: str) -> dict[str, Any]:
    t = texts(language)
    here, g = question.recorded, own(t)
    told = "_told" if question.kind == "extra" and question.lies is None else ""
    known = {"room": question.room, "tile": tile_words(t, here or question.lies)}
    return {
        "head": g(f"ask_{question.kind}", **known),
        "record_do": g(f"record_{question.kind}", **known),
        "board_do": g(f"board_{question.kind}{told}", tile=tile_words(t, question.lies or here)),
    }
