"""A note in the state folder, for its owner's eyes only, that a daemon runs and how to become its host."""

from __future__ import annotations

import contextlib
import http.client
import os
from pathlib import Path

import msgspec

from companion.disk import read_own, write_file
from companion.privileges import as_owner

NAME = "running.json"
LARGEST = 1 << 10


class Running(msgspec.Struct, frozen=True):
    """What the note says."""

    port: int
    pin: str
    secure_port: int = 0
    """Where HTTPS is spoken while it is switched on; 0 where it cannot be."""


def note(folder: Path, port: int, pin: str, secure_port: int = 0) -> None:
    """Leave the note; without it only `companion status` knows less."""
    with contextlib.suppress(OSError):
        write_file(folder / NAME, msgspec.json.encode(Running(port, pin, secure_port)))


def power_may_go() -> None:
    """Leave the word for which the service that switches a Pi off waits; elsewhere nobody does."""
    if folder := os.environ.get("RUNTIME_DIRECTORY"):
        with contextlib.suppress(OSError):
            (Path(folder) / "poweroff").touch()


def forget(folder: Path) -> None:
    """Take the note away."""
    with contextlib.suppress(OSError):
        (folder / NAME).unlink(missing_ok=True)


def look(folder: Path) -> Running | None:
    """What the note says, if the daemon it speaks of answers."""
    try:
        said = as_owner(folder, lambda own: read_own(own / NAME, LARGEST), hand_over=False)
        found = msgspec.json.decode(said, type=Running)
    except (OSError, msgspec.MsgspecError, UnicodeDecodeError):
        return None
    wire = http.client.HTTPConnection("127.0.0.1", found.port, timeout=2)
    try:
        wire.request("GET", "/healthz")
        return found if wire.getresponse().status == 200 else None
    except OSError:
        return None
    finally:
        wire.close()
