"""The daemon too is durable first: its calls to the system are traced, the power is cut after each.

A long evening with all its cuts: `make test-power`.
"""

from __future__ import annotations

import os
import shutil
import signal
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import pytest

from companion.bots import pace
from tests.crash.power import CACHES, Cache, Op, cuts, laid_out
from tests.crash.system_calls import operations, tracing
from tests.crash.whole_evening import DIGITS, Evening, Known, facts, lived
from tests.web import sketches
from tests.web.daemon import Daemon, port_that_stays_free
from tests.web.phones import until
from web.server import server

LASTING = ("/host/start", "/act", "/api/v1/act", "/undo", "/redo", "/host/rematch", "/host/abandon")
LONG = int(os.environ.get("MOVES", "0"))
"""Moves of each game with bots; with them every cut is made, otherwise some."""
SOME = 13


class Traced(NamedTuple):
    """An evening, what the disk was told meanwhile, and the folder as it really was in the end."""

    evening: Evening
    ops: list[Op]
    root: Path


@pytest.fixture(scope="module")
def traced(tmp_path_factory: pytest.TempPathFactory) -> Traced:
    """All that a real daemon asked of the system in an evening."""
    if not shutil.which("strace"):
        pytest.skip("strace is missing, which looks at calls to the system: apt install strace")
    trace, root = tmp_path_factory.mktemp("traced") / "calls", tmp_path_factory.mktemp("disk")
    daemon = Daemon(root / "state", port_that_stays_free(), tracing(trace))
    try:
        evening = lived(daemon, LONG)
    finally:
        for phone in daemon.phones:
            phone.close()
        daemon.end(signal.SIGTERM)
    ended = f"{daemon.process.pid} +++ exited with 0 +++"
    until(lambda: " ".join(trace.read_text(errors="replace")[-200:].split()).endswith(ended))
    return Traced(evening, operations(trace, root), root)


def requests(traced: Traced, *paths: str) -> list[list[Op]]:
    """For each request to these paths, all that happened until it was answered; they came one by one."""
    found, before, answered = [], list[Op](), iter(traced.evening.answered)
    for op in traced.ops:
        if op.do == "answered":
            if next(answered)[0] in paths:
                found.append(before)
            before = []
        elif op.do != "pushed":
            before.append(op._replace(path=Path(op.path).name, to=Path(op.to).name, data=b"", at=0))
    return found


def until_answered(ops: list[Op], number: int) -> Iterator[Op]:
    """What was done before so many requests were answered."""
    for op in ops:
        number -= op.do == "answered"
        if number < 0:
            return
        yield op


def test_the_daemon_answers_when_an_action_is_on_the_disk(traced: Traced) -> None:
    """Forms, programs, the beginning and the end of a game: written once, synced, then answered."""
    lasting = [[op.do for op in before if op.path == "journal"] for before in requests(traced, *LASTING)]
    assert lasting.count([]) == 1, "only what was refused writes nothing"
    assert LONG or len(lasting) == 15
    assert LONG or lasting.count(["write", "sync"]) == 14


def test_nobody_is_pushed_what_is_not_on_the_disk_yet(traced: Traced) -> None:
    """A screen that looks on learns nothing that a power cut could take back.

    Later in a long evening bots act while a push of before is on its way: there the seals it shows count.
    """
    unsure = pushed = 0
    alone = next(n for n, (path, _) in enumerate(traced.evening.answered) if path == "/host/abandon")
    for op in until_answered(traced.ops, alone):
        if op.path.endswith("/journal"):
            unsure = op.do == "write"
        elif op.do in ("pushed", "answered"):
            assert not unsure
            pushed += op.do == "pushed"
    assert pushed >= 10


def test_who_came_and_sat_down_is_on_the_disk_before_the_answer(traced: Traced) -> None:
    """The guest book is written beside the old one, synced, and takes its place; the folder knows it too."""
    written, place = "guests.json.new", "guests.json"
    for before in requests(traced, "/join", "/seat/take"):
        lasting = [Op("write", written), Op("sync", written), Op("rename", written, to=place)]
        assert [op for op in before if op.path == written and op.do != "create"] == lasting
        assert before.index(lasting[-1]) < before.index(Op("sync", "state"))


def test_the_trace_has_all_that_happened_to_the_folder(traced: Traced) -> None:
    """Nothing is written by a call that is not looked at: the disk of the trace is the real one."""
    *_, (_, disk) = cuts(traced.ops, traced.root)
    real = {
        str(path.relative_to(traced.root)): path.read_bytes() if path.is_file() else None
        for path in traced.root.rglob("*")
    }
    assert disk.left("kept") == real
    assert sum(op.do == "answered" for op in traced.ops) == len(traced.evening.answered)


@pytest.fixture
def ram(tmp_path: Path) -> Iterator[Path]:
    """Where to lay out a thousand folders."""
    with tempfile.TemporaryDirectory(dir="/dev/shm" if os.path.isdir("/dev/shm") else tmp_path) as folder:
        yield Path(folder)


@pytest.mark.parametrize("cache", CACHES)
def test_after_every_cut_the_daemon_opens_with_all_that_was_answered(
    traced: Traced, cache: Cache, ram: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What was being asked for when the power went has happened or not, and never by half."""
    monkeypatch.setattr(pace, "thinking", lambda: 0.01)
    known = [Known({}), *(known for _, known in traced.evening.answered)]
    told, seen, seals, opened = 0, 0, set[tuple[int, str]](), 0
    for n, (done, disk) in enumerate(cuts(traced.ops, traced.root)):
        for op in traced.ops[seen:done]:
            told += op.do == "answered"
            seals |= {(known[told].journal, digits.decode()) for digits in DIGITS.findall(op.data)}
        seen = done
        if LONG or n % SOME == 0:
            state = laid_out(disk.left(cache, n), ram / str(n)) / "state"
            fault = forgotten(state, traced.evening, known[told : told + 2], seals)
            assert not fault, f"after {done} of {len(traced.ops)}, {traced.ops[done - 1][:2]}: {fault}"
            shutil.rmtree(state.parent)
            opened += 1
    assert opened > 20
    print(f"{cache}: the power was cut {opened} times in {told} answers, {len(seals)} seals were shown")


def forgotten(state: Path, evening: Evening, known: list[Known], seals: set[tuple[int, str]]) -> str:
    """What a house does not know when it is opened there, of one of the ways that it can have ended."""
    with server.opened(state, "simulated", sketches) as house:
        found, entries, broken = facts(house), house.evening.table.journal.entries, house.table.broken()
    deeds, begun = evening.deeds(entries), {getattr(entry, "seal", "")[:8] for entry in entries}
    faults = [f"the chain of seals is broken at {broken}"] if broken is not None else []
    for each in known:
        wrong: list[object] = [
            (what, so, found.get(what)) for what, so in each.facts.items() if found.get(what) != so
        ]
        wrong += [digits for journal, digits in seals if journal == each.journal and digits not in begun]
        if deeds != each.deeds:
            wrong += [each.deeds[-2:], "beside", deeds[-2:]]
        if not wrong and broken is None:
            return ""
        faults.append(f"{wrong}")
    return "; or ".join(faults)
