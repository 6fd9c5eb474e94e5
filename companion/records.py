"""Sealed records out of journals, and into files."""

from __future__ import annotations

from pathlib import Path

import msgspec
from msgspec.structs import replace

from companion.entries import AnyEntry, Entry, Left, Started, file_of, games, read_entries
from companion.games import find
from companion.refusals import Illegal, NoGame, Refusal
from companion.seals import Record
from companion.table import Table


def of_journal(data: bytes, number: int | None = None, name: str = "journal") -> Record:
    """The record of a journal's last game, or of another one; it must be over."""
    found = games(read_entries(data)[0])
    if not found:
        raise NoGame("companion.record_no_game", file=name)
    if number is not None and not 1 <= number <= len(found):
        raise Illegal("companion.record_no_such_game", n=number, games=len(found))
    return _record(found[-1 if number is None else number - 1])


def without_secrets(data: bytes, running: bool = False) -> bytes:
    """A journal without the secrets of any game that was not played to its end, whether it was left or not.

    Of a game that was left it is still told that it was begun; the last one, if it goes on, is not in it,
    or wholly if asked for.
    """
    found = games(read_entries(data)[0])
    goes_on = found[-1:] if running and found and not isinstance(found[-1][-1], Left) else []
    told = found[:-1] if goes_on else found
    kept = [entry for game in told for entry in (game if _is_over(game) else _left_game(game))]
    kept += [entry for game in goes_on for entry in game]
    if not goes_on and kept and isinstance(kept[-1], Started):
        kept.pop()
    return file_of(replace(entry, n=n) for n, entry in enumerate(kept, start=1))


def _left_game(game: list[AnyEntry]) -> list[AnyEntry]:
    """What may be told of a game that was left: what everybody knew when it began."""
    begun, last = game[0], game[-1]
    assert isinstance(begun, Started)
    try:
        secret = find(begun.game).secret_options
    except Refusal:
        return []
    options = {name: value for name, value in begun.options.items() if name not in secret}
    told = Started(begun.n, begun.at, begun.game, options)
    return [told, last] if isinstance(last, Left) else [told]


def check_chain(data: bytes) -> None:
    """Refuse a journal whose last game was changed by hand, as far as its seals can tell."""
    for game in games(read_entries(data)[0])[-1:]:
        table = Table()
        try:
            for entry in game:
                if not isinstance(entry, Left):
                    table.follow(entry)
        except Refusal:
            # It is played as far as it goes, and the table is told.
            return
        if table.broken() is not None:
            raise Illegal("companion.backup_changed", entry=table.broken())


def _is_over(game: list[AnyEntry]) -> bool:
    """Whether a game was over at its last entry. An earlier version did not write that down."""
    last = [entry for entry in game if isinstance(entry, Entry)][-1]
    if last.seal:
        return last.over
    try:
        _record(game)
    except Refusal:
        return False
    return True


def _record(entries: list[AnyEntry]) -> Record:
    table, finished = Table(), None
    for entry in entries:
        try:
            table.follow(entry)
        except Refusal as refusal:
            raise Illegal("companion.entry_refused", entry=entry.n, reason=refusal.saying) from refusal
        if table.game is not None:
            # A finished game may be left afterwards; it stays finished.
            finished = table.record() if table.standing().result else None
    if finished is None:
        raise Illegal("companion.not_over")
    return finished


def written(record: Record) -> bytes:
    """A record as the content of a file."""
    return msgspec.json.format(msgspec.json.encode(record), indent=1) + b"\n"


def save(record: Record, file: Path) -> None:
    """Write a record to a file, never over anything but a record."""
    if file.exists() and not _is_record(file):
        raise Illegal("companion.backup_exists", file=file.name)
    file.write_bytes(written(record))


def _is_record(file: Path) -> bool:
    with open(file, "rb") as found:
        start = found.read(64)
    return not start or b'"record":' in start
