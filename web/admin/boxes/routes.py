"""Boxes on the phone: written down, copied, learned from the table, passed on and taken in."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import count
from typing import Any
from urllib.parse import quote

import msgspec
from flask import Response, request
from msgspec.structs import replace

from companion import boxes, games
from companion.boxes import LARGEST_FILE, LONGEST_NAME, BoxProblems, Profile, Shelf
from companion.contract import PUBLIC
from companion.refusals import Forbidden, Illegal, Malformed, Refusal
from web import games as game_pages
from web.admin import sharing
from web.admin.boxes import pages
from web.admin.boxes.pages import BoxesView
from web.admin.layout import refused_on
from web.evening import match
from web.scene import Notice
from web.site.routes import Call, form, host_form, page


def shelf(call: Call) -> Shelf:
    """Where the boxes are kept."""
    if call.evening.shelf is None:
        raise Forbidden("boxes.no_folder")
    return call.evening.shelf


def seen(call: Call, notices: tuple[Notice, ...] = ()) -> BoxesView:
    """Every box, tonight's, and whether the board on the table could be learned."""
    call.runs()
    return BoxesView(
        call,
        {profile.name: profile for profile in shelf(call).profiles()},
        shelf(call).faults(),
        call.evening.book.plan.box,
        _lies_there(call),
        notices,
    )


def _lies_there(call: Call) -> str:
    """The game whose whole box everybody has seen on the table; empty where there is none."""
    table = call.evening.table
    with table.lock:
        game = table.game
        form = game_pages.find(game.name).box if game else None
        open_to_all = game and form and form.lies_open and game.learn_box(table.view(PUBLIC))
        return game.name if game and open_to_all else ""


on_overview = refused_on(lambda call, notices: pages.overview(seen(call, notices)))

# Pages


@page("/boxes", on_overview)
def overview(call: Call) -> str:
    """Every box of this table."""
    return pages.overview(seen(call))


@page("/boxes/new", on_overview)
def blank(call: Call) -> str:
    """An empty form."""
    return pages.sheet(seen(call), request.args.get("game", ""), {})


@page("/boxes/box", on_overview)
def one(call: Call) -> str:
    """A box as it was written down."""
    return pages.one(seen(call), request.args.get("name", ""))


@page("/boxes/file", on_overview)
def file(call: Call) -> Response:
    """A box as a file."""
    profile = seen(call).box(request.args.get("name", ""))
    name = f"filename=\"{profile.game}.box.json\"; filename*=UTF-8''{quote(profile.name, '')}.box.json"
    named = {"Content-Disposition": f"attachment; {name}"}
    return Response(boxes.to_file(profile), mimetype="application/json", headers=named)


@page("/boxes/import", on_overview)
def opened(call: Call) -> Any:
    """A box that came by a link: looked at first, kept when the host says so."""
    text = request.args.get(sharing.FIELD, "")
    home = sharing.sent_home(call.caller, call.evening.addresses.base_url)
    return home or pages.offered(seen(call), from_text(text))


# Forms


def _again(call: Call, notices: tuple[Notice, ...]) -> str:
    """The form as it was filled in: what was typed is never lost, even if the box itself is gone by now."""
    view, was = seen(call, notices), call.fields.get("was", "")
    return pages.sheet(view, call.fields.get("game", ""), call.fields, was if was in view.boxes else "")


@host_form("/boxes/save", refused_on(_again))
def save(call: Call) -> str:
    """Write a box down; under another name it is the same box."""
    before = shelf(call).find(call.fields["was"]) if call.fields.get("was") else None
    profile = written(call.fields, before)
    was = before.name if before is not None else ""
    renamed = boxes.key(was) != boxes.key(profile.name)
    shelf(call).add(profile, replace=not renamed, instead_of=was)
    _settle(call, was, profile.name)
    return _page_of(profile.name)


