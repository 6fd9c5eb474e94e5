"""The numbered rules of a game in words, on a page of their own: a refusal's number leads there."""

from __future__ import annotations

from companion import games, rules
from companion.refusals import Forbidden
from web.admin.layout import paper
from web.site.routes import Call, page
from web.texts import game_word


@page("/rules/<game>")
def show(call: Call, game: str) -> str:
    """All rules of a game, chapter by chapter, in the language of this phone."""
    chapters = rules.chapters(game, call.language) if game in games.names() else ()
    if not chapters:
        raise Forbidden("evening.no_such_page")
    title = game_word(call.language, game)
    return paper("rules.html", call, title=title, chapters=chapters)
