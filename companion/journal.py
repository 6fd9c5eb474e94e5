"""The record on disk: every accepted action is in it before anybody is told.

A journal is lines of text, each `<checksum> <json>`. The first names the format and its version, the others
are numbered. A line that is torn, cut or flipped is recognised by its checksum, one that is missing, doubled
or out of place by its number; all whole entries before it in its game, and every later game, are kept; the
damaged file is put aside under another name and the user is told.
"""

from __future__ import annotations

import contextlib
import errno
import os
import shutil
import zlib
from collections.abc import Iterator
from itertools import count
from pathlib import Path
from typing import Any, BinaryIO

import msgspec
from msgspec.structs import replace

from companion.contract import Seat
from companion.disk import sync, write_file
from companion.refusals import Illegal, NotSaved
from companion.words import Saying

VERSION = 1
MAY_PASS = frozenset({errno.ENOSPC, errno.EROFS, errno.EIO, errno.EDQUOT})
"""Faults of a disk that somebody can mend while we wait: a full one, a card that went read-only."""


class Entry(msgspec.Struct, frozen=True, tag_field="do"):
    """One line of the record; `n` counts them within the file, `at` is the table's clock."""

    n: int
    at: float


class Started(Entry, frozen=True, tag="new"):
    """A game was begun, and the one before it left."""

    game: str
    options: dict[str, Any]
    position: dict[str, Any] | None = None
    seed: int | None = None


class Acted(Entry, frozen=True, tag="act"):
    """A seat acted; `via` is the moderator, where he played for it."""

    seat: Seat
    action: dict[str, Any]
    via: Seat | None = None


class Undone(Entry, frozen=True, tag="undo"):
    """The last action was taken back."""

    seat: Seat
    consent: tuple[Seat, ...] = ()


class Redone(Entry, frozen=True, tag="redo"):
    """What was taken back was done again."""

    seat: Seat


class Left(Entry, frozen=True, tag="left"):
    """The game was abandoned."""


AnyEntry = Started | Acted | Undone | Redone | Left
_decoder: msgspec.json.Decoder[AnyEntry] = msgspec.json.Decoder(AnyEntry)


class Header(msgspec.Struct, frozen=True):
    """The first line of a journal."""

    journal: int


class JournalInUse(Illegal):
    """Another companion has this journal open."""


class JournalTooNew(Illegal):
    """The journal was written by a newer version than this one understands."""


