"""The page where somebody says what their eyes and hands need; every other page gets it on its way out."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any
from urllib.parse import urlsplit

from flask import Flask, Response, redirect, request

from companion.refusals import Refusal
from web.callers import Caller
from web.paths import local_path
from web.scene import Notice
from web.settings import look, page
from web.statuses import status_of

YEAR = 365 * 24 * 3600
PATH = "/my-phone"


def add_routes(app: Flask, caller: Callable[[], Caller], check: Callable[..., None]) -> None:
    """Open the page, and dress every other one."""

    def shown(notices: tuple[Notice, ...] = ()) -> str:
        return page.draw(_language(caller()), caller().token, _worn(), _came_from(), notices)

    def kept() -> Any:
        fields = request.form.to_dict()
        try:
            check(caller(), fields)
        except Refusal as refusal:
            notice = Notice("error", refusal.message(_language(caller())), refusal.code)
            return shown((notice,)), status_of(refusal)
        answer = redirect(local_path(fields.get("next", "")) or "/", 303)
        # Lax, not strict: whoever scans the code of the table comes from another place, and looks the same.
        wanted = look.written(look.chosen(fields))
        answer.set_cookie(look.COOKIE, wanted, YEAR, httponly=True, samesite="Lax")
        return answer

    app.add_url_rule(PATH, "my phone", shown)
    app.add_url_rule(PATH, "my phone kept", kept, methods=["POST"])
    app.after_request(_dress)


def _worn() -> look.Look:
    return look.read(request.cookies.get(look.COOKIE, ""))


def _language(caller: Caller) -> str:
    return (caller.guest.language if caller.guest else None) or caller.language


def _came_from() -> str:
    """The page that led here, to go back to."""
    path = urlsplit(request.referrer or "").path
    return (local_path(path) if path != PATH else None) or "/"


def _dress(answer: Response) -> Response:
    """Put the phone's look into a whole page; fragments go into a page that has it already."""
    kept = "Content-Disposition" in answer.headers  # a file to keep stands for itself
    if answer.mimetype == "text/html" and not answer.direct_passthrough and not kept:
        html = answer.get_data(as_text=True)
        if html.lstrip().startswith("<!doctype html>"):
            answer.set_data(look.dressed(html, _worn()))
    return answer
