"""The record of a game that brings none."""

from pathlib import Path

from web.games.generic import pages
from web.games.record import GamePages, Part

PAGES = GamePages(
    game="generic",
    folder=Path(__file__).parent,
    draw=pages.draw,
    story=Part("generic/story.html", pages.story),
    styles=("pages.css",),
)
