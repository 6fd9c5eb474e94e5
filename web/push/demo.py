"""The scene of a game behind "Show me"."""

from __future__ import annotations

from typing import Any

from companion.contract import PUBLIC, plain
from companion.words import say
from web.evening.demo import Demos
from web.push.audience import Audience
from web.push.lamps import lit
from web.scene import Notice, Open, Place, Says, Scene


def scene(demos: Demos, to: Audience, notices: tuple[Notice, ...]) -> Scene:
    """What the reader of a demonstration sees, as on the phone of its seat; it begins when somebody looks."""
    shown = demos.find(to.game)
    if not shown.ready:
        # A stream waits until there is something to see; whoever asks for the page has a thread to wait in.
        shown.prepare()
    with shown.lock:
        table = shown.table
        assert table.game is not None
        standing, view, history = table.standing(), table.view(shown.seat), table.history()
        mine = tuple(plain(action) for action in table.legal(shown.seat)) if shown.visitors_turn else ()
        for_all: dict[str, Any] = {
            "page": "demo",
            "language": to.language,
            "version": shown.version,
            "stage": "result" if standing.phase == "over" else "playing",
            "game": table.game.name,
            "phase": standing.phase,
            "to_act": standing.to_act,
            "result": standing.result,
            "history": history,
            "lamps": lit(table, None, {}, ()),
            "places": tuple(
                Place(
                    seat=chair.seat,
                    role=chair.role,
                    name="",
                    phone=None,
                    bot=None if chair.seat == shown.seat else "normal",
                    presence="here" if chair.seat == shown.seat else "bot",
                    to_act=chair.seat in standing.to_act,
                    mine=chair.seat == shown.seat,
                )
                for chair in table.chairs()
            ),
        }
        return Scene(
            **for_all,
            seat=shown.seat,
            shows=view.shows,
            ground=table.game.ground(view),
            ahead=table.game.ahead(view),
            legal={shown.seat: mine} if mine else {},
            picture=table.game.picture(view) if mine else None,
            says=(Says(shown.version, say("evening.demo_helped", to.language)),) if shown.helped else (),
            notices=notices,
            open=Open(**for_all, seat=PUBLIC, shows=table.view(PUBLIC).shows),
        )
