"""A word to systemd: ready, alive, about to stop; and the sockets it opened for us.

Everything here does nothing where no systemd started the program, so callers need not ask.
"""

from __future__ import annotations

import os
import socket

FIRST_SOCKET = 3
"""Where systemd puts the first socket it hands over, by its own convention."""


def ready(status: str = "") -> None:
    """The table can be played at from now on."""
    _tell("READY=1", f"STATUS={status}")


def alive() -> None:
    """Still here. Said every `watchdog_seconds() / 2`, or systemd starts the program afresh."""
    _tell("WATCHDOG=1")


def status(text: str) -> None:
    """What `systemctl status` shows beside the name. For everybody's eyes: nothing secret."""
    _tell(f"STATUS={text}")


def stopping() -> None:
    """The end has begun; the lamps go dark."""
    _tell("STOPPING=1")


def watchdog_seconds() -> float | None:
    """After how long a silence systemd loses patience, or null where nobody waits."""
    if os.environ.get("WATCHDOG_PID", str(os.getpid())) != str(os.getpid()):
        return None
    microseconds = os.environ.get("WATCHDOG_USEC", "")
    return int(microseconds) / 1e6 if microseconds.isdecimal() and int(microseconds) else None


def sockets() -> list[tuple[str, socket.socket]]:
    """The listening sockets that systemd opened for this process, each with the name that its unit gives."""
    if os.environ.get("LISTEN_PID") != str(os.getpid()):
        return []
    count = int(os.environ.get("LISTEN_FDS", "0"))
    names = [*os.environ.get("LISTEN_FDNAMES", "").split(":"), *[""] * count]
    # Said once: a program started by this one must not take them for its own.
    for name in ("LISTEN_PID", "LISTEN_FDS", "LISTEN_FDNAMES"):
        os.environ.pop(name, None)
    found = [socket.socket(fileno=FIRST_SOCKET + n) for n in range(count)]
    for each in found:
        each.set_inheritable(False)
    return list(zip(names, found, strict=False))


def _tell(*lines: str) -> None:
    address = os.environ.get("NOTIFY_SOCKET")
    if not address:
        return
    # A name that begins with @ lives in the abstract namespace, which the kernel writes with a zero byte.
    address = "\0" + address[1:] if address.startswith("@") else address
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as wire:
        try:
            wire.connect(address)
            wire.sendall("\n".join(line.replace("\n", " ") for line in lines).encode())
        except OSError:
            # The game goes on without being watched.
            return
