"""The Flask application: every route of the site, and what its answer looks like on the wire."""

from __future__ import annotations

import logging
from importlib import import_module
from pathlib import Path
from typing import Any, cast

from flask import Flask, Response, redirect, request, send_from_directory
from werkzeug.exceptions import HTTPException

from companion.refusals import Forbidden, Refusal
from web import failures, games
from web.admin.settings.routes import dress
from web.people.identity import LANGUAGE, Caller, cookie_of
from web.scene import Page
from web.server.asgi import CALLER
from web.site.dispatch import PUSHED, SCRIPT, Site, SiteResponse
from web.site.routes import BACK, ROUTES, Call, Reply, Route

log = logging.getLogger(__name__)

COOKIE_SECONDS = 60 * 24 * 3600
AREAS = (
    "web.forms",
    "web.admin.rules",
    "web.api.routes",
    "web.api.openapi",
    "web.story.routes",
    "web.admin.backup.routes",
    "web.admin.boxes.routes",
    "web.admin.home_screen",
    "web.admin.https.routes",
    "web.admin.kits.routes",
    "web.admin.settings.routes",
    "web.admin.welcome.routes",
)
"""The modules whose routes are served, besides those that games bring (`GamePages.routes`)."""


def make_app(site: Site) -> Flask:
    """The Flask application of an evening."""
    app = Flask("web", static_folder=str(Path(__file__).parents[1] / "static"), static_url_path="/static")
    for area in AREAS:
        import_module(area)
    for pages in (games.find(games.GENERIC), *games.every()):
        _add_game(app, pages)
    for path, page in PUSHED.items():
        app.add_url_rule(path, f"GET {path}", lambda page=page, **of: _shown(site, page, **of))
    for route in ROUTES:
        answer = lambda route=route, **of: _answered(site, route, of)  # noqa: E731
        app.add_url_rule(route.path, f"{route.method} {route.path}", answer, methods=[route.method])
    app.register_error_handler(HTTPException, lambda fault: _http_fault(site, fault))
    app.register_error_handler(Exception, _own_fault)
    app.after_request(lambda answer: dress(answer) if answer.content_length else answer)
    return app


def _add_game(app: Flask, pages: games.GamePages) -> None:
    """What a game brings along: static files, and forms and pages of its own."""
    for area in pages.routes:
        import_module(area)
    if pages.folder is not None:
        folder, rule = pages.folder / "static", f"/static/{pages.game}/<path:file>"
        app.add_url_rule(rule, f"static {pages.game}", lambda file: send_from_directory(folder, file))


def _caller() -> Caller:
    return cast(Caller, request.environ[CALLER])


def _shown(site: Site, page: Page, **of: str) -> Response:
    return _response(site.page(_caller(), page, hold=request.args.get("hold", ""), **of))


def _answered(site: Site, route: Route, of: dict[str, Any]) -> Any:
    """Call a route's view, and turn what it says into a response."""
    call = _call(site)
    try:
        if route.guarded:
            site.check(call)
        if route.for_host:
            call.runs()
        answer = route.view(call, **of)
    except Refusal as refusal:
        if route.refused is not None:
            return route.refused(call, refusal, **of)
        if route.method == "POST":
            return _response(site.refused(call, refusal))
        return _response(site.turned_away(call.caller, refusal))
    if answer is None or isinstance(answer, Reply):
        return _response(site.done(call, answer or BACK))
    return redirect(answer, 303) if route.method == "POST" and isinstance(answer, str) else answer


def _call(site: Site) -> Call:
    wants = {"fragment": "fragment", "pushed": "nothing"}.get(request.headers.get(SCRIPT, ""), "page")
    form = request.form
    return Call(
        site.evening,
        site.demos,
        site.pages,
        _caller(),
        form.to_dict(),
        form.to_dict(flat=False),
        wants,  # type: ignore[arg-type]
    )


def _response(answer: SiteResponse) -> Response:
    response, reply = Response(answer.body, answer.status, answer.headers), answer.reply
    cookie, secure = cookie_of(request.scheme), request.is_secure
    if reply.key is not None:
        response.set_cookie(
            cookie, reply.key, COOKIE_SECONDS, secure=secure, httponly=True, samesite="Strict"
        )
    if reply.language is not None:
        response.set_cookie(LANGUAGE, reply.language, COOKIE_SECONDS, httponly=True, samesite="Strict")
    if reply.forget:
        response.delete_cookie(cookie, secure=secure, httponly=True, samesite="Strict")
    return response


def _http_fault(site: Site, fault: HTTPException) -> Any:
    if fault.code == 404 and not request.path.startswith(("/api/", "/static/")):
        return _response(site.turned_away(_caller(), Forbidden("evening.no_such_page"), 404))
    return (
        fault.get_response()
        if fault.code == 405
        else Response(f"{fault.name}\n", fault.code or 500, mimetype="text/plain")
    )


def _own_fault(fault: Exception) -> Response:
    # The path and the fields stay out of the log too: they may hold a code, and an action is a secret.
    failures.note(log, "a page failed", fault)
    return Response("Internal Server Error\n", 500, mimetype="text/plain")
