"""The core stays light, and it starts on any laptop: Linux, macOS or Windows."""

from __future__ import annotations

import ast
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
POSIX_ONLY = {"fcntl", "grp", "pty", "pwd", "resource", "termios"}
HEAVY = {"flask", "gpiozero", "jinja2", "numpy", "rich", "segno", "uvicorn"}


def sources() -> list[Path]:
    found = sorted(
        path for package in ("companion", "hardware", "web") for path in (ROOT / package).rglob("*.py")
    )
    assert found
    return found


@pytest.mark.parametrize("path", sources(), ids=lambda path: path.relative_to(ROOT).as_posix())
def test_nothing_posix_only_is_imported_at_module_level(path: Path) -> None:
    imported = set()
    for node in ast.parse(path.read_text(encoding="utf-8")).body:
        if isinstance(node, ast.Import):
            imported |= {name.name.partition(".")[0] for name in node.names}
        elif isinstance(node, ast.ImportFrom):
            imported.add((node.module or "").partition(".")[0])
    assert not imported & POSIX_ONLY


def test_a_headless_game_loads_nothing_heavy() -> None:
    program = (
        "import io, sys; from companion import headless;"
        'line = io.BytesIO(b\'{"cmd":"new","game":"phantom"}\\n\'); out = io.BytesIO();'
        "headless.run('simulated', None, line, out); assert b'\"ok\":true' in out.getvalue();"
        "print(*{name.partition('.')[0] for name in sys.modules})"
    )
    ran = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    assert ran.returncode == 0, ran.stderr
    assert not set(ran.stdout.split()) & HEAVY
