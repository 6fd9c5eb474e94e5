"""The word to systemd, over real sockets."""

from __future__ import annotations

import os
import socket
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from companion import notify

pytestmark = pytest.mark.skipif(os.name != "posix", reason="systemd is Linux only")


@pytest.fixture
def ear(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[socket.socket]:
    """The other end of the notify socket."""
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as listening:
        listening.bind(str(tmp_path / "notify"))
        listening.settimeout(5)
        monkeypatch.setenv("NOTIFY_SOCKET", str(tmp_path / "notify"))
        yield listening


def test_ready_alive_and_stopping_are_said_in_systemd_s_words(ear: socket.socket) -> None:
    notify.ready("a table for four")
    notify.alive()
    notify.status("round two")
    notify.stopping()
    heard = [ear.recv(1000).decode() for _ in range(4)]
    assert heard == ["READY=1\nSTATUS=a table for four", "WATCHDOG=1", "STATUS=round two", "STOPPING=1"]


def test_a_status_of_several_lines_says_nothing_but_a_status(ear: socket.socket) -> None:
    notify.status("hello\nWATCHDOG=trigger")
    assert ear.recv(1000) == b"STATUS=hello WATCHDOG=trigger"


@pytest.mark.skipif(sys.platform != "linux", reason="abstract names are Linux only")
def test_an_abstract_name_is_understood(monkeypatch: pytest.MonkeyPatch) -> None:
    name = f"@companion-test-{os.getpid()}"
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as listening:
        listening.bind("\0" + name[1:])
        listening.settimeout(5)
        monkeypatch.setenv("NOTIFY_SOCKET", name)
        notify.alive()
        assert listening.recv(1000) == b"WATCHDOG=1"


def test_without_systemd_nothing_happens(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    for name in ("NOTIFY_SOCKET", "WATCHDOG_USEC", "LISTEN_PID", "LISTEN_FDS"):
        monkeypatch.delenv(name, raising=False)
    notify.ready()
    assert notify.watchdog_seconds() is None
    assert notify.sockets() == []


def test_a_dead_ear_does_not_stop_the_game(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("NOTIFY_SOCKET", str(tmp_path / "nobody"))
    notify.alive()


@pytest.mark.parametrize(
    ("microseconds", "pid", "seconds"),
    [("15000000", None, 15.0), ("15000000", "mine", 15.0), ("15000000", "1", None), ("0", None, None)],
)
def test_the_watchdog_is_only_ours_if_it_names_us(
    microseconds: str, pid: str | None, seconds: float | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("WATCHDOG_USEC", microseconds)
    monkeypatch.delenv("WATCHDOG_PID", raising=False)
    if pid:
        monkeypatch.setenv("WATCHDOG_PID", str(os.getpid()) if pid == "mine" else pid)
    assert notify.watchdog_seconds() == seconds


PATIENCE = 120
"""Seconds in which another Python starts, on an emulated processor too."""
ANSWER_ONCE = """
import os
os.environ["LISTEN_PID"] = str(os.getpid())
from companion import notify
((name, listening),) = notify.sockets()
assert name == "https" and not listening.get_inheritable()
assert "LISTEN_FDS" not in os.environ and notify.sockets() == []
peer, _ = listening.accept()
peer.sendall(b"hello")
"""


def test_a_socket_handed_over_is_served() -> None:
    with socket.create_server(("127.0.0.1", 0)) as listening:
        child = subprocess.Popen(
            [sys.executable, "-W", "ignore::ResourceWarning", "-c", ANSWER_ONCE],
            env={**os.environ, "LISTEN_FDS": "1", "LISTEN_FDNAMES": "https"},
            pass_fds=(notify.FIRST_SOCKET,),
            preexec_fn=lambda: os.dup2(listening.fileno(), notify.FIRST_SOCKET),
        )
        with child, socket.create_connection(listening.getsockname(), timeout=PATIENCE) as phone:
            assert phone.recv(100) == b"hello"
        assert child.returncode == 0
