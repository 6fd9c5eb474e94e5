"""The pages of the first steps."""

from __future__ import annotations

from pathlib import Path

import msgspec

from companion import words
from companion.board import KitOffer
from companion.refusals import Illegal
from web.doors import PIN_DIGITS
from web.pages.backroom import paper
from web.pages.voice import Voice, voice
from web.scene import Notice

words.register("welcome", Path(__file__).parents[1] / "welcome" / "words")

STEPS = ("language", "pin", "kit", "box", "castle")


class Desk(msgspec.Struct, frozen=True):
    """What a table has decided so far."""

    language: str
    token: str
    own_pin: bool
    kits: tuple[KitOffer, ...]
    kit: str
    has_board: bool
    faults: tuple[str, ...]
    notices: tuple[Notice, ...] = ()


def path(step: str) -> str:
    """Where a step is."""
    return f"/welcome/{step}"


def step(desk: Desk, name: str) -> str:
    """One of the steps."""
    if name not in STEPS:
        raise Illegal("evening.no_such_page")
    w, at = voice(desk.language, "welcome"), STEPS.index(name)
    return paper(
        f"welcome/{name}.html",
        desk.language,
        desk.token,
        desk.notices,
        w=w,
        title=w(f"{name}_title"),
        desk=desk,
        at=at,
        steps=STEPS,
        before=path(STEPS[at - 1]) if at else "/host",
        follows=path(STEPS[at + 1]) if at + 1 < len(STEPS) else None,
        digits=PIN_DIGITS,
        groups=_by_rooms(desk, w),
    )


def _by_rooms(desk: Desk, w: Voice) -> dict[str, list[KitOffer]]:
    """The kits under headings: what they are the board of."""
    groups: dict[str, list[KitOffer]] = {}
    for offer in desk.kits:
        known = f"rooms_{offer.rooms or 0}"
        heading = w(known) if w.has(known) else w("rooms", n=offer.rooms)
        groups.setdefault(heading, []).append(offer)
    return groups
