"""Forms: what a page can ask for. One function a form; each says where to go afterwards.

A form arrives here recognised and unforged (`web.desk`). Its function looks at nothing but its call.
"""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Mapping
from typing import Any, NoReturn

import msgspec
from msgspec.structs import replace

from companion.contract import HOST, MODERATOR, Seat
from companion.picture import PALETTES
from companion.refusals import Forbidden, Illegal, Malformed, Refusal
from companion.words import LANGUAGES, say
from web.callers import Caller
from web.evening import match, roles, seats
from web.evening.book import Guest
from web.evening.demo import Demo
from web.evening.evening import Evening
from web.scene import Notice


class Call(msgspec.Struct, frozen=True):
    """A form as it arrived: who sent it, and its fields."""

    evening: Evening
    demo: Demo
    caller: Caller
    fields: Mapping[str, str]

    def guest(self) -> Guest:
        """Whoever sent it; strangers are refused."""
        if self.caller.guest is None:
            raise Forbidden("evening.join_first")
        return self.caller.guest

    def runs(self) -> Guest:
        """Whoever sent it, if they run the evening."""
        return roles.check_runs(self.caller.guest)

    def field(self, name: str) -> str:
        """A field that must be there."""
        if not self.fields.get(name):
            raise Malformed("evening.which_field", field=name)
        return self.fields[name]

    def number(self, name: str) -> int | None:
        """A field that is a whole number, if it is there."""
        text = self.fields.get(name, "")
        if not text:
            return None
        try:
            return int(text[:20])
        except ValueError:
            raise Malformed("evening.bad_number", field=name) from None

    def own_seat(self) -> Seat:
        """The seat named in the form, if it is the sender's."""
        seat = self.field("seat")
        self.evening.check_speaks(self.guest(), seat)
        self.evening.hands.check(self.guest().id, seat, self.fields.get("hold", ""))
        return seat


class Reply(msgspec.Struct, frozen=True):
    """What follows a form: a page to go to (null: the one it came from), a key to keep or give up."""

    go: str | None = None
    key: str | None = None
    forget: bool = False
    language: str | None = None
    """What a stranger wants to read from now on."""
    notice: Notice | None = None
    hold: str = ""
    """The token of whoever has just taken a phone that several share."""


BACK = Reply()
Form = Callable[[Call], Reply]
FORMS: dict[str, Form] = {}


def form(path: str) -> Callable[[Form], Form]:
    """Register what happens when this path is posted to."""

    def registered(function: Form) -> Form:
        FORMS[path] = function
        return function

    return registered


# Coming and going


@form("/join")
def join(call: Call) -> Reply:
    """Join by a code."""
    language = call.fields.get("language")
    key = call.evening.join(
        call.field("code"),
        call.fields.get("name", ""),
        language if language in LANGUAGES else None,
        call.caller.address,
        call.caller.guest,
    )
    return Reply("/play", key)


@form("/me")
def me(call: Call) -> Reply:
    """Another name or language."""
    language = call.fields.get("language")
    if language is not None and language not in LANGUAGES:
        raise Malformed("evening.which_field", field="language")
    if call.caller.guest is None:
        return Reply(language=language)
    call.evening.introduce(call.guest(), call.fields.get("name"), language)
    return BACK


@form("/leave")
def leave(call: Call) -> Reply:
    """Leave the table."""
    call.evening.leave(call.guest().id)
    return Reply("/", forget=True)


@form("/host")
def become_host(call: Call) -> Reply:
    """Become host by the PIN; at a new table the first steps come first."""
    key = _enter(call, HOST)
    return Reply("/host" if call.evening.book.welcomed else "/welcome", key)


@form("/moderator")
def become_moderator(call: Call) -> Reply:
    """Become moderator by the PIN; the table is told."""
    return Reply("/moderator", _enter(call, MODERATOR))


def _enter(call: Call, role: str) -> str | None:
    name, pin = call.fields.get("name", ""), call.field("pin")
    return roles.enter(call.evening, role, pin, name, call.caller.address, call.caller.guest)


@form("/host/resign")
def resign_host(call: Call) -> Reply:
    """Be host no more."""
    roles.resign(call.evening, HOST, call.guest())
    return Reply("/play")


