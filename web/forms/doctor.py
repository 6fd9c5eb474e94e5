"""The forms of the doctor's page: whoever runs the evening is walked through every lamp and button."""

from __future__ import annotations

from companion.words import say
from web.scene import Notice
from web.site.routes import Call, Reply, form, host_form


@host_form("/doctor/begin")
def begin(call: Call) -> None:
    """Let the doctor look at the board."""
    call.evening.doctor.begin()


@host_form("/doctor/answer")
def answer(call: Call) -> None:
    """Answer his question."""
    call.evening.doctor.answer(call.field("said").strip(), call.number("version"))


@host_form("/doctor/touch")
def touch(call: Call) -> None:
    """Touch a contact of a simulated board."""
    call.evening.doctor.touch(call.field("button"))


@host_form("/doctor/end")
def end(call: Call) -> None:
    """Send him away."""
    call.evening.doctor.end()


@form("/doctor/write")
def write(call: Call) -> Reply:
    """Keep what he learned about the board."""
    language = call.runs().language or call.caller.language
    file = call.evening.doctor.write()
    return Reply(notice=Notice("done", say("evening.kit_written", language, file=file)))
