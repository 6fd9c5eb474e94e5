"""Versions of the companion side by side on one machine: a new one takes over only if it is healthy.

Nothing but the standard library is needed, because the installer runs this before anything is installed.
"""

from __future__ import annotations

import contextlib
import json
import os
import shutil
import subprocess
import sys
import tempfile
import time
import urllib.error
import urllib.request
import zipfile
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from companion.disk import open_own, read_own
from companion.privileges import as_owner
from companion.terminal import complain, language
from companion.words import Saying, say

ROOT = Path("/opt/ghost-companion")
SECOND = Path("/etc/systemd/system/companion-second.service")
"""The service of a second board on the same Pi, where there is one; its state lies beside the first one's."""
PYTHON = "/usr/bin/python3"
HOME, SECOND_HOME = "http://127.0.0.1/", "http://127.0.0.1:8080/"
PATIENCE = 60.0
"""Seconds a new version has to become healthy, as long as the unit gives it to start."""

Say = Callable[[str], None]
"""Tells a step by the key of its sentence."""


class NotUpdated(Exception):
    """The new version was not taken; the sentence says why, and the old one goes on."""

    def __init__(self, key: str, **facts: object) -> None:
        self.saying = Saying(key, **facts)
        super().__init__(str(self.saying))

    def message(self, language: str) -> str:
        """Why, in a person's language."""
        return self.saying.said(language)


@dataclass(frozen=True)
class Origin:
    """Where a version came from, so that the next one can be taken from there too."""

    source: Path
    extras: str


class Releases:
    """The folder of all versions: one virtual environment each, and a link to the current one."""

    def __init__(self, root: Path = ROOT) -> None:
        self.root = root
        self.link = root / "current"

    def current(self) -> Path | None:
        """The version in use."""
        return self.link.resolve() if self.link.exists() else None

    def all(self) -> list[Path]:
        """Every version that is there, oldest first."""
        return sorted((path for path in self.root.glob("release-*")), key=_number)

    def origin(self) -> Origin:
        """Where the last version came from."""
        noted = json.loads((self.root / "origin.json").read_text(encoding="utf-8"))
        return Origin(Path(noted["source"]), noted["extras"])

    def note_origin(self, source: Path, extras: str) -> None:
        """Remember it."""
        noted = json.dumps({"source": str(source), "extras": extras})
        (self.root / "origin.json").write_text(noted + "\n", encoding="utf-8")

    def build(self, source: Path, extras: str) -> Path:
        """Install a wheel or a source folder into an environment of its own. Nothing else changes."""
        self.root.mkdir(parents=True, exist_ok=True)
        release = self.root / f"release-{max(map(_number, self.all()), default=0) + 1}"
        try:
            _run(PYTHON, "-m", "venv", release)
            with tempfile.TemporaryDirectory() as name:
                install = (release / "bin/python", "-m", "pip", "install", *PIP)
                _run(*install, "--require-hashes", "--requirement", _tested(source, extras, Path(name)))
                _run(*install, "--no-deps", "--no-build-isolation", _copied(source, Path(name)))
        except BaseException:
            shutil.rmtree(release, ignore_errors=True)
            raise
        return release

    def switch(self, release: Path) -> None:
        """Make a version the current one, in one step that a power cut cannot halve."""
        fresh = self.root / "current.new"
        fresh.unlink(missing_ok=True)
        fresh.symlink_to(release.name)
        if hasattr(os, "sync"):
            os.sync()
        os.replace(fresh, self.link)

    def forget(self, *kept: Path | None) -> None:
        """Remove every version but these."""
        for release in self.all():
            if release not in kept:
                shutil.rmtree(release)


class Service:
    """The daemon as systemd runs it, or both. Where no systemd runs, as in an image being built, is none."""

    def __init__(self, home: str = HOME, patience: float = PATIENCE) -> None:
        self.homes = (home, SECOND_HOME) if SECOND.exists() else (home,)
        self.patience = patience

    def runs_here(self) -> bool:
        """Whether there is a service to restart."""
        return Path("/run/systemd/system").is_dir()

    def restart(self) -> None:
        """Start the current version; whether it came up is what `healthy` says."""
        units = ["companion.service", SECOND.name][: len(self.homes)]
        subprocess.run(["systemctl", "restart", *units], check=False)

    def healthy(self) -> bool:
        """Whether each daemon is well and shows its first page before the patience is over."""
        end = time.monotonic() + self.patience
        while time.monotonic() < end:
            if all(_answers(f"{home}healthz") and _answers(home) for home in self.homes):
                return True
            time.sleep(0.25)
        return False


LISTS = ("pi-pwm", "pi5")
"""The extras that have a list of tested packages of their own: what drives the lamps on each kind of Pi."""

PIP = ("--quiet", "--no-input", "--no-cache-dir", "--ignore-installed", "--disable-pip-version-check")


def update(releases: Releases, service: Service, source: Path, extras: str, state: Path, step: Say) -> None:
    """Build, rehearse, try out, switch, look, and go back if it does not look well."""
    before = releases.current()
    step("companion.update_building")
    fresh = releases.build(source, extras)
    step("companion.update_rehearsing")
    states = (state, state.with_name(f"{state.name}-second"))
    stumbled = before and next(filter(None, (rehearse(before, fresh, each) for each in states)), None)
    if stumbled:
        shutil.rmtree(fresh)
        raise NotUpdated("companion.update_differs", journal=stumbled)
    step("companion.update_trying")
    if unfit := tried_out(fresh):
        shutil.rmtree(fresh)
        raise NotUpdated("companion.update_unfit", why=unfit)
    releases.switch(fresh)
    if not service.runs_here():
        step("companion.update_later")
    elif not _comes_up(service, step):
        _go_back(releases, service, before, fresh, step)
    releases.forget(fresh, before)
    releases.note_origin(source, extras)


