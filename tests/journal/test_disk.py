"""The disk is full, read-only or somebody else's: told in words, nothing lost, and on it goes with room."""

from __future__ import annotations

import errno
import json
import os
import resource
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from random import Random
from typing import Any

import pytest

from companion.contract import PUBLIC
from companion.journal import Journal, JournalInUse, read_entries
from companion.refusals import NotSaved
from companion.table import Table
from companion.words import LANGUAGES
from tests.journal.games import play, record

HEADLESS = [sys.executable, "-m", "companion", "headless", "--journal"]
NOBODY = 65534


@contextmanager
def no_file_above(size: int) -> Iterator[None]:
    """No file of this process may grow beyond a size: writes stop in the middle, as on a full disk."""
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, hard))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))


@contextmanager
def full_disk(journal: Journal) -> Iterator[None]:
    """The journal is on a device that has no room left."""
    real = journal._file, journal._end
    with open("/dev/full", "wb", buffering=0) as full:
        journal._file, journal._end = full, 0
        try:
            yield
        finally:
            journal._file, journal._end = real


@pytest.fixture
def table(tmp_path: Path) -> Iterator[Table]:
    """A table some way into a game."""
    record(tmp_path / "journal", 20)
    table = Table(Journal(tmp_path / "journal"))
    yield table
    table.close()


def an_action(table: Table) -> tuple[str, Any]:
    seat = table.standing().to_act[0]
    return seat, table.legal(seat)[0]


def test_a_full_disk_refuses_the_action_and_changes_nothing(table: Table, tmp_path: Path) -> None:
    assert table.journal is not None
    before = table.view(PUBLIC), table.history(), table.version
    on_disk = (tmp_path / "journal").read_bytes()
    with full_disk(table.journal), pytest.raises(NotSaved, match=r"No space left.*make room") as refused:
        table.act(*an_action(table))
    assert refused.value.code == "not_saved"
    assert (table.view(PUBLIC), table.history(), table.version) == before
    assert (tmp_path / "journal").read_bytes() == on_disk


@pytest.mark.parametrize("room_for", [0, 1, 40])
def test_a_half_written_entry_is_cut_off_and_all_works_again_with_room(
    table: Table, tmp_path: Path, room_for: int
) -> None:
    path = tmp_path / "journal"
    on_disk = path.read_bytes()
    for attempt in (table.act, lambda seat, action: table.new("phantom", {"players": 4})):
        with no_file_above(len(on_disk) + room_for), pytest.raises(NotSaved):
            attempt(*an_action(table))
        assert path.read_bytes() == on_disk
    play(table, 3, Random(1))
    expected = table.view(PUBLIC), table.history()
    table.close()
    again = Table(Journal(path))
    assert (again.view(PUBLIC), again.history()) == expected
    assert not again.notices
    again.close()


def test_undo_on_a_full_disk_leaves_the_action(table: Table) -> None:
    assert table.journal is not None
    before = table.view(PUBLIC), table.history()
    with full_disk(table.journal), pytest.raises(NotSaved):
        table.undo("moderator")
    assert (table.view(PUBLIC), table.history()) == before
    table.undo("moderator")
    assert table.history()[-1].undone


def test_a_file_that_slipped_away_is_opened_again(table: Table, tmp_path: Path) -> None:
    assert table.journal is not None
    table.journal._file.close()
    play(table, 2, Random(3))
    assert len(read_entries((tmp_path / "journal").read_bytes())[0]) == 1 + 20 + 2


