"""What The Phantom Society offers the phones."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from companion.contract import Seat
from companion.games.phantom.board import COLOURS
from companion.games.phantom.view import Shows
from web.games.phantom import box, check, laying, pages, story, story_file, tokens, tournament
from web.games.phantom.demonstration import SHOWN
from web.games.record import GamePages, Hunt, Part


def seats_on(shows: Shows, seats: Sequence[Seat]) -> int:
    """In a tournament the teams stay; else hunters become masters and masters hunters."""
    return 0 if shows.tournament is not None else 1


def own_score(shows: Shows) -> bool:
    """A tournament has its own points. PS-110."""
    return shows.tournament is not None


def private_lamps(shows: Shows) -> bool:
    """A master may call "eyes closed" and look at his lines on the board."""
    return shows.privacy == "eyes_closed"


def same_board(shows: Shows) -> dict[str, Any] | None:
    """Every tile where it lay before the hunt; in a tournament the board is always laid anew."""
    tiles = {gone.room: (gone.colour, gone.value) for gone in shows.removed or ()}
    tiles |= {room: (tile.colour, tile.value) for room, tile in enumerate(shows.rooms, start=1) if tile}
    if shows.tournament is not None or len(tiles) < len(shows.rooms):
        return None
    return {"layout": [tiles[room] for room in sorted(tiles)]}


PAGES = GamePages(
    game="phantom",
    folder=Path(__file__).parent,
    rank=1,
    icon="board",
    faces={"hunter": "lantern", "master": "spook"},
    players=(2, 3, 4),
    setup=frozenset({"placing", "bidding", "hiding"}),
    draw=pages.draw,
    news=story.news,
    moments=story.MOMENTS,
    errand=story.errand,
    story=Part("phantom/story.html", story_file.facts),
    styles=("pages.css",),
    scripts=("laying.js",),
    sprite="phantom/sprite.svg",
    samples="phantom/samples.html",
    routes=("web.games.phantom.laying",),
    box=box.FORM,
    check=check,
    entry=laying,
    deal_now=laying.deal_now,
    seats_on=seats_on,
    again=tournament.again,
    own_score=own_score,
    same_board=same_board,
    private_lamps=private_lamps,
    upfront=("privacy",),
    plan=Part("phantom/plan.html", tokens.planned),
    demo=SHOWN,
    hunt=Hunt("hunter", {colour: f"ghost-{colour}" for colour in COLOURS}),
)
