"""The forms of the doctor's page: whoever runs the evening is walked through every lamp and button."""

from __future__ import annotations

from companion.words import say
from web.forms import BACK, Call, Form, Reply
from web.scene import Notice


def begin(call: Call) -> Reply:
    """Let the doctor look at the board."""
    call.runs()
    call.evening.surgery.begin()
    return BACK


def answer(call: Call) -> Reply:
    """Answer his question."""
    call.runs()
    call.evening.surgery.answer(call.field("said").strip(), call.number("version"))
    return BACK


def touch(call: Call) -> Reply:
    """Touch a contact of a simulated board."""
    call.runs()
    call.evening.surgery.touch(call.field("button"))
    return BACK


def end(call: Call) -> Reply:
    """Send him away."""
    call.runs()
    call.evening.surgery.end()
    return BACK


def write(call: Call) -> Reply:
    """Keep what he learned about the board."""
    language = call.runs().language or call.caller.language
    file = call.evening.surgery.write()
    return Reply(notice=Notice("done", say("evening.kit_written", language, file=file)))


FORMS: dict[str, Form] = {
    "/doctor/begin": begin,
    "/doctor/answer": answer,
    "/doctor/touch": touch,
    "/doctor/end": end,
    "/doctor/write": write,
}
