"""A table with honest phones, and a guesser let loose at it."""

from __future__ import annotations

import json
import subprocess
import sys
import threading
import time
from pathlib import Path
from typing import Any

import msgspec

from tests.soak.soaking import P99, QUIETER, p99
from tests.web.daemon import Daemon
from tests.web.phones import Phone
from web.people.guest_book import Book

PHONES = 3
TOLD = "tries out PINs"


class Siege:
    """What honest phones see while somebody guesses, and what became of it."""

    def __init__(self, daemon: Daemon, longest: float = P99) -> None:
        self._daemon, self._longest = daemon, longest
        self._phones = [Phone(daemon.port, source=f"127.0.0.{n}") for n in range(2, 2 + PHONES)]
        self._took: list[float] = []
        self._over = threading.Event()
        self.faults: list[str] = []
        self.quiet, self.loud = 0.0, 0.0
        self.found: dict[str, Any] = {}

    def run(self, rate: float, seconds: float) -> list[str]:
        """Quiet, guesses, and then the question whether anybody got in; what went wrong comes back."""
        host, code = self._phones[0], self._daemon.code
        assert host.post("/host", pin=self._daemon.pin, name="Mrs Kerr").status == 200
        for n, phone in enumerate(self._phones[1:]):
            phone.join(code, f"Honest {n}")
        self.quiet = self._while_phones_ask(lambda: time.sleep(max(2.0, seconds / 10)))
        self.loud = self._while_phones_ask(lambda: self._guess(rate, seconds))
        self._judge(host)
        return self.faults

    def _while_phones_ask(self, do: Any) -> float:
        self._took = []
        self._over.clear()
        threads = [threading.Thread(target=self._ask, args=(phone,)) for phone in self._phones]
        for thread in threads:
            thread.start()
        do()
        self._over.set()
        for thread in threads:
            thread.join()
        return p99(self._took)

    def _ask(self, phone: Phone) -> None:
        while not self._over.is_set():
            begun = time.monotonic()
            try:
                status = phone.get("/play").status
            except OSError as fault:
                self.faults.append(f"an honest phone: {fault!r}")
                continue
            self._took.append(time.monotonic() - begun)
            if status != 200:
                self.faults.append(f"an honest phone was answered {status}")
            time.sleep(0.1)

    def _guess(self, rate: float, seconds: float) -> None:
        command = [sys.executable, "-m", "tests.guesser.guesser", str(self._daemon.port), str(rate)]
        done = subprocess.run([*command, str(seconds)], capture_output=True, check=True, timeout=seconds + 60)
        self.found = json.loads(done.stdout)

    def _judge(self, host: Phone) -> None:
        self.faults += [f"opened by guessing: {kind}" for kind in self.found["opened"]]
        book = msgspec.json.decode((self._daemon.folder / "guests.json").read_bytes(), type=Book)
        if len(book.guests) != PHONES:
            self.faults.append(f"{len(book.guests)} guests")
        if TOLD not in host.get("/host").text:
            self.faults.append("the host was not told")
        if not self.tries:
            self.faults.append("nothing was tried")
        if self.loud > max(self._longest, QUIETER * self.quiet):
            self.faults.append(f"honest phones wait: {self.loud:.3f} s, when it is quiet {self.quiet:.3f} s")
        if host.post("/host", pin=self._daemon.pin, name="Mrs Kerr").status != 200:
            self.faults.append("the right PIN of somebody who has joined is refused")

    @property
    def tries(self) -> int:
        """So many guesses were answered."""
        return sum(self.found.get("answers", {}).values())

    def told(self) -> str:
        """What was measured."""
        rate = self.tries / self.found["seconds"]
        each = "".join(f"\n  {what} {n}" for what, n in sorted(self.found["answers"].items()))
        return (
            f"{self.tries} guesses answered, {rate:.0f} a second, {len(self.found['opened'])} opened; "
            f"honest phones p99 {self.loud * 1000:.0f} ms, when it is quiet {self.quiet * 1000:.0f} ms{each}"
        )


def besieged(folder: Path, port: int, rate: float, seconds: float, longest: float = P99) -> Siege:
    """A daemon under siege, which is over when this returns."""
    import signal

    daemon = Daemon(folder, port)
    siege = Siege(daemon, longest)
    try:
        siege.run(rate, seconds)
    finally:
        daemon.end(signal.SIGINT)
    if "Traceback" in daemon.said:
        siege.faults.append(daemon.said)
    return siege
