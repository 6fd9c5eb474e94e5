"""The way through the first steps. Each can be skipped, and each is a plain form or a link."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import msgspec
from msgspec.structs import replace

from companion import games as core
from companion.board import KitOffer, kits
from companion.refusals import Illegal, Malformed
from companion.words import LANGUAGES
from web import games
from web.access.credentials import PIN_DIGITS, checked_pin, kept_pin
from web.admin.layout import paper, refused_on
from web.evening import joining
from web.scene import Notice
from web.site.routes import Call, form, host_form, page
from web.texts import Texts, game_texts, texts

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
    own = [Step(n, f"welcome/{n}.html", w(n), w(f"{n}_title"), w(f"{n}_hint")) for n in OWN_STEPS]
    for pages in games.every():
        if pages.first_step:
            words = [game_texts(language, pages.game)(f"welcome{end}") for end in ("", "_title", "_hint")]
            own.append(Step(pages.first_step, f"{pages.game}/welcome.html", *words))
    return tuple(own)


def path(step: str) -> str:
    """Where a step is."""
    return f"/welcome/{step}"


def draw(call: Call, notices: tuple[Notice, ...], step: str) -> str:
    """One of the steps, with what has been decided so far."""
    call.runs()
    found, evening, w = steps(call.language), call.evening, texts(call.language, "welcome")
    at = next((n for n, each in enumerate(found) if each.name == step), None)
    if at is None:
        raise Illegal("evening.no_such_page")
    return paper(
        found[at].template,
        call,
        notices,
        w=w,
        g=game_texts(call.language, found[at].template.partition("/")[0]),
        title=found[at].title,
        hint=found[at].hint,
        at=at,
        steps=found,
        before=path(found[at - 1].name) if at else "/host",
        follows=path(found[at + 1].name) if at + 1 < len(found) else None,
        digits=PIN_DIGITS,
        own_pin=bool(evening.book.pin),
        groups=_by_rooms(kits(call.language), call.language, w),
        kit_in_use=evening.board_kit.name,
        has_board=evening.board is not None,
        faults=tuple(fault.said(call.language) for fault in evening.doctor.faults()),
    )


def _by_rooms(offers: Iterable[KitOffer], language: str, w: Texts) -> dict[str, list[KitOffer]]:
    """The kits under headings: what they are the board of."""
    boards = {
        rows * columns: game_texts(language, name)("kit_rooms")
        for name in core.names()
        if (grid := core.find(name).grid) and game_texts(language, name).has("kit_rooms")
        for rows, columns in (grid,)
    }
    groups: dict[str, list[KitOffer]] = {}
    for offer in offers:
        heading = boards.get(offer.rooms or 0) or (w("rooms", n=offer.rooms) if offer.rooms else w("rooms_0"))
        groups.setdefault(heading, []).append(offer)
    return groups


def on(step: str) -> Any:
    """A refusal is told on the page of a step."""
    return refused_on(lambda call, notices, **of: draw(call, notices, step))


@page("/welcome", on(OWN_STEPS[0]))
@page("/welcome/<step>", on(OWN_STEPS[0]))
def show(call: Call, step: str = OWN_STEPS[0]) -> str:
    """One of the steps."""
    return draw(call, (), step)


@form("/welcome/language", on("language"))
def speak(call: Call) -> str:
    """Another language for this phone."""
    if call.fields.get("language") not in LANGUAGES:
        raise Malformed("evening.which_field", field="language")
    joining.introduce(call.evening, call.runs(), None, call.fields["language"])
    return path("pin")


@host_form("/welcome/pin", on("pin"))
def keep_pin(call: Call) -> str:
    """A PIN that outlasts restarts: the one that was shown, or one's own."""
    own = not call.fields.get("keep")
    _note(call, pin=kept_pin(checked_pin(call.fields.get("pin", "")) if own else call.evening.pin.shown))
    return path("kit")


@form("/welcome/pin/forget", on("pin"))
def forget_pin(call: Call) -> str:
    """Only the one that is shown at each start."""
    _note(call, pin="")
    return path("pin")


@host_form("/welcome/kit", on("kit"))
def fit(call: Call) -> str:
    """The kit that is wired."""
    if call.fields.get("kit") not in {offer.name for offer in kits()}:
        raise Malformed("evening.which_field", field="kit")
    call.evening.board_kit.change(call.fields["kit"])
    return path("kit")


@form("/welcome/done", on(OWN_STEPS[-1]))
def done(call: Call) -> str:
    """Enough: nobody is led here again by themselves."""
    _note(call, welcomed=True)
    return "/host"


def _note(call: Call, **facts: Any) -> None:
    call.runs()
    with call.evening.lock:
        call.evening.change(replace(call.evening.book, **facts))
