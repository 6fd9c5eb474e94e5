"""Forms of the board: press a button of a simulated one, let it go, deal the whole board at one tap."""

from __future__ import annotations

import contextlib
from typing import Any

from companion.refusals import Illegal, Refusal
from web import games
from web.site.routes import Call, form, host_form

SWITCH_OFF = ("back", "power")


@form("/table/press")
def press(call: Call) -> None:
    """Press a button of the simulated board. Like a real one it never says no on a screen for all."""
    board, button = _button(call), call.field("button")
    with contextlib.suppress(Refusal):
        board.press(button)
        if button in SWITCH_OFF and not _may_switch_off(call):
            # Held for long they switch the machine off.
            board.release(button)


@form("/table/release")
def release(call: Call) -> None:
    """Let it go."""
    board = _button(call)
    with contextlib.suppress(Refusal):
        board.release(call.field("button"))


@host_form("/lay/now")
def deal_now(call: Call) -> None:
    """Chance lays the whole board now."""
    game = call.evening.table.game
    deal = games.find(game.name).deal_now if game else None
    if deal is None:
        raise Illegal("board.nothing_to_lay")
    deal(call.evening, call.guest())


def _may_switch_off(call: Call) -> bool:
    """Whoever runs the evening may, and whoever stands at the machine itself."""
    return call.caller.own_screen or call.guest().host or call.guest().moderator


def _button(call: Call) -> Any:
    call.guest()
    board = call.evening.board
    if board is None or not board.simulated or call.field("button") not in getattr(board, "buttons", ()):
        raise Illegal("companion.no_kit")
    return board
