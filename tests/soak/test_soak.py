"""The shortest soak, and that its ledger and its judge find what they are there to find.

`make soak SECONDS=120` for two minutes, `make soak SECONDS=3600` for an hour.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from companion.journal import Journal
from companion.table import Table
from tests.soak import soaking
from tests.soak.ledger import Ledger
from tests.soak.soaking import Soak
from tests.systemd.test_units import settings

linux = pytest.mark.skipif(
    sys.platform != "linux", reason="memory, files and waiting are counted as Linux tells them"
)
SECONDS = 8.0


@linux
@pytest.mark.timeout(120)
def test_an_evening_without_rest(tmp_path: Path) -> None:
    soak = Soak(tmp_path)
    try:
        faults = soak.run(SECONDS)
    finally:
        soak.close()
    assert not faults, f"{soak.told()}\n" + "\n".join(faults)
    assert soak.kills
    assert soak.ledger.checked
    assert soak.ledger.seals


def played(folder: Path) -> tuple[list[tuple[str, Any]], str]:
    """A game's first moves in a journal, and its newest seal."""
    table = Table(Journal(folder / "journal"))
    table.new("artefacts", {"decks": "virtual"}, seed=1)
    moves = []
    for _ in range(10):
        seat = table.standing().to_act[0]
        action = table.legal(seat)[0]
        table.act(seat, action)
        moves.append((seat, json.loads(soaking.msgspec.json.encode(action))))
    seal = table.seal().seal
    table.close()
    (folder / "guests.json").write_text('{"guests": [{"name": "Ada"}]}')
    return moves, seal


@pytest.mark.parametrize("lost", ["nothing", "a line", "all after it", "another seal", "a name"])
def test_the_ledger_misses_what_is_gone(tmp_path: Path, lost: str) -> None:
    moves, seal = played(tmp_path)
    ledger, path = Ledger(tmp_path), tmp_path / "journal"
    for seat, action in moves:
        ledger.acted("Ada", seat, action)
    ledger.showed(seal[:8])
    ledger.named("Ada", "Ada")
    lines = path.read_bytes().splitlines(keepends=True)
    match lost:
        case "a line":
            del lines[len(lines) // 2 :]
        case "all after it":
            del lines[-1:]
        case "another seal":
            ledger.showed("0123abcd")
        case "a name":
            (tmp_path / "guests.json").write_text('{"guests": []}')
    path.write_bytes(b"".join(lines))
    assert bool(ledger.missing()) == (lost != "nothing")


def test_the_service_is_slowed_down_where_the_judge_says_so() -> None:
    assert settings("companion.service", "MemoryHigh") == [f"{soaking.MOST_MEGABYTES:.0f}M"]


@pytest.mark.parametrize(
    ("planted", "told"),
    [
        ({}, None),
        ({"log": "Traceback (most recent call last)"}, "Traceback"),
        ({"file": "journal.new"}, "new files"),
        ({"loud": [2.0] * 100}, "honest phones wait"),
        ({"memory": [50.0] * 20 + [80.0] * 10}, "memory grew"),
        ({"memory": [50.0] * 29 + [170.0]}, "memory came to 170 MB"),
        ({"status": 1}, "it ended with 1"),
    ],
)
def test_the_judge_tells_what_is_wrong(tmp_path: Path, planted: dict[str, Any], told: str | None) -> None:
    soak = object.__new__(Soak)
    soak.state, soak.log, soak.faults = tmp_path / "state", tmp_path / "log", []
    soak.state.mkdir()
    soak.log.write_text(planted.get("log", "all is well"))
    soak.quiet, soak.loud = [0.01] * 100, planted.get("loud", [0.02] * 100)
    soak._memory = planted.get("memory", [50.0] * 30)
    soak.life = SimpleNamespace(process=SimpleNamespace(returncode=planted.get("status", 0)))  # type: ignore[assignment]
    if "file" in planted:
        (soak.state / planted["file"]).touch()
    soak._judge(set())
    assert [told in fault for fault in soak.faults] == ([True] if told else [])


@linux
def test_a_descriptor_more_is_seen_beside_a_thread_less() -> None:
    assert soaking.more((9, 18), (10, 17))
    assert soaking.more((11, 17), (10, 17))
    assert not soaking.more((9, 17), (10, 17))


@linux
def test_who_rests_does_not_stand_in_line_and_who_shares_a_processor_does() -> None:
    here = min(os.sched_getaffinity(0))
    work = f"import os, time; os.sched_setaffinity(0, [{here}])\nwhile time.process_time() < 0.4: pass\n"
    workers = [
        subprocess.Popen(
            [sys.executable, "-c", f"{work}print(flush=True); input()"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
        )
        for _ in range(3)
    ]
    try:
        for each in workers:
            assert each.stdout
            each.stdout.readline()
        time.sleep(0.1)
        waited = [soaking.in_line(each.pid) for each in workers]
        assert max(waited) > 0.1
        time.sleep(0.2)
        assert [soaking.in_line(each.pid) for each in workers] == waited
    finally:
        for each in workers:
            each.communicate(b"\n")
