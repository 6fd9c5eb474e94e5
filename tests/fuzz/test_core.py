"""Lines, journals, records and backups changed at random; `make test-fuzz ROUNDS=1000000` for a night."""

from __future__ import annotations

import contextlib
import io
import json
import os
import zlib
from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Any

import msgspec
import pytest

from companion import backup
from companion.clock import VirtualClock
from companion.contract import MODERATOR, PUBLIC, plain
from companion.headless import Headless
from companion.journal import Journal, JournalTooNew
from companion.records import of_journal, without_secrets
from companion.refusals import Refusal
from companion.table import Table
from companion.verify import read_record, verify
from tests.backup.test_backup import listed, repacked
from tests.journal.games import play
from tests.seals.games import GAMES, finished, sealed_anew

ROUNDS = int(os.environ.get("ROUNDS", "300"))
SEED = int(os.environ.get("SEED", "1"))

ODD: tuple[Any, ...] = (
    None, True, False, 0, -1, 1, 2**31, 2**63, 2**64, 10**40, 0.5, -0.0, 1e308, "", "p1", "table",
    "moderator",
    "\x00", "é", "\u202e", "x" * 5000, [], [[]], {}, {"type": "remove"}, [1, 2, 3], {"a": {"b": {}}}, "host",
)  # fmt: skip


@pytest.fixture(autouse=True)
def _no_waiting_for_the_disk(monkeypatch: pytest.MonkeyPatch) -> None:
    # Thousands of files are opened here; that they reach the disk is what the crash tests are about.
    monkeypatch.setattr(os, "fdatasync", lambda handle: None, raising=False)
    monkeypatch.setattr(os, "fsync", lambda handle: None)


def seeds() -> Iterator[Random]:
    for n in range(ROUNDS):
        yield Random(f"{SEED} {n}")


def mutated(value: Any, chance: Random) -> Any:
    """A document with something else somewhere."""
    if chance.random() < 0.15 or not isinstance(value, dict | list) or not value:
        return chance.choice(ODD)
    copy: Any = dict(value) if isinstance(value, dict) else list(value)
    key = chance.choice(list(copy) if isinstance(copy, dict) else range(len(copy)))
    how = chance.random()
    if how < 0.1:
        del copy[key]
    elif how < 0.2 and isinstance(copy, dict):
        copy[str(chance.choice(ODD))[:20]] = chance.choice(ODD)
    elif how < 0.25 and isinstance(copy, list):
        copy.append(copy[key])
    else:
        copy[key] = mutated(copy[key], chance)
    return copy


def flipped(data: bytes, chance: Random) -> bytes:
    """Bytes with a few changed, cut, doubled or put in."""
    changed = bytearray(data)
    for _ in range(chance.randrange(1, 6)):
        at = chance.randrange(len(changed) + 1)
        match chance.randrange(4):
            case 0 if at < len(changed):
                changed[at] ^= 1 << chance.randrange(8)
            case 1:
                del changed[at : at + chance.randrange(80)]
            case 2:
                changed[at:at] = changed[at : at + chance.randrange(200)]
            case _:
                changed[at:at] = chance.randbytes(chance.randrange(1, 9))
    return bytes(changed)


# Lines


REQUESTS: tuple[dict[str, Any], ...] = (
    *({"cmd": "new", "game": game, "options": options, "seed": 3} for game, options in GAMES.items()),
    {"cmd": "act", "seat": "p1", "action": {"type": "place", "room": 1, "colour": "blue", "value": 3}},
    {"cmd": "act", "seat": "moderator", "as": "p2", "action": {"type": "remove", "room": 9}},
    {"cmd": "act", "seat": "moderator", "action": {"type": "repair", "set": {"damage": 3, "rooms": {}}}},
    {"cmd": "act", "seat": "max", "action": {"type": "move", "room": 14}},
    {"cmd": "legal", "seat": "p1"}, {"cmd": "view", "seat": "public"}, {"cmd": "lamps", "peek": "p2"},
    {"cmd": "tick", "seconds": 1.5}, {"cmd": "bot", "seat": "p1", "level": "random"},
    {"cmd": "undo", "seat": "p1", "consent": ["p2"]}, {"cmd": "redo", "seat": "p1"}, {"cmd": "history"},
    {"cmd": "status"}, {"cmd": "rematch"}, {"cmd": "seal"}, {"cmd": "record"},
)  # fmt: skip


def test_no_line_ends_the_companion_and_a_restart_works(tmp_path: Path) -> None:
    clock = VirtualClock()
    headless = Headless(Table(Journal(tmp_path / "journal"), clock), clock)
    for chance in seeds():
        line = json.dumps(mutated(chance.choice(REQUESTS), chance)).encode()
        line = flipped(line, chance) if chance.random() < 0.1 else line
        answer = json.loads(headless.answer(line.replace(b"\n", b" ")))
        assert answer["ok"] is True or answer["error"]["message"], line
        if headless.table.game is not None and chance.random() < 0.3:
            with contextlib.suppress(Refusal, IndexError):
                play(headless.table, 1, chance)
    known = headless.answer(b'{"cmd":"history"}'), headless.answer(b'{"cmd":"view","seat":"moderator"}')
    headless.close()
    again = Headless(Table(Journal(tmp_path / "journal"), clock), clock)
    assert again.table.notices == []
    assert (again.answer(b'{"cmd":"history"}'), again.answer(b'{"cmd":"view","seat":"moderator"}')) == known
    again.close()


