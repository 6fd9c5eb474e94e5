"""Files of the state folder: opened only if they are ours, written so that the power may go at any moment.

Whoever can write into the folder must not lead us elsewhere: a link is not followed, a pipe is not waited
for, somebody else's file is not read. A file is there as it was, or as it should be, never half.
"""

from __future__ import annotations

import contextlib
import errno
import os
import stat
from collections.abc import Iterator
from pathlib import Path
from typing import BinaryIO, cast

NEVER_WAIT = getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_NOCTTY", 0)


class NotOurs(OSError):
    """Something lies where a plain file of ours should be: a link, a pipe, a folder, somebody else's file."""

    def __init__(self, path: Path) -> None:
        super().__init__(errno.EPERM, "this is no plain file of the companion's own", str(path))


class TooLong(OSError):
    """A file is larger than anything that belongs there."""

    def __init__(self, path: Path) -> None:
        super().__init__(errno.EFBIG, os.strerror(errno.EFBIG), str(path))


def open_own(path: Path, mode: str = "rb", buffering: int = -1) -> BinaryIO:
    """Open a file of the state folder, if it is a plain file of ours. Never through a link, never waiting."""
    return cast(BinaryIO, open(path, mode, buffering, opener=_opener))


def open_plain(path: Path) -> BinaryIO:
    """Open a file from anywhere that somebody named, be it behind a link; a pipe or a device is refused."""
    opener = getattr(os, "O_NONBLOCK", 0)
    file = cast(BinaryIO, open(path, "rb", opener=lambda name, flags: os.open(name, flags | opener)))  # noqa: SIM115
    if not stat.S_ISREG(os.fstat(file.fileno()).st_mode):
        file.close()
        raise OSError(errno.EINVAL, "this is no file", str(path))
    return file


def read_own(path: Path, most: int) -> bytes:
    """The content of a file of the state folder, which has at most so many bytes."""
    with open_own(path) as file:
        data = file.read(most + 1)
    if len(data) > most:
        raise TooLong(path)
    return data


def is_own(path: Path) -> bool:
    """Whether a plain file of ours lies there; neither a link nor anything behind it counts."""
    try:
        return _ours(path.lstat(), path)
    except OSError:
        return False


def is_own_folder(path: Path) -> bool:
    """Whether a folder of ours lies there, and no link to one."""
    try:
        found = path.lstat()
    except OSError:
        return False
    return stat.S_ISDIR(found.st_mode) and _owned(found, path)


@contextlib.contextmanager
def replacing(path: Path) -> Iterator[BinaryIO]:
    """A new file for its owner's eyes only; it takes the old one's place when it is whole and durable."""
    fresh = path.with_name(path.name + ".new")
    try:
        # What an earlier attempt left, or somebody put there; a new name leads nowhere else.
        fresh.unlink(missing_ok=True)
        with open_own(fresh, "xb") as file:
            yield file
            file.flush()
            sync(file.fileno())
        os.replace(fresh, path)
    except BaseException:
        with contextlib.suppress(OSError):
            fresh.unlink(missing_ok=True)
        raise
    sync_folder(path.parent)


def write_file(path: Path, data: bytes) -> None:
    """Replace a file in one step, for its owner's eyes only; it is durable when this returns."""
    with replacing(path) as file:
        file.write(data)


def make_folder(path: Path) -> None:
    """A folder of ours, with those above it; what lies in one whose name is lost is lost, too."""
    if not path.is_dir():
        make_folder(path.parent)
        path.mkdir(exist_ok=True)
        # Where we may go in but not look, the system writes it down in its own time.
        with contextlib.suppress(PermissionError):
            sync_folder(path.parent)


def remove(path: Path) -> None:
    """Take a file away, so that it does not come back after a power cut."""
    path.unlink(missing_ok=True)
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


def _opener(name: str, flags: int) -> int:
    path = Path(name)
    try:
        handle = os.open(path, flags | NEVER_WAIT, 0o600)
    except OSError as fault:
        # What the system says of a link, and of a pipe that nobody reads.
        if fault.errno in (errno.ELOOP, errno.ENXIO):
            raise NotOurs(path) from fault
        raise
    found = os.fstat(handle)
    if _ours(found, path) or stat.S_ISDIR(found.st_mode):
        # Of a folder `open` itself says that it is one.
        return handle
    os.close(handle)
    raise NotOurs(path)


def _ours(found: os.stat_result, path: Path) -> bool:
    return stat.S_ISREG(found.st_mode) and _owned(found, path)


def _owned(found: os.stat_result, path: Path) -> bool:
    """Whether it belongs to us; to root belongs whatever is its folder's owner's, too."""
    if os.name != "posix":
        return True
    mine = os.geteuid()
    return found.st_uid == mine or (mine == 0 and found.st_uid == path.parent.stat().st_uid)
