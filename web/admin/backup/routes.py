"""The backup on the phone: one file out with games, boxes and whatever else is kept, and one file in.

Whoever hosts may play too, so the secrets of games that were not played to their end stay at home. Those of
the game that goes on are for a moderator who does not play and to whom the table agreed, because they see
them anyway; nobody is asked once a game has been left, so its secrets leave by the command line alone. What
comes in is checked, then looked at, then confirmed; then everything closes and opens again with it, and what
was there before is kept aside.
"""

from __future__ import annotations

import contextlib
import hashlib
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec
from flask import Response, request
from msgspec.structs import replace

from companion import backup
from companion.disk import read_own, write_file
from companion.entries import count_games
from companion.refusals import Forbidden, Illegal, Malformed, NotSaved
from companion.state_files import BOOK
from web import games
from web.admin.backup import LARGEST_UPLOAD, UPLOAD
from web.admin.layout import paper, refused_on
from web.evening import planning
from web.people import book_changes
from web.people.guest_book import DECODER, VERSION, Book, Guest, blank
from web.scene import Notice
from web.site.routes import Call, form, host_form, page
from web.texts import game_texts, texts

UNPACKED = 64 << 20
"""More than this a Pi should not unpack in its memory."""
WAITING = ".restored.upload"
"""A file that came in and waits for the host's word; its name keeps it out of every backup."""
_one_at_a_time = threading.Lock()


def folder(call: Call) -> Path:
    """Everything that this table keeps."""
    if call.evening.shelf is None:
        raise Forbidden("backup.no_folder")
    return call.evening.shelf.folder.parent


def _page(call: Call, page: str, notices: tuple[Notice, ...] = (), **facts: Any) -> str:
    k = texts(call.language, "backup")
    return paper(f"backup/{page}.html", call, notices, k=k, title=k("backup"), **facts)


def _overview(call: Call, notices: tuple[Notice, ...] = ()) -> str:
    """Out and in; `sealed` where a copy leaves the game out that goes on, and no other may take its place."""
    sealed, playing = _sealed(call), call.evening.under_way
    return _page(call, "overview", notices, playing=playing, sealed=sealed, most=LARGEST_UPLOAD)


def _sealed(call: Call) -> bool:
    """Whether secrets must stay at the table, for whoever runs the evening; others are refused."""
    return not _sees_all(call, call.runs())


def _sees_all(call: Call, guest: Guest) -> bool:
    """Whether somebody sees everything of the game that goes on, by everybody's leave, and does not play."""
    evening = call.evening
    agreed = guest.moderator and guest.id in evening.book.insiders
    return evening.under_way and agreed and not evening.guests.seats_of(guest.id)


on_overview = refused_on(_overview)


@page("/backup", on_overview)
def show(call: Call) -> str:
    """Out and in."""
    return _overview(call)


@form("/backup/file", on_overview)
def hand_out(call: Call) -> Response:
    """Everything in one file, with the running game's secrets, and who sits where, only for its moderator."""
    sealed = _sealed(call)
    try:
        files = backup.gathered(folder(call), "none" if sealed else "running")
    except OSError as fault:
        raise Illegal(
            "companion.box_unreadable", file=Path(str(fault.filename)).name, fault=fault.strerror
        ) from fault
    if not sealed:
        files[BOOK] = msgspec.json.encode(replace(call.evening.book, prepared=None, entry=0))
    name = f"ghost-companion-{time.strftime('%Y-%m-%d')}.zip"
    named = {"Content-Disposition": f'attachment; filename="{name}"'}
    return Response(backup.packed(files), mimetype="application/zip", headers=named)


@form(UPLOAD, on_overview)
def bring(call: Call) -> Response:
    """Check what came in, and let it wait for the host's word."""
    call.runs()
    _check_nobody_plays(call)
    file = request.files.get("file")
    data = file.read() if file else b""
    if not data:
        raise Malformed("backup.nothing")
    with _one_at_a_time:
        files = backup.unpack(data, UNPACKED)
    try:
        write_file(folder(call) / WAITING, data)
    except OSError as fault:
        raise NotSaved("companion.not_saved", fault=fault.strerror or str(fault)) from fault
    sum = hashlib.sha256(data).hexdigest()
    return Response(_page(call, "offered", contents=contents(files, call.language), sum=sum))


