"""Forms of what helps a player: a pencil mark, a hint, a doubt."""

from __future__ import annotations

from web.forms.game import action_of
from web.people.guest_book import PencilMark
from web.site.routes import Call, form


@form("/pencil")
def pencil(call: Call) -> None:
    """Mark a room, or rub the mark out."""
    seat, says = call.own_seat(), call.field("mark")
    note = call.fields.get("note", "").strip() if says == "note" else ""
    call.evening.aids.mark(
        seat, call.number("room") or 0, PencilMark(says, note), call.fields.get("sheet") == "team"
    )


@form("/hint")
def hint(call: Call) -> None:
    """Ask what a strong player would do."""
    call.evening.aids.ask(call.own_seat())


@form("/doubt")
def doubt(call: Call) -> None:
    """What lay there is not what the record allows: ask what may have been told wrong."""
    said = call.fields.get("action", "")
    call.evening.aids.doubt(call.own_seat(), action_of({"action": said}) if said else None)
