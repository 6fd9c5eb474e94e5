"""Games, boxes and castles in one file, and back from it: to a USB stick, to a phone, to a new SD card.

A backup is a ZIP file, so any laptop can look into it. Its `manifest.json` names the version of this format
and every file with its size and checksum. It holds the secrets of a game in progress, as the folder does.
"""

from __future__ import annotations

import hashlib
import io
import os
import shutil
import zipfile
import zlib
from contextlib import AbstractContextManager, nullcontext
from itertools import count
from pathlib import Path, PurePosixPath
from typing import Literal

import msgspec

from companion import __version__
from companion.contract import converted
from companion.disk import open_own, read_own, replacing, sync, sync_folder
from companion.entries import JournalTooNew, check_age
from companion.journal import JournalInUse, hold, lock_of, restored_note
from companion.privileges import as_owner
from companion.records import check_chain, without_secrets
from companion.refusals import Illegal, Malformed, NotSaved, TooLarge
from companion.state_files import FOLDERS, HTTPS, LONGEST_JOURNAL, found, largest
from companion.state_files import JOURNAL as JOURNAL

VERSION = 1
LARGEST = 1 << 28
"""A state folder is a few megabytes after years; more than this is no backup of ours."""
MANIFEST = "manifest.json"
HALF, STAGED, MOVING = ".restored.new", ".restored", ".restoring"
"""A restored state inside the folder: being written, complete, being moved into place."""
ASIDE = "before-restore"
AGREED: AbstractContextManager[object] = nullcontext()
"""Nobody has to be asked before a backup is put in the place of what is there."""
EARLIEST = (1980, 1, 1, 0, 0, 0)
"""The date of every file in a backup: a Pi without a clock may live in 1970, which no ZIP file knows."""


Secrets = Literal["all", "running", "none"]
"""Of which games not played to their end a copy tells everything: all, the one that goes on, none."""

UNREADABLE = (
    zipfile.BadZipFile,
    zlib.error,
    NotImplementedError,
    EOFError,
    LookupError,
    OSError,
    RuntimeError,
    ValueError,
)
"""What `zipfile` and `msgspec` raise for a file that is none, or no longer one."""


class Kept(msgspec.Struct, frozen=True):
    """One file of a backup."""

    size: int
    sha256: str


class Manifest(msgspec.Struct, frozen=True):
    """The list of a backup; `backup` is the version of this format, `companion` who wrote it."""

    backup: int
    companion: str
    files: dict[str, Kept]


def pack(state: Path) -> bytes:
    """Everything of a state folder as the content of one file. The daemon may be running."""
    return packed(gathered(state))


def gathered(state: Path, secrets: Secrets = "all") -> dict[str, bytes]:
    """Every file worth keeping, by name. With fewer secrets, nothing else that could tell them either."""
    files = {name: _whole(name, path) for name, path in found(state)}
    if secrets == "all":
        return files
    shown = {name: data for name, data in files.items() if PurePosixPath(name).parts[0] in FOLDERS}
    if JOURNAL in files:
        shown[JOURNAL] = without_secrets(files[JOURNAL], running=secrets == "running")
    return shown


def packed(files: dict[str, bytes]) -> bytes:
    """Files as the content of one file."""
    manifest = Manifest(
        VERSION, __version__, {name: Kept(len(data), _checksum(data)) for name, data in files.items()}
    )
    content = io.BytesIO()
    with zipfile.ZipFile(content, "w", zipfile.ZIP_DEFLATED) as archive:
        listed = msgspec.json.format(msgspec.json.encode(manifest), indent=2)
        for name, data in {MANIFEST: listed, **files}.items():
            info = zipfile.ZipInfo(name, EARLIEST)
            info.compress_type = zipfile.ZIP_DEFLATED
            archive.writestr(info, data)
    return content.getvalue()


def save(state: Path, file: Path) -> None:
    """Write a backup for its owner's eyes only; it is whole and durable when this returns."""
    if file.exists():
        raise Illegal("companion.backup_exists", file=file.name)
    try:
        data = as_owner(state, pack)
        with replacing(file) as out:
            out.write(data)
    except OSError as fault:
        raise NotSaved("companion.not_saved", fault=fault.strerror or str(fault)) from fault


def unpack(data: bytes, most: int = LARGEST) -> dict[str, bytes]:
    """The files of a backup by name, each of them checked, and only those that we know.

    All together they have at most so many bytes.
    """
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            manifest = _manifest(archive, most)
            files = {name: _checked(archive, name, kept) for name, kept in manifest.files.items()}
    except UNREADABLE:
        raise Malformed("companion.backup_damaged") from None
    for content in files.values():
        _check_age(content)
    files = {name: content for name, content in files.items() if largest(name)}
    if any(len(content) > largest(name) for name, content in files.items()):
        raise TooLarge("companion.backup_too_large", most=most >> 20)
    if files.get(JOURNAL, b"").count(b"\n") > LONGEST_JOURNAL:
        raise TooLarge("companion.backup_too_long", most=LONGEST_JOURNAL)
    if JOURNAL in files:
        check_chain(files[JOURNAL])
    return files


