"""The forms of a shared phone: take it, pass it on, say who is who."""

from __future__ import annotations

from companion.refusals import Forbidden
from web.evening import seats
from web.forms import BACK, Call, Form, Reply


def take(call: Call) -> Reply:
    """Take the phone: from now on it shows this seat."""
    seat = call.field("seat")
    call.evening.check_speaks(call.guest(), seat)
    return Reply(hold=call.evening.hands.take(call.guest().id, seat))


def put_down(call: Call) -> Reply:
    """Put it down: it shows nobody anything."""
    call.evening.hands.put_down(call.guest().id, call.fields.get("hold", ""))
    return BACK


def name(call: Call) -> Reply:
    """Call the person of a seat by name; in a running game only whoever runs the evening may."""
    who, seat = call.guest(), call.field("seat")
    if call.evening.under_way or not call.evening.speaks(who, seat):
        call.runs()
    seats.name(call.evening, seat, call.field("name"))
    return BACK


def alone(call: Call) -> Reply:
    """Say that one person plays all seats of a phone, or that several do."""
    phone = call.fields.get("phone") or call.guest().id
    if phone != call.guest().id:
        call.runs()
    elif call.evening.under_way and not (call.guest().host or call.guest().moderator):
        raise Forbidden("handover.ask_the_host")
    seats.play_alone(call.evening, phone, call.fields.get("alone") == "1")
    return BACK


FORMS: dict[str, Form] = {
    "/hand/take": take,
    "/hand/down": put_down,
    "/hand/alone": alone,
    "/seat/name": name,
}
