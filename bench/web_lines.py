"""What the lines of strangers cost in memory, as many as may come: over HTTP and HTTPS, idle and full.

A full one has sent as much of a form as it may, and nothing more comes. The service of a Pi has 256 MB.
"""

from __future__ import annotations

import re
import socket
import ssl
import subprocess
import sys
import tempfile
from contextlib import ExitStack
from pathlib import Path
from time import sleep

from companion.certificate import Certificate
from web.access.connections import A_HOUSEHOLD, STRANGERS

TARGET = 100.0
"""Megabytes for all of them, over HTTPS and full."""
ASKED = b"GET /healthz HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n"
HALF_SENT = b"POST /join HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 60000\r\n\r\n" + b"x" * 50_000


def memory(process: int) -> float:
    """Megabytes that a process has now."""
    found = re.search(r"VmRSS:\s+(\d+)", Path(f"/proc/{process}/status").read_text())
    assert found
    return int(found[1]) / 1024


def free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as wire:
        port: int = wire.getsockname()[1]
    return port


def measured(process: int, port: int, trust: ssl.SSLContext | None) -> tuple[float, float]:
    """Megabytes more with all lines idle, and with all of them full."""
    before = memory(process)
    with ExitStack() as lines:
        wires: list[socket.socket] = []
        for n in range(STRANGERS):
            source = f"127.0.0.{2 + n // (A_HOUSEHOLD - 1)}"
            wire = socket.create_connection(("127.0.0.1", port), 30, (source, 0))
            wires.append(trust.wrap_socket(wire, server_hostname="127.0.0.1") if trust else wire)
            lines.enter_context(wires[-1])
            wires[-1].sendall(ASKED)
            assert wires[-1].recv(300).startswith(b"HTTP/1.1 200")
        idle = memory(process) - before
        for wire in wires:
            wire.sendall(HALF_SENT)
        sleep(1)
        return idle, memory(process) - before


def main() -> int:
    with tempfile.TemporaryDirectory() as place:
        own, ports = Certificate(Path(place)), (free_port(), free_port())
        own.renew(["127.0.0.1"])
        own.switch(True)
        said = [
            "--host",
            "127.0.0.1",
            "--port",
            str(ports[0]),
            "--https-port",
            str(ports[1]),
            "--state",
            place,
        ]
        command = [sys.executable, "-m", "companion", "serve", *said]
        with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as daemon:
            try:
                assert daemon.stdout
                daemon.stdout.readline()
                sleep(2)
                trust = ssl.create_default_context(cadata=ssl.DER_cert_to_PEM_cert(own.root()))
                full = 0.0
                for name, port, context in (("HTTP", ports[0], None), ("HTTPS", ports[1], trust)):
                    idle, full = measured(daemon.pid, port, context)
                    print(f"{STRANGERS} lines over {name}: {idle:.1f} MB idle, {full:.1f} MB full")
                    sleep(1)
            finally:
                daemon.terminate()
    print(f"target under {TARGET:g} MB: {'met' if full < TARGET else 'MISSED'}")
    return 0 if full < TARGET else 1


if __name__ == "__main__":
    sys.exit(main())