def restore(data: bytes, state: Path) -> None:
    """Replace a state folder by a backup; what was there is kept aside. A power cut leaves one of the two."""
    files = unpack(data)

    def as_its_owner(folder: Path) -> bytes:
        try:
            _check_nobody_plays(folder)
        except JournalInUse:
            raise Illegal("companion.restore_in_use") from None
        stage(files, folder)
        finish(folder)
        return b""

    try:
        as_owner(state, as_its_owner)
    except OSError as fault:
        raise NotSaved("companion.not_saved", fault=fault.strerror or str(fault)) from fault


def stage(files: dict[str, bytes], state: Path, agreed: AbstractContextManager[object] = AGREED) -> None:
    """Lay the files of a backup beside a state that may be in use; `finish` brings them into its place.

    Only the last step, which takes no time, is done within `agreed`; if that refuses, nothing is staged.
    """
    try:
        _write(files, state / HALF)
        with agreed:
            os.replace(state / HALF, state / STAGED)
            sync_folder(state)
    except OSError as fault:
        raise NotSaved("companion.not_saved", fault=fault.strerror or str(fault)) from fault
    finally:
        shutil.rmtree(state / HALF, ignore_errors=True)


def finish(state: Path) -> None:
    """Bring a restored state into its place, if one waits there. Called before a state folder is used."""
    shutil.rmtree(state / HALF, ignore_errors=True)
    if (state / STAGED).is_dir():
        aside = next(path for n in count(1) if not (path := state / f"{ASIDE}-{n}").exists())
        # Phones trust this table's certificate, whatever is played at it.
        _move([path for path in state.iterdir() if not (_ours(path.name) or path.name == HTTPS)], aside)
        os.replace(state / STAGED, state / MOVING)
        sync_folder(state)
    if (state / MOVING).is_dir():
        _move(list((state / MOVING).iterdir()), state)
        (state / MOVING).rmdir()
        sync_folder(state)


def _whole(name: str, path: Path) -> bytes:
    """A file as it is now; of a journal only whole lines, for the daemon may be writing the next."""
    data = read_own(path, largest(name))
    return data[: data.rfind(b"\n") + 1] if _is_journal(data) else data


def _is_journal(data: bytes) -> bool:
    return b'{"journal":' in data[:64]


def _checksum(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()


def _manifest(archive: zipfile.ZipFile, most: int) -> Manifest:
    content = msgspec.json.decode(_read(archive, MANIFEST, most))
    version = content.get("backup") if isinstance(content, dict) else None
    if isinstance(version, int) and version > VERSION:
        raise Malformed("companion.backup_too_new", version=version, known=VERSION)
    manifest: Manifest = converted(content, Manifest)
    if sorted(archive.namelist()) != sorted([MANIFEST, *manifest.files]):
        raise ValueError("the list and the files differ")
    if sum(kept.size for kept in manifest.files.values()) > most:
        raise TooLarge("companion.backup_too_large", most=most >> 20)
    return manifest


def _checked(archive: zipfile.ZipFile, name: str, kept: Kept) -> bytes:
    parts = PurePosixPath(name).parts
    if not parts or name.startswith("/") or "\\" in name or ":" in name or ".." in parts or _ours(parts[0]):
        raise ValueError("a name that leads elsewhere")
    data = _read(archive, name, kept.size)
    if len(data) != kept.size or _checksum(data) != kept.sha256:
        raise ValueError("not what was packed")
    return data


def _read(archive: zipfile.ZipFile, name: str, most: int) -> bytes:
    with archive.open(name) as file:
        data = file.read(most + 1)
    if len(data) > most:
        raise ValueError("larger than it says")
    return data


def _check_age(data: bytes) -> None:
    """A game of a later version cannot be played on here."""
    if _is_journal(data):
        try:
            check_age(data)
        except JournalTooNew:
            raise Malformed("companion.backup_game_too_new") from None


def _check_nobody_plays(state: Path) -> None:
    """A running daemon would go on writing into what was put aside."""
    lock = lock_of(state / JOURNAL)
    if lock.exists():
        hold(lock).close()


def _write(files: dict[str, bytes], fresh: Path) -> None:
    shutil.rmtree(fresh, ignore_errors=True)
    if JOURNAL in files:
        # The table that opens it is told, and so is whoever reads its record.
        files = {**files, f"{JOURNAL}.lock": restored_note(files[JOURNAL])}
    for name, data in files.items():
        path = fresh / name
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        with open_own(path, "xb") as file:
            file.write(data)
            file.flush()
            sync(file.fileno())
    fresh.mkdir(mode=0o700, parents=True, exist_ok=True)
    for folder in {fresh, *(fresh / name for name in FOLDERS)}:
        if folder.is_dir():
            sync_folder(folder)


def _ours(name: str) -> bool:
    return name.startswith((STAGED, MOVING, ASIDE))


def _move(paths: list[Path], folder: Path) -> None:
    for path in paths:
        folder.mkdir(mode=0o700, exist_ok=True)
        os.replace(path, folder / path.name)
    for changed in (folder, *{path.parent for path in paths}):
        # First where they are, then where they are no more.
        if changed.is_dir():
            sync_folder(changed)
