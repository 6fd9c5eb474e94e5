"""The Flask side: what comes as a request goes to the desk, and what it answers goes back."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from flask import Flask, Response, request
from werkzeug.exceptions import HTTPException

from companion.contract import Seat
from companion.refusals import Forbidden, Refusal
from web import api, doctor, faults, home_screen
from web.boxes import routes as boxes
from web.building import forms as building
from web.callers import COOKIE, TONGUE, Caller, headers_of
from web.castles import referee
from web.castles import routes as castles
from web.desk import FRAGMENT, Answer, Asked, Desk, check_not_forged
from web.forms import FORMS, Form
from web.handover import forms as handover
from web.keeping import routes as keeping
from web.manor import forms as manor
from web.scene import Page
from web.settings import routes as settings
from web.story import routes as story
from web.welcome import routes as welcome

COOKIE_SECONDS = 60 * 24 * 3600


class Counter:
    """Where requests are handed to the desk."""

    def __init__(self, desk: Desk) -> None:
        self.desk = desk

    def caller(self) -> Caller:
        """Who sends the current request."""
        return self.desk.reception.caller(
            headers_of(request.environ["asgi.scope"]["headers"]), request.remote_addr or ""
        )

    def page(self, page: Page, seat: Seat | None = None, code: str = "") -> Response:
        """Show a page."""
        return _response(self.desk.page(self.caller(), page, seat, code, request.args.get("hold", "")))

    def take(self, form: Form) -> Response:
        """Take a form."""
        asked = Asked(self.caller(), request.form.to_dict(), FRAGMENT in request.headers)
        return _response(self.desk.take(form, asked))

    def turned_away(self, caller: Caller, refusal: Refusal, status: int | None = None) -> Response:
        """Say no on a page that everybody may see."""
        return _response(self.desk.turned_away(caller, refusal, status))


def _response(answer: Answer) -> Response:
    response, reply = Response(answer.body, answer.status, answer.headers), answer.reply
    if reply.key is not None:
        response.set_cookie(COOKIE, reply.key, COOKIE_SECONDS, httponly=True, samesite="Strict")
    if reply.language is not None:
        response.set_cookie(TONGUE, reply.language, COOKIE_SECONDS, httponly=True, samesite="Strict")
    if reply.forget:
        response.delete_cookie(COOKIE, httponly=True, samesite="Strict")
    return response


def make_app(desk: Desk) -> Flask:
    """The Flask application of an evening."""
    counter = Counter(desk)
    app = Flask("web", static_folder=str(Path(__file__).parent / "static"), static_url_path="/static")
    app.add_url_rule("/", "front", lambda: counter.page("front"))
    app.add_url_rule("/j/<code>", "join", lambda code: counter.page("join", code=code[:20]))
    app.add_url_rule("/play", "play", lambda: counter.page("play"))
    app.add_url_rule("/play/<seat>", "play_seat", lambda seat: counter.page("play", seat))
    for page in ("host", "moderator", "table", "watch", "demo", "doctor", "lay", "check"):
        app.add_url_rule(f"/{page}", page, lambda page=page: counter.page(page))
    every_form = FORMS | doctor.FORMS | referee.FORMS | handover.FORMS | building.FORMS | manor.FORMS
    for path, form in every_form.items():
        app.add_url_rule(path, f"form {path}", lambda form=form: counter.take(form), methods=["POST"])
    app.add_url_rule("/healthz", "healthz", lambda: Response("ok\n", mimetype="text/plain"))
    api.add_routes(app, desk.evening, desk.reception, desk.frames.sights)
    castles.add_routes(app, desk.evening, counter.caller, check_not_forged)
    welcome.add_routes(app, desk.evening, counter.caller, check_not_forged)
    boxes.add_routes(app, desk.evening, counter.caller, check_not_forged)
    keeping.add_routes(app, desk.evening, counter.caller, check_not_forged)
    home_screen.add_routes(app)
    settings.add_routes(app, counter.caller, check_not_forged)
    story.add_routes(app, desk.evening, desk.frames.sights, counter.caller, counter.turned_away)
    app.register_error_handler(HTTPException, lambda fault: _http_fault(counter, fault))
    app.register_error_handler(Exception, _own_fault)
    return app


def _http_fault(counter: Counter, fault: HTTPException) -> Any:
    if fault.code == 404 and not request.path.startswith(("/api/", "/static/")):
        return counter.turned_away(counter.caller(), Forbidden("evening.no_such_page"), 404)
    return Response(f"{fault.name}\n", fault.code or 500, mimetype="text/plain")


def _own_fault(fault: Exception) -> Response:
    # The path and the fields stay out of the log too: they may hold a code, and an action is a secret.
    faults.note("a page failed", fault)
    return Response("Internal Server Error\n", 500, mimetype="text/plain")
