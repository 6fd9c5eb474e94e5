"""Forms of the running game: act, take back, do again."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import msgspec

from companion.contract import Seat
from companion.refusals import Malformed
from web.evening import match
from web.site.routes import Call, form


@form("/act")
def act(call: Call) -> None:
    """Do something in the game."""
    action, playing_for = action_of(call.fields), call.fields.get("as") or None
    with call.evening.lock:
        before = call.evening.lines
        match.act(call.evening, call.own_seat(), action, playing_for, call.number("version"))
        # Whoever goes on has seen what was before.
        call.evening.seen_news.up_to(call.guest().id, before)


def action_of(fields: Mapping[str, str]) -> dict[str, Any]:
    """The action that the fields of a form describe: whole as JSON, or field by field."""
    if "action" in fields:
        return _object(fields["action"])
    if "type" not in fields:
        raise Malformed("evening.what_action")
    action = {name: _plain(text) for name, text in fields.items() if name not in NOT_OF_THE_ACTION}
    return action | _object(fields.get(AT_ONCE, "{}"))


AT_ONCE = "fields"
"""A form's field with several fields of the action as JSON, which one tap chooses together."""
NOT_OF_THE_ACTION = ("csrf", "version", "next", "seat", "as", "hold", AT_ONCE)


def _object(text: str) -> dict[str, Any]:
    try:
        found = msgspec.json.decode(text)
    except (msgspec.MsgspecError, RecursionError) as fault:
        raise Malformed("companion.not_json", fault=str(fault)) from None
    if not isinstance(found, dict):
        raise Malformed("evening.what_action")
    return found


def _plain(text: str) -> Any:
    """A field as the value it stands for: whole numbers, yes, no and nothing are not texts."""
    if text.isdecimal() and len(text) < 10:
        return int(text)
    return {"true": True, "false": False, "null": None}.get(text, text)


@form("/undo")
def undo(call: Call) -> None:
    """Take back the last move, or ask."""
    match.undo(call.evening, call.own_seat(), call.guest(), call.number("version"))


@form("/undo/agree")
def agree(call: Call) -> None:
    """Let the last move be taken back."""
    seat = _answering(call)
    with call.evening.lock:
        call.evening.undo_request.agree(seat)
        if call.evening.undo_request.pending is None:
            in_place_of_a_bot = call.evening.book.sitting(seat).bot
            key = "evening.undo_by_host" if in_place_of_a_bot else "evening.undo_agreed"
            match.tell_of_undo(call.evening, key, call.guest())


@form("/undo/decline")
def decline(call: Call) -> None:
    """Let the last move stand."""
    _answering(call)
    call.evening.undo_request.decline()
    call.evening.guests.tell_of(call.guest(), "evening.undo_declined")


def _answering(call: Call) -> Seat:
    """The seat that answers: one's own, or for whoever runs the evening that of a bot nobody speaks for."""
    pending, seat = call.evening.undo_request.pending, call.field("seat")
    if pending and seat in match.host_answers_for(call.evening, pending.by):
        call.runs()
    else:
        call.own_seat()
    call.evening.versions.check_last_move(call.number("version"))
    return seat


@form("/redo")
def redo(call: Call) -> None:
    """Do again what was taken back."""
    call.evening.table.redo(call.own_seat())


@form("/copied")
def copied(call: Call) -> None:
    """So many steps have been copied on the table; anybody who has joined may say so."""
    call.guest()
    done = call.number("done")
    with call.evening.lock:
        if done is not None and call.evening.table.game is not None:
            call.evening.table.copied(done)
