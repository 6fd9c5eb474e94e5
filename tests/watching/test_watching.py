"""Health that means something, a log without secrets, a report without secrets."""

from __future__ import annotations

import io
import json
import logging
import os
import socket
import stat
import threading
import zipfile
from collections.abc import Iterator
from pathlib import Path
from random import Random

import pytest

from companion import logs, report
from companion.cli import main
from companion.clock import VirtualClock
from companion.health import LONGEST, Pulse
from companion.journal import Journal
from companion.table import Table
from tests.journal.games import play
from tests.seals.games import finished
from web import failures

UNIT = Path(__file__).parents[2] / "systemd/companion.service"

# Health


class Hung:
    """Somebody who holds the table's lock and does not let go."""

    def __init__(self, table: Table) -> None:
        self._table, self._held, self._end = table, threading.Event(), threading.Event()
        self._thread = threading.Thread(target=self._hold)

    def _hold(self) -> None:
        with self._table.lock:
            self._held.set()
            self._end.wait(20)

    def __enter__(self) -> None:
        self._thread.start()
        assert self._held.wait(20)

    def __exit__(self, *fault: object) -> None:
        self._end.set()
        self._thread.join()


def test_health_fails_when_the_lock_hangs_and_comes_back_with_it() -> None:
    clock = VirtualClock()
    table = Table(clock=clock)
    pulse = Pulse(table.lock, clock)
    assert pulse.beats()
    with Hung(table):
        assert pulse.beats(), "a slow card is no death"
        clock.tick(LONGEST)
        assert not pulse.beats()
    assert pulse.beats()


