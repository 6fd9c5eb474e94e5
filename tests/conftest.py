"""A test leaves the house as it found it: no thread, no socket, no pin, no temporary file stays behind."""

from __future__ import annotations

import gc
import os
import signal
import sys
import tempfile
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

for name in ("LC_ALL", "LC_MESSAGES"):
    os.environ.pop(name, None)
os.environ["LANG"] = "C.UTF-8"
"""Commands speak the language of the terminal: in tests English, wherever they run."""

if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    # A shell makes what it sends to the background deaf to Ctrl-C, and with it all that a test starts.
    signal.signal(signal.SIGINT, signal.default_int_handler)

PATIENCE = 2.0
"""Seconds that a thread or a socket may take to go away by itself."""


@pytest.fixture(scope="session")
def own_temporary_folder(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """Where `tempfile` puts things in this run, apart from what other programs put in the system's folder."""
    folder, before = tmp_path_factory.mktemp("left-behind"), tempfile.tempdir
    tempfile.tempdir = str(folder)
    yield folder
    tempfile.tempdir = before


@pytest.fixture(autouse=True)
def nothing_left_behind(own_temporary_folder: Path) -> Iterator[None]:
    """Fail a test that leaves something behind. What was there before it, in wider fixtures, may stay."""
    before = things_around(own_temporary_folder)
    yield
    left = things_around(own_temporary_folder) - before
    waited = time.monotonic() + PATIENCE
    while left and time.monotonic() < waited:
        gc.collect()
        time.sleep(0.01)
        left = things_around(own_temporary_folder) - before
    if left:
        pytest.fail(f"left behind: {', '.join(sorted(left))}")


def things_around(folder: Path) -> set[str]:
    """Everything that can be left behind, by name."""
    threads = {f"thread {each.name} ({each.ident})" for each in threading.enumerate()}
    return threads | sockets() | pins() | {f"file {path.name}" for path in folder.iterdir()}


def sockets() -> set[str]:
    """The open sockets of this process, where the system shows them."""
    found = set()
    handles = "/proc/self/fd"
    for handle in os.listdir(handles) if os.path.isdir(handles) else ():
        try:
            target = os.readlink(f"{handles}/{handle}")
        except OSError:
            continue
        if target.startswith("socket:"):
            found.add(f"socket {target.removeprefix('socket:')}")
    return found


def pins() -> set[str]:
    """The pins that some device still holds."""
    gpiozero = sys.modules.get("gpiozero")
    factory = gpiozero.Device.pin_factory if gpiozero else None
    reservations = getattr(factory, "_reservations", {})
    return {
        f"pin {pin}" for pin, holders in list(reservations.items()) if any(holder() for holder in holders)
    }