def rehearse(before: Path, fresh: Path, state: Path) -> Path | None:
    """The first journal that two versions do not tell alike, if there is one. They read copies."""
    for name, size in _journals(state).items():
        data = as_owner(state, lambda folder, name=name, size=size: read_own(folder / name, size))  # type: ignore[misc]
        # An old version that cannot speak, as after an upgrade of the system's Python, has no say.
        told = _told(before, data)
        if told is not None and told != _told(fresh, data):
            return state / name
    return None


def tried_out(fresh: Path) -> str | None:
    """What a version says did not work of a page, an action and a stream; null where all three did."""
    try:
        done = subprocess.run(
            [fresh / "bin/companion", "tryout"], capture_output=True, text=True, timeout=300
        )
    except (OSError, subprocess.TimeoutExpired) as fault:
        return str(fault)
    return (done.stderr.strip() or str(done.returncode)) if done.returncode else None


def _journals(state: Path) -> dict[str, int]:
    """The journals of a state folder with their sizes; links and pipes are passed over."""

    def listed(folder: Path) -> bytes:
        found = {path.name: path.stat().st_size for path in folder.iterdir() if _is_journal(path)}
        return json.dumps(found, sort_keys=True).encode()

    found: dict[str, int] = json.loads(as_owner(state, listed)) if state.is_dir() else {}
    return found


def _is_journal(path: Path) -> bool:
    with contextlib.suppress(OSError), open_own(path) as file:
        return b'{"journal":' in file.read(64)
    return False


def _told(release: Path, journal: bytes) -> object:
    """What a version makes of a journal: who did what, and who is to act. Words and details may change."""
    asked = "\n".join(json.dumps({"cmd": command}) for command in ("history", "view"))
    with tempfile.TemporaryDirectory() as folder:
        copy = Path(folder) / "journal"
        copy.write_bytes(journal)
        words = [str(release / "bin/companion"), "headless", "--journal", str(copy)]
        try:
            done = subprocess.run(words, input=asked, capture_output=True, text=True, timeout=120, check=True)
            history, view = map(json.loads, done.stdout.splitlines())
        except (OSError, subprocess.SubprocessError, ValueError):
            return None
    deeds = [(line["seat"], line["action"]["type"], line["undone"]) for line in history.get("history", ())]
    return deeds, [view.get("view", {}).get(name) for name in ("phase", "to_act", "result")]


def _comes_up(service: Service, step: Say) -> bool:
    step("companion.update_starting")
    service.restart()
    return service.healthy()


def _go_back(releases: Releases, service: Service, before: Path | None, fresh: Path, step: Say) -> None:
    if before is None:
        raise NotUpdated("companion.update_silent")
    step("companion.update_back")
    releases.switch(before)
    service.restart()
    shutil.rmtree(fresh)
    if not service.healthy():
        raise NotUpdated("companion.update_stuck")
    raise NotUpdated("companion.update_failed")


def _answers(address: str) -> bool:
    # The machine's own proxy settings must not send this question anywhere else.
    ask = urllib.request.build_opener(urllib.request.ProxyHandler({})).open
    try:
        with ask(address, timeout=2) as answer:
            return bool(answer.status == 200)
    except (urllib.error.URLError, OSError):
        return False


def _tested(source: Path, extras: str, folder: Path) -> Path:
    """The list of packages that this source was tested with, by version and hash; a wheel brings its own."""
    name = f"requirements/{tested_list(extras)}.txt"
    if source.is_dir():
        return source / name
    with zipfile.ZipFile(source) as wheel:
        (inside,) = (each for each in wheel.namelist() if each.endswith(f"/{name}"))
        return Path(wheel.extract(inside, folder))


def tested_list(extras: str) -> str:
    """The name of the list that has the packages of these extras, mqtt's among them in each."""
    asked = extras.split(",")
    return next((name for name in LISTS if name in asked), "pi")


def _copied(source: Path, folder: Path) -> Path:
    """A source folder somewhere else, so that building as root leaves nothing in it; a wheel as it is."""
    if source.is_file():
        return source
    ignored = shutil.ignore_patterns(".*", "*.egg-info", "__pycache__", "build", "dist", "tests", "bench")
    return Path(shutil.copytree(source, folder / "source", ignore=ignored))


def _run(*words: str | Path) -> None:
    # Whatever root's own habits are, the service must be able to read it.
    subprocess.run(list(map(str, words)), check=True, umask=0o022)


def _number(release: Path) -> int:
    return int(release.name.rpartition("-")[2])


def main() -> int:
    """What the installer calls: `python3 -m companion.releases SOURCE EXTRAS STATE`."""
    source, extras, state = sys.argv[1:]
    try:
        update(
            Releases(),
            Service(),
            Path(source),
            extras,
            Path(state),
            lambda key: print(f"  {say(key, language())}", flush=True),
        )
    except (NotUpdated, subprocess.CalledProcessError) as fault:
        return complain(fault)
    return 0


if __name__ == "__main__":
    sys.exit(main())
