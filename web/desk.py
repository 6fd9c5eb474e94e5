"""The desk of the house: pages are shown, forms are taken. A refusal is told to the asking phone alone.

It knows nothing of how a request comes and an answer goes: Flask carries most of them (`web.app`), actions in
a game have a shorter way (`web.gate`).
"""

from __future__ import annotations

from collections.abc import Mapping

import msgspec

from companion.contract import Seat
from companion.refusals import Forbidden, Refusal
from web.audiences import Audience, audience, on_screen
from web.callers import Caller, Reception
from web.doors import same
from web.evening.demo import Demo
from web.evening.evening import Evening
from web.forms import BACK, Call, Form, Reply
from web.frames import Frames
from web.paths import local_path
from web.scene import Notice, Page
from web.statuses import headers_of_refusal, status_of

FRAGMENT, GO = "x-companion", "x-companion-go"
"""By which a script asks for the new `<main>` in place of a redirect, and by which it is led elsewhere."""


class Asked(msgspec.Struct, frozen=True):
    """A form as it comes in."""

    caller: Caller
    fields: Mapping[str, str]
    fragment: bool = False
    """Whether a script asks for the new `<main>` in place of a redirect."""


class Answer(msgspec.Struct, frozen=True):
    """What goes back: a page, or the way to one."""

    body: bytes = b""
    status: int = 200
    headers: Mapping[str, str] = {}
    reply: Reply = BACK
    """A key to keep or to give up, a language to remember."""


class Desk:
    """Everything that a request needs: the evening, who draws it, and who recognises callers."""

    def __init__(self, evening: Evening, demo: Demo, frames: Frames, reception: Reception) -> None:
        self.evening, self.demo, self.frames, self.reception = evening, demo, frames, reception

    # Pages

    def page(
        self, caller: Caller, page: Page, seat: Seat | None = None, code: str = "", hold: str = ""
    ) -> Answer:
        """Show a page, or the way in."""
        if caller.guest is not None:
            self.evening.heard(caller.guest.id)
            hold = self.evening.hands.opened(caller.guest.id, hold)
        if page == "front" and caller.guest is not None:
            return _led(home_of(self.evening, caller))
        try:
            to = audience(self.evening, caller.guest, page, seat, caller.language, code, hold)
            to = on_screen(to, caller.own_screen)
        except Forbidden as refusal:
            return self.turned_away(caller, refusal)
        return Answer(self.frames.document(to, caller.token))

    def turned_away(self, caller: Caller, refusal: Refusal, status: int | None = None) -> Answer:
        """Say no on a page that everybody may see."""
        page: Page = "gone" if caller.guest else "front"
        to = audience(self.evening, caller.guest, page, None, caller.language)
        notice = spoken(refusal, to.language)
        return Answer(self.frames.document(to, caller.token, (notice,)), status or status_of(refusal))

    # Forms

    def take(self, form: Form, asked: Asked) -> Answer:
        """Take a form: check that it is no forgery, do it, and show what is true now."""
        caller = asked.caller
        try:
            check_not_forged(caller, asked.fields)
            if caller.guest is not None:
                self.evening.heard(caller.guest.id)
            reply = form(Call(self.evening, self.demo, caller, asked.fields))
        except Refusal as refusal:
            return self.refused(asked, refusal)
        if asked.fragment:
            self.frames.others_first()
        return self.done(asked, reply)

    def refused(self, asked: Asked, refusal: Refusal) -> Answer:
        """The page the form came from, as it is now, with the reason; for this phone's eyes only."""
        try:
            to = self.page_of(asked.caller, asked.fields)
        except Forbidden:
            return self.turned_away(asked.caller, refusal)
        page = self.drawn(asked, to, (spoken(refusal, to.language),))
        return Answer(page, status_of(refusal), headers_of_refusal(refusal))

    def done(self, asked: Asked, reply: Reply) -> Answer:
        """Post, redirect, get; or, for a script, the new fragment at once."""
        caller, fields = asked.caller, asked.fields
        go, back = reply.go, local_path(fields.get("next", "")) or home_of(self.evening, caller)
        fields = {**fields, "hold": reply.hold} if reply.hold else fields
        try:
            to = self.page_of(caller, fields)
        except Forbidden:
            # What was done took this page away: a role handed on, a seat given.
            go = go or home_of(self.evening, caller)
        else:
            if reply.notice is not None:
                return Answer(self.drawn(asked, to, (reply.notice,)))
        if not asked.fragment:
            return _led(self.lead(caller, fields, go or back), reply)
        if go or reply.language:
            return Answer(status=204, headers={GO: go or back}, reply=reply)
        return Answer(self.drawn(asked, to, ()), reply=reply)

    def lead(self, caller: Caller, fields: Mapping[str, str], path: str) -> str:
        """The way to a page; whoever holds a shared phone is led to their own."""
        if caller.guest is None or path != "/play":
            return path
        return path + self.evening.hands.lead(caller.guest.id, fields.get("hold", ""))

    def drawn(self, asked: Asked, to: Audience, notices: tuple[Notice, ...]) -> bytes:
        """A page, or for a script the part of it that changes."""
        if to.passing:
            # What was told to whoever has just put the phone down is for nobody else.
            notices = tuple(notice for notice in notices if notice.code == Forbidden.code)
        draw = self.frames.fragment if asked.fragment else self.frames.document
        return draw(to, asked.caller.token, notices)

    def page_of(self, caller: Caller, fields: Mapping[str, str]) -> Audience:
        """The page a form came from."""
        path = local_path(fields.get("next", "")) or home_of(self.evening, caller)
        name, _, rest = path.strip("/").partition("/")
        guest = self.evening.guest(caller.guest.id) if caller.guest else None
        page: Page = PATHS.get(name, "gone")
        seat = rest if page == "play" and rest else None
        code, hold = rest if page == "join" else "", fields.get("hold", "")
        to = audience(self.evening, guest, page, seat, caller.language, code, hold)
        return on_screen(to, caller.own_screen)


PATHS: dict[str, Page] = {
    "": "front",
    "j": "join",
    "play": "play",
    "host": "host",
    "moderator": "moderator",
    "table": "table",
    "watch": "watch",
    "demo": "demo",
    "doctor": "doctor",
    "lay": "lay",
    "check": "check",
}


def home_of(evening: Evening, caller: Caller) -> str:
    """The page where a caller belongs."""
    guest = evening.guest(caller.guest.id) if caller.guest else None
    if guest is None:
        return "/"
    if evening.seats_of(guest.id):
        return "/play"
    if guest.moderator:
        return "/moderator"
    return "/host" if guest.host else "/play"


def spoken(refusal: Refusal, language: str) -> Notice:
    """A refusal as a notice."""
    return Notice("error", refusal.message(language), refusal.code, refusal.rule)


def check_not_forged(caller: Caller, fields: Mapping[str, str]) -> None:
    """Refuse a form that another site made the browser send."""
    if not caller.from_here or not same(fields.get("csrf", ""), caller.token):
        raise Forbidden("evening.reload")


def _led(path: str, reply: Reply = BACK) -> Answer:
    """Go there."""
    return Answer(status=303, headers={"Location": path}, reply=reply)
