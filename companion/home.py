"""Where the companion keeps what must outlast the evening: journals, boxes, kits, seats."""

from __future__ import annotations

import os
import sys
from pathlib import Path

NAME = "ghost-companion"


def state_folder() -> Path:
    """The folder of this user's state; `COMPANION_STATE` names another. It need not exist yet."""
    chosen = os.environ.get("COMPANION_STATE")
    return Path(chosen).expanduser() if chosen else _usual_place() / NAME


def _usual_place() -> Path:
    """Where programs of this system keep their state."""
    if sys.platform == "win32":
        return _from_environment("LOCALAPPDATA", "AppData", "Local")
    if sys.platform == "darwin":
        return Path.home() / "Library" / "Application Support"
    return _from_environment("XDG_STATE_HOME", ".local", "state")


def _from_environment(name: str, *otherwise: str) -> Path:
    # A relative path here would mean another folder in every terminal; the XDG rules say to ignore it.
    named = Path(os.environ.get(name, ""))
    return named if named.is_absolute() else Path.home().joinpath(*otherwise)
