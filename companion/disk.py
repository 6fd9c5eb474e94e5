"""Writing files so that the power may go at any moment: a file is there as it was, or as it should be."""

from __future__ import annotations

import contextlib
import os
from pathlib import Path


def write_file(path: Path, data: bytes) -> None:
    """Replace a file in one step, for its owner's eyes only; it is durable when this returns."""
    fresh = path.with_name(path.name + ".new")
    try:
        with open(fresh, "wb") as file:
            file.write(data)
            file.flush()
            sync(file.fileno())
        os.chmod(fresh, 0o600)
        os.replace(fresh, path)
    except OSError:
        with contextlib.suppress(OSError):
            fresh.unlink(missing_ok=True)
        raise
    sync_folder(path.parent)


def sync(handle: int) -> None:
    """Wait until what was written to an open file is on the disk."""
    getattr(os, "fdatasync", os.fsync)(handle)


def sync_folder(folder: Path) -> None:
    """Make new names durable too, where the system can."""
    if os.name == "posix":
        handle = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)
