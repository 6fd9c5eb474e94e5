"""A damaged journal is recognised, and everything whole in it is recovered."""

from __future__ import annotations

import json
import os
import zlib
from collections.abc import Iterable
from itertools import accumulate, takewhile
from pathlib import Path
from random import Random
from typing import Any

import pytest

from companion.contract import PUBLIC
from companion.journal import AnyEntry, Journal, JournalTooNew, Started, forget_last, read_entries
from companion.table import Table
from tests.journal.games import play, record

FLIPS_IN_CI = 3000


@pytest.fixture(autouse=True)
def _no_waiting_for_the_disk(monkeypatch: pytest.MonkeyPatch) -> None:
    # Thousands of files are opened here; that they reach the disk is what the crash tests are about.
    monkeypatch.setattr(os, "fdatasync", lambda handle: None, raising=False)
    monkeypatch.setattr(os, "fsync", lambda handle: None)


@pytest.fixture(scope="module")
def sixty(tmp_path_factory: pytest.TempPathFactory) -> bytes:
    """A journal of 60 actions."""
    data = record(tmp_path_factory.mktemp("sixty") / "journal", 60)
    assert data.count(b'"do":"act"') == 60
    return data


@pytest.fixture(scope="module")
def three_games(tmp_path_factory: pytest.TempPathFactory) -> bytes:
    """A journal of three short games."""
    return record(tmp_path_factory.mktemp("three") / "journal", 12, 9, 14)


def opened(path: Path, data: bytes) -> Journal:
    path.write_bytes(data)
    journal = Journal(path)
    journal.close()
    return journal


def asides(path: Path) -> list[Path]:
    return sorted(path.parent.glob(f"{path.name}.damaged-*"))


# Cut


def test_truncations_open_with_all_whole_entries(tmp_path: Path, sixty: bytes) -> None:
    """Around the end of each line, and here and there within them."""
    ends = accumulate(len(line) for line in sixty.splitlines(keepends=True))
    near = {end + step for end in ends for step in range(-3, 4) if end + step <= len(sixty)}
    open_cut(tmp_path, sixty, sorted(near | {*range(0, len(sixty), 29)}))


@pytest.mark.slow
def test_every_truncation_opens_with_all_whole_entries(tmp_path: Path, sixty: bytes) -> None:
    open_cut(tmp_path, sixty, range(len(sixty) + 1))


def open_cut(tmp_path: Path, sixty: bytes, cuts: Iterable[int]) -> None:
    """A journal that ends after so many bytes opens with its whole entries; the rest is set aside."""
    path, whole = tmp_path / "journal", read_entries(sixty)[0]
    ends = list(accumulate(len(line) for line in sixty.splitlines(keepends=True)))
    for cut in cuts:
        journal = opened(path, sixty[:cut])
        # An entry without the end of its line is whole; one letter less and it is not.
        complete = sum(cut >= end - 1 for end in ends[1:])
        assert journal.entries == whole[:complete]
        assert bool(journal.notices) == bool(asides(path)) == (cut not in (0, *ends))
        for aside in asides(path):
            assert aside.read_bytes() == sixty[:cut]
            aside.unlink()
        assert read_entries(path.read_bytes()) == (whole[:complete], 0)


def test_a_table_goes_on_after_a_torn_tail(tmp_path: Path, sixty: bytes) -> None:
    path = tmp_path / "journal"
    path.write_bytes(sixty[:-7])
    table = Table(Journal(path))
    assert len(table.history()) == len(games(sixty)[-1]) - 2
    play(table, 3, Random(1))
    expected = table.view(PUBLIC), table.history()
    table.close()
    again = Table(Journal(path))
    assert (again.view(PUBLIC), again.history()) == expected
    assert not again.notices
    again.close()


@pytest.mark.parametrize("tail", [b"\0" * 4096, b'1234abcd {"n":' + b"\0" * 500, b"\0" * 100 + b"\n"])
def test_a_tail_of_zeros_as_after_a_power_cut(tmp_path: Path, sixty: bytes, tail: bytes) -> None:
    journal = opened(tmp_path / "journal", sixty + tail)
    assert journal.entries == read_entries(sixty)[0]
    assert len(journal.notices) == 1


# Flipped


def flip(data: bytes, at: int, bit: int) -> bytes:
    return data[:at] + bytes([data[at] ^ 1 << bit]) + data[at + 1 :]


def games(data: bytes) -> list[list[AnyEntry]]:
    """The entries of a whole journal, game by game."""
    found: list[list[AnyEntry]] = []
    for entry in read_entries(data)[0]:
        if isinstance(entry, Started):
            found.append([])
        found[-1].append(entry)
    return found


