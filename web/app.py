"""The Flask side: pages are shown, forms are taken. Whatever is refused is told to the asking phone alone."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from flask import Flask, Response, redirect, request
from werkzeug.exceptions import HTTPException

from companion.contract import Seat
from companion.refusals import Forbidden, Refusal
from web import api, doctor, faults, home_screen
from web.boxes import routes as boxes
from web.building import forms as building
from web.callers import COOKIE, TONGUE, Caller, Reception, headers_of
from web.castles import referee
from web.castles import routes as castles
from web.doors import same
from web.evening.demo import Demo
from web.evening.evening import Evening
from web.forms import FORMS, Call, Form, Reply
from web.frames import Frames
from web.handover import forms as handover
from web.keeping import routes as keeping
from web.manor import forms as manor
from web.paths import local_path
from web.scene import Notice, Page
from web.settings import routes as settings
from web.sights import Audience, audience, on_screen
from web.statuses import headers_of_refusal, status_of
from web.story import routes as story
from web.welcome import routes as welcome

COOKIE_SECONDS = 60 * 24 * 3600
FRAGMENT = "X-Companion"
"""The header by which a script asks for the new `<main>` in place of a redirect."""
GO = "X-Companion-Go"


class Desk:
    """Everything that a request needs: the evening, who draws it, and who recognises callers."""

    def __init__(self, evening: Evening, demo: Demo, frames: Frames, reception: Reception) -> None:
        self.evening, self.demo, self.frames, self.reception = evening, demo, frames, reception

    def caller(self) -> Caller:
        """Who sends the current request."""
        return self.reception.caller(headers_of(request.environ["asgi.scope"]), request.remote_addr or "")

    # Pages

    def page(self, page: Page, seat: Seat | None = None, code: str = "") -> Any:
        """Show a page, or the way in."""
        caller, hold = self.caller(), ""
        if caller.guest is not None:
            self.evening.heard(caller.guest.id)
            hold = self.evening.hands.opened(caller.guest.id, request.args.get("hold", ""))
        if page == "front" and caller.guest is not None:
            return redirect(home_of(self.evening, caller), 303)
        try:
            to = audience(self.evening, caller.guest, page, seat, caller.language, code, hold)
            to = on_screen(to, caller.own_screen)
        except Forbidden as refusal:
            return self.turned_away(caller, refusal)
        return self.frames.document(to, caller.token)

    def turned_away(self, caller: Caller, refusal: Refusal, status: int | None = None) -> tuple[str, int]:
        """Say no on a page that everybody may see."""
        page: Page = "gone" if caller.guest else "front"
        to = audience(self.evening, caller.guest, page, None, caller.language)
        notice = spoken(refusal, to.language)
        return self.frames.document(to, caller.token, (notice,)), status or status_of(refusal)

    # Forms

    def take(self, form: Form) -> Any:
        """Take a form: check that it is no forgery, do it, and show what is true now."""
        caller = self.caller()
        fields: Mapping[str, str] = request.form.to_dict()
        try:
            check_not_forged(caller, fields)
            if caller.guest is not None:
                self.evening.heard(caller.guest.id)
            reply = form(Call(self.evening, self.demo, caller, fields))
        except Refusal as refusal:
            return self.refused(caller, fields, refusal)
        return self.done(caller, fields, reply)

    def refused(self, caller: Caller, fields: Mapping[str, str], refusal: Refusal) -> Any:
        """The page the form came from, as it is now, with the reason; for this phone's eyes only."""
        try:
            to = self.page_of(caller, fields)
        except Forbidden:
            return self.turned_away(caller, refusal)
        page = self.drawn(caller, to, (spoken(refusal, to.language),))
        return page, status_of(refusal), headers_of_refusal(refusal)

    def done(self, caller: Caller, fields: Mapping[str, str], reply: Reply) -> Any:
        """Post, redirect, get; or, for a script, the new fragment at once."""
        go, back = reply.go, local_path(fields.get("next", "")) or home_of(self.evening, caller)
        fields = {**fields, "hold": reply.hold} if reply.hold else fields
        try:
            to = self.page_of(caller, fields)
        except Forbidden:
            # What was done took this page away: a role handed on, a seat given.
            go = go or home_of(self.evening, caller)
        else:
            if reply.notice is not None:
                return self.drawn(caller, to, (reply.notice,))
        if not request.headers.get(FRAGMENT):
            answer: Any = redirect(self.led(caller, fields, go or back), 303)
        elif go or reply.language:
            answer = Response(status=204, headers={GO: go or back})
        else:
            answer = Response(self.drawn(caller, to, ()))
        if reply.key is not None:
            answer.set_cookie(COOKIE, reply.key, COOKIE_SECONDS, httponly=True, samesite="Strict")
        if reply.language is not None:
            answer.set_cookie(TONGUE, reply.language, COOKIE_SECONDS, httponly=True, samesite="Strict")
        if reply.forget:
            answer.delete_cookie(COOKIE, httponly=True, samesite="Strict")
        return answer

    def led(self, caller: Caller, fields: Mapping[str, str], path: str) -> str:
        """The way to a page; whoever holds a shared phone is led to their own."""
        if caller.guest is None or path != "/play":
            return path
        return path + self.evening.hands.lead(caller.guest.id, fields.get("hold", ""))

    def drawn(self, caller: Caller, to: Audience, notices: tuple[Notice, ...]) -> str:
        """A page, or for a script the part of it that changes."""
        if to.passing:
            # What was told to whoever has just put the phone down is for nobody else.
            notices = tuple(notice for notice in notices if notice.code == Forbidden.code)
        draw = self.frames.fragment if request.headers.get(FRAGMENT) else self.frames.document
        return draw(to, caller.token, notices)

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
    if evening.book.seats_of(guest.id):
        return "/play"
    if guest.moderator:
        return "/moderator"
    return "/host" if guest.host else "/play"


