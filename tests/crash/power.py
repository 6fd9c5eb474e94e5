"""A disk that remembers every write, so that the power can be cut after each of them, and within it.

What it was told comes from a recorder: of the companion's own file layer in this process (`Recorder`), or of
a whole daemon's calls to the system (`tests.crash.system_calls`). A cut then leaves what had been written so
far. Harsher disks are played as well: they have forgotten data, new names, or some of each, that they were
not told to keep.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path, PurePath
from random import Random
from typing import Any, BinaryIO, Literal, NamedTuple

import pytest

from companion import disk, journal

Cache = Literal["kept", "data lost", "names lost", "data and names lost", "some lost"]
CACHES: tuple[Cache, ...] = ("kept", "data lost", "names lost", "data and names lost", "some lost")
SECTOR = 512
"""Bytes that a disk writes whole or not at all."""


TOLD = ("told", "answered", "pushed")
"""What is no matter of the disk: people are told something."""


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
            self.ops.append(Op("sync", str(folder)))

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


class File:
    """What was written to it, what is sure to be there, and the bytes that it was between."""

    def __init__(self) -> None:
        self.now = self.sure = b""
        self.unsure: list[Op] = []

    def do(self, op: Op) -> None:
        op = op._replace(at=len(self.now)) if op.at < 0 else op
        self.now = _written(self.now, op)
        self.unsure.append(op)

    def sync(self) -> None:
        self.sure, self.unsure = self.now, []

    def left(self, cache: Cache, chance: Random) -> bytes:
        if cache == "some lost":
            data = self.sure
            for op in self.unsure:
                data = _written(data, op) if chance.random() < 0.5 else data
            return data
        return self.sure if "data" in cache else self.now


def _written(data: bytes, op: Op) -> bytes:
    if op.do == "truncate":
        return data[: op.at].ljust(op.at, b"\0")
    return data[: op.at].ljust(op.at, b"\0") + op.data + data[op.at + len(op.data) :]


Changes = dict[str, "File | Folder | None"]


class Folder:
    """The names in it, those that are sure to be there, and how they changed since, each with its moment."""

    def __init__(self) -> None:
        self.now: dict[str, File | Folder] = {}
        self.sure: dict[str, File | Folder] = {}
        self.unsure: list[tuple[int, Changes]] = []
        self.bound: list[Folder] = []
        """Folders from which something came, or into which it went: that is sure for both, or for none."""

    def change(self, moment: int, changes: Changes) -> None:
        _named(self.now, changes)
        self.unsure.append((moment, changes))

    def sync(self) -> None:
        bound, self.bound = self.bound, []
        self.sure, self.unsure = dict(self.now), []
        for folder in bound:
            folder.sync()

    def left(self, cache: Cache, until: int) -> dict[str, File | Folder]:
        if cache == "some lost":
            # A file system keeps the order of its names.
            found = dict(self.sure)
            for _, changes in (each for each in self.unsure if each[0] <= until):
                _named(found, changes)
            return found
        return self.sure if "names" in cache else self.now


def _named(names: dict[str, File | Folder], changes: Changes) -> None:
    for name, what in changes.items():
        if what is None:
            names.pop(name, None)
        else:
            names[name] = what


class Disk:
    """Files and folders below one that is sure to be there."""

    def __init__(self, root: Path) -> None:
        self._root, self._top, self._moment = root, Folder(), 0

    def do(self, op: Op) -> None:
        """What it is told; a folder that it does not know is made on the way."""
        if op.do in TOLD or not PurePath(op.path).is_relative_to(self._root):
            return
        self._moment += 1
        folder, name = self._at(op.path)
        found = folder.now.get(name)
        match op.do:
            case "create" | "mkdir":
                if found is None:
                    folder.change(self._moment, {name: File() if op.do == "create" else Folder()})
            case "write" | "truncate":
                assert isinstance(found, File), op
                found.do(op)
            case "sync":
                (found or self._top).sync()
            case "unlink":
                folder.change(self._moment, {name: None})
            case "rename" | "link":
                self._rename(folder, name, op)

    def _rename(self, folder: Folder, name: str, op: Op) -> None:
        there, new = self._at(op.to)
        gone: Changes = {} if op.do == "link" else {name: None}
        if there is folder:
            folder.change(self._moment, {**gone, new: folder.now[name]})
        else:
            there.change(self._moment, {new: folder.now[name]})
            folder.change(self._moment, gone)
            there.bound.append(folder)
            folder.bound.append(there)

    def _at(self, path: str) -> tuple[Folder, str]:
        """The folder in which a path is, and its name there."""
        folder, parts = self._top, PurePath(path).relative_to(self._root).parts
        for part in parts[:-1]:
            below = folder.now.get(part)
            if not isinstance(below, Folder):
                below = Folder()
                folder.change(self._moment, {part: below})
            folder = below
        return folder, parts[-1] if parts else ""

    def parts(self, write: Op) -> set[int]:
        """How many of its bytes may be written when the power goes: few, half, nearly all."""
        whole = len(write.data)
        size = SECTOR if 0 <= write.at < len(self._file(write.path).now) else 1
        return {part - part % size for part in (1, whole // 2, whole - 1)} - {0, whole}

    @contextmanager
    def torn(self, write: Op) -> Iterator[None]:
        """For a moment, a part of a write has been done."""
        file = self._file(write.path)
        was = file.now
        file.do(write)
        yield
        file.now = was
        file.unsure.pop()

    def _file(self, path: str) -> File:
        folder, name = self._at(path)
        file = folder.now[name]
        assert isinstance(file, File)
        return file

    def left(self, cache: Cache, seed: int = 0) -> dict[str, bytes | None]:
        """What is there after the power went, by path; null is a folder."""
        chance = Random(seed)
        return dict(_below(self._top, "", cache, chance, chance.randint(0, self._moment)))


def _below(
    folder: Folder, path: str, cache: Cache, chance: Random, until: int
) -> Iterator[tuple[str, bytes | None]]:
    for name, what in folder.left(cache, until).items():
        if isinstance(what, File):
            yield path + name, what.left(cache, chance)
        else:
            yield path + name, None
            yield from _below(what, f"{path}{name}/", cache, chance, until)


def cuts(ops: list[Op], root: Path) -> Iterator[tuple[int, Disk]]:
    """Every moment at which the power can go, after each thing and within each write: how many were done.

    Of a file that grows any byte may have been the last; what was there before changes by sectors.
    """
    disk = Disk(root)
    for n, op in enumerate(ops):
        if op.do == "write":
            for part in disk.parts(op):
                with disk.torn(op._replace(data=op.data[:part])):
                    yield n, disk
        disk.do(op)
        yield n + 1, disk


def laid_out(files: dict[str, bytes | None], into: Path) -> Path:
    """Those files in a folder that is not yet there."""
    into.mkdir()
    for name, data in files.items():
        if data is None:
            (into / name).mkdir()
        else:
            (into / name).write_bytes(data)
    return into