def survivors(data: bytes, lost: set[int]) -> list[dict[str, Any]]:
    """What must be recovered if some entries are lost: of each game all that comes before."""
    return [
        unnumbered(entry)
        for game in games(data)
        for entry in takewhile(lambda entry: entry.n not in lost, game)
    ]


def unnumbered(entry: AnyEntry) -> dict[str, Any]:
    """An entry without its number, which is given anew when a journal is mended."""
    return {name: getattr(entry, name) for name in entry.__struct_fields__ if name != "n"}


def check_flip(data: bytes, at: int, bit: int) -> None:
    """One flipped bit: the line is named, and nothing but it and what depends on it is lost."""
    line = data.count(b"\n", 0, at)
    # Without its end a line runs into the next, and both are lost. Line 0 is the header, line 1 entry 1.
    lost = {line, line + 1} if data[at] == ord("\n") else {line}
    entries, damaged = read_entries(flip(data, at, bit))
    assert damaged == line + 1
    assert [unnumbered(entry) for entry in entries] == survivors(data, lost)


def test_a_flipped_bit_is_recognised_and_costs_only_the_rest_of_its_game(three_games: bytes) -> None:
    chance = Random(4)
    for _ in range(FLIPS_IN_CI):
        check_flip(three_games, chance.randrange(len(three_games)), chance.randrange(8))
    for at, byte in enumerate(three_games):
        if byte == ord("\n"):
            check_flip(three_games, at, 0)


@pytest.mark.slow
def test_every_flipped_bit_is_recognised(three_games: bytes) -> None:
    for at in range(len(three_games)):
        for bit in range(8):
            check_flip(three_games, at, bit)


def test_a_flipped_journal_is_put_aside_and_the_last_game_goes_on(tmp_path: Path, three_games: bytes) -> None:
    path = tmp_path / "journal"
    in_the_first_game = len(three_games) // 6
    damaged = flip(three_games, in_the_first_game, 3)
    path.write_bytes(three_games)
    table = Table(Journal(path))
    expected = table.view(PUBLIC), table.history()
    table.close()
    path.write_bytes(damaged)
    table = Table(Journal(path))
    assert (table.view(PUBLIC), table.history()) == expected
    assert [aside.read_bytes() for aside in asides(path)] == [damaged]
    (notice,) = table.status()
    assert str(notice).startswith("journal: line ")
    assert asides(path)[0].name in str(notice)
    table.close()
    again = Table(Journal(path))
    assert not again.notices
    again.close()


def test_each_damaged_file_is_kept_under_a_name_of_its_own(tmp_path: Path, sixty: bytes) -> None:
    path = tmp_path / "journal"
    for cut in (1, 2, 3):
        opened(path, sixty[:-cut])
    assert [aside.name for aside in asides(path)] == [f"journal.damaged-{n}" for n in (1, 2, 3)]


# Missing, doubled, out of place


def test_a_missing_line_is_recognised(three_games: bytes) -> None:
    lines = three_games.splitlines(keepends=True)
    # Without the last line nothing is missing between: that is a cut at the end of a line.
    for gone in range(1, len(lines) - 1):
        entries, damaged = read_entries(b"".join(lines[:gone] + lines[gone + 1 :]))
        assert damaged == gone + 1
        assert [unnumbered(entry) for entry in entries] == survivors(three_games, {gone})


def test_a_missing_header_costs_nothing(three_games: bytes) -> None:
    entries, damaged = read_entries(three_games.split(b"\n", 1)[1])
    assert damaged == 1
    # Its place is taken by the first entry, which is then no header and no entry.
    assert [unnumbered(entry) for entry in entries] == survivors(three_games, {1})


def test_a_doubled_line_counts_once(three_games: bytes) -> None:
    lines = three_games.splitlines(keepends=True)
    whole = read_entries(three_games)[0]
    for twice in range(1, len(lines)):
        assert read_entries(b"".join(lines[: twice + 1] + lines[twice:])) == (whole, twice + 2)


def test_lines_out_of_place_are_put_in_order(three_games: bytes) -> None:
    header, *lines = three_games.splitlines(keepends=True)
    chance = Random(8)
    for _ in range(50):
        mixed = chance.sample(lines, len(lines))
        entries, damaged = read_entries(header + b"".join(mixed))
        assert entries == read_entries(three_games)[0]
        assert bool(damaged) == (mixed != lines)


# Not a journal at all


