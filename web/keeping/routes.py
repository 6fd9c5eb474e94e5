"""The way to the strongroom: one file out with games, boxes and castles, and one file in.

Whoever hosts may play too, so a file that is taken during a game leaves that game at home; only the
moderator, who sees everything anyway, gets it. What comes in is checked, then looked at, then confirmed; then
the house closes and opens again with it, and what was there before is kept aside.
"""

from __future__ import annotations

import contextlib
import hashlib
import time
from pathlib import Path
from typing import Any

import msgspec
from flask import Flask, Response, request
from msgspec.structs import replace

from companion import backup
from companion.disk import write_file
from companion.journal import Started, read_entries
from companion.refusals import Forbidden, Illegal, Malformed, NotSaved
from web.backroom import Backroom, language_of
from web.callers import Caller
from web.evening import planning, roles
from web.evening.book import VERSION, Book, Guest, blank
from web.keeping import LARGEST_UPLOAD, UPLOAD
from web.pages import keeping as pages
from web.scene import Notice

UNPACKED = 64 << 20
"""More than this a Pi should not unpack in its memory."""
WAITING = ".restored.upload"
"""A file that came in and waits for the host's word; its name keeps it out of every backup."""
BOOK = "guests.json"


class Strongroom(Backroom[pages.Desk]):
    """Where copies are handed out and taken in."""

    @property
    def folder(self) -> Path:
        """Everything that this table keeps."""
        if self.evening.shelf is None:
            raise Forbidden("keeping.no_folder")
        return self.evening.shelf.folder.parent

    def desk(self, caller: Caller, notices: tuple[Notice, ...] = ()) -> pages.Desk:
        """Whether a game is under way, and whether its secrets must stay at the table."""
        guest = roles.check_runs(caller.guest)
        playing = self.evening.under_way
        sealed = playing and not guest.moderator
        return pages.Desk(language_of(caller), caller.token, playing, sealed, LARGEST_UPLOAD, notices)

    def hall(self) -> Any:
        """Out and in."""
        return self.show(pages.hall, pages.hall)

    # What the forms do

    def hand_out(self, fields: dict[str, str]) -> Response:
        """Everything in one file, of one moment. A game that is under way goes to the moderator alone."""
        try:
            with self.evening.lock:
                files = backup.gathered(self.folder, sealed=self.desk(self.caller()).sealed)
        except OSError as fault:
            raise Illegal(
                "companion.box_unreadable", file=Path(str(fault.filename)).name, fault=fault.strerror
            ) from fault
        name = f"ghost-companion-{time.strftime('%Y-%m-%d')}.zip"
        named = {"Content-Disposition": f'attachment; filename="{name}"'}
        return Response(backup.packed(files), mimetype="application/zip", headers=named)

    def bring(self, fields: dict[str, str]) -> Response:
        """Check what came in, and let it wait for the host's word."""
        self._check_nobody_plays()
        file = request.files.get("file")
        data = file.read() if file else b""
        if not data:
            raise Malformed("keeping.nothing")
        files = backup.unpack(data, UNPACKED)
        try:
            write_file(self.folder / WAITING, data)
        except OSError as fault:
            raise NotSaved("companion.not_saved", fault=fault.strerror or str(fault)) from fault
        desk = self.desk(self.caller())
        return Response(pages.offered(desk, contents(files), hashlib.sha256(data).hexdigest()))

    def restore(self, fields: dict[str, str]) -> Response:
        """Put it in the place of what is there, and open the house again."""
        caller = self.caller()
        with self.evening.lock:
            self._check_nobody_plays()
            data = self._waiting(fields.get("sum", ""))
            files = backup.unpack(data, UNPACKED)
            host = roles.check_runs(caller.guest)
            files[BOOK] = with_host(files.get(BOOK, b""), host, self.evening.book.pin)
            backup.stage(files, self.folder)
            self.forget({})
            self.evening.on_reopen()
        return Response(pages.opening(self.desk(caller)))

    def forget(self, fields: dict[str, str]) -> str:
        """Let go of what waits."""
        with contextlib.suppress(OSError):
            (self.folder / WAITING).unlink(missing_ok=True)
        return "/backup"

    def _waiting(self, sum: str) -> bytes:
        """The file that was looked at, and no other."""
        try:
            data = (self.folder / WAITING).read_bytes()
        except OSError:
            raise Illegal("keeping.gone") from None
        if hashlib.sha256(data).hexdigest() != sum:
            raise Illegal("keeping.gone")
        return data

    def _check_nobody_plays(self) -> None:
        if self.evening.under_way:
            raise Illegal("keeping.playing")


def contents(files: dict[str, bytes]) -> dict[str, int]:
    """How much of what is in a backup."""
    entries = read_entries(files[backup.JOURNAL])[0] if backup.JOURNAL in files else []
    folders = [name.split("/")[0] for name in files if name.endswith(".json")]
    return {
        "games": sum(isinstance(entry, Started) for entry in entries),
        "boxes": folders.count("boxes"),
        "castles": folders.count("castles"),
    }


def with_host(data: bytes, host: Guest, pin: str) -> bytes:
    """A guest book in which whoever restores it is host still, by the PIN they know, and sees no secret."""
    try:
        book = msgspec.json.decode(data, type=Book)
    except (msgspec.MsgspecError, UnicodeDecodeError):
        book = blank(planning.default())
    if book.book > VERSION:
        book = blank(planning.default())
    others = tuple(guest for guest in book.guests if host.id != guest.id)
    host = replace(host, host=True, moderator=False)
    return msgspec.json.encode(replace(book, guests=(*others, host), pin=pin or book.pin))


def add_routes(app: Flask, *house: Any) -> None:
    """Open the strongroom in the house."""
    room = Strongroom(*house)
    app.add_url_rule("/backup", "backup", room.hall)
    forms = {
        "/backup/file": room.hand_out,
        UPLOAD: room.bring,
        "/backup/restore": room.restore,
        "/backup/forget": room.forget,
    }
    for path, do in forms.items():
        app.add_url_rule(path, f"take {path}", lambda do=do: room.take(do, pages.hall), methods=["POST"])
