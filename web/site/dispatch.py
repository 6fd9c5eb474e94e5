"""The site: pages are shown, forms are taken. A refusal is told to the asking phone alone.

It knows nothing of Flask, which brings every request here (`web.server.app`) and carries the answer away.
"""

from __future__ import annotations

from collections.abc import Mapping

import msgspec

from companion.contract import Seat
from companion.refusals import Forbidden, Refusal
from web.access.credentials import same
from web.evening.demo import Demos
from web.evening.evening import Evening
from web.http.statuses import headers_of_refusal, status_of
from web.people.identity import Caller, Callers
from web.push.audience import Audience, audience, on_screen
from web.push.page_cache import PageCache
from web.scene import Notice, Page
from web.site.routes import BACK, Call, Reply, local_path
from web.texts import spoken

SCRIPT, GO, VERSION = "X-Companion", "X-Companion-Go", "X-Companion-Version"
"""By which a script says what it wants to hear, is led elsewhere, and is told what will be pushed."""

PUSHED: dict[str, Page] = {
    "/": "front",
    "/j/<code>": "join",
    "/play": "play",
    "/play/<seat>": "play",
    "/host": "host",
    "/moderator": "moderator",
    "/table": "table",
    "/watch": "watch",
    "/demo": "demo",
    "/demo/<game>": "demo",
    "/doctor": "doctor",
    "/lay": "lay",
    "/check": "check",
}
"""The pages that change by themselves."""
PAGES: dict[str, Page] = {path.split("/")[1]: page for path, page in PUSHED.items()}


class SiteResponse(msgspec.Struct, frozen=True):
    """What goes back: a page, or the way to one."""

    body: bytes = b""
    status: int = 200
    headers: Mapping[str, str] = {}
    reply: Reply = BACK
    """A key to keep or to give up, a language to remember."""


class Site:
    """Everything that a request has to do with: the evening, who draws it, and who recognises callers."""

    def __init__(self, evening: Evening, demos: Demos, pages: PageCache, callers: Callers) -> None:
        self.evening, self.demos, self.pages, self.callers = evening, demos, pages, callers

    # Pages

    def page(
        self,
        caller: Caller,
        page: Page,
        seat: Seat | None = None,
        code: str = "",
        hold: str = "",
        game: str = "",
    ) -> SiteResponse:
        """Show a page, or the way in."""
        if caller.guest is not None:
            self.evening.heard(caller.guest.id)
            hold = self.evening.shared_phones.opened(caller.guest.id, hold)
        if page == "front" and caller.guest is not None:
            return _led(home_of(self.evening, caller))
        try:
            to = audience(self.evening, caller.guest, page, seat, caller.language, code[:20], hold, game)
            to = on_screen(to, caller.own_screen)
        except Forbidden as refusal:
            return self.turned_away(caller, refusal)
        return SiteResponse(self.pages.document(to, caller.token))

    def turned_away(self, caller: Caller, refusal: Refusal, status: int | None = None) -> SiteResponse:
        """Say no on a page that everybody may see."""
        page: Page = "gone" if caller.guest else "front"
        to = audience(self.evening, caller.guest, page, None, caller.language)
        notice = self._spoken(refusal, to.language)
        return SiteResponse(self.pages.document(to, caller.token, (notice,)), status or status_of(refusal))

    # Forms

    def check(self, call: Call) -> None:
        """Refuse a form that another site made the browser send."""
        if not call.caller.from_here or not same(call.fields.get("csrf", ""), call.caller.token):
            raise Forbidden("evening.reload")
        if call.caller.guest is not None:
            self.evening.heard(call.caller.guest.id)

    def refused(self, call: Call, refusal: Refusal) -> SiteResponse:
        """The page the form came from, as it is now, with the reason; for this phone's eyes only."""
        try:
            to = self._page_of(call)
        except Forbidden:
            return self.turned_away(call.caller, refusal)
        page = self._drawn(call, to, (self._spoken(refusal, to.language),))
        return SiteResponse(page, status_of(refusal), headers_of_refusal(refusal))

    def done(self, call: Call, reply: Reply) -> SiteResponse:
        """Post, redirect, get; or, for a script, the new page at once, unless it is pushed anyway."""
        if reply.hold:
            call = msgspec.structs.replace(call, fields={**call.fields, "hold": reply.hold})
        go, back = reply.go, local_path(call.fields.get("next", "")) or home_of(self.evening, call.caller)
        try:
            to = self._page_of(call)
        except Forbidden:
            # What was done took this page away: a role handed on, a seat given.
            go = go or home_of(self.evening, call.caller)
        else:
            if reply.notice is not None:
                return SiteResponse(self._drawn(call, to, (reply.notice,)))
        if call.wants == "page":
            return _led(self._lead(call, go or back), reply)
        if go or reply.language:
            return SiteResponse(status=204, headers={GO: go or back}, reply=reply)
        if call.wants == "nothing" and not reply.hold:
            return SiteResponse(
                status=204, headers={VERSION: str(self.pages.scenes.version(to))}, reply=reply
            )
        return SiteResponse(self._drawn(call, to, ()), reply=reply)

    def _lead(self, call: Call, path: str) -> str:
        """The way to a page; whoever holds a shared phone is led to their own."""
        if call.caller.guest is None or path != "/play":
            return path
        return path + self.evening.shared_phones.lead(call.caller.guest.id, call.fields.get("hold", ""))

    def _spoken(self, refusal: Refusal, language: str) -> Notice:
        """A refusal as a notice; the seats in it are called as people call them."""
        words = spoken(refusal.saying, self.pages.scenes.names(language), language)
        return Notice("error", words, refusal.code, refusal.rule)

    def _drawn(self, call: Call, to: Audience, notices: tuple[Notice, ...]) -> bytes:
        """A page, or for a script the part of it that changes."""
        if to.passing:
            # What was told to whoever has just put the phone down is for nobody else.
            notices = tuple(notice for notice in notices if notice.code == Forbidden.code)
        draw = self.pages.document if call.wants == "page" else self.pages.fragment
        return draw(to, call.caller.token, notices)

    def _page_of(self, call: Call) -> Audience:
        """The page a form came from."""
        caller, fields = call.caller, call.fields
        path = local_path(fields.get("next", "")) or home_of(self.evening, caller)
        name, _, rest = path.strip("/").partition("/")
        guest = self.evening.guests.find(caller.guest.id) if caller.guest else None
        page: Page = PAGES.get(name, "gone")
        seat = rest if page == "play" and rest else None
        code, hold = rest if page == "join" else "", fields.get("hold", "")
        game = rest if page == "demo" else ""
        to = audience(self.evening, guest, page, seat, caller.language, code, hold, game)
        return on_screen(to, caller.own_screen)


def home_of(evening: Evening, caller: Caller) -> str:
    """The page where a caller belongs."""
    guest = evening.guests.find(caller.guest.id) if caller.guest else None
    if guest is None:
        return "/"
    if evening.guests.seats_of(guest.id):
        return "/play"
    if guest.moderator:
        return "/moderator"
    return "/host" if guest.host else "/play"


def _led(path: str, reply: Reply = BACK) -> SiteResponse:
    """Go there."""
    return SiteResponse(status=303, headers={"Location": path}, reply=reply)
