"""Forms of whoever runs the evening: plan, seats, phones, pauses, lamps, good night."""

from __future__ import annotations

from typing import NoReturn

from msgspec.structs import replace

from companion.contract import HOST, MODERATOR
from companion.picture import PALETTES
from companion.refusals import Malformed
from web.evening import joining, match, roles, seats
from web.site.routes import BACK, Call, Reply, host_form


@host_form("/host/plan")
def plan(call: Call) -> None:
    """Choose the next game."""
    match.plan(call.evening, call.fields)


@host_form("/host/start")
def start(call: Call) -> Reply:
    """Begin it."""
    match.start(call.evening, call.fields, call.number("version"))
    return _to_own_seat(call)


def _to_own_seat(call: Call) -> Reply:
    """A new game: whoever runs the evening and plays too is wanted on their own seat."""
    return Reply("/play") if call.evening.guests.seats_of(call.guest().id) else BACK


@host_form("/host/seat")
def assign(call: Call) -> None:
    """Give a seat to a phone, to a bot, or to nobody."""
    seat = call.field("seat")
    if call.fields.get("phone"):
        seats.assign(call.evening, seat, call.fields["phone"])
    elif call.fields.get("bot"):
        seats.put_bot(call.evening, seat, call.fields["bot"])
    elif call.fields.get("empty"):
        seats.empty(call.evening, seat)
    else:
        _missing("phone")


@host_form("/host/phone")
def phone(call: Call) -> None:
    """Send a phone away, or hand it a role."""
    who, other = call.guest(), call.field("phone")
    if call.fields.get("remove"):
        joining.leave(call.evening, other)
    elif call.fields.get(HOST):
        roles.hand(call.evening, HOST, who, other)
    elif call.fields.get(MODERATOR):
        roles.hand(call.evening, MODERATOR, who, other)
    else:
        _missing("remove")


def _missing(field: str) -> NoReturn:
    raise Malformed("evening.which_field", field=field)


@host_form("/host/pause")
def pause(call: Call) -> None:
    """Hold the game."""
    match.pause(call.evening, True)


@host_form("/host/resume")
def resume(call: Call) -> None:
    """Go on."""
    match.pause(call.evening, False)


@host_form("/host/abandon")
def abandon(call: Call) -> None:
    """Leave the running game."""
    match.abandon(call.evening, call.number("version"))


@host_form("/host/rematch")
def rematch(call: Call) -> Reply:
    """Play again, one seat on; `board=same` with the board of the last game."""
    match.rematch(call.evening, call.number("version"), call.fields.get("board") == "same")
    return _to_own_seat(call)


@host_form("/host/new-code")
def new_code(call: Call) -> None:
    """Every code shown so far is good no longer."""
    call.evening.codes.renew()
    call.evening.versions.bump()


@host_form("/host/new-evening")
def new_evening(call: Call) -> None:
    """Everybody else leaves, with their seats and roles: the phones of last time open nothing any more."""
    match.new_evening(call.evening, call.guest())


@host_form("/host/brightness")
def brightness(call: Call) -> None:
    """Brighter or dimmer lamps."""
    wanted = call.number("brightness")
    if wanted is None:
        _missing("brightness")
    level = max(0, min(100, wanted))
    with call.evening.lock:
        call.evening.change(replace(call.evening.book, brightness=level))
        call.evening.board_kit.adjust_lamps()


@host_form("/host/lamps")
def lamps(call: Call) -> None:
    """Lamps for the eyes around this table."""
    palette = next((known for known in PALETTES if known == call.field("palette")), None)
    if palette is None:
        _missing("palette")
    with call.evening.lock:
        call.evening.change(replace(call.evening.book, palette=palette))
        call.evening.board_kit.adjust_lamps()


@host_form("/host/set-aside")
def set_aside(call: Call) -> None:
    """What was set aside at a start has been read."""
    call.evening.set_aside.dismiss()


@host_form("/host/shutdown")
def shutdown(call: Call) -> None:
    """Good night: the daemon ends; on a Pi the power may then be cut."""
    call.field("confirm")
    call.evening.shutdown()
