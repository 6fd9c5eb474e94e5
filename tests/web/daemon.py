"""A daemon in a process of its own, ended as daemons are ended."""

import contextlib
import os
import random
import re
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Sequence
from pathlib import Path

from tests.web.phones import PATIENCE, Phone


class Daemon:
    """`companion play`, as a person starts it."""

    def __init__(self, folder: Path, port: int, under: Sequence[str] = ()) -> None:
        """Start it; `under` is a program that runs it, where one should look on."""
        self.folder, self.port = folder, port
        self.phones: list[Phone] = []
        self.begun = time.monotonic()
        command = [
            *under,
            sys.executable,
            "-m",
            "companion",
            "play",
            "--host",
            "127.0.0.1",
            "--port",
            str(port),
        ]
        self.process = subprocess.Popen(
            [*command, "--state", str(folder)], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True
        )
        assert self.process.stdout
        self.said = ""
        while "Ctrl-C" not in self.said:
            line = self.process.stdout.readline()
            assert line, self.said
            self.said += line
        self.ready_after = time.monotonic() - self.begun

    def phone(self, **more: str) -> Phone:
        self.phones.append(Phone(self.port, **more))
        return self.phones[-1]

    @property
    def pin(self) -> str:
        return self._shown(r"PIN (\d{6})")

    @property
    def code(self) -> str:
        return self._shown(r"code:\s+([A-Z0-9]{6})")

    def _shown(self, what: str) -> str:
        found = re.search(what, self.said)
        assert found, self.said
        return found[1]

    @property
    def megabytes(self) -> float:
        """Memory that it has now."""
        found = re.search(r"VmRSS:\s+(\d+)", Path(f"/proc/{self.process.pid}/status").read_text())
        assert found
        return int(found[1]) / 1024

    @property
    def files(self) -> int:
        """Files and lines that it has open."""
        return len(os.listdir(f"/proc/{self.process.pid}/fd"))

    @property
    def threads(self) -> int:
        return len(os.listdir(f"/proc/{self.process.pid}/task"))

    def end(self, how: signal.Signals) -> float:
        begun = time.monotonic()
        os.kill(self.process.pid, how)
        self.process.wait(PATIENCE)
        assert self.process.stdout
        self.said += self.process.stdout.read()
        self.process.stdout.close()
        return time.monotonic() - begun


def port_that_stays_free() -> int:
    """Below those that the system gives to outgoing lines: nobody gets it between two daemons."""
    while True:
        port = random.randrange(20_000, 32_000)
        with contextlib.suppress(OSError), socket.create_server(("127.0.0.1", port)):
            return port
