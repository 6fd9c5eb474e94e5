"""What Gespensterjagd offers the phones."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from companion.contract import Seat
from companion.games.canterville.options import MAX
from companion.games.canterville.view import Shows
from web.games.canterville import box, check, pages, plan
from web.games.canterville.demonstration import SHOWN
from web.games.record import GamePages, Hunt, Part


def seats_on(shows: Shows, seats: Sequence[Seat]) -> int:
    """Whoever has found Max is Max next. GJ-73."""
    return len(seats) - seats.index(shows.caught_by) if shows.caught_by in seats else 1


PAGES = GamePages(
    game="canterville",
    folder=Path(__file__).parent,
    rank=2,
    icon="spook",
    faces={"hunter": "lantern", MAX: "spook"},
    players=(2, 3, 4, 5),
    setup=frozenset({"starting", "framing"}),
    draw=pages.draw,
    news=pages.happened,
    moments=pages.MOMENTS,
    errand=pages.errand,
    story=Part("canterville/story.html", lambda scene, t: {}),
    styles=("pages.css",),
    sprite="canterville/sprite.svg",
    routes=("web.games.canterville.forms", "web.games.canterville.castle_routes"),
    plan=Part("canterville/plan.html", plan.facts),
    host=Part("canterville/judge.html", plan.in_play),
    first_step="castle",
    folders=("castles",),
    box=box.FORM,
    check=check,
    seats_on=seats_on,
    demo=SHOWN,
    hunt=Hunt("hunter", {MAX: "ghost-max"}),
)
