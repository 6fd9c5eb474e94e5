"""Safe mode: a table that fails to start three times sets aside what it cannot open, and opens without it.

Nothing is ever deleted. What was set aside lies in `set-aside-N` inside the state folder, and a report beside
it says what, why and where, for the page, the lamps and `companion status`.

Whoever opens a state folder calls `begin` before and `succeeded` when the house stands:

    safe_mode.begin(folder)      # the fourth time in a row it sets aside what cannot be opened
    …open journal, guest book, shelf…
    safe_mode.succeeded(folder)
    for saying in safe_mode.told(folder): …
"""

from __future__ import annotations

import contextlib
import os
import subprocess
import sys
from itertools import count
from pathlib import Path

import msgspec

from companion.disk import is_own, is_own_folder, read_own, sync_folder, write_file
from companion.journal import forget_last
from companion.state_files import BOOK, FOLDERS, JOURNAL, largest
from companion.words import Saying

STARTS, REPORT, ASIDE = ".starts", "safe-mode.json", "set-aside"
ATTEMPTS = 3
"""Failed starts after which something has to be set aside."""
PATIENCE, MEMORY = 20, 160 << 20
"""Seconds and bytes that looking into a journal may take."""
LARGEST = 1 << 16
PASSING = frozenset({f"{JOURNAL}.lock", "running.json", STARTS, REPORT})
"""Files that are ours besides those worth keeping."""


class Starts(msgspec.Struct, frozen=True):
    """How often the house was opened since the machine was switched on, and never stood."""

    boot: str
    failed: int


class SetAside(msgspec.Struct, frozen=True):
    """Something that could not be opened: its name, where it lies now, and why."""

    name: str
    place: str
    why: str


class Report(msgspec.Struct, frozen=True):
    """Everything that was set aside and not yet put back or dismissed."""

    things: tuple[SetAside, ...] = ()


def begin(state: Path) -> None:
    """Count a start; after three that failed, set aside what cannot be opened, and at last everything."""
    if not state.is_dir():
        return
    failed = _failed(state)
    if failed >= ATTEMPTS:
        # Three more: what is broken opens, and yet the house does not stand. It begins anew.
        set_aside(state, everything=failed >= 2 * ATTEMPTS)
    # A disk that takes nothing is the journal's to tell.
    with contextlib.suppress(OSError):
        _make_way(state / STARTS)
        write_file(state / STARTS, msgspec.json.encode(Starts(_boot(), failed + 1)))


def succeeded(state: Path) -> None:
    """The house stands."""
    with contextlib.suppress(OSError):
        (state / STARTS).unlink(missing_ok=True)


def report(state: Path) -> Report:
    """What was set aside; nothing is the normal case."""
    try:
        return msgspec.json.decode(read_own(state / REPORT, LARGEST), type=Report)
    except (OSError, msgspec.MsgspecError, UnicodeDecodeError):
        return Report()


def told(state: Path) -> tuple[Saying, ...]:
    """What was set aside, why, and how to get it back, in words."""
    return tuple(
        Saying("companion.set_aside", name=thing.name, place=thing.place, why=thing.why)
        for thing in report(state).things
    )


def dismiss(state: Path) -> None:
    """Somebody has read the report. What was set aside stays where it is."""
    with contextlib.suppress(OSError):
        (state / REPORT).unlink(missing_ok=True)


def set_aside(state: Path, everything: bool = False) -> tuple[SetAside, ...]:
    """Move what cannot be opened into a folder of its own, and write the report."""
    faults = {path.name: why for path in sorted(state.iterdir()) if (why := _fault(path, everything))}
    if not faults:
        return ()
    folder = next(path for n in count(1) if not os.path.lexists(path := state / f"{ASIDE}-{n}"))
    folder.mkdir(mode=0o700)
    moved = []
    for name, why in faults.items():
        with contextlib.suppress(OSError):
            os.rename(state / name, folder / name)
            moved.append(SetAside(name, f"{folder.name}/{name}", why))
    things = (*report(state).things, *moved)
    sync_folder(state)
    with contextlib.suppress(OSError):
        _make_way(state / REPORT)
        write_file(state / REPORT, msgspec.json.encode(Report(things)))
    return tuple(moved)


