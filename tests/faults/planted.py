"""The tables of planted faults, and what happens when one of them is planted.

Each fault is a small mistake that somebody could make: in this file, this becomes that. It is planted in a
copy of the tree, and the one test that is named with it must fail there.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path
from typing import Literal

import msgspec

ROOT = Path(__file__).parents[2]
TABLES = Path(__file__).parent
COPIED = (
    "bench",
    "companion",
    "docs",
    "hardware",
    "systemd",
    "tests",
    "web",
    "pyproject.toml",
    "README.md",
    "wiring.md",
)
LIMIT = 240
"""Seconds that a test may take to notice; a fault that makes it hang is noticed too."""

Fate = Literal["caught", "survived", "stale", "broken"]


class Fault(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A mistake: in a file, `old` becomes `new`; it breaks these rules, and this test must notice."""

    rules: tuple[str, ...]
    file: str
    old: str
    new: str
    test: str

    def lies_in(self, text: str) -> bool:
        """Whether it can be planted: what it changes is there once."""
        return text.count(self.old) == 1


class Table(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The faults of a part of the project; and the rules that no program can break, with the reason."""

    fault: tuple[Fault, ...]
    without: dict[str, str] = {}


def table(name: str) -> Table:
    """A table by name."""
    return msgspec.convert(tomllib.loads((TABLES / f"{name}.toml").read_text(encoding="utf-8")), Table)


def names() -> list[str]:
    """Every table."""
    return sorted(path.stem for path in TABLES.glob("*.toml"))


def copied_tree(into: Path) -> None:
    """A copy of the project to plant faults in."""
    skipped = shutil.ignore_patterns("__pycache__", ".venv", "*.pyc", "node_modules", ".git")
    for name in COPIED:
        source = ROOT / name
        if source.is_dir():
            shutil.copytree(source, into / name, ignore=skipped)
        elif source.exists():
            shutil.copy2(source, into / name)


def run(tree: Path, tests: list[str], limit: int = LIMIT) -> tuple[int, str]:
    """Run tests in a copy of the tree, until one fails; how it ended and what it said."""
    command = [sys.executable, "-m", "pytest", "-x", "-q", "-p", "no:cacheprovider", "-p", "no:xdist"]
    clean = {**os.environ, "PYTHONDONTWRITEBYTECODE": "1", "PYTHONPATH": str(tree)}
    try:
        done = subprocess.run(
            [*command, "--timeout", str(LIMIT // 2), *tests],
            cwd=tree,
            env=clean,
            capture_output=True,
            text=True,
            timeout=limit,
        )
    except subprocess.TimeoutExpired:
        return 1, "it hangs"
    return done.returncode, done.stdout


def plant(tree: Path, fault: Fault, tests: list[str] | None = None) -> tuple[Fate, str]:
    """Plant a fault in a copy of the tree, see whether its test notices, and take it out again."""
    path = tree / fault.file
    before = path.read_text(encoding="utf-8") if path.exists() else ""
    if not fault.lies_in(before):
        return "stale", ""
    path.write_text(before.replace(fault.old, fault.new), encoding="utf-8")
    try:
        status, said = run(tree, tests or [fault.test])
    finally:
        path.write_text(before, encoding="utf-8")
    fates: dict[int, Fate] = {0: "survived", 1: "caught"}
    return fates.get(status, "broken"), said
