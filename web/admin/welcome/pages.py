"""The pages of the first steps."""

from __future__ import annotations

from pathlib import Path

import msgspec

from companion import games as core
from companion import words
from companion.board import KitOffer
from companion.refusals import Illegal
from web import games
from web.access.credentials import PIN_DIGITS
from web.admin.layout import paper
from web.push.scene import Notice
from web.render.texts import Texts, game_texts, texts

words.register("welcome", Path(__file__).parent / "words")

OWN_STEPS = ("language", "pin", "kit", "box")


class Step(msgspec.Struct, frozen=True):
    """One of the first steps: its name in the address, its template, and its words."""

    name: str
    template: str
    label: str
    title: str
    hint: str


def steps(language: str) -> tuple[Step, ...]:
    """The steps in their order: those of every table, then those of games that ask for something once."""
    w = texts(language, "welcome")
    own = [
        Step(name, f"welcome/{name}.html", w(name), w(f"{name}_title"), w(f"{name}_hint"))
        for name in OWN_STEPS
    ]
    for pages in games.every():
        if pages.first_step:
            words = [game_texts(language, pages.game)(f"welcome{end}") for end in ("", "_title", "_hint")]
            own.append(Step(pages.first_step, f"{pages.game}/welcome.html", *words))
    return tuple(own)


class WelcomeView(msgspec.Struct, frozen=True):
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


def step(desk: WelcomeView, name: str) -> str:
    """One of the steps."""
    found = steps(desk.language)
    at = next((n for n, each in enumerate(found) if each.name == name), None)
    if at is None:
        raise Illegal("evening.no_such_page")
    w, shown = texts(desk.language, "welcome"), found[at]
    return paper(
        shown.template,
        desk.language,
        desk.token,
        desk.notices,
        w=w,
        g=game_texts(desk.language, shown.template.partition("/")[0]),
        title=shown.title,
        hint=shown.hint,
        desk=desk,
        at=at,
        steps=found,
        before=path(found[at - 1].name) if at else "/host",
        follows=path(found[at + 1].name) if at + 1 < len(found) else None,
        digits=PIN_DIGITS,
        groups=_by_rooms(desk, w),
    )


def _by_rooms(desk: WelcomeView, w: Texts) -> dict[str, list[KitOffer]]:
    """The kits under headings: what they are the board of."""
    boards = {
        rows * columns: game_texts(desk.language, name)("kit_rooms")
        for name in core.names()
        if (grid := core.find(name).grid) and game_texts(desk.language, name).has("kit_rooms")
        for rows, columns in (grid,)
    }
    groups: dict[str, list[KitOffer]] = {}
    for offer in desk.kits:
        heading = boards.get(offer.rooms or 0) or (w("rooms", n=offer.rooms) if offer.rooms else w("rooms_0"))
        groups.setdefault(heading, []).append(offer)
    return groups
