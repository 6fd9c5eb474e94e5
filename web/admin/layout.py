"""Pages for whoever runs the evening, drawn when asked for, never pushed; and how a refusal is told there."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from companion.refusals import Refusal
from web import games
from web.http.statuses import status_of
from web.render.templates import draw as fill
from web.scene import Notice
from web.site.routes import Call
from web.texts import texts

Draw = Callable[..., str]
"""Draws a page for a call, with notices and whatever the path names."""


def paper(page: str, call: Call, notices: tuple[Notice, ...] = (), **facts: Any) -> str:
    """A page, with what all of them have."""
    common = {"t": texts(call.language), "token": call.caller.token, "notices": notices}
    return fill(page, common | {"games": games.every()} | facts)


def refused_on(draw: Draw) -> Callable[..., Any]:
    """Tell a refusal on a page with everything that is wrong; whoever may not see it sees a closed door."""

    def refused(call: Call, refusal: Refusal, **of: Any) -> Any:
        notices = told(refusal, call.language)
        try:
            return draw(call, notices, **of), status_of(refusal)
        except Refusal:
            house = texts(call.language)("house")
            return paper("admin.html", call, notices, title=house), status_of(refusal)

    return refused


def told(refusal: Refusal, language: str) -> tuple[Notice, ...]:
    """A refusal as notices: one for each problem, where it has several."""
    problems = getattr(refusal, "problems", ()) or (refusal.saying,)
    return tuple(Notice("error", each.said(language), refusal.code, refusal.rule) for each in problems)