class Journal:
    """An open journal file. One process at a time holds it."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.notices: list[Saying] = []
        """What the user should be told about the file, in plain words."""
        self.trouble: Saying | None = None
        """Why nothing can be saved now, where that is so."""
        self._lock: BinaryIO | None = None
        self._file: BinaryIO | None = None
        self._end = 0
        self._unmended: Saying | None = None
        try:
            with self._patience():
                self._take_lock()
            self.entries = self._recover()
            with self._patience():
                self._open()
        except BaseException:
            self.close()
            raise
        self.count = len(self.entries)

    def _take_lock(self) -> None:
        self._lock = self._lock or hold(self.path.with_name(self.path.name + ".lock"))

    def _open(self) -> None:
        self._take_lock()
        if not self.path.exists() or not self.path.stat().st_size:
            write_file(self.path, _file_of([]))
        self._file = open(self.path, "ab", buffering=0)  # noqa: SIM115 - open as long as the journal
        self._end = self._file.seek(0, os.SEEK_END)

    @contextlib.contextmanager
    def _patience(self) -> Iterator[None]:
        """With a disk that may be mended we go on; what could not be done is tried again before an entry."""
        try:
            yield
        except OSError as fault:
            if fault.errno not in MAY_PASS:
                raise
            self._troubled(fault)

    def _troubled(self, fault: OSError) -> None:
        self.trouble = Saying("companion.nothing_saved", fault=fault.strerror or str(fault))

    def look(self) -> None:
        """See whether a disk that was in trouble has been mended; called from time to time."""
        if self.trouble is None:
            return
        proof = self.path.with_name(self.path.name + ".lock.new")
        with self._patience():
            if self._file is None:
                self._open()
            write_file(proof, bytes(4096))
            proof.unlink()
            self.trouble = None

    def append(self, entry: AnyEntry) -> None:
        """Make an entry durable, or refuse it and leave the file as it was."""
        line = _line(entry)
        try:
            if self._unmended:
                self._mend_open(self._unmended)
            if self._unmended:
                raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
            file = self._opened()
            self._cut_back()
            _write_whole(file, line)
            sync(file.fileno())
        except OSError as fault:
            # What is half written is cut off now, or before the next entry if even that fails.
            with contextlib.suppress(OSError, ValueError):
                self._cut_back()
            self._troubled(fault)
            raise NotSaved("companion.not_saved", fault=fault.strerror or str(fault)) from fault
        self.trouble = None
        self._end += len(line)
        self.count = entry.n

    def _opened(self) -> BinaryIO:
        if self._file is None or self._file.closed:
            self._open()
        assert self._file is not None
        return self._file

    def _cut_back(self) -> None:
        if self._file is not None and self._file.seek(0, os.SEEK_END) != self._end:
            self._file.truncate(self._end)
            self._file.seek(self._end)

    def close(self) -> None:
        """Let go of the file and its lock."""
        for held in (self._file, self._lock):
            if held is not None:
                held.close()

    def _recover(self) -> list[AnyEntry]:
        """All whole entries; a damaged file is put aside and written anew."""
        data = self.path.read_bytes() if self.path.exists() else b""
        if not data:
            return []
        self.entries, damaged = read_entries(data)
        if damaged:
            self._mend(Saying("companion.line_damaged", line=damaged))
        return self.entries

    def keep(self, entries: list[AnyEntry], fault: Saying) -> None:
        """Go on with these entries alone, because the others are of no use."""
        self.entries, self.count = entries, len(entries)
        self._mend_open(fault)

    def _mend_open(self, fault: Saying) -> None:
        if self._file is not None:
            self._file.close()
        self._mend(fault)
        self._open()

    def _mend(self, fault: Saying) -> None:
        """Put the damaged file aside and write it anew; with no room, try again before the next entry."""
        if self._unmended:
            del self.notices[-1:]
        told: dict[str, object] = {"file": self.path.name, "fault": fault, "whole": len(self.entries)}
        aside = _free_name(self.path)
        try:
            _put_aside(self.path, aside)
            write_file(self.path, _file_of(self.entries))
        except OSError as reason:
            with contextlib.suppress(OSError):
                aside.unlink(missing_ok=True)
            self._unmended = fault
            self.notices.append(Saying("companion.journal_not_mended", reason=reason.strerror, **told))
        else:
            self._unmended = None
            self.notices.append(Saying("companion.journal_mended", aside=aside.name, **told))


def read_entries(data: bytes) -> tuple[list[AnyEntry], int]:
    """The whole entries of a journal, and the number of its first damaged line, or 0."""
    lines = data.split(b"\n")
    # What is written ends with the end of a line; an entry that lacks only that is whole all the same.
    damaged = [len(lines)] if lines[-1] else []
    if not lines[-1]:
        lines.pop()
    if not _checked_header(lines[0]):
        damaged.append(1)
    whole: dict[int, AnyEntry] = {}
    for number, line in enumerate(lines[1:], start=2):
        entry = _entry(line)
        # The header is line 1, so entry 1 is line 2.
        if entry is None or entry.n != number - 1:
            damaged.append(number)
        if entry is not None:
            whole.setdefault(entry.n, entry)
    return _playable(whole), min(damaged, default=0)


def without_last_game(data: bytes) -> bytes:
    """A journal as it was before its last game was begun."""
    entries, _ = read_entries(data)
    begun = [n for n, entry in enumerate(entries) if isinstance(entry, Started)]
    return _file_of(entries[: begun[-1]] if begun else entries)


def _playable(whole: dict[int, AnyEntry]) -> list[AnyEntry]:
    """The entries that can be played through, numbered anew: after a gap, only from the next game on."""
    entries: list[AnyEntry] = []
    last = 0
    for n, entry in sorted(whole.items()):
        if n == last + 1 or isinstance(entry, Started):
            entries.append(replace(entry, n=len(entries) + 1))
            last = n
    return entries


def _checked_header(line: bytes) -> bool:
    payload = _payload(line)
    if payload is None:
        return False
    try:
        version = msgspec.json.decode(payload, type=Header).journal
    except msgspec.MsgspecError:
        return False
    if version > VERSION:
        raise JournalTooNew("companion.journal_too_new", version=version, known=VERSION)
    return True


def _entry(line: bytes) -> AnyEntry | None:
    payload = _payload(line)
    if payload is None:
        return None
    try:
        return _decoder.decode(payload)
    except msgspec.MsgspecError:
        return None


def _payload(line: bytes) -> bytes | None:
    """The JSON of a line, if its checksum fits."""
    checksum, _, payload = line.partition(b" ")
    return payload if checksum == b"%08x" % zlib.crc32(payload) else None


def _file_of(entries: list[AnyEntry]) -> bytes:
    return b"".join(map(_line, [Header(VERSION), *entries]))


def _line(record: AnyEntry | Header) -> bytes:
    payload = msgspec.json.encode(record)
    return b"%08x %b\n" % (zlib.crc32(payload), payload)


def _write_whole(file: BinaryIO, line: bytes) -> None:
    written = 0
    while written < len(line):
        written += file.write(line[written:])


def _free_name(path: Path) -> Path:
    """A name beside the journal that no damaged file has yet."""
    names = (path.with_name(f"{path.name}.damaged-{number}") for number in count(1))
    return next(name for name in names if not name.exists())


def _put_aside(path: Path, aside: Path) -> None:
    """Give a file a second name; where the disk has no second names, copy it."""
    try:
        os.link(path, aside)
    except OSError:
        shutil.copy2(path, aside)


def hold(path: Path) -> BinaryIO:
    """Take the lock beside the journal; the system gives it back however this process ends."""
    path.parent.mkdir(parents=True, exist_ok=True)
    file = open(path, "ab")  # noqa: SIM115 - it stays open as long as the journal
    try:
        if os.name == "posix":
            import fcntl

            fcntl.flock(file.fileno(), fcntl.LOCK_EX | fcntl.LOCK_NB)
        else:
            import msvcrt

            msvcrt.locking(file.fileno(), msvcrt.LK_NBLCK, 1)  # type: ignore[attr-defined, unused-ignore]
    except OSError:
        file.close()
        raise JournalInUse("companion.journal_in_use", file=path.with_suffix("")) from None
    return file
