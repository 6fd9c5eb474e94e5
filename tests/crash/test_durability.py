"""Durable first, then answered: the order of calls to the system is looked at, not guessed from time."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from companion.contract import plain
from tests.crash.evenings import Model

NEW = {"cmd": "new", "game": "artefacts", "players": 4, "options": {"decks": "virtual"}, "seed": 4}


def traced(folder: Path, requests: list[dict[str, Any]]) -> tuple[list[Any], list[list[str]]]:
    """The answers of a real companion, and for each what it did to files before it gave it."""
    lines = b"".join(json.dumps(each).encode() + b"\n" for each in requests)
    command = [sys.executable, "-m", "tests.crash.traced", str(folder / "trace")]
    done = subprocess.run(
        [*command, "headless", "--journal", str(folder / "journal")],
        input=lines,
        capture_output=True,
        timeout=60,
    )
    assert done.returncode == 0, done.stderr.decode()
    calls: list[list[str]] = [[]]
    for line in (folder / "trace").read_text().splitlines():
        if line.startswith("write answer"):
            calls.append([])
        else:
            calls[-1].append(line)
    return [json.loads(line) for line in done.stdout.splitlines()], calls


def evening(length: int) -> list[dict[str, Any]]:
    """A game with draws, undo and redo: whatever changes something."""
    model = Model([NEW])
    while len(model.requests) < length:
        seat = model.table.standing().to_act[0]
        action = plain(model.table.legal(seat)[-1])
        model.follow({"cmd": "act", "seat": seat, "action": action})
        if len(model.requests) % 9 == 0:
            model.follow({"cmd": "undo", "seat": "moderator"})
            model.follow({"cmd": "redo", "seat": "moderator"})
    return list(model.requests)


@pytest.fixture(scope="module")
def watched(tmp_path_factory: pytest.TempPathFactory) -> tuple[list[Any], list[list[str]]]:
    return traced(tmp_path_factory.mktemp("durable"), evening(60))


def test_every_entry_is_on_the_disk_before_its_answer(watched: tuple[list[Any], list[list[str]]]) -> None:
    """What an action says, and what chance then draws, is written at once and synced, then answered."""
    answers, calls = watched
    assert len(answers) == len(calls) - 1 >= 60
    for answer, before in zip(answers, calls, strict=False):
        assert answer["ok"], answer
        on_it = [call.split()[0] for call in before if call.split()[1] == "journal"]
        assert on_it[-2:] == ["write", "sync"]
        assert on_it.count("write") == 1


def test_a_new_journal_is_in_its_folder_before_the_first_answer(
    watched: tuple[list[Any], list[list[str]]],
) -> None:
    """A file that nobody finds after a power cut would be no journal."""
    before = watched[1][0]
    folder = [n for n, call in enumerate(before) if call.startswith("sync durable")]
    assert folder
    assert folder[0] < len(before) - 1


def test_what_is_refused_or_only_asked_writes_nothing(tmp_path: Path) -> None:
    """And the sync that it does not wait for costs nobody anything."""
    asked = [
        NEW,
        {"cmd": "act", "seat": "blue", "action": {"type": "end"}},
        {"cmd": "view", "seat": "blue"},
        {"cmd": "undo", "seat": "nobody"},
        {"cmd": "new", "game": "chess"},
    ]
    answers, calls = traced(tmp_path, asked)
    assert [answer["ok"] for answer in answers] == [True, False, True, False, False]
    assert all(not before for before in calls[1:-1])
