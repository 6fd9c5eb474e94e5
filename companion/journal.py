"""The record on disk: every accepted action is in it before anybody is told.

A line that is torn, cut or flipped is recognised by its checksum, one that is missing, doubled or out of
place by its number (`companion.entries`); all whole entries before it in its game, and every later game, are
kept; the damaged file is put aside under another name and the user is told. Only the last game is held in
memory.

Beside it lies its lock. What is written there outlasts the journal: that there was one, how long it was, and
what became of it.
"""

from __future__ import annotations

import contextlib
import errno
import os
import shutil
from array import array
from collections.abc import Iterator
from itertools import count
from mmap import ACCESS_READ, mmap
from pathlib import Path
from typing import BinaryIO

import msgspec
from msgspec.structs import replace

from companion.disk import make_folder, open_own, replacing, sync, write_file
from companion.entries import (
    HEADER,
    Acted,
    AnyEntry,
    Entry,
    Happening,
    Header,
    JournalTooNew,
    Left,
    Redone,
    Started,
    Undone,
    count_entries,
    entries_from,
    entry_at,
    playable,
    read_entries,
    spots,
    whole_entries,
)
from companion.entries import line_of as _line
from companion.refusals import Illegal, NotSaved
from companion.words import Saying

__all__ = [
    "Acted",
    "AnyEntry",
    "Entry",
    "Happening",
    "Header",
    "Journal",
    "JournalInUse",
    "JournalTooNew",
    "Left",
    "Redone",
    "Started",
    "Undone",
    "read_entries",
]

MAY_PASS = frozenset({errno.ENOSPC, errno.EROFS, errno.EIO, errno.EDQUOT})
"""Faults of a disk that somebody can mend while we wait: a full one, a card that went read-only."""
FURTHEST = 34
"""Bits of an offset, packed with an entry's number into 64: no journal is larger."""
LARGEST_NOTE = 4096
NOTE_SIZE = 256
"""Bytes of a note with the blanks that fill it up: a new one lies wholly over the old one, in one sector."""


class Note(msgspec.Struct, frozen=True, omit_defaults=True):
    """What the lock says of the journal beside it: numbers are of the last entry when it happened."""

    begun: bool = False
    """Whether a game was ever begun."""
    mended: int | None = None
    restored: int | None = None
    last: int = 0
    """The last entry that is known to have been there. It may lag behind: a move does not wait for it."""


class JournalInUse(Illegal):
    """Another companion has this journal open."""


