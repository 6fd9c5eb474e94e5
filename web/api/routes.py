"""The HTTP API: the same actions and views as everywhere, for programs with a key."""

from __future__ import annotations

from typing import Any

import msgspec
from flask import Response, request

from companion.contract import Seat, converted, plain
from companion.headless import Actions, Done, Fault, Lit, Refused, Viewed
from companion.refusals import Malformed, Refusal
from web.evening import match
from web.http.statuses import NotRecognised, status_of
from web.people.identity import seat_of
from web.push.lamps import lit
from web.site.routes import Call, page, route

ROOT = "/api/v1"


class ActRequest(msgspec.Struct, frozen=True, rename={"playing_for": "as"}):
    """`POST /api/v1/act`. Fields that are not named here are ignored."""

    action: dict[str, Any]
    seat: Seat | None = None
    """Only for a phone that has more than one."""
    playing_for: Seat | None = None
    """Only for the moderator: the seat he plays for."""
    version: int | None = None
    """Refuse if what this seat may do has changed since this version, which is the id of an event."""


def refused(call: Call, refusal: Refusal) -> Response:
    """A refusal in the shape of the protocol, with a fitting status."""
    fault = Fault(refusal.code, refusal.message(call.caller.language), refusal.rule)
    answer = json(plain(Refused(fault)), status_of(refusal))
    if isinstance(refusal, NotRecognised):
        answer.headers["WWW-Authenticate"] = "Bearer"
    return answer


def json(data: Any, status: int = 200) -> Response:
    """An answer of the API."""
    return Response(msgspec.json.encode(data), status, mimetype="application/json")


# A page of another site can send a form, but no JSON: so no token is asked for.
@route(f"{ROOT}/act", "POST", refused, guarded=False)
def act(call: Call) -> Response:
    """Do an action for a seat; it is durable when this returns."""
    if request.mimetype != "application/json":
        raise Malformed("companion.malformed", what="request", fault="Content-Type: application/json")
    try:
        asked = converted(msgspec.json.decode(request.get_data()), ActRequest)
    except (msgspec.MsgspecError, RecursionError, UnicodeDecodeError) as fault:
        raise Malformed("companion.malformed", what="request", fault=str(fault)) from None
    with call.evening.lock:
        seat = seat_of(call.evening.guests, call.evening.shared_phones, call.caller, asked.seat)
        events = match.act(call.evening, seat, asked.action, asked.playing_for, asked.version)
        standing = call.evening.table.standing()
    done = Done(
        events=plain(events), phase=standing.phase, to_act=standing.to_act, result=plain(standing.result)
    )
    return json(plain(done))


@page(f"{ROOT}/view", refused)
def view(call: Call) -> Response:
    """What a seat may know now."""
    return json(plain(Viewed(view=plain(call.evening.table.view(_seat(call)).shows))))


@page(f"{ROOT}/legal", refused)
def legal(call: Call) -> Response:
    """What a seat may do now."""
    return json(plain(Actions(actions=[plain(action) for action in call.evening.table.legal(_seat(call))])))


@page(f"{ROOT}/lamps", refused)
def lamps(call: Call) -> Response:
    """What the shared board shows now."""
    _seat(call)
    with call.evening.lock:
        board = call.evening.board
        dark = board is not None and board.peek is not None
        pointer = board.pointer if board else None
        shown = lit(call.evening.table, pointer, call.pages.scenes.lamps.strips(), ())
    answer = Lit(
        strips={} if dark else shown.strips,
        gauges={name: {"value": gauge.value, "of": gauge.of} for name, gauge in shown.gauges.items()},
        marks={} if dark else {str(room): marks for room, marks in shown.marks.items()},
    )
    return json(plain(answer))


def _seat(call: Call) -> Seat:
    return seat_of(call.evening.guests, call.evening.shared_phones, call.caller, request.args.get("seat"))
