"""After three failed starts what cannot be opened is set aside, never deleted, and told with the way back."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import pytest

from companion import safe_mode
from companion.boxes import Shelf
from companion.cli import main
from companion.disk import NotOurs, read_own
from companion.entries import HEADER
from companion.journal import Journal
from companion.table import Table
from companion.words import LANGUAGES
from tests.journal.games import record


def opened(state: Path) -> Table:
    """Everything that a house opens in the core."""
    safe_mode.begin(state)
    table = Table(Journal(state / "journal"))
    try:
        if os.path.lexists(state / "guests.json"):
            read_own(state / "guests.json", 1 << 20)
        Shelf(state / "boxes").profiles()
        list((state / "castles").iterdir() if (state / "castles").exists() else ())
    except BaseException:
        table.close()
        raise
    safe_mode.succeeded(state)
    return table


def starts_until_it_opens(state: Path, most: int = 8) -> int:
    for failed in range(most):
        try:
            table = opened(state)
        except OSError:
            continue
        table.close()
        return failed
    raise AssertionError("it never opens")


@pytest.fixture
def state(tmp_path: Path) -> Path:
    """A table with a game in progress."""
    record(tmp_path / "journal", 12)
    (tmp_path / "guests.json").write_bytes(b"{}")
    return tmp_path


def fifo(path: Path) -> None:
    path.unlink(missing_ok=True)
    os.mkfifo(path)


def folder(path: Path) -> None:
    path.unlink(missing_ok=True)
    path.mkdir()
    (path / "x").write_bytes(b"x")


def link(path: Path) -> None:
    path.unlink(missing_ok=True)
    path.symlink_to("/etc/passwd")


TRAPS: dict[str, tuple[str, Callable[[Path], object]]] = {
    "a guest book that is a folder": ("guests.json", folder),
    "a guest book that is a pipe": ("guests.json", fifo),
    "a guest book that is a link": ("guests.json", link),
    "a journal that is a folder": ("journal", folder),
    "a journal that is a pipe": ("journal", fifo),
    "a lock that is a folder": ("journal.lock", folder),
    "a lock that is a pipe": ("journal.lock", fifo),
    "castles that are a file": ("castles", lambda path: path.write_bytes(b"x")),
}


@pytest.mark.parametrize(("name", "trap"), TRAPS.values(), ids=TRAPS.keys())
def test_the_fourth_start_opens_without_what_cannot_be_opened(
    name: str, trap: Callable[[Path], object], state: Path
) -> None:
    trap(state / name)
    assert starts_until_it_opens(state) == 3
    (thing,) = safe_mode.report(state).things
    assert (thing.name, thing.place) == (name, f"set-aside-1/{name}")
    assert os.path.lexists(state / thing.place)
    for language in LANGUAGES:
        (said,) = (saying.said(language) for saying in safe_mode.told(state))
        assert thing.place in said
        assert f"companion put-back {thing.place}" in said
    # What is fine stays: the game goes on, unless it was the game that could not be opened.
    table = opened(state)
    assert (table.game is None) == (name == "journal")
    table.close()


@pytest.mark.skipif(os.name != "posix" or os.geteuid() != 0, reason="only root gives files away")
def test_a_foreign_owner_is_set_aside_too(state: Path) -> None:
    os.chown(state / "journal", 12345, 12345)
    with pytest.raises(NotOurs):
        opened(state)
    assert starts_until_it_opens(state) == 2
    assert (state / "set-aside-1/journal").stat().st_uid == 12345


def test_a_journal_that_takes_all_memory_is_set_aside(state: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (state / "journal").write_bytes(HEADER + b"[" * (7 << 20) + b"\n")
    monkeypatch.setattr(safe_mode, "_journal_fault", lambda path: "it takes all memory")
    (thing,) = safe_mode.set_aside(state)
    assert (thing.name, thing.why) == ("journal", "it takes all memory")


def test_a_child_looks_into_a_journal_and_finds_a_whole_or_mendable_one_fine(state: Path) -> None:
    assert safe_mode._journal_fault(state / "journal") == ""
    (state / "journal").write_bytes((state / "journal").read_bytes()[:-9] + b"\0" * 100)
    assert safe_mode._journal_fault(state / "journal") == ""
    assert "no plain file" in safe_mode._journal_fault(Path("/dev/null"))


def test_nothing_is_set_aside_where_everything_opens(state: Path) -> None:
    """The fault lay elsewhere, such as a kit that hung: three failed starts alone take nothing away."""
    for _ in range(5):
        safe_mode.begin(state)
    assert safe_mode.report(state) == safe_mode.Report()
    table = opened(state)
    assert table.game is not None
    table.close()


def test_what_opens_and_yet_ends_every_start_is_set_aside_at_last(state: Path) -> None:
    for _ in range(7):
        safe_mode.begin(state)
    assert {thing.name for thing in safe_mode.report(state).things} == {"journal", "guests.json"}
    assert (state / "set-aside-1/journal").read_bytes().startswith(HEADER)


def test_pulling_the_plug_is_no_failed_start(state: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for boot in range(10):
        monkeypatch.setattr(safe_mode, "_boot", lambda boot=boot: f"boot {boot}")
        safe_mode.begin(state)
    assert safe_mode._failed(state) == 1
    assert safe_mode.told(state) == ()


def test_a_start_that_succeeds_begins_the_count_anew(state: Path) -> None:
    for _ in range(2):
        safe_mode.begin(state)
    opened(state).close()
    assert safe_mode._failed(state) == 0
    assert not (state / ".starts").exists()


@pytest.mark.parametrize("name", [".starts", "safe-mode.json"])
@pytest.mark.parametrize("trap", [fifo, folder, link])
def test_safe_mode_itself_cannot_be_trapped(name: str, trap: Callable[[Path], object], state: Path) -> None:
    trap(state / name)
    fifo(state / "guests.json")
    assert starts_until_it_opens(state) <= 3
    assert any(thing.name == "guests.json" for thing in safe_mode.report(state).things)
    assert Path("/etc/passwd").read_bytes().startswith(b"root")


def test_put_back_brings_it_back_and_sets_the_other_aside(
    state: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    before = (state / "journal").read_bytes()
    for _ in range(7):
        safe_mode.begin(state)
    opened(state).close()
    assert main(["put-back", "--state", str(state)]) == 0
    assert "set-aside-1/journal" in capsys.readouterr().out
    assert main(["put-back", "set-aside-1/nothing", "--state", str(state)]) == 1
    journal = Journal(state / "journal")
    assert main(["put-back", "set-aside-1/journal", "--state", str(state)]) == 1
    assert "stop it first" in capsys.readouterr().err
    journal.close()
    assert main(["put-back", "set-aside-1/journal", "--state", str(state)]) == 0
    assert (state / "journal").read_bytes() == before
    assert (state / "set-aside-1/journal").read_bytes() == HEADER
    assert [thing.name for thing in safe_mode.report(state).things] == ["guests.json"]
    safe_mode.dismiss(state)
    assert safe_mode.told(state) == ()


def test_a_journal_that_was_emptied_or_taken_away_is_told_until_there_is_a_new_one(tmp_path: Path) -> None:
    record(tmp_path / "journal", 5)
    for spoil in (lambda path: path.write_bytes(b""), lambda path: path.unlink(),
                  lambda path: path.write_bytes(HEADER)):  # fmt: skip
        spoil(tmp_path / "journal")
        for _ in range(2):
            table = Table(Journal(tmp_path / "journal"))
            assert table.journal is not None
            assert table.journal.gone
            assert "there were games here" in str(table.status()[0])
            table.close()
    table = Table(Journal(tmp_path / "journal"))
    table.new("phantom", {"players": 4})
    table.close()
    table = Table(Journal(tmp_path / "journal"))
    assert table.notices == []
    table.close()


def test_a_shorter_journal_that_is_put_back_has_lost_nothing(state: Path) -> None:
    """The lock beside it knows how long the one was that lay there meanwhile."""
    record(state / "journal", 5)
    aside = state / "set-aside-1"
    aside.mkdir()
    os.rename(state / "journal", aside / "journal")
    thing = '{"name":"journal","place":"set-aside-1/journal","why":"a trap"}'
    (state / safe_mode.REPORT).write_text(f'{{"things":[{thing}]}}')
    record(state / "journal", 40)
    assert main(["put-back", "set-aside-1/journal", "--state", str(state)]) == 0
    journal = Journal(state / "journal")
    assert (journal.count, journal.since, journal.notices) == (19, set(), [])
    journal.close()
