"""Power goes without warning: kill -9 in mid-game, and nothing that was acknowledged is lost.

30 kills run with the other tests; 200 with `python -m pytest tests/crash -m slow`; as many as wanted, over
all three games, with `make test-kills N=10000`.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from random import Random

import pytest

from companion.journal import Journal, read_entries
from tests.crash.evenings import Companion, Evening, new_game
from tests.journal.games import record

RAM = "/dev/shm"
OPENER = """
import sys
from pathlib import Path
from companion.journal import Journal
print("ready", flush=True)
Journal(Path(sys.argv[1]))
print("done", flush=True)
sys.stdin.read()
"""


def kills(journal: Path, number: int, seed: int) -> None:
    evening = Evening(journal, Random(seed))
    for n in range(number):
        # Every fifth kill falls on the beginning of a game.
        evening.live(new_game(evening.chance) if n % 5 == 4 else None)
    companion, _ = evening.resume()
    companion.quit()
    # Kills that never fall into the middle of anything would prove nothing.
    assert evening.cut_short > number / 4


def test_no_acknowledged_action_is_lost_in_30_kills(tmp_path: Path) -> None:
    kills(tmp_path / "journal", 30, seed=1)


@pytest.mark.skipif(not os.path.isdir(RAM), reason="this system has no disk in memory")
def test_kills_fall_into_the_middle_on_the_fastest_disk_too() -> None:
    """What these kills prove does not rest on a slow disk."""
    with tempfile.TemporaryDirectory(dir=RAM) as folder:
        kills(Path(folder) / "journal", 15, seed=3)


@pytest.mark.slow
def test_no_acknowledged_action_is_lost_in_200_kills(tmp_path: Path) -> None:
    kills(tmp_path / "journal", 200, seed=2)


@pytest.mark.slow
@pytest.mark.skipif(not os.environ.get("KILLS"), reason="make test-kills N=10000")
def test_no_acknowledged_action_is_lost_in_any_number_of_kills(tmp_path: Path) -> None:
    number, seed = int(os.environ["KILLS"]), int(os.environ.get("SEED", "3"))
    # A journal is read through at every start, so a long run takes a new one now and then.
    for first in range(0, number, 100):
        kills(tmp_path / str(first) / "journal", min(100, number - first), seed + first)


def killed_while_opening(journal: Path, delay: float) -> bool:
    """Open a journal in a process and kill it after a moment; whether it was still at it comes back."""
    command = [sys.executable, "-c", OPENER, str(journal)]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == b"ready\n"
        time.sleep(delay)
        process.kill()
        return process.stdout.read() == b""


def test_kills_while_a_damaged_journal_is_mended_lose_nothing(tmp_path: Path) -> None:
    path, chance = tmp_path / "journal", Random(5)
    whole = record(path, 40, 20)
    damaged = whole[: len(whole) // 3] + b"?" + whole[len(whole) // 3 + 1 :]
    expected = read_entries(damaged)[0]
    in_the_middle = 0
    for _ in range(12):
        path.write_bytes(damaged)
        in_the_middle += killed_while_opening(path, chance.random() * 0.004)
        journal = Journal(path)
        assert journal.entries == expected
        journal.close()
        asides = list(tmp_path.glob("journal.damaged-*"))
        assert asides
        assert all(aside.read_bytes() == damaged for aside in asides)
        for aside in asides:
            aside.unlink()
    assert in_the_middle


def test_kills_while_it_starts_lose_nothing(tmp_path: Path) -> None:
    path, chance = tmp_path / "journal", Random(6)
    before = record(path, 30)
    for _ in range(5):
        companion = Companion(path)
        time.sleep(chance.random() * 0.3)
        companion.kill()
        assert path.read_bytes() == before


def test_a_journal_that_is_just_being_made_is_no_trouble(tmp_path: Path) -> None:
    for n in range(8):
        path = tmp_path / str(n) / "journal"
        path.parent.mkdir()
        killed_while_opening(path, n * 0.0004)
        journal = Journal(path)
        assert (journal.entries, journal.notices) == ([], [])
        journal.close()
