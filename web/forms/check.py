"""The forms by which board and record are compared, for whoever runs the evening."""

from __future__ import annotations

from web.site.routes import Call, Reply, form, host_form

ROOM = "differs-"
"""What the name of a checkbox begins with; its end is what differs."""


@host_form("/check/marked")
def marked(call: Call) -> None:
    """All is as shown, or these differ."""
    keys = {name.removeprefix(ROOM) for name in call.fields if name.startswith(ROOM)}
    call.evening.check.marked(set() if call.fields.get("same") else keys)


@host_form("/check/really")
def really(call: Call) -> None:
    """What really lies there."""
    call.evening.check.really(call.field("key"), call.fields)


@host_form("/check/put")
def put_right(call: Call) -> None:
    """The record is right."""
    call.evening.check.put_right(call.field("key"))


@form("/check/board")
def board_right(call: Call) -> None:
    """The board is right."""
    call.evening.check.board_right(call.field("key"), call.runs(), call.fields)


@host_form("/check/end")
def end(call: Call) -> Reply:
    """Enough."""
    call.evening.check.end()
    return Reply("/host" if call.guest().host else "/moderator")
