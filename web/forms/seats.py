"""Forms of a guest about a seat: take it, leave it, offer it to another phone, open it to a program."""

from __future__ import annotations

from companion.words import say
from web.evening import seats
from web.scene import Notice
from web.site.routes import Call, Reply, form


@form("/seat/take")
def take_seat(call: Call) -> None:
    """Sit down, or let somebody sit down who shares this phone."""
    name, language = call.fields.get("name", ""), call.caller.language
    seats.take(call.evening, call.guest(), call.field("seat"), name, language)


@form("/seat/leave")
def leave_seat(call: Call) -> Reply:
    """Get up."""
    seats.leave(call.evening, call.guest(), call.own_seat())
    return Reply("/play")


@form("/seat/offer")
def offer_seat(call: Call) -> None:
    """Make a code for whoever takes the seat over."""
    seats.offer(call.evening, call.guest(), call.own_seat())


@form("/seat/key")
def seat_key(call: Call) -> Reply:
    """A key for a program."""
    seat = call.own_seat()
    key = seats.key(call.evening, call.guest(), seat)
    text = say("evening.key_shown", call.guest().language or call.caller.language, seat=seat, opens=key)
    return Reply(notice=Notice("done", text, "key"))