@form("/backup/restore", on_overview)
def restore(call: Call) -> Response:
    """Put it in the place of what is there, and open everything again."""
    host = call.runs()
    _check_nobody_plays(call)
    with _one_at_a_time:
        files = backup.unpack(_waiting(call, call.fields.get("sum", "")), UNPACKED)
        files[BOOK] = with_host(files.get(BOOK), host, call.evening.book)
        backup.stage(files, folder(call), _while_nobody_plays(call))
        forget(call)
        call.evening.reopen()
    return Response(_page(call, "opening"))


@host_form("/backup/forget", on_overview)
def forget(call: Call) -> str:
    """Let go of what waits."""
    with contextlib.suppress(OSError):
        (folder(call) / WAITING).unlink(missing_ok=True)
    return "/backup"


def _waiting(call: Call, sum: str) -> bytes:
    """The file that was looked at, and no other."""
    try:
        data = read_own(folder(call) / WAITING, LARGEST_UPLOAD)
    except OSError:
        raise Illegal("backup.gone") from None
    if hashlib.sha256(data).hexdigest() != sum:
        raise Illegal("backup.gone")
    return data


@contextlib.contextmanager
def _while_nobody_plays(call: Call) -> Iterator[None]:
    """Nobody begins a game meanwhile. The table is held for this alone: all else takes longer."""
    with call.evening.lock:
        _check_nobody_plays(call)
        yield


def _check_nobody_plays(call: Call) -> None:
    if call.evening.under_way:
        raise Illegal("backup.playing")


def contents(files: dict[str, bytes], language: str) -> dict[str, int]:
    """How much of what is in a backup, by what it is called."""
    k = texts(language, "backup")
    folders = [name.split("/")[0] for name in files if name.endswith(".json")]
    return {
        k("games"): count_games(files.get(backup.JOURNAL, b"")),
        k("boxes"): folders.count("boxes"),
        **{
            game_texts(language, pages.game)(f"kept_{folder}"): folders.count(folder)
            for pages in games.every()
            for folder in pages.folders
        },
    }


def with_host(data: bytes | None, host: Guest, now: Book) -> bytes:
    """A guest book in which whoever restores it is host still, by the PIN they know, and sees no secret.

    Where a backup has none, the one of now stays. The table is told who has brought back another state.
    """
    book = now if data is None else _at_this_table(data, now)
    guests = tuple(replace(guest, moderator=False) for guest in book.guests)
    book = replace(book, guests=guests, pin=now.pin or book.pin, prepared=None, entry=0)
    book = book_changes.update_guest(book, replace(host, host=True, moderator=False))
    return msgspec.json.encode(book_changes.tell(book, "backup.told", name=host.name))


def _at_this_table(data: bytes, now: Book) -> Book:
    """A guest book that came in. Whoever is here stays who they are, and has not yet seen what is told.

    Somebody who plays may have written it: it lets no program into a seat, and nobody come as another.
    """
    try:
        book = DECODER.decode(data)
    except (msgspec.MsgspecError, UnicodeDecodeError):
        book = blank(planning.default())
    if book.book > VERSION:
        book = blank(planning.default())
    came = [guest for guest in book.guests if now.guest(guest.id) is None]
    seats, book = book.seats, replace(book, guests=now.guests, seats={}, told=(), tellings=0)
    for guest in came[: book_changes.MOST_GUESTS - len(now.guests)]:
        if called := _called(book, guest.name, guest.id):
            book = replace(book, guests=(*book.guests, replace(guest, name=called)))
    for seat, each in seats.items():
        sitting = replace(each, keys=(), name=_called(book, each.name, each.guest or ""))
        book = replace(book, seats={**book.seats, seat: sitting})
    return replace(book, guests=tuple(replace(guest, heard=0) for guest in book.guests))


def _called(book: Book, name: str, guest: str) -> str:
    """A name as one would have got it here; empty for none."""
    try:
        return book_changes.name_for(book, name, guest) if name else ""
    except Illegal:
        return ""
