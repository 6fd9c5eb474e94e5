"""The forms of both pages, for whoever runs the evening."""

from __future__ import annotations

from companion.refusals import Malformed
from web.building import laying
from web.building.questions import Mark
from web.forms import BACK, Call, Form, Reply

ROOM = "differs-"
"""What the name of a checkbox begins with; its end is what differs."""


def tile(call: Call) -> Reply:
    """A tile lies on a square."""
    call.runs()
    room, value = call.number("room"), call.number("value")
    laying.enter(call.evening, room or 0, call.field("colour"), value or 0)
    return BACK


def erase(call: Call) -> Reply:
    """The last one was wrong."""
    call.runs()
    laying.erase(call.evening)
    return BACK


def done(call: Call) -> Reply:
    """The board is whole, and as it lies."""
    call.runs()
    laying.lay(call.evening)
    return Reply("/host" if call.guest().host else "/moderator")


def deal(call: Call) -> Reply:
    """Deal for us."""
    laying.deal(call.evening, call.runs())
    return BACK


def marked(call: Call) -> Reply:
    """All is as shown, or these differ."""
    call.runs()
    keys = {name.removeprefix(ROOM) for name in call.fields if name.startswith(ROOM)}
    call.evening.check.marked(set() if call.fields.get("same") else keys)
    return BACK


def really(call: Call) -> Reply:
    """What really lies there."""
    call.runs()
    said, value = call.field("lies"), call.number("value")
    match said:
        case "nothing" | "same" | "colour":
            mark = Mark(said)
        case "value" if value is not None and 1 <= value <= 6:
            mark = Mark("value", value)
        case _:
            raise Malformed("building.no_tile")
    call.evening.check.really(call.field("key"), mark)
    return BACK


def put_right(call: Call) -> Reply:
    """The record is right."""
    call.runs()
    call.evening.check.put_right(call.field("key"))
    return BACK


def board_right(call: Call) -> Reply:
    """The board is right."""
    call.evening.check.board_right(call.field("key"), call.runs(), dict(call.fields))
    return BACK


def end(call: Call) -> Reply:
    """Enough."""
    call.runs()
    call.evening.check.end()
    return Reply("/host" if call.guest().host else "/moderator")


FORMS: dict[str, Form] = {
    "/lay/tile": tile,
    "/lay/erase": erase,
    "/lay/done": done,
    "/lay/deal": deal,
    "/check/marked": marked,
    "/check/really": really,
    "/check/put": put_right,
    "/check/board": board_right,
    "/check/end": end,
}