@host_form("/boxes/copy", on_overview)
def copy(call: Call) -> str:
    """The same box once more, to be changed."""
    profile = shelf(call).find(call.fields.get("name", ""))
    taken = {boxes.key(each.name) for each in shelf(call).profiles()}
    stem = profile.name[: LONGEST_NAME - 4].rstrip()
    name = next(name for n in count(2) if boxes.key(name := f"{stem} {n}") not in taken)
    shelf(call).add(Profile(name, profile.game, profile.box))
    return _page_of(name)


@host_form("/boxes/remove", on_overview)
def remove(call: Call) -> str:
    """Take a box off the shelf. A game that was begun with it goes on: its record has what it needs."""
    name = shelf(call).find(call.fields.get("name", "")).name
    shelf(call).remove(name)
    _settle(call, name, "")
    return "/boxes"


@host_form("/boxes/choose", on_overview)
def choose(call: Call) -> str:
    """Play the next game with this box."""
    profile = shelf(call).find(call.fields.get("name", ""))
    match.plan(call.evening, {"game": profile.game, "box": profile.name})
    return "/host"


@host_form("/boxes/learn", on_overview)
def learn(call: Call) -> str:
    """Keep the box whose tiles lie on the table."""
    with call.evening.lock:
        game = _lies_there(call)
        if not game:
            raise Illegal("companion.box_not_seen")
        name = " ".join(call.fields.get("name", "").split())
        profile = boxes.learned(name, game, call.evening.table.view(PUBLIC))
    shelf(call).add(profile)
    _settle(call, profile.name, profile.name)
    return _page_of(profile.name)


@form("/boxes/import", on_overview)
def bring(call: Call) -> Response:
    """Look into what was pasted or chosen; nothing is kept yet."""
    view = seen(call)
    return Response(pages.offered(view, from_text(_file() or call.fields.get("text", ""))))


def _offered_again(call: Call, notices: tuple[Notice, ...]) -> str:
    """The box that was looked at, if it is one."""
    view = seen(call, notices)
    try:
        return pages.offered(view, from_text(call.fields.get("text", "")), call.fields.get("name"))
    except Refusal:
        return pages.overview(view)


@host_form("/boxes/keep", refused_on(_offered_again))
def keep(call: Call) -> str:
    """The host has looked at it: put it on the shelf."""
    profile = from_text(call.fields.get("text", ""))
    profile = replace(profile, name=" ".join(call.fields.get("name", profile.name).split()))
    shelf(call).add(profile, replace="replace" in call.fields)
    _settle(call, profile.name, profile.name)
    return _page_of(profile.name)


def _settle(call: Call, was: str, now: str) -> None:
    """Let the host's page and the plan know what has changed on the shelf."""
    with call.evening.lock:
        book = call.evening.book
        if was and book.plan.box == was:
            call.evening.change(replace(book, plan=replace(book.plan, box=now)))
        else:
            call.evening.versions.bump()


def written(fields: Mapping[str, str], before: Profile | None) -> Profile:
    """The box that a sheet says, with everything that is wrong with it at once."""
    game, name = fields.get("game", ""), " ".join(fields.get("name", "").split())
    form = game_pages.find(game).box
    if form is None:
        raise Illegal("boxes.no_sheet", game=games.find(game).name)
    data, problems = form.read(fields, before.box if before is not None else None)
    file = {"box_profile": boxes.VERSION, "name": name, "game": game, "box": data}
    try:
        profile = boxes.from_file(msgspec.json.encode(file))
    except BoxProblems as refusal:
        raise BoxProblems((*problems, *refusal.problems)) from None
    if problems:
        raise BoxProblems(tuple(problems))
    return profile


def from_text(text: str) -> Profile:
    """The box in a file, in a text or in the link of a QR code."""
    try:
        data = sharing.opened(pages.MARK, text, LARGEST_FILE)
    except ValueError:
        raise Malformed("boxes.no_box") from None
    if not data:
        raise Malformed("boxes.nothing")
    return boxes.from_file(data)


def _file() -> str:
    """The file that was chosen in a form, as text."""
    file = request.files.get("file")
    return file.read(LARGEST_FILE + 1).decode("utf-8", "replace") if file else ""


def _page_of(name: str) -> str:
    return f"/boxes/box?name={quote(name, safe='')}"
