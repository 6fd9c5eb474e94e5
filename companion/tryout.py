"""A version tried out as people use it: a page, an action and a stream, through nothing but HTTP.

It starts `companion play` of its own version on a free port with a folder of its own, and is two phones at
that table. `companion update` asks a new version to do this before it may take over. What is tried is what
the protocol and the pages promise, so nothing of the web is imported here.
"""

from __future__ import annotations

import http.client
import json
import os
import re
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import NamedTuple
from urllib.parse import urlencode

from companion.words import Saying

PATIENCE = 60.0
"""Seconds that a small Pi may take for any one answer, and for the start."""


class Unfit(Exception):
    """A version that cannot be played with; the sentence says what did not work."""

    def __init__(self, key: str, **facts: object) -> None:
        self.saying = Saying(key, **facts)
        super().__init__(str(self.saying))

    def message(self, language: str) -> str:
        """What did not work, in a person's language."""
        return self.saying.said(language)


class Table(NamedTuple):
    """A daemon that has said where it is."""

    port: int
    code: str
    pin: str


def try_out() -> None:
    """A page is shown, an action is taken, a stream tells of it; or `Unfit`."""
    with daemon() as table:
        host, guest = Phone(table.port), Phone(table.port)
        host.send("/host", "/", pin=table.pin, name="Try-out")
        guest.send("/join", f"/j/{table.code}", code=table.code, name="Guest")
        host.send("/seat/take", "/play", seat="p1")
        guest.send("/seat/take", "/play", seat="p2")
        host.send("/host/start", "/host", players="2")
        guest.page("/play")
        with guest.stream() as news:
            before = next(news)
            host.act()
            if next(news) == before:
                raise Unfit("companion.unfit_stream")


@contextmanager
def daemon() -> Iterator[Table]:
    """The daemon of this version, with a simulated board, on a free port and in a folder of its own."""
    env = {**os.environ, "LC_ALL": "C.UTF-8", "PYTHONUNBUFFERED": "1"}
    with tempfile.TemporaryDirectory() as folder:
        command = [sys.executable, "-m", "companion", "play", "--host", "127.0.0.1", "--port", "0"]
        running = subprocess.Popen(
            [*command, "--state", folder],
            env=env,
            text=True,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
        )
        try:
            yield _told(running)
        finally:
            running.terminate()
            running.communicate()


def _told(running: subprocess.Popen[str]) -> Table:
    """What the daemon prints for people: its address with the code for guests, and the host's PIN."""
    said = ""
    for line in running.stdout or ():
        said += line
        door, pin = re.search(r":(\d+)/j/(\w+)", said), re.search(r"PIN (\d+)", said)
        if door and pin:
            return Table(int(door[1]), door[2], pin[1])
    raise Unfit("companion.unfit_start", said=said.strip()[-400:])


class Phone:
    """A browser without scripts: it keeps its cookie and fills in the hidden field of a form."""

    def __init__(self, port: int) -> None:
        self._port = port
        self._cookie = ""

    def page(self, path: str) -> str:
        """A page as it is shown."""
        status, text = self._ask("GET", path)
        if status != 200 or "<html" not in text:
            raise Unfit("companion.unfit_page", path=path, status=status)
        return text

    def send(self, path: str, page: str, **fields: str) -> None:
        """Send a form that stands on a page."""
        token = re.search(r'name="csrf" value="([^"]*)"', self.page(page))
        form = urlencode({"csrf": token[1] if token else "", **fields})
        status, _ = self._ask("POST", path, form, "application/x-www-form-urlencoded")
        if status != 303:
            raise Unfit("companion.unfit_page", path=path, status=status)

    def act(self) -> None:
        """Do the first thing that is allowed, as a program would."""
        _, legal = self._ask("GET", "/api/v1/legal")
        try:
            action = json.dumps({"action": json.loads(legal)["actions"][0]})
            status, answer = self._ask("POST", "/api/v1/act", action, "application/json")
            done = status == 200 and json.loads(answer)["ok"]
        except (ValueError, LookupError, TypeError):
            done, answer = False, legal
        if not done:
            raise Unfit("companion.unfit_action", answer=answer[:400])

    @contextmanager
    def stream(self) -> Iterator[Iterator[str]]:
        """The views that this phone's seat is told, one after the other."""
        wire = http.client.HTTPConnection("127.0.0.1", self._port, timeout=PATIENCE)
        try:
            wire.request("GET", "/api/v1/events", headers={"Cookie": self._cookie})
            yield self._views(wire.getresponse())
        except (OSError, http.client.HTTPException, StopIteration):
            raise Unfit("companion.unfit_stream") from None
        finally:
            wire.close()

    def _views(self, answer: http.client.HTTPResponse) -> Iterator[str]:
        # A stream that is only alive never runs into the time-out of its wire.
        end = time.monotonic() + PATIENCE
        for line in answer:
            if line.startswith(b"data:") and b"{" in line:
                yield line.decode()
            elif time.monotonic() > end:
                return

    def _ask(self, method: str, path: str, body: str = "", kind: str = "") -> tuple[int, str]:
        wire = http.client.HTTPConnection("127.0.0.1", self._port, timeout=PATIENCE)
        headers = {"Content-Type": kind} if kind else {}
        try:
            wire.request(method, path, body or None, {"Cookie": self._cookie, **headers})
            answer = wire.getresponse()
            if cookie := answer.getheader("Set-Cookie"):
                self._cookie = cookie.partition(";")[0]
            return answer.status, answer.read().decode(errors="replace")
        except (OSError, http.client.HTTPException) as fault:
            raise Unfit("companion.unfit_page", path=path, status=fault) from None
        finally:
            wire.close()
