"""The forms of the manor's pages: playing, steps copied on the table, what the moderator puts right."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import msgspec

from companion.contract import MODERATOR, TABLE
from companion.games.artefacts.box import Box
from companion.refusals import Illegal, Malformed
from web.evening import match
from web.evening.evening import Evening
from web.games.artefacts import repairs
from web.site.routes import Call, form

TOLD = ("reveal", "drawn", "trap")
"""What the real piles do: told by whoever plays."""
END = {"type": "end"}


@form("/manor/act")
def act(call: Call) -> None:
    """Do what was chosen, one thing after the other, and end the turn after it where that was asked.

    A walk goes as far as it can: whatever has to be answered on the way comes first.
    """
    seat, playing_for, version = call.own_seat(), call.fields.get("as") or None, call.number("version")
    with call.evening.lock:
        for n, action in enumerate(deeds(call.fields)):
            told = action.get("type") in TOLD
            speaks, instead = (TABLE, None) if told else (seat, playing_for)
            if n and (instead or speaks) not in call.evening.choices:
                return
            match.act(call.evening, speaks, action, instead, None if n else version)


def deeds(fields: Mapping[str, str]) -> list[dict[str, Any]]:
    """The actions that a form asks for, in order."""
    end = [END] if fields.get("then") == "end" else []
    if "action" not in fields and end:
        return end
    try:
        chosen = msgspec.json.decode(fields.get("action", ""), type=dict[str, Any] | list[dict[str, Any]])
    except (msgspec.MsgspecError, RecursionError) as fault:
        raise Malformed("companion.not_json", fault=str(fault)) from None
    return [*(chosen if isinstance(chosen, list) else [chosen]), *end]


@form("/manor/repair")
def repair(call: Call) -> None:
    """The table is right and the record is not: what the moderator names is set straight."""
    call.evening.guests.check_may_speak(call.guest(), MODERATOR)
    with call.evening.lock:
        table = call.evening.table
        if table.game is None or table.game.name != "artefacts":
            raise Illegal("companion.no_game")
        view = table.view(MODERATOR)
        fixes = repairs.fixes(view.shows, call.fields, table.game.ground(view), _sheet(call.evening))
        match.act(call.evening, MODERATOR, {"type": "repair", "set": fixes}, version=call.number("version"))


def _sheet(evening: Evening) -> Box | None:
    """The box that is written down for this game: the one that is planned with, else the first there is."""
    shelf, chosen = evening.shelf, evening.book.plan.box
    profiles = shelf.profiles() if shelf is not None else ()
    ours = [profile for profile in profiles if profile.game == "artefacts"]
    return next((each.box for each in sorted(ours, key=lambda each: each.name != chosen)), None)
