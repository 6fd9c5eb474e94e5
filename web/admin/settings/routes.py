"""The page where somebody says what their eyes and hands need; every other page gets it on its way out."""

from __future__ import annotations

from urllib.parse import urlsplit

import msgspec
from flask import Response, redirect, request
from werkzeug import Response as Redirect

from web import games
from web.admin.layout import refused_on
from web.admin.settings import look
from web.render.templates import draw
from web.scene import Notice
from web.site import routes
from web.site.routes import Call, local_path
from web.texts import texts

YEAR = 365 * 24 * 3600
PATH = "/my-phone"


@routes.page(PATH)
def show(call: Call, notices: tuple[Notice, ...] = ()) -> str:
    """What this phone has chosen so far."""
    guest = call.caller.guest
    facts = {
        "s": texts(call.language, "settings"),
        "t": texts(call.language),
        "token": call.caller.token,
        "back": _came_from(),
        "name": guest.name if guest and not call.evening.under_way else "",
        "h": texts(call.language, "handover"),
        "notices": notices,
        "choices": look.CHOICES,
        "games": games.every(),
        "https": call.evening.addresses.secured is not None,
        "look": msgspec.structs.asdict(_worn()),
    }
    return draw("settings/page.html", facts)


@routes.form(PATH, refused_on(show))
def keep(call: Call) -> Redirect:
    """Keep what was chosen, and go back."""
    answer = redirect(local_path(call.fields.get("next", "")) or "/", 303)
    # Lax, not strict: whoever scans the code of the table comes from another place, and looks the same.
    wanted = look.written(look.chosen(call.fields))
    answer.set_cookie(look.COOKIE, wanted, YEAR, httponly=True, samesite="Lax")
    return answer


def dress(answer: Response) -> Response:
    """Put the phone's look into a whole page; fragments go into a page that has it already."""
    kept = "Content-Disposition" in answer.headers  # a file to keep stands for itself
    if answer.mimetype == "text/html" and not answer.direct_passthrough and not kept:
        html = answer.get_data(as_text=True)
        if html.lstrip().startswith("<!doctype html>"):
            answer.set_data(look.dressed(html, _worn()))
    return answer


def _worn() -> look.Look:
    return look.read(request.cookies.get(look.COOKIE, ""))


def _came_from() -> str:
    """The page that led here, to go back to."""
    path = urlsplit(request.referrer or "").path
    return (local_path(path) if path != PATH else None) or "/"
