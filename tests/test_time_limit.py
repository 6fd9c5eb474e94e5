"""Every test has a time limit, and one that hangs fails with its stack."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

HANGING = """
import threading

def wait_for_a_guest_who_never_comes():
    threading.Event().wait()

def test_that_hangs():
    wait_for_a_guest_who_never_comes()

def test_that_does_not():
    assert True
"""


def test_every_test_has_a_limit(pytestconfig: pytest.Config) -> None:
    assert 0 < float(pytestconfig.getini("timeout")) <= 300
    assert pytestconfig.pluginmanager.hasplugin("timeout")


def test_a_hanging_test_fails_with_its_stack_and_the_next_one_runs(tmp_path: Path) -> None:
    file = tmp_path / "test_hanging.py"
    file.write_text(HANGING, encoding="utf-8")
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "--timeout", "0.3", str(file)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=60, cwd=tmp_path)
    assert done.returncode == 1
    assert "1 failed, 1 passed" in done.stdout
    assert "in wait_for_a_guest_who_never_comes" in done.stdout + done.stderr or (
        "wait_for_a_guest_who_never_comes()" in done.stdout
    )
    assert "Timeout" in done.stdout
