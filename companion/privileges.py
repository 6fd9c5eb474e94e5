"""Root's commands in the service's folder: done with no more rights than the owner of the folder has.

Whoever can write there could otherwise lead root elsewhere, by a link or a pipe. Nothing but the standard
library is needed, because the installer uses it before anything is installed.
"""

from __future__ import annotations

import contextlib
import os
import stat
import sys
from collections.abc import Callable
from pathlib import Path

from companion.refusals import Refusal
from companion.terminal import language

DONE, REFUSED, FAILED = b"\0", b"\1", b"\2"


def as_owner(folder: Path, do: Callable[[Path], bytes], hand_over: bool = True) -> bytes:
    """Do something in a folder as its owner, if root asks; what comes back is all that root sees of it.

    Without `hand_over` what root once left there stays root's: the folder may be any that somebody named.
    """
    if os.name != "posix" or os.geteuid() != 0 or not folder.is_dir():
        return do(folder)
    handle = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
    try:
        owner = os.fstat(handle)
        if owner.st_uid == 0:
            return do(folder)
        if hand_over:
            _hand_over(handle, owner)
        return _lent(handle, owner, do)
    finally:
        os.close(handle)


def _hand_over(folder: int, owner: os.stat_result) -> None:
    """Give the owner what root itself once left in the folder: plain files with one name, and folders."""
    for name in os.listdir(folder):
        with contextlib.suppress(OSError):
            # By handles alone: what was looked at is what is given away, whatever the name leads to by then.
            handle = os.open(name, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK, dir_fd=folder)
            try:
                found = os.fstat(handle)
                is_folder = stat.S_ISDIR(found.st_mode)
                if found.st_uid == 0 and (is_folder or (stat.S_ISREG(found.st_mode) and found.st_nlink == 1)):
                    os.fchown(handle, owner.st_uid, owner.st_gid)
                if is_folder:
                    _hand_over(handle, owner)
            finally:
                os.close(handle)


def _lent(handle: int, owner: os.stat_result, do: Callable[[Path], bytes]) -> bytes:
    """Let a child do it that can never become root again."""
    reading, writing = os.pipe()
    # What waits to be printed is the parent's to print, once.
    sys.stdout.flush()
    sys.stderr.flush()
    child = os.fork()
    if child == 0:
        os.close(reading)
        _live(handle, owner, do, writing)
    os.close(writing)
    with open(reading, "rb") as answer:
        told = answer.read()
    os.waitpid(child, 0)
    if told[:1] == DONE:
        return told[1:]
    if told[:1] == REFUSED:
        raise Refusal("companion.as_told", text=told[1:].decode("utf-8", "replace"))
    raise OSError(told[1:].decode("utf-8", "replace") or "the helper without root's rights ended early")


def _live(handle: int, owner: os.stat_result, do: Callable[[Path], bytes], writing: int) -> None:
    """The child's whole life."""
    told = FAILED
    try:
        # By its handle: the owner may not be allowed through the folders above, and nobody can swap it.
        os.fchdir(handle)
        os.setgroups([])
        os.setgid(owner.st_gid)
        os.setuid(owner.st_uid)
        told = DONE + do(Path("."))
    except Refusal as refusal:
        told = REFUSED + refusal.message(language()).encode()
    except BaseException as fault:
        told = FAILED + str(fault).encode("utf-8", "replace")
    finally:
        sys.stdout.flush()
        sys.stderr.flush()
        with open(writing, "wb") as answer:
            answer.write(told)
        os._exit(0)