def test_headless_answers_not_saved_and_goes_on(tmp_path: Path) -> None:
    path = tmp_path / "journal"
    with subprocess.Popen([*HEADLESS, str(path)], stdin=subprocess.PIPE, stdout=subprocess.PIPE) as process:

        def ask(**request: Any) -> Any:
            assert process.stdin is not None
            assert process.stdout is not None
            process.stdin.write(json.dumps(request).encode() + b"\n")
            process.stdin.flush()
            return json.loads(process.stdout.readline())

        assert ask(cmd="new", game="phantom", players=4, seed=1)["ok"]
        action = {"type": "place", "room": 1, "colour": "blue", "value": 3}
        limits = resource.prlimit(process.pid, resource.RLIMIT_FSIZE)
        resource.prlimit(process.pid, resource.RLIMIT_FSIZE, (path.stat().st_size + 10, limits[1]))
        view = ask(cmd="view")
        refused = ask(cmd="act", seat="p1", action=action)
        assert refused["error"]["code"] == "not_saved"
        assert "make room" in refused["error"]["message"]
        assert ask(cmd="view") == view
        assert ask(cmd="history")["history"] == []
        resource.prlimit(process.pid, resource.RLIMIT_FSIZE, limits)
        assert ask(cmd="act", seat="p1", action=action)["to_act"] == ["p2"]
        assert ask(cmd="quit")["ok"]
    assert [entry.n for entry in read_entries(path.read_bytes())[0]] == [1, 2]


# A full disk while a damaged journal is opened


def test_a_damaged_journal_on_a_full_disk_is_read_and_mended_later(tmp_path: Path) -> None:
    path = tmp_path / "journal"
    damaged = record(path, 20)[:-9]
    path.write_bytes(damaged)
    with no_file_above(50):
        table = Table(Journal(path))
        assert len(table.history()) == 19
        assert "cannot be mended now (File too large)" in str(table.status()[0])
        for _ in range(2):
            with pytest.raises(NotSaved):
                table.act(*an_action(table))
        assert len(table.status()) == 1
        assert path.read_bytes() == damaged
        assert sorted(each.name for each in tmp_path.iterdir()) == ["journal", "journal.lock"]
    play(table, 1, Random(1))
    assert "is kept as journal.damaged-1" in str(table.status()[0])
    assert (tmp_path / "journal.damaged-1").read_bytes() == damaged
    table.close()
    again = Table(Journal(path))
    assert len(again.history()) == 20
    assert not again.notices
    again.close()


def test_where_files_have_one_name_only_a_damaged_one_is_copied(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*names: Path) -> None:
        raise OSError(errno.EPERM, "Operation not permitted")

    monkeypatch.setattr(os, "link", refuse)
    path = tmp_path / "journal"
    path.write_bytes(b"garbage")
    Journal(path).close()
    assert (tmp_path / "journal.damaged-1").read_bytes() == b"garbage"


# Places where no journal can be


