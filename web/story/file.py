"""One HTML file that needs nothing else: styles and pictures are in it, and it asks nobody for anything.

It is drawn from what the whole table may see once a game is over: it holds names, but no token, code or
address.
"""

from __future__ import annotations

from functools import cache
from pathlib import Path

from markupsafe import Markup

from companion import words
from web import games
from web.render import lobby
from web.render.templates import draw as fill
from web.scene import Scene
from web.texts import texts

words.register("story", Path(__file__).parent / "words")
STATIC = Path(__file__).parents[1] / "static"
DAYLIGHT = "(prefers-color-scheme: light), print"


def draw(scene: Scene) -> str:
    """The file of a game that is over, from what everybody may see then."""
    t, s, game = texts(scene.language), texts(scene.language, "story"), scene.game or ""
    pages = games.find(game)
    assert pages.draw is not None
    assert pages.story is not None
    facts = lobby.common(scene, "watch", t) | pages.draw(scene, t)[1] | pages.story.facts(scene, t)
    facts |= {
        "s": s,
        "styles": styles(game),
        "sprite": pages.sprite,
        "title": s("title", game=facts["game_word"](game)),
    }
    return fill(pages.story.template, facts)


@cache
def styles(game: str) -> Markup:
    """Everything that the file's looks need, by night and by daylight."""
    both = (games.find(games.GENERIC), games.find(game))
    own = [pages.folder / "static" / file for pages in both if pages.folder for file in pages.styles]
    night = [path.read_text(encoding="utf-8") for path in (STATIC / "house.css", *own, STATIC / "story.css")]
    return Markup('<style>{}</style>\n<style media="{}">{}</style>').format(
        Markup("\n".join(night)), DAYLIGHT, Markup((STATIC / "daylight.css").read_text(encoding="utf-8"))
    )
