"""A bundle for whoever helps from afar: how this table is, in one file, and nothing secret in it.

Names, sizes, versions and counts; no content of any file but of a finished game, and that only if asked for.
"""

from __future__ import annotations

import contextlib
import io
import os
import platform
import shutil
import stat
import subprocess
import sys
import zipfile
from collections.abc import Iterable
from importlib.metadata import distributions
from pathlib import Path
from typing import Any

import msgspec

from companion import __version__, safe_mode
from companion.backup import EARLIEST
from companion.disk import read_own
from companion.entries import count_entries, count_games, spots
from companion.privileges import as_owner
from companion.records import of_journal
from companion.refusals import Refusal
from companion.state_files import JOURNAL, LARGEST_JOURNAL
from companion.words import Saying

LOG_LINES = 400
UNITS = ("-u", "companion.service", "-u", "companion-second.service")


def bundle(state: Path, problems: Iterable[Saying] = (), with_secrets: bool = False) -> bytes:
    """The report as the content of a ZIP file; `with_secrets` adds the last game, if it is over.

    The state folder is read with its owner's rights alone; the log of the service is root's to read.
    """
    kept = msgspec.msgpack.decode(
        as_owner(state, lambda folder: msgspec.msgpack.encode(_kept(folder, with_secrets))),
        type=dict[str, bytes],
    )
    parts: dict[str, bytes] = {
        "machine.json": _json(_machine()),
        "packages.json": _json(_packages()),
        **kept,
        "problems.txt": "".join(f"{each}\n" for each in problems).encode() + kept["problems.txt"],
        "service.txt": _asked("systemctl", "status", "--no-pager", "--lines=0", "companion.service"),
        # Our own lines alone: the log has no secret, and those of other programs are not ours to give.
        "log.txt": _asked("journalctl", "--no-pager", *UNITS, "-n", str(LOG_LINES)),
    }
    content = io.BytesIO()
    with zipfile.ZipFile(content, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in parts.items():
            archive.writestr(zipfile.ZipInfo(name, EARLIEST), data)
    return content.getvalue()


def _kept(state: Path, with_secrets: bool) -> dict[str, bytes]:
    """What the state folder itself has to say."""
    told = "".join(f"{each}\n" for each in safe_mode.told(state)).encode()
    parts = {"state.json": _json(_state(state)), "problems.txt": told}
    return {**parts, "record.json": _record(state)} if with_secrets else parts


def _machine() -> dict[str, Any]:
    return {
        "companion": __version__,
        "python": platform.python_version(),
        "system": platform.platform(),
        "model": _model(),
        "disk_free": shutil.disk_usage("/").free,
        "language": os.environ.get("LANG", ""),
    }


def _model() -> str:
    with contextlib.suppress(OSError):
        return Path("/proc/device-tree/model").read_text(encoding="utf-8", errors="replace").strip("\0\n")
    return ""


def _packages() -> dict[str, str]:
    return {each.name: each.version for each in sorted(distributions(), key=lambda each: each.name.lower())}


def _state(state: Path) -> dict[str, Any]:
    """What lies in the state folder, by name, size, owner and mode, and how the journal counts."""
    files = []
    for path in sorted(state.rglob("*")) if state.is_dir() else ():
        with contextlib.suppress(OSError):
            found = path.lstat()
            kind = stat.filemode(found.st_mode)
            name = path.relative_to(state).as_posix()
            files.append({"name": name, "mode": kind, "size": found.st_size, "uid": found.st_uid})
    return {"files": files, "journal": _journal(state), "uid": os.geteuid() if os.name == "posix" else None}


def _journal(state: Path) -> dict[str, Any]:
    try:
        data = read_own(state / JOURNAL, LARGEST_JOURNAL)
        damaged = next((spot.line for spot in spots(io.BytesIO(data)) if not spot.fine), 0)
    except (OSError, Refusal) as fault:
        return {"fault": type(fault).__name__}
    return {"entries": count_entries(data), "games": count_games(data), "first_damaged_line": damaged}


def _record(state: Path) -> bytes:
    """The last game, whose secrets everybody knows by now; of one that goes on only that it does."""
    try:
        record = of_journal(read_own(state / JOURNAL, LARGEST_JOURNAL))
    except (Refusal, OSError) as fault:
        return _json({"no_record": str(fault) if isinstance(fault, Refusal) else type(fault).__name__})
    return _json(record)


def _asked(*words: str) -> bytes:
    """What another program says, where there is one."""
    with contextlib.suppress(OSError, subprocess.SubprocessError):
        return subprocess.run(words, capture_output=True, timeout=20).stdout
    return b""


def _json(value: Any) -> bytes:
    return msgspec.json.format(msgspec.json.encode(value), indent=1) + b"\n"


def save(file: Path, data: bytes) -> None:
    """Write it, for its owner's eyes only, and never over another file."""
    with open(os.open(file, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb") as out:
        out.write(data)
    sys.stdout.flush()
