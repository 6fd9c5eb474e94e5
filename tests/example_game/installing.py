"""Installs the example game beside the companion, as pip would note it down."""

from __future__ import annotations

import os
import tomllib
from pathlib import Path

HERE = Path(__file__).parent


def environment(folder: Path, *groups: str) -> dict[str, str]:
    """An environment in which the example is installed, with its entry points of these groups."""
    project = tomllib.loads((HERE / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    note = folder / "ghost_in_the_attic-1.0.dist-info"
    note.mkdir(parents=True)
    (note / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {project['name']}\nVersion: 1.0\n")
    lines = []
    for group in groups:
        lines += [f"[{group}]", *(f"{name} = {at}" for name, at in project["entry-points"][group].items())]
    (note / "entry_points.txt").write_text("\n".join([*lines, ""]))
    return {**os.environ, "PYTHONPATH": os.pathsep.join(map(str, (folder, HERE)))}
