"""What helps a player beside the board, in words: what the map told, pencil marks, a hint.

Every page has it as `aids`. A game that hunts says who and whom (`Hunt` in its record), includes
`aids/told.html` where it tells what just happened and `aids/tools.html` under the board, draws `aids.rooms`
on its own plan by the macro of `aids/signs.html`. Rooms with `data-room` can be written on by the pencil.
"""

from __future__ import annotations

import msgspec

from web import games
from web.render.people import name_of, place_of, role_word
from web.scene import Pencilled, Scene
from web.texts import Texts, game_texts


class RoomAid(msgspec.Struct, frozen=True):
    """What is drawn on one room besides what lies there."""

    room: int
    map: str = ""
    """`can`: somebody can be there; `cannot`; `ruled`: since the last action nobody can."""
    percent: int | None = None
    pencil: str = ""
    """`safe`, `note`, or who is suspected there."""
    picture: str = ""
    """The id of the picture of whoever is suspected."""
    note: str = ""
    shared: bool = False


class Suspect(msgspec.Struct, frozen=True):
    """Somebody who may be in a room: as a form says it, as a picture, in words."""

    name: str
    picture: str
    words: str


class AidsShown(msgspec.Struct, frozen=True):
    """All of it on one page."""

    rooms: tuple[RoomAid, ...] = ()
    told: str = ""
    key: str = ""
    """What the signs of the map mean."""
    can: str = ""
    """The rooms of the map, for ears."""
    contradiction: bool = False
    corrections: tuple[str, ...] = ()
    repair: str = ""
    """Where the reader can put the record right; empty where that is for others."""
    pencil: bool = False
    team: bool = False
    suspects: tuple[Suspect, ...] = ()
    marks: tuple[str, ...] = ()
    may_hint: bool = False
    hint: str = ""
    secret: bool = False
    """Whether a hint is a secret of this reader's."""


NOTHING = AidsShown()


def aids(scene: Scene, t: Texts) -> AidsShown:
    """What helps the reader of a page."""
    told = (scene.map, scene.pencil, scene.doubts)
    if all(each is None for each in told) and not scene.may_hint and not scene.sheets:
        return NOTHING
    pages = games.find(scene.game or "")
    hunt = pages.hunt
    seen, mine = scene.map, place_of(scene, scene.seat)
    pictures = hunt.suspects if hunt else {}
    return AidsShown(
        rooms=_rooms(scene, pictures),
        told=_told(scene, t),
        key=_key(scene, t),
        can=t("map_can", rooms=t.among([*map(str, sorted(seen.possible))])) if seen and seen.worlds else "",
        contradiction=scene.doubts is not None or (seen is not None and not seen.worlds),
        corrections=tuple(t.among(each) for each in scene.doubts or (seen.corrections if seen else ())),
        repair=_repair(scene),
        pencil=scene.pencil is not None,
        team=sum(place.role == (mine.role if mine else None) for place in scene.places) > 1,
        suspects=tuple(
            Suspect(name, picture, game_texts(t.language, scene.game or "")(f"suspect_{name}"))
            for name, picture in pictures.items()
        ),
        marks=_marks(scene, t),
        may_hint=scene.may_hint,
        hint=scene.hint[:1].upper() + scene.hint[1:],
        secret=not pages.open_hands and (hunt is None or mine is None or mine.role != hunt.role),
    )


def _rooms(scene: Scene, pictures: dict[str, str]) -> tuple[RoomAid, ...]:
    """The rooms that have a sign of the map or of the pencil."""
    seen, pencilled = scene.map, {mark.room: mark for mark in scene.pencil or ()}
    ruled = frozenset(seen.ruled_out or ()) if seen else frozenset()
    mapped = dict.fromkeys(seen.possible, "can") | dict.fromkeys(seen.impossible, "cannot") if seen else {}
    found = []
    for room in sorted({*mapped, *pencilled}):
        mark = pencilled.get(room, Pencilled(room, ""))
        sign = "ruled" if room in ruled and mapped.get(room) == "cannot" else mapped.get(room, "")
        percent = seen.percent.get(room) if seen else None
        picture = pictures.get(mark.says, "")
        found.append(RoomAid(room, sign, percent, mark.says, picture, mark.note, mark.shared))
    return tuple(found)


def _told(scene: Scene, t: Texts) -> str:
    """What the last action told."""
    if scene.map is None or scene.map.ruled_out is None or not scene.map.worlds:
        return ""
    gone = scene.map.ruled_out
    return t("map_told", rooms=t.among([*map(str, gone)]), n=len(gone)) if gone else t("map_told_nothing")


def _key(scene: Scene, t: Texts) -> str:
    """What the signs of the map mean."""
    if scene.map is None or not scene.map.worlds:
        return ""
    return t("map_key_likely") if scene.map.percent else t("map_key")


def _repair(scene: Scene) -> str:
    if scene.me is None:
        return ""
    return "/moderator" if scene.me.moderator else "/check" if scene.me.host else ""


def _marks(scene: Scene, t: Texts) -> tuple[str, ...]:
    """Pencil marks as lines: the reader's own, or for the moderator all, with whose they are."""
    lines = [_mark(mark, scene, t) for mark in scene.pencil or ()]
    for sheet, marks in scene.sheets.items():
        whose = name_of(scene, t, sheet) if place_of(scene, sheet) else role_word(t, scene.game, sheet)
        lines += [t("pencil_of", name=whose, mark=_mark(mark, scene, t)) for mark in marks]
    return tuple(lines)


def _mark(mark: Pencilled, scene: Scene, t: Texts) -> str:
    g = game_texts(t.language, scene.game or "")
    says = {"safe": t("pencil_safe"), "note": mark.note}.get(mark.says)
    words = t("pencil_line", room=mark.room, mark=says or g(f"suspect_{mark.says}"))
    return t("pencil_shared", mark=words) if mark.shared else words