def spoken(refusal: Refusal, language: str) -> Notice:
    """A refusal as a notice."""
    return Notice("error", refusal.message(language), refusal.code, refusal.rule)


def check_not_forged(caller: Caller, fields: Mapping[str, str]) -> None:
    """Refuse a form that another site made the browser send."""
    origin = request.headers.get("Origin")
    from_here = origin is None or origin == f"{request.scheme}://{request.host}"
    site = request.headers.get("Sec-Fetch-Site", "same-origin")
    token = fields.get("csrf", "")
    if not from_here or site not in ("same-origin", "none") or not same(token, caller.token):
        raise Forbidden("evening.reload")


def make_app(desk: Desk) -> Flask:
    """The Flask application of an evening."""
    app = Flask("web", static_folder=str(Path(__file__).parent / "static"), static_url_path="/static")
    app.add_url_rule("/", "front", lambda: desk.page("front"))
    app.add_url_rule("/j/<code>", "join", lambda code: desk.page("join", code=code[:20]))
    app.add_url_rule("/play", "play", lambda: desk.page("play"))
    app.add_url_rule("/play/<seat>", "play_seat", lambda seat: desk.page("play", seat))
    for page in ("host", "moderator", "table", "watch", "demo", "doctor", "lay", "check"):
        app.add_url_rule(f"/{page}", page, lambda page=page: desk.page(page))
    every_form = FORMS | doctor.FORMS | referee.FORMS | handover.FORMS | building.FORMS | manor.FORMS
    for path, form in every_form.items():
        app.add_url_rule(path, f"form {path}", lambda form=form: desk.take(form), methods=["POST"])
    app.add_url_rule("/healthz", "healthz", lambda: Response("ok\n", mimetype="text/plain"))
    api.add_routes(app, desk.evening, desk.reception, desk.frames.sights)
    castles.add_routes(app, desk.evening, desk.caller, check_not_forged)
    welcome.add_routes(app, desk.evening, desk.caller, check_not_forged)
    boxes.add_routes(app, desk.evening, desk.caller, check_not_forged)
    keeping.add_routes(app, desk.evening, desk.caller, check_not_forged)
    home_screen.add_routes(app)
    settings.add_routes(app, desk.caller, check_not_forged)
    story.add_routes(app, desk.evening, desk.frames.sights, desk.caller, desk.turned_away)
    app.register_error_handler(HTTPException, lambda fault: _http_fault(desk, fault))
    app.register_error_handler(Exception, _own_fault)
    return app


def _http_fault(desk: Desk, fault: HTTPException) -> Any:
    if fault.code == 404 and not request.path.startswith(("/api/", "/static/")):
        return desk.turned_away(desk.caller(), Forbidden("evening.no_such_page"), 404)
    return Response(f"{fault.name}\n", fault.code or 500, mimetype="text/plain")


def _own_fault(fault: Exception) -> Response:
    # The path and the fields stay out of the log too: they may hold a code, and an action is a secret.
    faults.note("a page failed", fault)
    return Response("Internal Server Error\n", 500, mimetype="text/plain")
