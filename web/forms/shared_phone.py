"""The forms of a shared phone: take it, pass it on, say who is who."""

from __future__ import annotations

from companion.refusals import Forbidden
from web.evening import seats
from web.site.routes import Call, Reply, form


@form("/hand/take")
def take(call: Call) -> Reply:
    """Take the phone: from now on it shows this seat."""
    seat = call.field("seat")
    call.evening.guests.check_may_speak(call.guest(), seat)
    return Reply(hold=call.evening.shared_phones.take(call.guest().id, seat))


@form("/hand/down")
def put_down(call: Call) -> None:
    """Put it down: it shows nobody anything."""
    call.evening.shared_phones.put_down(call.guest().id, call.fields.get("hold", ""))


@form("/seat/name")
def name(call: Call) -> None:
    """Call the person of a seat by name; in a running game only whoever runs the evening may."""
    who, seat = call.guest(), call.field("seat")
    if call.evening.under_way or not call.evening.guests.may_speak(who, seat):
        call.runs()
    seats.name(call.evening, seat, call.field("name"))


@form("/hand/alone")
def alone(call: Call) -> None:
    """Say that one person plays all seats of a phone, or that several do."""
    phone = call.fields.get("phone") or call.guest().id
    if phone != call.guest().id:
        call.runs()
    elif call.evening.under_way and not (call.guest().host or call.guest().moderator):
        raise Forbidden("handover.ask_the_host")
    seats.play_alone(call.evening, phone, call.fields.get("alone") == "1")