class Journal:
    """An open journal file. One process at a time holds it."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.notices: list[Saying] = []
        """What the user should be told about the file, in plain words."""
        self.trouble: Saying | None = None
        """Why nothing can be saved now, where that is so."""
        self.since: set[Happening] = set()
        """What has happened to the file since its last entry; the next one shall say so."""
        self.gone = False
        """Whether there was a game here once, and now there is none."""
        self.last_game: list[AnyEntry] = []
        self.count = 0
        self._lock: BinaryIO | None = None
        self._unguarded = False
        """Whether there was no lock beside it, to say how long it was."""
        self._file: BinaryIO | None = None
        self._note = Note()
        self._end = 0
        self._unmended: Saying | None = None
        self._told_unmended: Saying | None = None
        self._until: int | None = None
        """The number of the first entry that is of no use, where there is one."""
        try:
            with self._patience():
                self._take_lock()
            self._recover()
            with self._patience():
                self._open()
                self._compare_with_note()
        except BaseException:
            self.close()
            raise

    @property
    def entries(self) -> list[AnyEntry]:
        """Every whole entry, read anew."""
        try:
            with open_own(self.path) as file:
                return read_entries(file.read())[0]
        except FileNotFoundError:
            return []

    def _take_lock(self) -> None:
        if self._lock is None:
            self._unguarded = not lock_of(self.path).exists()
            self._lock = hold(lock_of(self.path))
            self._note = _noted(self._lock)

    def _open(self) -> None:
        self._take_lock()
        if not self.path.exists() or not self.path.stat().st_size:
            write_file(self.path, HEADER)
        self._file = open_own(self.path, "ab", buffering=0)
        self._end = self._file.seek(0, os.SEEK_END)

    def _compare_with_note(self) -> None:
        """What the lock knows of the journal that the journal itself does not."""
        self.since |= {each for each in ("mended", "restored") if getattr(self._note, each) == self.count}
        if self._note.begun and not self.count:
            self._all_gone()
        if self.count:
            if self._unguarded:
                self._doubt(Saying("companion.lock_gone", file=self.path.name))
            self.miss(self._note.last)
            self._remember(begun=True)

    def miss(self, last: int) -> bool:
        """Whether entries are missing, by somebody who knows the number of the last; the next one says so.

        Whole lines that are gone from the end leave no trace in the journal itself.
        """
        missing = last - self.count
        if missing > 0 and not self.count:
            self._all_gone()
        elif missing > 0:
            self._doubt(Saying("companion.entries_missing", file=self.path.name, n=missing))
        return missing > 0

    def _doubt(self, why: Saying) -> None:
        """Moves may be missing: it is told, and the next entry says so."""
        if "mended" not in self.since:
            self.since.add("mended")
            self.notices.append(why)
            with self._patience():
                self._remember(mended=self.count)

    def _all_gone(self) -> None:
        if not self.gone:
            self.gone = True
            self.notices.append(Saying("companion.journal_gone", file=self.path.name))
            with self._patience():
                self._remember(begun=True)

    def _remember(self, durable: bool = True, **news: object) -> None:
        """Write into the lock what outlasts the journal."""
        note = replace(self._note, **news)
        if self._lock is not None and note != self._note:
            _write_note(self._lock, note)
            if durable:
                sync(self._lock.fileno())
            self._note = note

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

    def append(self, *entries: AnyEntry) -> None:
        """Make entries durable in one step, or refuse them all and leave the file as it was."""
        lines = b"".join(map(_line, entries))
        try:
            if self._unmended:
                self._mend_open(self._unmended)
            if self._unmended:
                raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
            file = self._opened()
            self._cut_back()
            _write_whole(file, lines)
            sync(file.fileno())
        except OSError as fault:
            # What is half written is cut off now, or before the next entry if even that fails.
            with contextlib.suppress(OSError, ValueError):
                self._cut_back()
            self._troubled(fault)
            raise NotSaved("companion.not_saved", fault=fault.strerror or str(fault)) from fault
        self.trouble = None
        self._end += len(lines)
        self.count = entries[-1].n
        self.since.clear()
        with contextlib.suppress(OSError):
            self._remember(durable=not self._note.begun, begun=True, last=self.count)

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

    def _recover(self) -> None:
        """Find the last game; a damaged file is put aside and written anew."""
        damaged, begun = 0, None
        with contextlib.suppress(FileNotFoundError), open_own(self.path) as file:
            for spot in spots(file):
                if not spot.fine:
                    damaged = spot.line
                    break
                self.count = spot.line - 1
                if isinstance(spot.entry, Started):
                    begun = spot.offset
            if begun is not None and not damaged:
                self.last_game = list(entries_from(file, begun))
        if damaged:
            self._mend(Saying("companion.line_damaged", line=damaged))

    def keep(self, until: int, fault: Saying) -> None:
        """Go on with the entries before a number alone, because the others are of no use."""
        self._until = until
        self._mend_open(fault)

    def _mend_open(self, fault: Saying) -> None:
        if self._file is not None:
            self._file.close()
        self._mend(fault)
        self._open()

    def _mend(self, fault: Saying) -> None:
        """Put the damaged file aside and write it anew; with no room, try again before the next entry."""
        self.since.add("mended")
        if self._told_unmended in self.notices:
            self.notices.remove(self._told_unmended)
        self._keep_last_game(self._whole())
        told: dict[str, object] = {"file": self.path.name, "fault": fault, "whole": self.count}
        aside = _free_name(self.path)
        try:
            self._remember(mended=self.count)
            _put_aside(self.path, aside)
            with replacing(self.path) as file:
                file.write(HEADER)
                file.writelines(map(_line, self._whole()))
        except OSError as reason:
            with contextlib.suppress(OSError):
                aside.unlink(missing_ok=True)
            self._unmended = fault
            self._told_unmended = Saying("companion.journal_not_mended", reason=reason.strerror, **told)
            self.notices.append(self._told_unmended)
        else:
            self._unmended = self._until = None
            self.notices.append(Saying("companion.journal_mended", aside=aside.name, **told))

    def _keep_last_game(self, entries: Iterator[AnyEntry]) -> None:
        self.count, self.last_game = 0, []
        for entry in entries:
            if isinstance(entry, Started):
                self.last_game = []
            self.last_game.append(entry)
            self.count = entry.n

    def _whole(self) -> Iterator[AnyEntry]:
        """The entries of a damaged file that can be played, in order, one at a time."""
        with open_own(self.path) as file, mmap(file.fileno(), 0, access=ACCESS_READ) as data:
            known = array("Q")
            for offset, entry in whole_entries(data):
                if 0 < entry.n < 1 << (64 - FURTHEST):
                    known.append(entry.n << FURTHEST | offset)
            for entry in playable(_one_of_each(file, sorted(known))):
                if self._until is not None and entry.n >= self._until:
                    return
                yield entry


def _one_of_each(file: BinaryIO, known: list[int]) -> Iterator[AnyEntry]:
    """The first entry of each number."""
    last = 0
    for each in known:
        if each >> FURTHEST != last:
            last = each >> FURTHEST
            yield entry_at(file, each & ((1 << FURTHEST) - 1))


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


def lock_of(path: Path) -> Path:
    """The lock beside a journal."""
    return path.with_name(path.name + ".lock")


def restored_note(data: bytes) -> bytes:
    """What the lock beside a journal says that has just been restored."""
    return msgspec.json.encode(Note(restored=count_entries(data)))


def forget_last(path: Path) -> None:
    """Another journal is put in this place: how long the one before it was says nothing of it."""
    if lock_of(path).exists():
        with hold(lock_of(path)) as lock:
            _write_note(lock, replace(_noted(lock), last=0))
            sync(lock.fileno())


def _write_note(lock: BinaryIO, note: Note) -> None:
    lock.seek(0)
    _write_whole(lock, msgspec.json.encode(note).ljust(NOTE_SIZE))


def _noted(lock: BinaryIO) -> Note:
    """What a lock says; one that cannot be read says nothing."""
    lock.seek(0)
    with contextlib.suppress(msgspec.MsgspecError, UnicodeDecodeError):
        return msgspec.json.decode(lock.read(LARGEST_NOTE), type=Note)
    return Note()


def hold(path: Path) -> BinaryIO:
    """Take the lock beside the journal; the system gives it back however this process ends."""
    make_folder(path.parent)
    try:
        file = open_own(path, "r+b", buffering=0)
    except FileNotFoundError:
        file = open_own(path, "x+b", buffering=0)
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