def headless(path: Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run([*HEADLESS, str(path)], input="", capture_output=True, text=True, timeout=60)


def test_a_folder_is_no_journal(tmp_path: Path) -> None:
    ended = headless(tmp_path)
    assert ended.returncode == 1
    assert ended.stdout == ""
    assert ended.stderr == f"companion: {tmp_path} cannot be used as a journal: Is a directory\n"


def test_a_journal_below_a_file_is_refused(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    ended = headless(tmp_path / "file" / "journal")
    assert ended.returncode == 1
    assert "cannot be used as a journal" in ended.stderr


def as_nobody(code: str, path: Path) -> str:
    """What a process without rights prints, once everything it needs is imported."""
    script = f"""
import io, os, sys
from pathlib import Path
from companion import headless
from companion.games import phantom
if os.getuid() == 0:
    os.setgroups([])
    os.setgid({NOBODY})
    os.setuid({NOBODY})
{code}
"""
    ended = subprocess.run(
        [sys.executable, "-c", script, str(path)], capture_output=True, text=True, timeout=60
    )
    return ended.stdout + ended.stderr


def test_a_folder_without_rights_is_told(tmp_path: Path) -> None:
    path = tmp_path / "locked" / "journal"
    path.parent.mkdir(mode=0o555)
    opening = "print(headless.run('simulated', Path(sys.argv[1]), io.BytesIO(b''), sys.stdout.buffer))"
    # The folders above must let anybody pass; pytest makes them private.
    for folder in (tmp_path, *tmp_path.parents[:2]):
        folder.chmod(0o755)
    told = as_nobody(opening, path)
    assert f"{path} cannot be used as a journal: Permission denied" in told
    assert told.startswith("1\n") or "\n1\n" in told
    path.parent.chmod(0o755)


def test_missing_folders_are_made(tmp_path: Path) -> None:
    Journal(tmp_path / "a" / "b" / "journal").close()
    assert (tmp_path / "a" / "b" / "journal").exists()


def test_a_journal_is_for_its_owners_eyes_only(tmp_path: Path) -> None:
    record(tmp_path / "journal", 2)
    assert (tmp_path / "journal").stat().st_mode & 0o077 == 0


# Two at once


def test_two_processes_cannot_open_one_journal(tmp_path: Path) -> None:
    path = tmp_path / "journal"
    before = record(path, 5)
    with subprocess.Popen([*HEADLESS, str(path)], stdin=subprocess.PIPE, stdout=subprocess.PIPE) as first:
        assert first.stdin is not None
        assert first.stdout is not None
        first.stdin.write(b'{"cmd":"history"}\n')
        first.stdin.flush()
        assert len(json.loads(first.stdout.readline())["history"]) == 5
        ended = headless(path)
        assert ended.returncode == 1
        assert ended.stderr == f"companion: another companion has {path} open: stop it first\n"
        with pytest.raises(JournalInUse) as refused:
            Journal(path)
        first.stdin.close()
        assert first.wait(60) == 0
    told = {language: refused.value.message(language) for language in LANGUAGES}
    assert len(set(told.values())) == 3
    assert all(str(path) in sentence for sentence in told.values())
    assert told["de"] == f"ein anderer Begleiter hat {path} offen: Beende ihn zuerst"
    assert path.read_bytes() == before
    Journal(path).close()


# A table that begins while nothing can be written


def no_room(monkeypatch: pytest.MonkeyPatch, number: int) -> None:
    """The disk takes nothing, from the first file on."""

    def refuse(path: Any, mode: str = "r", *more: Any, **named: Any) -> Any:
        if set(mode) & set("wa+x"):
            raise OSError(number, os.strerror(number))
        return real(path, mode, *more, **named)

    real = open
    for module in ("companion.journal", "companion.disk"):
        monkeypatch.setattr(f"{module}.open", refuse, raising=False)


@pytest.mark.parametrize("number", [errno.ENOSPC, errno.EROFS])
@pytest.mark.parametrize("begun", [True, False])
def test_a_table_opens_on_a_full_or_read_only_disk_and_saves_once_it_is_mended(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, number: int, begun: bool
) -> None:
    path = tmp_path / "journal"
    if begun:
        record(path, 5)
    entries = len(read_entries(path.read_bytes())[0]) if begun else 0
    with monkeypatch.context() as full:
        no_room(full, number)
        table = Table(Journal(path))
        assert table.journal is not None
        assert table.journal.trouble is not None
        assert os.strerror(number) in table.journal.trouble.said()
        with pytest.raises(NotSaved, match=os.strerror(number)):
            table.new("phantom", {"players": 2})
        table.journal.look()
        assert table.journal.trouble is not None
        assert (table.game is not None) == begun
    table.journal.look()
    assert table.journal.trouble is None
    table.new("phantom", {"players": 2})
    table.close()
    kept, damaged = read_entries(path.read_bytes())
    assert (len(kept), damaged) == (entries + 1, 0)
    assert sorted(file.name for file in tmp_path.iterdir()) == ["journal", "journal.lock"]


def test_trouble_ends_with_the_next_entry_that_is_saved(table: Table) -> None:
    assert table.journal is not None
    with full_disk(table.journal), pytest.raises(NotSaved):
        table.act(*an_action(table))
    assert table.journal.trouble is not None
    table.act(*an_action(table))
    assert table.journal.trouble is None
