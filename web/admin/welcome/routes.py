"""The way through the first steps. Each can be skipped, and each is a plain form or a link."""

from __future__ import annotations

from typing import Any

from msgspec.structs import replace

from companion.board import kits
from companion.refusals import Malformed
from companion.words import LANGUAGES
from web.access.credentials import checked_pin, kept_pin
from web.admin.base import refused_on
from web.admin.welcome import pages
from web.admin.welcome.pages import OWN_STEPS, WelcomeView
from web.evening import joining
from web.http.routes import Call, form, host_form, page
from web.push.scene import Notice


def seen(call: Call, notices: tuple[Notice, ...] = ()) -> WelcomeView:
    """What has been decided so far."""
    call.runs()
    evening = call.evening
    return WelcomeView(
        call.language,
        call.caller.token,
        own_pin=bool(evening.book.pin),
        kits=kits(call.language),
        kit=evening.board_kit.name,
        has_board=evening.board is not None,
        faults=tuple(fault.said(call.language) for fault in evening.doctor.faults()),
        notices=notices,
    )


def on(step: str) -> Any:
    """A refusal is told on the page of a step."""
    return refused_on(lambda call, notices, **of: pages.step(seen(call, notices), step))


@page("/welcome", on(OWN_STEPS[0]))
@page("/welcome/<step>", on(OWN_STEPS[0]))
def show(call: Call, step: str = OWN_STEPS[0]) -> str:
    """One of the steps."""
    return pages.step(seen(call), step)


@form("/welcome/language", on("language"))
def speak(call: Call) -> str:
    """Another language for this phone."""
    if call.fields.get("language") not in LANGUAGES:
        raise Malformed("evening.which_field", field="language")
    joining.introduce(call.evening, call.runs(), None, call.fields["language"])
    return pages.path("pin")


@host_form("/welcome/pin", on("pin"))
def keep_pin(call: Call) -> str:
    """A PIN that outlasts restarts: the one that was shown, or one's own."""
    own = not call.fields.get("keep")
    _note(call, pin=kept_pin(checked_pin(call.fields.get("pin", "")) if own else call.evening.pin.shown))
    return pages.path("kit")


@form("/welcome/pin/forget", on("pin"))
def forget_pin(call: Call) -> str:
    """Only the one that is shown at each start."""
    _note(call, pin="")
    return pages.path("pin")


@host_form("/welcome/kit", on("kit"))
def fit(call: Call) -> str:
    """The kit that is wired."""
    if call.fields.get("kit") not in {offer.name for offer in kits()}:
        raise Malformed("evening.which_field", field="kit")
    call.evening.board_kit.change(call.fields["kit"])
    return pages.path("kit")


@form("/welcome/done", on(OWN_STEPS[-1]))
def done(call: Call) -> str:
    """Enough: nobody is led here again by themselves."""
    _note(call, welcomed=True)
    return "/host"


def _note(call: Call, **facts: Any) -> None:
    call.runs()
    with call.evening.lock:
        call.evening.change(replace(call.evening.book, **facts))
