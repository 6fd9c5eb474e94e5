"""The pages where a family chooses its castle, counts its animals, and enters the castle of its own box."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from flask import Response, request

from companion.games.canterville.castle import ROOMS
from companion.games.canterville.options import KNOWN_SIZES
from companion.refusals import Forbidden, Malformed
from web.admin import sharing
from web.admin.layout import refused_on
from web.evening import match
from web.games.canterville import castle_pages as pages
from web.games.canterville import drafts, forms
from web.games.canterville.castle_pages import CastlesView
from web.games.canterville.drafts import Castles, RoomAnswer
from web.games.canterville.forms import GAME, number
from web.scene import Notice
from web.site.routes import Call, host_form, page


def shelf(call: Call) -> Castles:
    """Where the castles of this table are kept."""
    if call.evening.shelf is None:
        raise Forbidden("canterville_pages.no_folder")
    return Castles(call.evening.shelf.folder.parent / "castles")


def seen(call: Call, notices: tuple[Notice, ...] = ()) -> CastlesView:
    """Tonight's castle, the castles of this table, and the animals as they were counted."""
    call.runs()
    sizes: dict[str, int] = dict(KNOWN_SIZES.items()) | _counted(call)
    return CastlesView(call, shelf(call).all(), _tonight(call), sizes, notices)


def _tonight(call: Call) -> str:
    """The castle of the plan, by name."""
    plan = call.evening.book.plan
    castle = plan.options.get("castle", "demo") if plan.game == GAME else ""
    return castle if isinstance(castle, str) else str(castle.get("name", ""))


def _counted(call: Call) -> dict[str, int]:
    """The animals this table has counted. GJ-3."""
    profiles = call.evening.shelf.profiles() if call.evening.shelf else ()
    return next((profile.box.frames for profile in profiles if profile.game == GAME), {})


def on(draw: Callable[..., str]) -> Callable[..., Any]:
    """A refusal is told on a page of the study."""
    return refused_on(lambda call, notices, **of: draw(seen(call, notices), **of))


on_overview = refused_on(lambda call, notices, **of: pages.overview(seen(call, notices)))

# Pages


@page("/castles", on_overview)
def overview(call: Call) -> Any:
    """The first page; what a link brought along waits there until the host takes it in."""
    brought = request.args.get(sharing.FIELD, "")
    if brought and (home := sharing.sent_home(call.caller, call.evening.addresses.base_url)):
        return home
    return pages.overview(seen(call), brought)


@page("/castles/<key>", on_overview)
def one(call: Call, key: str) -> str:
    """A castle."""
    return pages.one(seen(call), key)


@page("/castles/<key>/checkup", on_overview)
def checkup(call: Call, key: str) -> str:
    """What is still missing of it, one question after the other."""
    return pages.checkup(seen(call), key, request.args.get("after", 0, type=int))


@page("/castles/<key>/room/<int:room>", on_overview)
def room(call: Call, key: str, room: int) -> str:
    """One of its rooms."""
    return pages.room(seen(call), key, room)


@page("/castles/<key>/draw", on_overview)
def sheet(call: Call, key: str) -> str:
    """All of its rooms on one sheet."""
    return pages.sheet(seen(call), key)


@page("/castles/<key>/file", on_overview)
def download(call: Call, key: str) -> Response:
    """A castle as a file."""
    named = {"Content-Disposition": f'attachment; filename="{key}.castle.json"'}
    return Response(drafts.to_file(seen(call).castle(key)), mimetype="application/json", headers=named)


# Forms


@host_form("/castles/choose", on_overview)
def choose(call: Call) -> str:
    """Play in this castle."""
    chosen = call.fields.get("castle", "")
    value = chosen if chosen in ("demo", "none") else drafts.option(shelf(call).find(chosen))
    match.plan(call.evening, {"game": GAME, "option-castle": value})
    return "/castles"


@host_form("/castles/animals", on_overview)
def count(call: Call) -> str:
    """Keep how many animals each frame holds. GJ-3."""
    forms.count(call.evening, call.fields)
    return "/castles"


@host_form("/castles/new", on_overview)
def begin(call: Call) -> str:
    """A new castle."""
    return f"/castles/{shelf(call).add(drafts.begun(call.fields.get('name', '')))}/draw"


@host_form("/castles/import", on_overview)
def bring(call: Call) -> str:
    """A castle from a file or from the text of a QR code."""
    return f"/castles/{shelf(call).add(drafts.from_text(call.fields.get('text', '')))}"


@host_form("/castles/<key>/room/<int:room>", on(pages.room))
def answer(call: Call, key: str, room: int) -> str:
    """What somebody said about a room; then the next one."""
    castles = shelf(call)
    draft = drafts.answered(castles.find(key), room, _answer(call))
    castles.save(key, draft)
    if "checkup" in call.fields:
        return f"/castles/{key}/checkup?after={room}"
    follows = drafts.next_room(draft)
    if "enough" in call.fields or follows is None:
        return f"/castles/{key}"
    return f"/castles/{key}/room/{follows}"


@host_form("/castles/<key>/draw", on(pages.sheet))
def draw(call: Call, key: str) -> str:
    """The castle as it has been drawn."""
    castles = shelf(call)
    castles.save(key, drafts.drawn(call.fields.get("drawn", ""), castles.find(key)))
    return f"/castles/{key}"


@host_form("/castles/<key>/forget", on(pages.one))
def forget(call: Call, key: str) -> str:
    """Throw a castle away."""
    shelf(call).remove(key)
    return "/castles"


def _answer(call: Call) -> RoomAnswer:
    """An answer as its form sends it."""
    cell = call.fields.get("cell", "")
    place = None
    if cell:
        column, _, row = cell.partition("-")
        spot = {"column": column, "row": row, "w": call.fields.get("w", "1"), "h": call.fields.get("h", "1")}
        x, y, w, h = (number(spot, name) or 0 for name in spot)
        place = (x, y, w, h)
    return RoomAnswer(_rooms(call, "walk"), _rooms(call, "wall"), number(call.fields, "door"), place)


def _rooms(call: Call, name: str) -> tuple[int, ...]:
    texts = [text for sent in call.repeated.get(name, ()) for text in sent.split(",") if text]
    if not all(text.isdecimal() and int(text[:3]) in ROOMS for text in texts):
        raise Malformed("evening.bad_number", field=name)
    return tuple(int(text) for text in texts)