def put_back(state: Path, place: str) -> None:
    """Bring something back that was set aside; what is there now goes there. The table must be stopped."""
    thing = next((thing for thing in report(state).things if thing.place == place), None)
    if thing is None:
        raise FileNotFoundError(place)
    now, aside = state / thing.name, state / thing.place
    waiting = aside.with_name(aside.name + ".new")
    if os.path.lexists(now):
        os.rename(now, waiting)
    os.rename(aside, now)
    if os.path.lexists(waiting):
        os.rename(waiting, aside)
    sync_folder(state)
    if thing.name == JOURNAL:
        forget_last(now)
    rest = tuple(each for each in report(state).things if each != thing)
    write_file(state / REPORT, msgspec.json.encode(Report(rest)))


def _fault(path: Path, everything: bool) -> str:
    """Why something in a state folder cannot be used; an empty text if it can, or is nothing of ours."""
    name = path.name
    if name.startswith((f"{ASIDE}-", "before-restore-")):
        return ""
    if name in FOLDERS or name.startswith(".restor"):
        if name == ".restored.upload" and is_own(path):
            return ""
        fine = is_own_folder(path) and os.access(path, os.R_OK | os.X_OK)
        return "" if fine else "this is no folder of the companion's own"
    if not (largest(name) or name in PASSING):
        return ""
    if not is_own(path) or not os.access(path, os.R_OK | os.W_OK):
        return "this is no plain file of the companion's own"
    if everything and name in (JOURNAL, BOOK):
        return "the companion did not start with it"
    return _journal_fault(path) if name == JOURNAL else ""


def _journal_fault(path: Path) -> str:
    """Why a journal cannot be opened. It is tried by a child: it may take all memory, or never end."""
    try:
        done = subprocess.run(
            [sys.executable, "-m", __name__, str(path)],
            capture_output=True,
            text=True,
            timeout=PATIENCE,
        )
    except (OSError, subprocess.SubprocessError) as fault:
        return str(fault)
    return "" if done.returncode == 0 else (done.stderr.strip().splitlines() or ["it cannot be read"])[-1]


def _failed(state: Path) -> int:
    """The starts that failed since the machine was switched on: whoever pulls the plug has not failed."""
    try:
        starts = msgspec.json.decode(read_own(state / STARTS, LARGEST), type=Starts)
    except FileNotFoundError:
        return 0
    except (OSError, msgspec.MsgspecError, UnicodeDecodeError):
        return ATTEMPTS
    return starts.failed if starts.boot == _boot() else 0


def _boot() -> str:
    """What tells one run of the machine from another, where the system says it."""
    with contextlib.suppress(OSError):
        return Path("/proc/sys/kernel/random/boot_id").read_text(encoding="ascii").strip()
    return ""


def _make_way(path: Path) -> None:
    """Take a folder away that lies where a small file of ours goes; a file or link is simply replaced."""
    if path.is_dir() and not path.is_symlink():
        os.rename(
            path, next(way for n in count(1) if not (way := path.with_name(f"{path.name}-{n}")).exists())
        )


def _look_into(path: Path) -> int:
    """What the child does: read a journal's last game, on a copy of nothing, within bounds."""
    import resource

    from companion.disk import open_own
    from companion.entries import Started, entries_from, spots
    from companion.refusals import Refusal
    from companion.table import Table

    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    begun, table = None, Table()
    with open_own(path) as file:
        for spot in spots(file):
            if isinstance(spot.entry, Started):
                begun = spot.offset
        for entry in entries_from(file, begun) if begun is not None else ():
            try:
                table.follow(entry)
            except Refusal:
                # The table goes on without the rest, and says so.
                break
    return 0


if __name__ == "__main__":
    sys.exit(_look_into(Path(sys.argv[1])))
