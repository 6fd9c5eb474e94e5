"""What lies in a state folder: the names that are known, and how large such a file can be."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

from companion.disk import is_own, is_own_folder

JOURNAL = "journal"
BOOK = "guests.json"
HTTPS = "https"
"""The table's certificate and its key: in no backup, and a restore leaves them there."""
FOLDERS = ("boxes", "castles", "kits")
"""Where the household's own things are; there is never a secret in them."""
LARGEST_JOURNAL, LONGEST_JOURNAL = 32 << 20, 1 << 17
"""Bytes and lines: more than a thousand evenings. A line that says next to nothing takes memory, too."""
_NAME = r"[^/\\:.\x00-\x1f][^/\\:\x00-\x1f]{0,150}"
_KNOWN = (
    (re.compile(r"journal(\.damaged-\d{1,6})?"), LARGEST_JOURNAL),
    (re.compile(r"guests\.json(\.damaged-\d{1,6})?"), 1 << 20),
    (re.compile(rf"(boxes|castles)/{_NAME}\.json"), 1 << 16),
    (re.compile(rf"kits/{_NAME}\.toml"), 1 << 16),
)


def largest(name: str) -> int:
    """How many bytes a file of this name can have; none if it is not one of ours."""
    return next((size for pattern, size in _KNOWN if pattern.fullmatch(name)), 0)


def found(state: Path) -> Iterator[tuple[str, Path]]:
    """Every known file that is there, with its name; links, pipes and foreign files are passed over."""
    folders = [state, *(state / name for name in FOLDERS if is_own_folder(state / name))]
    for folder in folders:
        for path in sorted(folder.iterdir()) if folder.is_dir() else ():
            name = path.relative_to(state).as_posix()
            if largest(name) and is_own(path):
                yield name, path
