"""The record on disk: every accepted action is in it before anybody is told.

A journal is lines of text, each `<checksum> <json>`. The first names the format and its version. A line that
is torn, cut or flipped is recognised by its checksum; all whole entries before it in its game, and every
later game, are kept; the damaged file is put aside under another name and the user is told.
"""

from __future__ import annotations

import contextlib
import os
import shutil
import zlib
from collections.abc import Iterator
from pathlib import Path
from typing import Any, BinaryIO

import msgspec

from companion.contract import Seat
from companion.refusals import NotSaved
from companion.words import Saying

VERSION = 1


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


class Header(msgspec.Struct, frozen=True):
    """The first line of a journal."""

    journal: int


class JournalInUse(Exception):
    """Another companion has this journal open."""


class JournalTooNew(Exception):
    """The journal was written by a newer version than this one understands."""


class Journal:
    """An open journal file. One process at a time holds it."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.notices: list[Saying] = []
        """What the user should be told about the file, in plain words."""
        self._lock = hold(path.with_name(path.name + ".lock"))
        try:
            self.entries = self._recover()
            self._open()
        except BaseException:
            self._lock.close()
            raise
        self.count = self.entries[-1].n if self.entries else 0

    def _open(self) -> None:
        self._file = open(self.path, "ab", buffering=0)  # noqa: SIM115 - open as long as the journal
        self._end = self._file.seek(0, os.SEEK_END)

    def append(self, entry: AnyEntry) -> None:
        """Make an entry durable, or refuse it and leave the file as it was."""
        line = _line(entry)
        try:
            self._cut_back()
            _write_whole(self._file, line)
            _sync(self._file.fileno())
        except OSError as fault:
            # What is half written is cut off now, or before the next entry if even that fails.
            with contextlib.suppress(OSError):
                self._cut_back()
            raise NotSaved("companion.not_saved", fault=fault.strerror or str(fault)) from fault
        self._end += len(line)
        self.count = entry.n

    def _cut_back(self) -> None:
        if self._file.seek(0, os.SEEK_END) != self._end:
            self._file.truncate(self._end)
            self._file.seek(self._end)

    def close(self) -> None:
        """Let go of the file and its lock."""
        self._file.close()
        self._lock.close()

    def _recover(self) -> list[AnyEntry]:
        """All whole entries; a missing file is begun, a damaged one put aside and written anew."""
        data = self.path.read_bytes() if self.path.exists() else b""
        if not data:
            self._write_anew([])
            return []
        entries, damaged = read_entries(data)
        if damaged:
            self._put_aside(entries, Saying("companion.line_damaged", line=damaged))
        return entries

    def keep(self, entries: list[AnyEntry], fault: Saying) -> None:
        """Go on with these entries alone, because the others are of no use."""
        self._file.close()
        self._put_aside(entries, fault)
        self._open()

    def _put_aside(self, entries: list[AnyEntry], fault: Saying) -> None:
        aside = _free_name(self.path)
        shutil.copy2(self.path, aside)
        self._write_anew(entries)
        self.notices.append(
            Saying(
                "companion.journal_mended",
                file=self.path.name,
                fault=fault,
                whole=len(entries),
                aside=aside.name,
            )
        )

    def _write_anew(self, entries: list[AnyEntry]) -> None:
        """Replace the file in one step, so that power may go at any moment."""
        fresh = self.path.with_name(self.path.name + ".new")
        with open(fresh, "wb") as file:
            file.write(_line(Header(VERSION)))
            file.writelines(map(_line, entries))
            file.flush()
            _sync(file.fileno())
        os.chmod(fresh, 0o600)
        os.replace(fresh, self.path)
        _sync_folder(self.path.parent)


def read_entries(data: bytes) -> tuple[list[AnyEntry], int]:
    """The whole entries of a journal, and the number of its first damaged line, or 0."""
    lines = data.split(b"\n")
    torn = lines.pop() != b""
    damaged = len(lines) + 1 if torn else 0
    entries: list[AnyEntry] = []
    in_order = _checked_header(lines[0] if lines else b"")
    if not in_order:
        damaged = 1
    for number, line in enumerate(lines[1:], start=2):
        entry = _entry(line)
        if entry is None:
            in_order = False
            damaged = min(damaged or number, number)
        elif isinstance(entry, Started):
            in_order = True
        # After a gap the rest of that game cannot be played through; a later game can.
        if entry is not None and in_order:
            entries.append(entry)
    return entries, damaged


def _checked_header(line: bytes) -> bool:
    payload = _payload(line)
    if payload is None:
        return False
    try:
        version = msgspec.json.decode(payload, type=Header).journal
    except msgspec.MsgspecError:
        return False
    if version > VERSION:
        raise JournalTooNew(
            f"this journal has format {version}; this companion understands up to {VERSION}: update it first"
        )
    return True


def _entry(line: bytes) -> AnyEntry | None:
    payload = _payload(line)
    if payload is None:
        return None
    try:
        entry: AnyEntry = msgspec.json.decode(payload, type=AnyEntry)
    except msgspec.MsgspecError:
        return None
    return entry


def _payload(line: bytes) -> bytes | None:
    """The JSON of a line, if its checksum fits."""
    checksum, _, payload = line.partition(b" ")
    return payload if checksum == b"%08x" % zlib.crc32(payload) else None


def _line(record: AnyEntry | Header) -> bytes:
    payload = msgspec.json.encode(record)
    return b"%08x %b\n" % (zlib.crc32(payload), payload)


def _write_whole(file: BinaryIO, line: bytes) -> None:
    written = 0
    while written < len(line):
        written += file.write(line[written:])


def _sync(handle: int) -> None:
    getattr(os, "fdatasync", os.fsync)(handle)


def _sync_folder(folder: Path) -> None:
    """Make a new name durable too, where the system can."""
    if os.name == "posix":
        handle = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)


def _free_name(path: Path) -> Path:
    """A name beside the journal that no damaged file has yet."""
    return next(name for name in _damaged_names(path) if not name.exists())


def _damaged_names(path: Path) -> Iterator[Path]:
    number = 1
    while True:
        yield path.with_name(f"{path.name}.damaged-{number}")
        number += 1


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
        raise JournalInUse(f"another companion has {path.with_suffix('')} open: stop it first") from None
    return file
