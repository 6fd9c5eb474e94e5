"""Who sits where, under which name, with which picture."""

from __future__ import annotations

from companion.contract import Seat
from web.pages.voice import Voice
from web.scene import Place, Scene

FACES = {"hunter": "lantern", "master": "spook", "max": "spook", "host": "bell", "moderator": "keys"}
"""The picture of a role; everybody else is a hand at the table."""


def place_of(scene: Scene, seat: Seat | None) -> Place | None:
    """The chair of a seat."""
    return next((place for place in scene.places if place.seat == seat), None)


def name_of(scene: Scene, t: Voice, seat: Seat | None) -> str:
    """What the table calls a seat: the person's name, or words for a bot and an empty chair."""
    if seat in ("host", "moderator", "table"):
        return t(f"who_{seat}")
    place = place_of(scene, seat)
    if place is None:
        return seat or ""
    if scene.page == "demo":
        return t("demo_you" if place.mine else "demo_bot")
    return place.name or t("seat_bot" if place.bot else "seat_empty", number=seat_number(scene, place.seat))


def seat_number(scene: Scene, seat: Seat) -> int:
    """The place of a seat around the table, counted from 1."""
    return 1 + next(number for number, place in enumerate(scene.places) if place.seat == seat)


def role_word(t: Voice, role: str | None) -> str:
    """A role as a person says it."""
    key = f"role_{role or 'player'}"
    return t(key) if t.has(key) else str(role)


def face(role: str | None) -> str:
    """The picture of a role."""
    return FACES.get(role or "", "hand")


def waiting_for(scene: Scene, t: Voice) -> str:
    """The names of those to act."""
    return t.among([name_of(scene, t, seat) for seat in scene.to_act])
