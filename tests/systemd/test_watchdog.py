"""Whoever watches over the daemon hears of it only while the table can really be acted at."""

from __future__ import annotations

import asyncio
import socket
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest
import uvicorn

from web.access.connections import Connections
from web.render import pages
from web.server import server


@pytest.fixture
def ear(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[socket.socket]:
    """The other end of the notify socket."""
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as listening:
        listening.bind(str(tmp_path / "notify"))
        listening.setblocking(False)
        monkeypatch.setenv("NOTIFY_SOCKET", str(tmp_path / "notify"))
        yield listening


def heard(ear: socket.socket) -> bytes:
    try:
        return ear.recv(100)
    except BlockingIOError:
        return b""


def test_a_table_that_hangs_is_not_called_alive_for_long(
    ear: socket.socket, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    taken, let_go = threading.Event(), threading.Event()
    with server.opened(tmp_path / "state", "simulated", pages) as house:
        daemon = server.Server(uvicorn.Config(lambda: None), house, Connections())
        asyncio.run(daemon.on_tick(0))
        assert heard(ear) == b"WATCHDOG=1"

        def hang() -> None:
            with house.table.lock:
                taken.set()
                let_go.wait(10)

        thread = threading.Thread(target=hang)
        thread.start()
        assert taken.wait(10)
        asyncio.run(daemon.on_tick(20))
        assert heard(ear) == b"WATCHDOG=1"
        monkeypatch.setattr(house.pulse, "_longest", 0.05)
        asyncio.run(daemon.on_tick(20))
        assert heard(ear) == b""
        monkeypatch.undo()
        monkeypatch.setenv("NOTIFY_SOCKET", str(tmp_path / "notify"))
        let_go.set()
        thread.join()
        asyncio.run(daemon.on_tick(40))
        assert heard(ear) == b"WATCHDOG=1"
