"""The way to the story: a file for whoever may see the end of a game, which is everybody."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from flask import Flask, Response

from companion.refusals import Illegal
from web.audiences import Audience
from web.callers import Caller
from web.evening.evening import Evening
from web.sights import Sights
from web.story import file


def add_routes(
    app: Flask,
    evening: Evening,
    sights: Sights,
    caller: Callable[[], Caller],
    turned_away: Callable[[Caller, Illegal], Any],
) -> None:
    """Give the file to whoever asks, once the game is over."""

    def story() -> Any:
        who = caller()
        language = (who.guest.language if who.guest else None) or who.language
        with evening.lock:
            if evening.stage != "result":
                return turned_away(who, Illegal("evening.no_story"))
            # A spectator's eyes, whoever asks: the file may be passed on to anybody.
            scene = sights.scene(Audience("watch", language))
        named = {"Content-Disposition": f'attachment; filename="{scene.game}-story.html"'}
        return Response(file.draw(scene), mimetype="text/html", headers=named)

    app.add_url_rule("/story.html", "story", story)