def test_an_empty_file_is_begun(tmp_path: Path) -> None:
    journal = opened(tmp_path / "journal", b"")
    assert (journal.entries, journal.notices) == ([], [])
    assert read_entries((tmp_path / "journal").read_bytes()) == ([], 0)


@pytest.mark.parametrize(
    "garbage", [b"\n", b"\n\n\n", b"hello", b"{}\n{}\n", b"\xff" * 999, bytes(range(256)) * 40]
)
def test_garbage_is_put_aside(tmp_path: Path, garbage: bytes) -> None:
    journal = opened(tmp_path / "journal", garbage)
    assert journal.entries == []
    assert len(journal.notices) == 1
    assert asides(tmp_path / "journal")[0].read_bytes() == garbage


def test_a_journal_of_a_newer_version_is_refused_and_left_alone(tmp_path: Path, sixty: bytes) -> None:
    path = tmp_path / "journal"
    payload = json.dumps({"journal": 2}).encode()
    newer = b"%08x %b\n" % (zlib.crc32(payload), payload) + sixty
    with pytest.raises(JournalTooNew, match="has format 2; this companion understands up to 1: update it"):
        opened(path, newer)
    assert path.read_bytes() == newer
    assert sorted(each.name for each in tmp_path.iterdir()) == ["journal", "journal.lock"]
    # And the lock is free again.
    assert opened(path, sixty).entries


def test_an_entry_that_cannot_be_played_ends_its_game_there(tmp_path: Path) -> None:
    path = tmp_path / "journal"
    data = record(path, 5)
    payload = json.dumps(
        {"do": "act", "n": 7, "at": 0.0, "seat": "p1", "action": {"type": "juggle"}}
    ).encode()
    path.write_bytes(data + b"%08x %b\n" % (zlib.crc32(payload), payload))
    table = Table(Journal(path))
    assert len(table.history()) == 5
    assert "entry 7 cannot be played again" in str(table.status()[0])
    play(table, 2, Random(2))
    table.close()
    again = Table(Journal(path))
    assert len(again.history()) == 7
    assert not again.notices
    again.close()


# Whole lines that are gone


@pytest.mark.parametrize("cut", [1, 2, 7])
def test_whole_lines_that_are_gone_from_the_end_are_told_and_recorded(tmp_path: Path, cut: int) -> None:
    """The journal itself looks whole; its lock knows how long it was."""
    path = tmp_path / "journal"
    lines = record(path, 20).splitlines(keepends=True)
    path.write_bytes(b"".join(lines[:-cut]))
    for attempt in range(2):
        table = Table(Journal(path))
        assert (lost := table.lost()) is not None
        assert lost.last is not None
        assert lost.last.n == 20 - cut
        assert table.happenings() == {"mended": 1, "resumed": 1}
        if not attempt:
            missing = "an entry is" if cut == 1 else f"{cut} entries are"
            assert f"{missing} missing at its end" in str(table.status()[0])
        table.close()
    table = Table(Journal(path))
    play(table, 1, Random(2))
    assert table.happenings() == {"mended": 1, "resumed": 1}
    table.close()
    again = Journal(path)
    assert (again.since, again.notices) == (set(), [])
    again.close()


def test_a_note_that_lags_behind_is_no_loss(tmp_path: Path) -> None:
    """It is not waited for, so a power cut may leave an older one."""
    path, lock = tmp_path / "journal", tmp_path / "journal.lock"
    record(path, 20)
    early = lock.read_bytes().replace(b'"last":21', b'"last":14')
    assert early != lock.read_bytes()
    lock.write_bytes(early)
    journal = Journal(path)
    assert (journal.since, journal.notices) == (set(), [])
    journal.close()


def test_a_note_of_an_earlier_version_is_read_and_written_over(tmp_path: Path) -> None:
    path, lock = tmp_path / "journal", tmp_path / "journal.lock"
    record(path, 20)
    lock.write_bytes(b'{"begun":true}')
    table = Table(Journal(path))
    assert table.notices == []
    play(table, 1, Random(2))
    table.close()
    assert json.loads(lock.read_bytes()) == {"begun": True, "last": 22}


def test_another_journal_in_its_place_is_not_measured_by_the_one_before(tmp_path: Path) -> None:
    path = tmp_path / "journal"
    record(path, 20)
    forget_last(path)
    path.write_bytes(b"".join(path.read_bytes().splitlines(keepends=True)[:9]))
    journal = Journal(path)
    assert (journal.count, journal.since, journal.notices) == (8, set(), [])
    journal.close()
