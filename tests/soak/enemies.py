"""Those who want the table to fall over, each a process: `python -m tests.soak.enemies stranger 8000`.

They know one port of 127.0.0.1 and call from other addresses of this machine; they end with who began them.
"""

from __future__ import annotations

import contextlib
import os
import random
import socket
import sys
import time
from collections.abc import Callable
from pathlib import Path

from tests.web.phones import Phone

STRANGERS, GUESTS = tuple(f"127.0.0.{n}" for n in range(9, 13)), "127.0.0.20"
LINES, STREAMS, JOINS = 300, 40, 5
NAMES = ("Max", "\u202eadA", "the companion", "Mrs Kerr", "x" * 400, "<b>", "\x00", " ", "Zoé", "🦇" * 30)
FORMS = (
    ("/act", {"seat": "p1", "type": "remove", "room": "1"}),
    ("/act", {"seat": "max", "type": "move", "room": "1"}),
    ("/host/abandon", {}),
    ("/host/pause", {}),
    ("/host/start", {"game": "phantom"}),
    ("/host", {"pin": "123456", "name": "Eve"}),
    ("/moderator", {"pin": "000000", "name": "Eve"}),
    ("/undo", {}),
    ("/hint", {"seat": "p1"}),
    ("/seat/key", {"seat": "p1"}),
    ("/table/press", {"button": "back"}),
    ("/backup/file", {}),
)


class Stranger:
    """Has only the address."""

    def __init__(self, port: int) -> None:
        self.port = port
        self.kept: list[socket.socket] = []

    def line(self) -> socket.socket:
        """One more line."""
        return socket.create_connection(("127.0.0.1", self.port), 2, (random.choice(STRANGERS), 0))

    def pipeline(self) -> None:
        """Requests without waiting for an answer."""
        with self.line() as line:
            line.settimeout(0.2)
            for _ in range(40):
                line.sendall(self._head("/watch") * random.choice((3, 7, 60)))

    def half_head(self) -> None:
        """A head that never ends."""
        self._keep(b"GET / HTTP/1.1\r\nHost: 127.0.0.1\r\nX-A: ")

    def slow_body(self) -> None:
        """A form that promises more than it says."""
        self._keep(self._head("/join", "POST", b"Content-Length: 100000\r\n") + b"code=")

    def stream(self) -> None:
        """A page that is watched by nobody who reads."""
        self._keep(self._head("/events?page=watch"))

    def guess(self) -> None:
        """A PIN, a code, a key."""
        phone = Phone(self.port, source=random.choice(STRANGERS))
        pin, code = f"{random.randrange(10**6):06}", "".join(random.choices("ABCDEFGH23456789", k=6))
        phone.forge("/host", follow=False, pin=pin, name="Eve")
        phone.forge("/join", follow=False, code=code, name="Eve")
        phone.ask("GET", "/api/v1/view", headers={"Authorization": f"Bearer {os.urandom(24).hex()}"})

    def new_lines(self) -> None:
        """As many as go."""
        for _ in range(50):
            self._keep(b"")

    def noise(self) -> None:
        """No HTTP at all."""
        with self.line() as line:
            line.sendall(os.urandom(4000))

    def _keep(self, saying: bytes) -> None:
        line = self.line()
        line.sendall(saying)
        self.kept.append(line)
        while len(self.kept) > LINES:
            self.kept.pop(0).close()

    def _head(self, path: str, method: str = "GET", more: bytes = b"") -> bytes:
        return f"{method} {path} HTTP/1.1\r\nHost: 127.0.0.1:{self.port}\r\n".encode() + more + b"\r\n"

    @property
    def doings(self) -> list[Callable[[], None]]:
        """What can be done."""
        return [
            self.pipeline, self.half_head, self.slow_body, self.stream, self.guess, self.new_lines, self.noise
        ]  # fmt: skip


class Guest:
    """Was let in, and abuses it; the code of now stands in a file."""

    def __init__(self, port: int, code: Path) -> None:
        self.port, self.code = port, code
        self.phones: list[Phone] = []

    def join(self) -> None:
        """Once more, under another name."""
        phone = Phone(self.port, source=GUESTS)
        phone.forge("/join", code=self.code.read_text(), name=random.choice(NAMES))
        if phone.cookie:
            self.phones.append(phone)
        while len(self.phones) > JOINS:
            self.phones.pop(0).close()

    def rename(self) -> None:
        """Somebody else's name, or none."""
        self._phone().forge("/me", follow=False, name=random.choice(NAMES))

    def act(self) -> None:
        """For seats that are not theirs, and with forms that are not for them."""
        path, fields = random.choice(FORMS)
        self._phone().forge(path, follow=False, **fields)

    def watch(self) -> None:
        """One more stream, which nobody reads."""
        phone = self._phone()
        phone.stream(random.choice(("watch", "table", "play")))
        while len(phone.streams) > STREAMS:
            phone.streams.pop(0).close()

    def _phone(self) -> Phone:
        if not self.phones:
            self.join()
        return random.choice(self.phones)

    @property
    def doings(self) -> list[Callable[[], None]]:
        """What can be done."""
        return [self.join, self.rename, self.act, self.act, self.act, self.watch, self.watch]


def main() -> None:
    """Be one of them until whoever began this is gone."""
    os.nice(19 - os.nice(0))  # an enemy has a machine of his own: this one must not lend him its time
    kind, port = sys.argv[1], int(sys.argv[2])
    enemy = Guest(port, Path(sys.argv[3])) if kind == "guest" else Stranger(port)
    parent = os.getppid()
    while os.getppid() == parent:
        # Whatever is refused, closed or gone for a restart: he goes on.
        with contextlib.suppress(Exception):
            random.choice(enemy.doings)()
        time.sleep(0.002)


if __name__ == "__main__":
    main()
