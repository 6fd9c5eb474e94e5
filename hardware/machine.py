"""The machine underneath: whether it is a Pi."""

from __future__ import annotations

from pathlib import Path

MODEL_FILES = (Path("/proc/device-tree/model"), Path("/proc/cpuinfo"))


def is_pi(files: tuple[Path, ...] = MODEL_FILES) -> bool:
    """Whether this machine says that it is a Raspberry Pi."""
    return any("Raspberry Pi" in _text(file) for file in files)


def _text(file: Path) -> str:
    try:
        return file.read_text(encoding="utf-8", errors="replace")
    except OSError:
        return ""