# Journals


@pytest.fixture(scope="module")
def journals(tmp_path_factory: pytest.TempPathFactory) -> list[bytes]:
    """A journal of each game with two games in it."""
    folder, found = tmp_path_factory.mktemp("journals"), []
    for game in GAMES:
        table = finished(game, journal=folder / game)
        table.new(game, GAMES[game], seed=8)
        for _ in range(12):
            seat = table.standing().to_act[0]
            table.act(seat, table.legal(seat)[-1])
        table.close()
        found.append((folder / game).read_bytes())
    return found


def with_checksum(payload: bytes) -> bytes:
    return b"%08x %b" % (zlib.crc32(payload), payload)


def spoiled(data: bytes, chance: Random) -> bytes:
    """A journal with some bytes changed, or with entries changed whose checksums are right."""
    if chance.random() < 0.4:
        return flipped(data, chance)
    lines = data.split(b"\n")
    for _ in range(chance.randrange(1, 4)):
        at = chance.randrange(len(lines) - 1)
        payload = mutated(json.loads(lines[at].partition(b" ")[2]), chance)
        lines[at] = with_checksum(json.dumps(payload, separators=(",", ":")).encode())
    return b"\n".join(lines)


def test_any_journal_opens_or_is_refused_in_words_and_can_be_played_on(
    journals: list[bytes], tmp_path: Path
) -> None:
    for n, chance in enumerate(seeds()):
        path = tmp_path / str(n) / "journal"
        path.parent.mkdir()
        path.write_bytes(spoiled(chance.choice(journals), chance))
        try:
            table = Table(Journal(path))
        except JournalTooNew:
            continue
        table.status()
        table.happenings()
        table.lost()
        if table.game is not None:
            table.view(PUBLIC)
            table.history()
            with contextlib.suppress(Refusal, IndexError):
                table.seal()
                play(table, 2, chance)
        known = plain(table.history()) if table.game else None
        table.close()
        again = Table(Journal(path))
        assert (plain(again.history()) if again.game else None) == known
        again.close()
        for file in path.parent.iterdir():
            file.unlink()


def test_any_journal_gives_a_record_and_a_copy_without_secrets_or_a_refusal(journals: list[bytes]) -> None:
    for chance in seeds():
        data = spoiled(chance.choice(journals), chance)
        with contextlib.suppress(Refusal):
            without_secrets(data)
        with contextlib.suppress(Refusal):
            of_journal(data, chance.choice((None, 1, 2)))


# Records


@pytest.fixture(scope="module")
def records() -> list[dict[str, Any]]:
    return [json.loads(msgspec.json.encode(finished(game).record())) for game in GAMES]


def test_no_record_ends_in_a_traceback_and_none_that_was_changed_is_true(
    records: list[dict[str, Any]],
) -> None:
    for chance in seeds():
        record = chance.choice(records)
        changed = mutated(record, chance)
        if isinstance(changed, dict) and chance.random() < 0.5:
            # Sealed anew as far as that is possible: now the rules have to judge.
            with contextlib.suppress(Exception):
                changed = sealed_anew(changed)
        data = json.dumps(changed).encode()
        data = flipped(data, chance) if chance.random() < 0.1 else data
        try:
            verdict = verify(read_record(data))
        except Refusal:
            continue
        for fault in verdict.faults:
            assert str(fault)
        if verdict.checked is not None:
            # Whatever is found true plays through to the end that it tells.
            assert json.loads(data)["result"] == plain(read_record(data).result)
        if not verdict.faults and json.loads(data)["first"] == record["first"]:
            assert json.loads(data)["seal"] == record["seal"] or len(changed["entries"]) > 0


# Backups


def test_no_backup_ends_in_a_traceback_and_what_is_restored_opens(
    journals: list[bytes], tmp_path: Path
) -> None:
    good = backup.packed({"journal": journals[0], "boxes/a.json": b"{}", "guests.json": b"{}"})
    for n, chance in enumerate(seeds()):
        if n >= max(60, ROUNDS // 5):
            break
        state = tmp_path / str(n)
        state.mkdir()
        if chance.random() < 0.5:
            data = flipped(good, chance)
        else:
            spoil = spoiled(chance.choice(journals), chance)
            data = repacked(good, lambda content, spoil=spoil: listed(content, "journal", spoil))
        try:
            backup.restore(data, state)
        except Refusal:
            continue
        with contextlib.suppress(JournalTooNew):
            table = Table(Journal(state / "journal"))
            table.status()
            table.close()


def test_mutations_do_change_things() -> None:
    """A fuzzer that changes nothing would find nothing."""
    chance = Random(1)
    assert sum(mutated(REQUESTS[3], chance) != REQUESTS[3] for _ in range(100)) > 90
    assert io.BytesIO(flipped(b"x" * 100, chance)).read() != b"x" * 100
    assert MODERATOR in ODD
