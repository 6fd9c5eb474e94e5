"""Max moves, stays or cheats, again and again from the same moment, in random order, over real sockets."""

from __future__ import annotations

import http.client
import socket
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from random import Random
from typing import Any, NamedTuple

import msgspec

from companion.contract import plain
from tests.web.conftest import Running
from tests.web.phones import Phone
from web.evening.evening import _choices
from web.people.guest_book import Sitting
from web.render import pages

KINDS = ("move", "pause", "cheat")
OPTIONS = {"hunters": 1, "frames": dict.fromkeys(("bats", "cats", "hedgehogs", "mice", "owls"), 4)}
QUIET = 0.015
"""So long nothing is heard before the next measurement begins."""


class Measured(NamedTuple):
    """One turn of Max."""

    kind: str
    answer: float
    """Seconds until the answer to his own phone began."""
    push: float
    """Seconds until a hunter's stream brought its first byte."""
    pushed: int
    """Bytes of that push."""
    written: int
    """Bytes that the journal grew by."""


class Ear(threading.Thread):
    """A hunter's open stream: when something came last, when first since somebody asked, and how much."""

    def __init__(self, phone: Phone) -> None:
        super().__init__(daemon=True)
        self._stream = phone.stream("play", "h1")
        self._wire: socket.socket = self._stream.wire
        self._wire.settimeout(None)
        self.first, self.last, self.bytes = 0.0, time.perf_counter(), 0
        self.start()

    def run(self) -> None:
        """Listen until the line is closed."""
        while data := self._wire.recv(1 << 20):
            self.last = time.perf_counter()
            self.first = self.first or self.last
            self.bytes += len(data)

    def settle(self) -> None:
        """Wait until what was last said has come and nothing follows; what comes from now on is the first."""
        while not self.first or time.perf_counter() - self.last < QUIET:
            time.sleep(QUIET / 5)
        self.first, self.bytes = 0.0, 0

    def close(self) -> None:
        """No more."""
        self._wire.shutdown(socket.SHUT_RDWR)
        self.join()


class Castle:
    """A running daemon in which it is Max's turn, and he may do any of the three."""

    def __init__(self, folder: Path, seed: int) -> None:
        self.chance, self.running = Random(seed), Running(folder, pages, moment=60.0, kit="simulated")
        self.table, self.evening = self.running.house.table, self.running.evening
        self.max, self.hunter = self.running.guest("Max"), self.running.guest("Ada")
        self._begin()
        self._state, self._deeds = self.table._state, list(self.table._deeds)
        self.ear = Ear(self.hunter)
        self._line = http.client.HTTPConnection("127.0.0.1", self.running.port, 10)

    def _begin(self) -> None:
        """Play by chance until all three are possible, and take the seats."""
        while True:
            self.table.new("canterville", OPTIONS, seed=self.chance.getrandbits(30))
            while self.table.standing().to_act:
                seat = self.table.standing().to_act[0]
                if seat == "max" and set(KINDS) <= set(self.possible()):
                    self._sit()
                    return
                self.table.act(seat, self.chance.choice(self.table.legal(seat)))

    def _sit(self) -> None:
        book = self.evening.book
        seats = dict(zip(("max", "h1"), (Sitting(guest=guest.id) for guest in book.guests), strict=True))
        self.evening.change(msgspec.structs.replace(book, seats=seats))

    def possible(self) -> dict[str, list[dict[str, Any]]]:
        """What Max may do now, by its kind."""
        found: dict[str, list[dict[str, Any]]] = {}
        for action in map(plain, self.table.legal("max")):
            found.setdefault(action["type"], []).append(action)
        return found

    def back(self) -> None:
        """It is the same moment again, for the rules; the journal goes on, and so do the versions."""
        self.ear.first = 0.0
        with self.table.lock:
            self.table._state, self.table._deeds = self._state, list(self._deeds)
            self.evening.choices = _choices(self.table)
            self.evening.versions.bump()

    def measure(self, kind: str) -> Measured:
        """One turn."""
        self.back()
        action = self.chance.choice(self.possible()[kind])
        body = msgspec.json.encode({"seat": "max", "action": action})
        headers = {"Cookie": self.max.cookie or "", "Content-Type": "application/json"}
        journal = self.table.journal
        assert journal is not None
        before = journal.path.stat().st_size
        self.ear.settle()
        begun = time.perf_counter()
        self._line.request("POST", "/api/v1/act", body, headers)
        answer = self._line.getresponse()
        answered = time.perf_counter()
        assert answer.status == 200, answer.read()
        answer.read()
        while not self.ear.first:
            time.sleep(0.0005)
        pushed = self.ear.first - begun
        time.sleep(QUIET)
        return Measured(kind, answered - begun, pushed, self.ear.bytes, journal.path.stat().st_size - before)

    def close(self) -> None:
        """Nothing of it stays."""
        self._line.close()
        self.ear.close()
        self.running.close()


@contextmanager
def castle(folder: Path, seed: int) -> Iterator[Castle]:
    """A castle for a while."""
    found = Castle(folder, seed)
    try:
        yield found
    finally:
        found.close()


def measured(place: Castle, each: int) -> list[Measured]:
    """So many turns of each kind, in an order that only chance knows."""
    kinds = [kind for kind in KINDS for _ in range(each)]
    place.chance.shuffle(kinds)
    for kind in KINDS * 3:
        place.measure(kind)
    return [place.measure(kind) for kind in kinds]
