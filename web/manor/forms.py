"""The forms of the manor's pages: a step has been copied on the table; the moderator puts something right."""

from __future__ import annotations

from companion.contract import MODERATOR
from companion.refusals import Illegal
from web.evening import match
from web.forms import BACK, Call, Form, Reply
from web.manor import repairs


def copied(call: Call) -> Reply:
    """So many steps have been copied on the table; anybody who has joined may say so."""
    call.guest()
    done = call.number("done")
    with call.evening.lock:
        if done is not None and call.evening.table.game is not None:
            call.evening.table.copied(done)
    return BACK


def repair(call: Call) -> Reply:
    """The table is right and the record is not: what the moderator names is set straight."""
    call.evening.check_speaks(call.guest(), MODERATOR)
    with call.evening.lock:
        table = call.evening.table
        if table.game is None or table.game.name != "artefacts":
            raise Illegal("companion.no_game")
        fixes = repairs.fixes(table.view(MODERATOR).shows, call.fields)
        match.act(call.evening, MODERATOR, {"type": "repair", "set": fixes}, version=call.number("version"))
    return BACK


FORMS: dict[str, Form] = {"/copied": copied, "/manor/repair": repair}
