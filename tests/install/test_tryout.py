"""A version is tried out by a page, an action and a stream; each of them can fail it."""

from __future__ import annotations

import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest

from companion import tryout
from companion.cli import main
from companion.tryout import Table, Unfit, try_out


def test_this_version_passes(capsys: pytest.CaptureFixture[str]) -> None:
    """With the real daemon, over real sockets."""
    assert main(["tryout"]) == 0
    assert "a stream" in capsys.readouterr().out


def test_a_version_that_does_not_start_is_unfit(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(sys, "executable", "/bin/false")
    assert main(["tryout"]) == 1
    assert "did not start" in capsys.readouterr().err


class Imitation(BaseHTTPRequestHandler):
    """A daemon that keeps all promises, but for one."""

    broken = ""
    acted: threading.Event

    def do_GET(self) -> None:
        if self.path == "/api/v1/legal":
            self.answer(200, b'{"ok":true,"actions":[{"type":"place"}]}')
        elif self.path == "/api/v1/events":
            self.tell()
        else:
            self.answer(500 if self.broken == self.path else 200, b'<html><input name="csrf" value="x">')

    def do_POST(self) -> None:
        if self.path == "/api/v1/act":
            self.acted.set()
            self.answer(409 if self.broken == self.path else 200, b'{"ok":true}')
        else:
            self.answer(400 if self.broken == self.path else 303)

    def answer(self, status: int, body: bytes = b"") -> None:
        self.send_response(status)
        self.send_header("Content-Length", str(len(body)))
        self.send_header("Set-Cookie", "phone=1; Path=/")
        self.end_headers()
        self.wfile.write(body)

    def tell(self) -> None:
        """A view, and one more after an action; a broken stream only says that it is alive."""
        self.send_response(200)
        self.end_headers()
        self.wfile.write(b'data: {"n":0}\n\n')
        self.acted.wait(5)
        with suppress(OSError):
            while self.broken == self.path:
                self.wfile.write(b": alive\n\n")
                threading.Event().wait(0.02)
            self.wfile.write(b'data: {"n":1}\n\n')

    def log_message(self, *words: object) -> None:
        """Quietly."""


@pytest.fixture
def imitation(monkeypatch: pytest.MonkeyPatch) -> type[Imitation]:
    """A stand-in for the daemon that is tried out."""

    class Fresh(Imitation):
        acted = threading.Event()

    @contextmanager
    def daemon() -> Iterator[Table]:
        server = ThreadingHTTPServer(("127.0.0.1", 0), Fresh)
        serving = threading.Thread(target=server.serve_forever, args=(0.01,))
        serving.start()
        try:
            yield Table(server.server_port, "ABCDEF", "123456")
        finally:
            server.shutdown()
            serving.join()
            server.server_close()

    monkeypatch.setattr(tryout, "daemon", daemon)
    monkeypatch.setattr(tryout, "PATIENCE", 4.0)
    return Fresh


def test_a_daemon_that_keeps_its_promises_is_fit(imitation: type[Imitation]) -> None:
    try_out()
    assert imitation.acted.is_set()


@pytest.mark.parametrize(
    ("broken", "why"),
    [
        ("/play", "/play was not answered"),
        ("/host/start", "/host/start was not answered"),
        ("/api/v1/act", "an action was not taken"),
        ("/api/v1/events", "the stream told nothing"),
    ],
)
def test_one_broken_promise_is_enough(imitation: type[Imitation], broken: str, why: str) -> None:
    imitation.broken = broken
    with pytest.raises(Unfit, match=why):
        try_out()