@form("/moderator/resign")
def resign_moderator(call: Call) -> Reply:
    """Be moderator no more."""
    roles.resign(call.evening, MODERATOR, call.guest())
    return Reply("/play")


# Seats


@form("/seat/take")
def take_seat(call: Call) -> Reply:
    """Sit down, or let somebody sit down who shares this phone."""
    name, language = call.fields.get("name", ""), call.caller.language
    seats.take(call.evening, call.guest(), call.field("seat"), name, language)
    return BACK


@form("/seat/leave")
def leave_seat(call: Call) -> Reply:
    """Get up."""
    seats.leave(call.evening, call.guest(), call.own_seat())
    return Reply("/play")


@form("/seat/give")
def give_seat(call: Call) -> Reply:
    """Hand a seat to another phone."""
    seats.give(call.evening, call.guest(), call.own_seat(), call.field("phone"))
    return Reply("/play")


@form("/seat/offer")
def offer_seat(call: Call) -> Reply:
    """Make a code for whoever takes the seat over."""
    seats.offer(call.evening, call.guest(), call.own_seat())
    return BACK


@form("/seat/key")
def seat_key(call: Call) -> Reply:
    """A key for a program."""
    seat = call.own_seat()
    key = seats.key(call.evening, call.guest(), seat)
    text = say("evening.key_shown", call.guest().language or call.caller.language, seat=seat, opens=key)
    return Reply(notice=Notice("done", text, "key"))


# The game


@form("/act")
def act(call: Call) -> Reply:
    """Do something in the game."""
    action, playing_for = _action(call.fields), call.fields.get("as") or None
    with call.evening.lock:
        match.act(call.evening, call.own_seat(), action, playing_for, call.number("version"))
    return BACK


def _action(fields: Mapping[str, str]) -> dict[str, Any]:
    """The action of a form: whole as JSON, or field by field."""
    if "action" in fields:
        try:
            action = msgspec.json.decode(fields["action"])
        except (msgspec.MsgspecError, RecursionError) as fault:
            raise Malformed("companion.not_json", fault=str(fault)) from None
        if not isinstance(action, dict):
            raise Malformed("evening.what_action")
        return action
    if "type" not in fields:
        raise Malformed("evening.what_action")
    action = {name: _plain(text) for name, text in fields.items() if name not in NOT_OF_THE_ACTION}
    return action | _tile(fields)


NOT_OF_THE_ACTION = ("csrf", "version", "next", "seat", "as", "hold", "tile")


def _tile(fields: Mapping[str, str]) -> dict[str, Any]:
    """A tile of the tray, which one tap chooses: its colour and its value."""
    colour, _, value = fields.get("tile", "").partition("-")
    return {"colour": colour, "value": _plain(value)} if colour else {}


def _plain(text: str) -> Any:
    """A field as the value it stands for: whole numbers, yes, no and nothing are not texts."""
    if text.isdecimal() and len(text) < 10:
        return int(text)
    return {"true": True, "false": False, "null": None}.get(text, text)


@form("/undo")
def undo(call: Call) -> Reply:
    """Take back the last move, or ask."""
    match.undo(call.evening, call.own_seat(), call.guest(), call.number("version"))
    return BACK


@form("/undo/agree")
def agree(call: Call) -> Reply:
    """Let the last move be taken back."""
    call.evening.check_fresh_table(call.number("version"))
    match.agree(call.evening, call.own_seat())
    return BACK


@form("/undo/decline")
def decline(call: Call) -> Reply:
    """Let the last move stand."""
    call.own_seat()
    call.evening.check_fresh_table(call.number("version"))
    match.decline(call.evening)
    return BACK


@form("/redo")
def redo(call: Call) -> Reply:
    """Do again what was taken back."""
    match.redo(call.evening, call.own_seat())
    return BACK


# The host


@form("/host/plan")
def plan(call: Call) -> Reply:
    """Choose the next game."""
    call.runs()
    match.plan(call.evening, call.fields)
    return BACK


@form("/host/start")
def start(call: Call) -> Reply:
    """Begin it."""
    call.runs()
    match.start(call.evening, call.fields, call.number("version"))
    return BACK


