"""Forms of a seat's own papers: a pencil mark, a hint."""

from __future__ import annotations

from web.http.routes import Call, form
from web.people.guest_book import PencilMark


@form("/pencil")
def pencil(call: Call) -> None:
    """Mark a room, or rub the mark out."""
    seat, says = call.own_seat(), call.field("mark")
    note = call.fields.get("note", "").strip() if says == "note" else ""
    call.evening.papers.mark(
        seat, call.number("room") or 0, PencilMark(says, note), call.fields.get("sheet") == "team"
    )


@form("/hint")
def hint(call: Call) -> None:
    """Ask what a strong player would do."""
    call.evening.papers.ask(call.own_seat())
