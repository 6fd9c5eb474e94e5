"""Checking a sealed record: the chain is followed, and the game is played through by the rules."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

import msgspec

from companion.contract import converted
from companion.journal import Acted, AnyEntry, Redone, Started, Undone
from companion.refusals import Malformed, Refusal, TooLarge
from companion.seals import (
    PROTOCOL,
    RANDOM_BYTES,
    UNSEALED,
    VERSION,
    Link,
    Record,
    Seal,
    first_seal,
    happenings,
    next_seal,
)
from companion.table import Table
from companion.words import Saying

LARGEST = 1 << 24
"""Bytes of the largest record: more than any game has."""
FEWEST_DIGITS = 8
"""What a person notes down of a seal."""
HAPPENED = {
    "mended": "companion.happened_mended",
    "repaired": "companion.happened_repaired",
    "restored": "companion.happened_restored",
    "resumed": "companion.happened_resumed",
    "undone": "companion.happened_undone",
}
"""How it is said what happened to a game that is no part of it."""
_decoder = msgspec.json.Decoder(Record)


class Verdict(msgspec.Struct, frozen=True):
    """Everything that is wrong with a record, or one line of what was checked."""

    faults: tuple[Saying, ...]
    checked: Saying | None


def noted(text: str) -> Seal:
    """A seal as somebody noted it down, `9f3a…@17`: its first digits, and how many entries it covers."""
    found = re.fullmatch(rf"([0-9a-fA-F]{{{FEWEST_DIGITS},64}})…?@(\d{{1,9}})", text.strip())
    if found is None:
        raise Malformed("companion.seal_malformed", least=FEWEST_DIGITS)
    return Seal(int(found[2]), found[1].lower())


def read_record(data: bytes) -> Record:
    """The record in a file, strictly; whether it is true is another question."""
    if len(data) > LARGEST:
        raise TooLarge("companion.record_too_large", most=LARGEST >> 20)
    try:
        content = msgspec.json.decode(data)
        version = content.get("record") if isinstance(content, dict) else None
        if type(version) is int and version > VERSION:
            raise Malformed("companion.record_too_new", version=version, known=VERSION)
        record = _decoder.decode(data)
        # What cannot be written again, such as half a letter, cannot be sealed either.
        msgspec.json.encode(record)
    except (msgspec.MsgspecError, RecursionError, ValueError) as fault:
        raise Malformed("companion.malformed", what="record", fault=str(fault)) from None
    return record


def verify(record: Record, seals: Sequence[Seal] = ()) -> Verdict:
    """Follow the chain and play the game through; `seals` are those that somebody noted down."""
    faults = (*_versions(record), *_chain(record), *_played(record), *_noted(record, seals))
    return Verdict(faults, None if faults else _checked(record, seals))


def seal_with(record: Record, digits: str) -> int | None:
    """After how many entries a record has the seal that begins with these digits; null for none."""
    return next((n for n, seal in enumerate(_seals(record)) if seal.startswith(digits)), None)


def _seals(record: Record) -> list[str]:
    return [record.first, *(link.seal for link in record.entries)]


def _versions(record: Record) -> Iterator[Saying]:
    if (record.record, record.protocol) != (VERSION, PROTOCOL):
        yield Saying("companion.record_version", version=record.record, protocol=record.protocol)


def _chain(record: Record) -> Iterator[Saying]:
    """Every entry that does not fit its seal. Each is held against the seal before it, as it is written."""
    if not _begins(record):
        yield Saying("companion.record_first")
    before = record.first
    for n, link in enumerate(record.entries, start=1):
        if link.n != n:
            yield Saying("companion.record_number", n=n, found=link.n)
        if not _follows(before, link):
            yield Saying("companion.record_seal", n=n)
        before = link.seal
    if record.seal != before:
        yield Saying("companion.record_last", n=len(record.entries))


def _begins(record: Record) -> bool:
    """Whether the first seal fits what the game was begun with."""
    if record.secret is not None and not _is_hex(record.secret.random, RANDOM_BYTES):
        return False
    return record.first == first_seal(record.game, record.options, record.secret, record.protocol)


def _follows(before: str, link: Link) -> bool:
    """Whether a seal fits its entry. One of an earlier version may have no random bytes."""
    if not _is_hex(before, 32) or not (link.random == "" or _is_hex(link.random, RANDOM_BYTES)):
        return False
    return link.seal == next_seal(before, link.entry, link.random)


def _is_hex(text: str, size: int) -> bool:
    return re.fullmatch(rf"[0-9a-f]{{{2 * size}}}", text) is not None


def _played(record: Record) -> Iterator[Saying]:
    """The first entry that the rules refuse, or how the end differs."""
    table = Table()
    steps: list[Link | Started] = [_beginning(record), *record.entries]
    for n, link in enumerate(steps):
        try:
            _play(table, link)
        except Refusal as refusal:
            yield _refused(n, refusal)
            return
        except Exception as fault:
            # The rules never meet what no table can have written; whatever they make of it, it is a fault.
            yield Saying("companion.record_unplayable", n=n, fault=type(fault).__name__)
            return
    result = table.standing().result
    if result is None:
        yield Saying("companion.record_not_over")
    elif (found := (result.winner, result.reason)) != (told := (record.result.winner, record.result.reason)):
        yield Saying("companion.record_result", found=found, told=told)


def _beginning(record: Record) -> Started:
    secret = record.secret
    options = {**record.options, **(secret.options if secret else {})}
    return Started(0, 0.0, record.game, options, secret.position if secret else None)


def _play(table: Table, link: Link | Started) -> None:
    entry = link if isinstance(link, Started) else _entry(link)
    if isinstance(entry, Undone):
        table.check_undo(entry.seat, entry.consent)
    table.follow(entry)


def _entry(link: Link) -> AnyEntry:
    """What is sealed as an entry that can be played."""
    data = {name: value for name, value in link.entry.items() if name not in UNSEALED}
    try:
        entry: AnyEntry = converted({**data, "n": 0, "at": 0.0}, Acted | Undone | Redone)
    except msgspec.ValidationError as fault:
        raise Malformed("companion.malformed", what="entry", fault=str(fault)) from None
    return entry


def _refused(n: int, refusal: Refusal) -> Saying:
    if refusal.rule is None:
        return Saying("companion.record_refused", n=n, reason=refusal.saying)
    return Saying("companion.record_refused_by", n=n, reason=refusal.saying, rule=refusal.rule)


def _noted(record: Record, seals: Sequence[Seal]) -> Iterator[Saying]:
    known = _seals(record)
    for seal in seals:
        if seal.n >= len(known):
            yield Saying("companion.record_short", n=seal.n, entries=len(record.entries))
        elif not known[seal.n].startswith(seal.seal):
            yield Saying("companion.record_noted", n=seal.n, noted=seal.seal, found=known[seal.n])


def _checked(record: Record, seals: Sequence[Seal]) -> Saying:
    """What was checked of a record without a fault."""
    happened = happenings(record.entries)
    more = [Saying(key, times=happened[name]) for name, key in HAPPENED.items() if name in happened]
    more += [Saying("companion.record_as_noted", seal=seal.seal, n=seal.n) for seal in seals]
    facts = {"game": record.game, "entries": len(record.entries), "winner": record.result.winner}
    key = "companion.record_fine_more" if more else "companion.record_fine"
    return Saying(key, **facts, reason=record.result.reason, more=more)
