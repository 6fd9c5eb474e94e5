"""What Chasseurs Fantômes Artéfacts offers the phones."""

from pathlib import Path

from web.games.artefacts import box, pages, story, surprises
from web.games.artefacts.demonstration import SHOWN
from web.games.record import GamePages, Part

PAGES = GamePages(
    game="artefacts",
    folder=Path(__file__).parent,
    rank=3,
    seat_symbols="s-",
    sprite="artefacts/sprite.svg",
    faces={"hunter": "lantern"},
    players=(1, 2, 3, 4),
    open_hands=True,
    setup=frozenset({"drafting", "building"}),
    draw=pages.draw,
    news=pages.happened,
    moments=pages.MOMENTS,
    errand=pages.errand,
    story=Part("artefacts/story.html", story.facts),
    styles=("pages.css",),
    scripts=("pages.js",),
    routes=("web.games.artefacts.forms",),
    host=Part("artefacts/surprise.html", surprises.in_play),
    box=box.FORM,
    demo=SHOWN,
)