@form("/host/seat")
def assign(call: Call) -> Reply:
    """Give a seat to a phone, to a bot, or to nobody."""
    call.runs()
    seat = call.field("seat")
    if call.fields.get("phone"):
        seats.assign(call.evening, seat, call.fields["phone"])
    elif call.fields.get("bot"):
        seats.put_bot(call.evening, seat, call.fields["bot"])
    elif call.fields.get("empty"):
        seats.empty(call.evening, seat)
    else:
        _missing("phone")
    return BACK


@form("/host/phone")
def phone(call: Call) -> Reply:
    """Send a phone away, or hand it a role."""
    who, other = call.runs(), call.field("phone")
    if call.fields.get("remove"):
        call.evening.leave(other)
    elif call.fields.get(HOST):
        roles.hand(call.evening, HOST, who, other)
    elif call.fields.get(MODERATOR):
        roles.hand(call.evening, MODERATOR, who, other)
    else:
        _missing("remove")
    return BACK


def _missing(field: str) -> NoReturn:
    raise Malformed("evening.which_field", field=field)


@form("/host/pause")
def pause(call: Call) -> Reply:
    """Hold the game."""
    call.runs()
    match.pause(call.evening, True)
    return BACK


@form("/host/resume")
def resume(call: Call) -> Reply:
    """Go on."""
    call.runs()
    match.pause(call.evening, False)
    return BACK


@form("/host/abandon")
def abandon(call: Call) -> Reply:
    """Leave the running game."""
    call.runs()
    match.abandon(call.evening, call.number("version"))
    return BACK


@form("/host/rematch")
def rematch(call: Call) -> Reply:
    """Play again, one seat on."""
    call.runs()
    match.rematch(call.evening, call.number("version"))
    return BACK


@form("/host/new-code")
def new_code(call: Call) -> Reply:
    """Every code shown so far is good no longer."""
    call.runs()
    call.evening.codes.renew()
    call.evening.bump()
    return BACK


@form("/host/new-evening")
def new_evening(call: Call) -> Reply:
    """Everybody else leaves, with their seats and roles: the phones of last time open nothing any more."""
    match.new_evening(call.evening, call.runs())
    return BACK


@form("/host/brightness")
def brightness(call: Call) -> Reply:
    """Brighter or dimmer lamps."""
    call.runs()
    wanted = call.number("brightness")
    if wanted is None:
        _missing("brightness")
    level = max(0, min(100, wanted))
    with call.evening.lock:
        call.evening.change(replace(call.evening.book, brightness=level))
        call.evening.dim()
    return BACK


@form("/host/lamps")
def lamps(call: Call) -> Reply:
    """Lamps for the eyes around this table."""
    call.runs()
    palette = next((known for known in PALETTES if known == call.field("palette")), None)
    if palette is None:
        _missing("palette")
    with call.evening.lock:
        call.evening.change(replace(call.evening.book, palette=palette))
        call.evening.dim()
    return BACK


@form("/host/shutdown")
def shutdown(call: Call) -> Reply:
    """Good night: the daemon ends; on a Pi the power may then be cut."""
    call.runs()
    call.field("confirm")
    call.evening.on_shutdown()
    return BACK


# The simulated board and the demonstration


@form("/table/press")
def press(call: Call) -> Reply:
    """Press a button of the simulated board. Like a real one it never says no on a screen for all."""
    board = _button(call)
    with contextlib.suppress(Refusal):
        board.press(call.field("button"))
    return BACK


@form("/table/release")
def release(call: Call) -> Reply:
    """Let it go."""
    board = _button(call)
    with contextlib.suppress(Refusal):
        board.release(call.field("button"))
    return BACK


def _button(call: Call) -> Any:
    call.guest()
    board = call.evening.board
    if board is None or call.field("button") not in getattr(board, "buttons", ()):
        raise Illegal("companion.no_kit")
    return board


@form("/demo/act")
def demo_act(call: Call) -> Reply:
    """Move in the demonstration game."""
    call.demo.act(_action(call.fields))
    return BACK


@form("/demo/again")
def demo_again(call: Call) -> Reply:
    """Another demonstration game."""
    call.demo.begin()
    return BACK
