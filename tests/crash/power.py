"""A disk that remembers every write, so that the power can be cut after each of them, and within it.

The companion's own file layer (`companion.disk`) is left as it is; only what it opens, renames and syncs is
written down on the way. A cut then leaves what had been written so far. Two harsher disks are played as well:
one that has forgotten everything it was not told to keep, and one that has forgotten new names, too.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any, BinaryIO, Literal, NamedTuple

import pytest

from companion import disk, journal

Cache = Literal["kept", "data lost", "data and names lost"]
CACHES: tuple[Cache, ...] = ("kept", "data lost", "data and names lost")


class Op(NamedTuple):
    """One thing that the disk was told."""

    do: str
    path: str = ""
    at: int = 0
    data: bytes = b""
    to: str = ""


class Recorder:
    """What the disk was told, in order; `acknowledged` marks what the user was told in between."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.ops: list[Op] = []
        self._open: dict[int, str] = {}
        real_open, real_replace, real_link = open, os.replace, os.link
        real_sync, real_folder = disk.sync, disk.sync_folder

        def opened(path: Any, mode: str = "r", *more: Any, **named: Any) -> Any:
            file = real_open(path, mode, *more, **named)
            if set(mode) & set("wax+"):
                self.ops.append(Op("create", str(path)))
                self._open[file.fileno()] = str(path)
                return Recorded(file, str(path), self)
            return file

        def replaced(one: Any, two: Any) -> None:
            real_replace(one, two)
            self.ops.append(Op("rename", str(one), to=str(two)))

        def linked(one: Any, two: Any) -> None:
            real_link(one, two)
            self.ops.append(Op("link", str(one), to=str(two)))

        def synced(handle: int) -> None:
            real_sync(handle)
            self.ops.append(Op("sync", self._open[handle]))

        def folder_synced(folder: Path) -> None:
            real_folder(folder)
            self.ops.append(Op("names"))

        monkeypatch.setattr(disk, "open", opened, raising=False)
        monkeypatch.setattr(os, "replace", replaced)
        monkeypatch.setattr(os, "link", linked)
        for module in (disk, journal):
            monkeypatch.setattr(module, "sync", synced)
        monkeypatch.setattr(disk, "sync_folder", folder_synced)

    def acknowledged(self) -> None:
        """The user has been told that it is done."""
        self.ops.append(Op("told"))


class Recorded:
    """A file whose writes are written down. Everything else is the file's own."""

    def __init__(self, file: BinaryIO, path: str, recorder: Recorder) -> None:
        self._file, self._path, self._recorder = file, path, recorder

    def write(self, data: bytes) -> int:
        written = self._file.write(data)
        end = -1 if "a" in getattr(self._file, "mode", "") else self._file.tell() - written
        self._recorder.ops.append(Op("write", self._path, end, bytes(data[:written])))
        return written

    def writelines(self, lines: Any) -> None:
        for line in lines:
            self.write(line)

    def truncate(self, size: int | None = None) -> int:
        size = self._file.tell() if size is None else size
        self._recorder.ops.append(Op("truncate", self._path, size))
        return self._file.truncate(size)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._file, name)

    def __enter__(self) -> Recorded:
        self._file.__enter__()
        return self

    def __exit__(self, *fault: Any) -> None:
        self._file.__exit__(*fault)


class Inode:
    """A file on the disk: what was written, and what is sure to be there."""

    def __init__(self) -> None:
        self.data, self.sure = b"", b""


def after_the_cut(ops: list[Op], cache: Cache) -> dict[str, bytes]:
    """The files that a disk holds after the power went, by name."""
    names: dict[str, Inode] = {}
    sure: dict[str, Inode] = {}
    for op in ops:
        match op.do:
            case "create":
                names.setdefault(op.path, Inode())
            case "write":
                inode = names[op.path]
                at = len(inode.data) if op.at < 0 else op.at
                inode.data = inode.data[:at] + op.data + inode.data[at + len(op.data) :]
            case "truncate":
                names[op.path].data = names[op.path].data[: op.at]
            case "sync":
                names[op.path].sure = names[op.path].data
            case "rename":
                names[op.to] = names.pop(op.path)
            case "link":
                names[op.to] = names[op.path]
            case "names":
                sure = dict(names)
    if cache == "kept":
        return {name: inode.data for name, inode in names.items()}
    return {name: inode.sure for name, inode in (names if cache == "data lost" else sure).items()}


def cuts(ops: list[Op]) -> Iterator[list[Op]]:
    """Every moment at which the power can go: after each thing, and within each write."""
    for n, op in enumerate(ops):
        if op.do == "write":
            for part in {1, len(op.data) // 2, len(op.data) - 1} - {0, len(op.data)}:
                yield [*ops[:n], op._replace(data=op.data[:part])]
        yield ops[: n + 1]