def test_systemd_hears_nothing_from_a_table_that_hangs(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as wire:
        wire.bind(str(tmp_path / "notify"))
        wire.setblocking(False)
        monkeypatch.setenv("NOTIFY_SOCKET", str(tmp_path / "notify"))
        clock = VirtualClock()
        table = Table(clock=clock)
        pulse = Pulse(table.lock, clock)
        assert pulse.tell_systemd()
        assert wire.recv(100) == b"WATCHDOG=1"
        with Hung(table):
            clock.tick(LONGEST)
            assert not pulse.tell_systemd()
            with pytest.raises(BlockingIOError):
                wire.recv(100)


def test_the_table_is_given_up_before_the_watchdog_is() -> None:
    (line,) = [each for each in UNIT.read_text().splitlines() if each.startswith("WatchdogSec=")]
    assert int(line.partition("=")[2]) > LONGEST


# The log


@pytest.fixture
def log(monkeypatch: pytest.MonkeyPatch) -> Iterator[io.StringIO]:
    monkeypatch.delenv("JOURNAL_STREAM", raising=False)
    root, stream = logging.getLogger(), io.StringIO()
    before, level = list(root.handlers), root.level
    logs.set_up(stream, "warning,web.gate=info,companion.journal=error")
    yield stream
    root.handlers[:] = before
    root.setLevel(level)
    for part in ("web.gate", "companion.journal"):
        logging.getLogger(part).setLevel(logging.NOTSET)


def written(log: io.StringIO) -> list[dict[str, object]]:
    return [json.loads(line) for line in log.getvalue().splitlines()]


def test_every_line_is_json_with_level_part_and_message(log: io.StringIO) -> None:
    logging.getLogger("web.gate").info("a phone from %s", "10.0.0.7")
    logging.getLogger("companion.table").info("not told")
    logging.getLogger("companion.journal").warning("not told either")
    logging.getLogger("companion.table").warning("two\nlines")
    assert written(log) == [
        {"level": "info", "part": "web.gate", "message": "a phone from 10.0.0.7"},
        {"level": "warning", "part": "companion.table", "message": "two\nlines"},
    ]


def test_an_exception_is_logged_without_what_it_says(log: io.StringIO) -> None:
    try:
        hidden = {"ghost": 8}
        hidden["the white ghost is in room 36"]
    except KeyError:
        logging.getLogger("web").exception("a page failed")
    (line,) = written(log)
    assert line["exception"] == "KeyError"
    assert any("test_watching.py" in place for place in line["at"])
    assert "room 36" not in log.getvalue()
    assert "hidden" not in log.getvalue()


def test_a_fault_of_ours_is_told_under_its_part_in_one_message_and_without_its_reasons(
    log: io.StringIO,
) -> None:
    """A level for each part holds, and no formatter can tell what the fault said, nor what led to it."""
    logging.getLogger("web.gate").setLevel(logging.CRITICAL)
    usual = io.StringIO()
    logging.getLogger().addHandler(logging.StreamHandler(usual))
    for part in ("web.gate", "web.push.streams"):
        try:
            try:
                raise KeyError(f"the white ghost is in room {6 * 6}")
            except KeyError as first:
                raise RuntimeError(f"the blue ghost is in room {5 * 7}") from first
        except RuntimeError as fault:
            failures.note(logging.getLogger(part), "a push failed", fault)
    (line,) = written(log)
    assert (line["part"], line["message"]) == ("web.push.streams", "a push failed")
    assert line["exception"] == "RuntimeError"
    assert any("test_watching.py" in place for place in line["at"])
    assert "RuntimeError" in usual.getvalue()
    for secret in ("room 35", "room 36", "KeyError"):
        assert secret not in log.getvalue() + usual.getvalue()


def test_a_subscriber_that_fails_tells_no_secret(log: io.StringIO) -> None:
    table = Table()
    table.new("phantom", {"players": 4, "deal": True}, seed=1)

    def fails(change: object) -> None:
        raise RuntimeError(f"secret: {change} {table._state}")

    table.subscribe(fails)
    play(table, 3, Random(1))
    assert written(log)
    assert "secret" not in log.getvalue()


def test_a_flood_is_counted_and_not_written(log: io.StringIO, monkeypatch: pytest.MonkeyPatch) -> None:
    now = [0.0]
    handler = logging.getLogger().handlers[0]
    handler.filters[:] = [logs.Quiet(lambda: now[0])]
    for _ in range(5000):
        logging.getLogger("web.doors").warning("a wrong PIN")
    logging.getLogger("companion.table").warning("something else")
    assert len(written(log)) == logs.MOST + 1
    now[0] = logs.WHILE
    logging.getLogger("web.doors").warning("a wrong PIN")
    assert written(log)[-1]["unwritten"] == 5000 - logs.MOST


def test_a_level_that_is_none_is_left_out() -> None:
    assert logs._levels("loud, web=quiet,web.gate=DEBUG") == {None: "warning", "web.gate": "debug"}
    assert logs._levels("error") == {None: "error"}


def test_where_systemd_reads_each_line_has_its_priority() -> None:
    record = logging.LogRecord("web", logging.ERROR, "", 0, "no", (), None)
    assert logs.Lines(priorities=True).format(record).startswith('<3>{"level": "error"')


# The report


def inside(data: bytes) -> dict[str, bytes]:
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        return {name: archive.read(name) for name in archive.namelist()}


def test_a_report_says_how_the_table_is_and_nothing_of_the_game(tmp_path: Path) -> None:
    table = Table(Journal(tmp_path / "journal"))
    table.new("phantom", {"players": 4, "deal": True}, seed=1)
    while table.standing().phase != "playing":
        play(table, 1, Random(table.version))
    table.close()
    (tmp_path / "guests.json").write_text('{"guests":[{"name":"Grandmother","key":"abc"}],"pin":"hash"}')
    found = inside(report.bundle(tmp_path, with_secrets=True))
    said = b"".join(found.values())
    assert json.loads(found["state.json"])["journal"]["games"] == 1
    assert {each["name"] for each in json.loads(found["state.json"])["files"]} >= {"journal", "guests.json"}
    assert json.loads(found["machine.json"])["companion"]
    assert "msgspec" in json.loads(found["packages.json"])
    assert b"still going on" in found["record.json"]
    for secret in (b"hide", b"salt", b'"owner"', b"Grandmother", b'"pin"', b"hash"):
        assert secret not in said


@pytest.mark.parametrize("owner", [None, 12345], ids=["ours", "the service's"])
def test_the_log_in_it_is_asked_for_with_the_rights_of_whoever_asks(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, owner: int | None
) -> None:
    """The owner of the folder is in no group that may read the journal of the system."""
    if owner is not None and os.geteuid() != 0:
        pytest.skip("only root gives files away")
    programs, state = tmp_path / "bin", tmp_path / "state"
    programs.mkdir()
    state.mkdir()
    for name in ("journalctl", "systemctl"):
        (programs / name).write_text(f'#!/bin/sh\necho "{name} asked by $(id -u):$(id -G) $*"\n')
        (programs / name).chmod(0o755)
    monkeypatch.setenv("PATH", f"{programs}:{os.environ['PATH']}")
    if owner is not None:
        os.chown(state, owner, owner)
    found = inside(report.bundle(state))
    groups = " ".join(map(str, sorted({os.getegid(), *os.getgroups()})))
    said = found["log.txt"].decode()
    assert said.startswith(f"journalctl asked by {os.geteuid()}:")
    assert sorted(said.split(":")[1].split(" --")[0].split(), key=int) == groups.split()
    assert "-u companion.service" in said
    assert found["service.txt"].startswith(b"systemctl asked by")
    assert json.loads(found["state.json"])["uid"] == (owner or os.geteuid())


def test_the_record_of_a_finished_game_is_in_it_if_asked_for(tmp_path: Path) -> None:
    table = finished("phantom", journal=tmp_path / "journal")
    record = table.record()
    table.close()
    assert "record.json" not in inside(report.bundle(tmp_path))
    assert (
        json.loads(inside(report.bundle(tmp_path, with_secrets=True))["record.json"])["seal"] == record.seal
    )


def test_the_doctor_writes_it(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    finished("phantom", journal=tmp_path / "state/journal").close()
    file = tmp_path / "report.zip"
    wanted = ["doctor", "--report", str(file), "--with-secrets", "--state", str(tmp_path / "state")]
    assert main(wanted) == 0
    assert "record.json" in inside(file.read_bytes())
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    assert main(wanted) == 1
    assert "exists" in capsys.readouterr().err


def test_a_report_of_a_folder_with_traps_is_written_all_the_same(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "journal")
    (tmp_path / "guests.json").symlink_to("/etc/passwd")
    found = inside(report.bundle(tmp_path))
    assert json.loads(found["state.json"])["journal"] == {"fault": "NotOurs"}
    assert b"root:" not in b"".join(found.values())
