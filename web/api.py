"""The HTTP API: the same actions and views as everywhere, for programs with a key."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import msgspec
from flask import Flask, Response, request

from companion.contract import HOST, MODERATOR, PUBLIC, TABLE, Seat, plain
from companion.headless import Actions, Done, Fault, Lit, Refused, Viewed
from companion.refusals import Forbidden, Malformed, Refusal
from web.callers import Caller, Reception, headers_of
from web.evening import match
from web.evening.evening import Evening
from web.sights import Sights, lit
from web.statuses import NotRecognised, status_of

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


def seat_of(evening: Evening, caller: Caller, wanted: Seat | None = None) -> Seat:
    """For which seat a caller speaks here."""
    if caller.program is not None:
        own: tuple[Seat, ...] = (caller.program, TABLE)
    elif caller.guest is not None:
        others = [seat for seat in (MODERATOR, HOST, TABLE) if evening.speaks(caller.guest, seat)]
        # The cookie of a shared phone is everybody's: its seats have pages, and their programs have keys.
        shared = evening.hands.shared(caller.guest.id)
        own = (*(s for s in evening.book.seats_of(caller.guest.id) if s not in shared), *others, PUBLIC)
    else:
        raise NotRecognised("evening.join_first")
    if wanted is not None and wanted not in own:
        raise Forbidden("evening.not_your_seat", seat=wanted)
    return wanted or own[0]


class Api:
    """The routes of the API, each one a plain function from a caller to an answer."""

    def __init__(self, evening: Evening, sights: Sights) -> None:
        self._evening, self._sights = evening, sights

    def act(self, caller: Caller) -> Done:
        """Do an action for a seat; it is durable when this returns."""
        if request.mimetype != "application/json":
            # A page of another site can send a form, but not this.
            raise Malformed("companion.malformed", what="request", fault="Content-Type: application/json")
        try:
            asked = msgspec.json.decode(request.get_data(), type=ActRequest)
        except (msgspec.MsgspecError, RecursionError, UnicodeDecodeError) as fault:
            raise Malformed("companion.malformed", what="request", fault=str(fault)) from None
        with self._evening.lock:
            seat = seat_of(self._evening, caller, asked.seat)
            events = match.act(self._evening, seat, asked.action, asked.playing_for, asked.version)
            standing = self._evening.table.standing()
        return Done(
            events=plain(events), phase=standing.phase, to_act=standing.to_act, result=plain(standing.result)
        )

    def view(self, caller: Caller) -> Viewed:
        """What a seat may know now."""
        return Viewed(view=plain(self._evening.table.view(self._seat(caller)).shows))

    def legal(self, caller: Caller) -> Actions:
        """What a seat may do now."""
        return Actions(actions=[plain(action) for action in self._evening.table.legal(self._seat(caller))])

    def lamps(self, caller: Caller) -> Lit:
        """What the shared board shows now."""
        self._seat(caller)
        with self._evening.lock:
            board = self._evening.board
            dark = board is not None and board.peek is not None
            lamps = lit(self._evening.table, board.pointer if board else None, self._sights.strips(), ())
        return Lit(
            strips={} if dark else lamps.strips,
            gauges={name: {"value": gauge.value, "of": gauge.of} for name, gauge in lamps.gauges.items()},
            marks={} if dark else {str(room): marks for room, marks in lamps.marks.items()},
        )

    def _seat(self, caller: Caller) -> Seat:
        return seat_of(self._evening, caller, request.args.get("seat"))


def add_routes(app: Flask, evening: Evening, reception: Reception, sights: Sights) -> None:
    """Put the API into a Flask application."""
    api = Api(evening, sights)

    def answered(serve: Callable[[Caller], Any]) -> Response:
        caller = reception.caller(
            headers_of(request.environ["asgi.scope"]["headers"]), request.remote_addr or ""
        )
        try:
            return json(plain(serve(caller)))
        except Refusal as refusal:
            return refused(refusal, caller.language)

    for name, method in (("act", "POST"), ("view", "GET"), ("legal", "GET"), ("lamps", "GET")):
        serve = getattr(api, name)
        app.add_url_rule(
            f"{ROOT}/{name}", f"api {name}", lambda serve=serve: answered(serve), methods=[method]
        )
    app.add_url_rule(f"{ROOT}/openapi.json", "openapi", _openapi)


def _openapi() -> Response:
    from web.openapi import document

    return json(document())


def json(data: Any, status: int = 200) -> Response:
    """An answer of the API."""
    return Response(msgspec.json.encode(data), status, mimetype="application/json")


def refused(refusal: Refusal, language: str) -> Response:
    """A refusal in the shape of the protocol, with a fitting status."""
    fault = Fault(refusal.code, refusal.message(language), refusal.rule)
    answer = json(plain(Refused(fault)), status_of(refusal))
    if isinstance(refusal, NotRecognised):
        answer.headers["WWW-Authenticate"] = "Bearer"
    return answer
