"""What a process asked of the system, in order, as strace saw it: files written and synced, answers sent."""

from __future__ import annotations

import ast
import os
import re
from collections.abc import Iterable, Iterator
from pathlib import Path

from tests.crash.power import Op

CALLS = (
    "openat,lseek,write,pwrite64,writev,pwritev,ftruncate,fsync,fdatasync,rename,renameat,renameat2,"
    "link,linkat,unlink,unlinkat,mkdir,mkdirat,rmdir,sendto,sendmsg"
)
WHOLE = re.compile(r"(\d+) +(\w+)\((.*)")
UNFINISHED = " <unfinished ...>"
RESUMED = re.compile(r"(\d+) +<\.\.\. \w+ resumed>(.*)")
RESULT = re.compile(r"\) += (-?\d+)(?:<(.*)>)?[^<]*$")
HANDLE = re.compile(r"(\d+)<([^>]*)>")
TEXT = re.compile(r'"((?:[^"\\]|\\.)*)"')
BEGUN = re.compile("write|send")
"""Of these one that has begun may be done; everything else counts when it has come back."""


def tracing(into: Path) -> tuple[str, ...]:
    """What to put before a command so that its calls are written down; the command stays our own child."""
    return ("strace", "-D", "-f", "-q", "-y", "-s", "9999999", "-e", f"trace={CALLS}", "-o", str(into))


def operations(trace: Path, root: Path) -> list[Op]:
    """What was done below a folder, and what was sent to phones: `answered` and `pushed`, with the bytes."""
    reader = _Reader(root)
    with trace.open(errors="replace") as lines:
        return [op for name, given in _in_order(lines) for op in reader.read(name, given)]


def _in_order(lines: Iterable[str]) -> Iterator[tuple[str, str]]:
    """Names of calls with what was given to them; those that another thread interrupted are put together."""
    begun: dict[str, tuple[str, str]] = {}
    for line in lines:
        line = line.rstrip("\n")
        if found := WHOLE.match(line):
            thread, name, given = found.groups()
            if not given.endswith(UNFINISHED) or BEGUN.search(name):
                yield name, given.removesuffix(UNFINISHED)
            else:
                begun[thread] = name, given.removesuffix(UNFINISHED)
        elif (found := RESUMED.match(line)) and found[1] in begun:
            name, given = begun.pop(found[1])
            yield name, given + found[2]


class _Reader:
    """Knows which files are open, and where in them is written next."""

    def __init__(self, root: Path) -> None:
        self._root = str(root)
        self._at: dict[str, int] = {}

    def read(self, name: str, given: str) -> Iterator[Op]:
        result = RESULT.search(given)
        if result and result[1].startswith("-"):
            return
        if name == "openat":
            yield from self._opened(given, result)
        elif handle := HANDLE.match(given):
            number, path = handle.groups()
            if name == "lseek" and result:
                self._at[number] = int(result[1])
            elif path.startswith("socket:"):
                yield from _sent(_bytes(given))
            elif self._below(path):
                yield from self._to_file(name, given, number, path, result)
        else:
            yield from self._to_names(name, given)

    def _opened(self, given: str, result: re.Match[str] | None) -> Iterator[Op]:
        if result is None or not self._below(path := result[2] or ""):
            return
        self._at[result[1]] = -1 if "O_APPEND" in given else 0
        if "O_CREAT" in given:
            yield Op("create", path)
        if "O_TRUNC" in given:
            yield Op("truncate", path)

    def _to_file(
        self, name: str, given: str, number: str, path: str, result: re.Match[str] | None
    ) -> Iterator[Op]:
        if name in ("fsync", "fdatasync"):
            yield Op("sync", path)
        elif name == "ftruncate":
            yield Op("truncate", path, int(given.rsplit(", ", 1)[1].split(")")[0]))
        elif name == "write":
            data = _bytes(given)[: int(result[1]) if result else None]
            at = self._at[number]
            yield Op("write", path, at, data)
            self._at[number] = at if at < 0 else at + len(data)
        elif "unlink" not in name and "mkdir" not in name:
            raise NotImplementedError(name)
        else:
            yield from self._to_names(name, given)

    def _to_names(self, name: str, given: str) -> Iterator[Op]:
        bases = iter(re.findall(r"(?:AT_FDCWD|\d+)<([^>]*)>, ", given)) if "at" in name else iter(())
        paths = [os.path.normpath(os.path.join(next(bases, ""), os.fsdecode(text))) for text in _texts(given)]
        if paths and self._below(paths[-1]):
            do = next(do for do in ("rename", "unlink", "link", "mkdir", "rmdir") if name.startswith(do))
            yield Op("unlink" if do == "rmdir" else do, paths[0], to=paths[1] if len(paths) > 1 else "")

    def _below(self, path: str) -> bool:
        return path.startswith(self._root) and not path.endswith("(deleted)")


def _sent(data: bytes) -> Iterator[Op]:
    head, _, _ = data.partition(b"\r\n\r\n")
    if data.startswith(b"HTTP/1.1 ") and b"text/event-stream" not in head:
        yield Op("answered", data=data)
    elif b"event: " in data:
        yield Op("pushed", data=data)


def _texts(given: str) -> list[bytes]:
    return [ast.literal_eval(f'b"{text}"') for text in TEXT.findall(given)]


def _bytes(given: str) -> bytes:
    return b"".join(_texts(given))
