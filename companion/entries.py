"""What a journal consists of: lines, each `<checksum> <json>`, and what can be read of damaged ones."""

from __future__ import annotations

import io
import re
import zlib
from collections.abc import Iterable, Iterator
from mmap import mmap
from typing import Annotated, Any, BinaryIO, Literal

import msgspec
from msgspec.structs import replace

from companion.contract import Seat
from companion.refusals import Illegal

VERSION = 1
LIKE_AN_ENTRY = re.compile(rb"^[0-9a-f]{8} \{.*$", re.MULTILINE)
LONGEST_LINE = 1 << 23
"""Bytes of the longest line: a request has at most a mebibyte, and a castle is not much larger."""

Happening = Literal["mended", "restored", "resumed"]
"""What can happen to a record between two entries: whoever reads it later shall know."""


class Line(msgspec.Struct, frozen=True, tag_field="do", omit_defaults=True):
    """One line of the record; `n` counts them within the file, `at` is the table's clock."""

    n: int
    at: float


class Entry(Line, frozen=True, kw_only=True):
    """A line that has its place in the chain of seals (`companion.seals`); older journals have none."""

    salt: Annotated[str, msgspec.Meta(pattern=r"\A(?:[0-9a-f]{32})?\Z")] = ""
    """The random bytes that hide it until the end."""
    seal: Annotated[str, msgspec.Meta(pattern=r"\A(?:[0-9a-f]{64})?\Z")] = ""
    over: bool = False
    """Whether the game was over after it: then it holds no secret any more."""
    after: tuple[Happening, ...] = ()
    """What happened to the record or the companion just before it."""


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


class Left(Line, frozen=True, tag="left"):
    """The game was abandoned."""


AnyEntry = Started | Acted | Undone | Redone | Left
_decoder: msgspec.json.Decoder[AnyEntry] = msgspec.json.Decoder(AnyEntry)


class Header(msgspec.Struct, frozen=True):
    """The first line of a journal."""

    journal: int


class JournalTooNew(Illegal):
    """The journal was written by a newer version than this one understands."""


class Spot(msgspec.Struct, frozen=True):
    """A line of a journal: its number, where it begins, and what it says, if it can be read."""

    line: int
    offset: int
    entry: AnyEntry | None
    fine: bool
    """Whether it is whole and in its place."""


def spots(file: BinaryIO) -> Iterator[Spot]:
    """The lines of a journal, one at a time for the memory's sake; the header only where it is bad."""
    offset = 0
    for number, (line, ended) in enumerate(_lines(file), start=1):
        if number == 1:
            if not (_checked_header(line) and ended):
                yield Spot(1, 0, None, False)
        else:
            entry = _entry(line)
            # The header is line 1, so entry 1 is line 2. What is written ends with the end of a line; an
            # entry that lacks only that is whole all the same.
            yield Spot(number, offset, entry, entry is not None and entry.n == number - 1 and ended)
        offset = file.tell()


def _lines(file: BinaryIO) -> Iterator[tuple[bytes, bool]]:
    """Lines without their ends, and whether each has one; of an overlong one nothing can be read."""
    while line := file.readline(LONGEST_LINE):
        ended = line.endswith(b"\n")
        if not ended and len(line) == LONGEST_LINE:
            line = b""
            while not ended and (rest := file.readline(LONGEST_LINE)):
                ended = rest.endswith(b"\n")
        yield line.removesuffix(b"\n"), ended


def read_entries(data: bytes) -> tuple[list[AnyEntry], int]:
    """The whole entries of a journal, and the number of its first damaged line, or 0."""
    damaged = next((spot.line for spot in spots(io.BytesIO(data)) if not spot.fine), 0)
    whole: dict[int, AnyEntry] = {}
    for _, entry in whole_entries(data):
        whole.setdefault(entry.n, entry)
    return list(playable(entry for _, entry in sorted(whole.items()))), damaged


def whole_entries(data: bytes | mmap) -> Iterator[tuple[int, AnyEntry]]:
    """Every entry that can be read, with its place; whatever lies between them is passed over quickly."""
    header = data.find(b"\n")
    for line in LIKE_AN_ENTRY.finditer(data, header + 1 if header >= 0 else len(data)):
        entry = _entry(line[0])
        if entry is not None:
            yield line.start(), entry


def playable(entries: Iterable[AnyEntry]) -> Iterator[AnyEntry]:
    """Of sorted entries those that can be played, numbered anew: after a gap, only from the next game on."""
    last = kept = 0
    for entry in entries:
        if entry.n == last + 1 or isinstance(entry, Started):
            kept, last = kept + 1, entry.n
            yield replace(entry, n=kept)


def entries_from(file: BinaryIO, offset: int) -> Iterator[AnyEntry]:
    """The entries from an offset on, where nothing is damaged."""
    file.seek(offset)
    return (entry for line, _ in _lines(file) if (entry := _entry(line)) is not None)


def entry_at(file: BinaryIO, offset: int) -> AnyEntry:
    """The entry that begins at an offset, where one was seen before."""
    return next(entries_from(file, offset))


def games(entries: Iterable[AnyEntry]) -> list[list[AnyEntry]]:
    """Entries game by game."""
    found: list[list[AnyEntry]] = []
    for entry in entries:
        if isinstance(entry, Started):
            found.append([])
        if found:
            found[-1].append(entry)
    return found


def count_games(data: bytes) -> int:
    """How many games were begun in a journal."""
    return sum(isinstance(entry, Started) for _, entry in whole_entries(data))


def count_entries(data: bytes) -> int:
    """How many entries a journal has, where nothing is damaged."""
    return sum(1 for _ in whole_entries(data))


def check_age(data: bytes) -> None:
    """Refuse a journal of a later version."""
    _checked_header(data.split(b"\n", 1)[0])


def _checked_header(line: bytes) -> bool:
    payload = _payload(line)
    if payload is None:
        return False
    try:
        version = msgspec.json.decode(payload, type=Header).journal
    except (msgspec.MsgspecError, UnicodeDecodeError):
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
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError):
        return None


def _payload(line: bytes) -> bytes | None:
    """The JSON of a line, if its checksum fits."""
    checksum, _, payload = line.partition(b" ")
    return payload if checksum == b"%08x" % zlib.crc32(payload) else None


def file_of(entries: Iterable[AnyEntry]) -> bytes:
    """A journal with these entries."""
    return b"".join((HEADER, *map(line_of, entries)))


def line_of(record: AnyEntry | Header) -> bytes:
    """A record as a line."""
    payload = msgspec.json.encode(record)
    return b"%08x %b\n" % (zlib.crc32(payload), payload)


HEADER = line_of(Header(VERSION))
