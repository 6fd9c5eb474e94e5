"""Good night: from the host's page or by a long press of BACK the daemon ends, and the power may be cut."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.web.phones import Phone

ASLEEP = 30
"""Seconds until the daemon has gone, the long press of five included."""


@pytest.mark.parametrize("how", ["page", "button"])
def test_the_daemon_ends_and_leaves_the_word_for_the_power(how: str, tmp_path: Path) -> None:
    state, run = tmp_path / "state", tmp_path / "run"
    run.mkdir()
    serve = [sys.executable, "-m", "companion", "serve", "--host", "127.0.0.1", "--port", "0"]
    env = {**os.environ, "RUNTIME_DIRECTORY": str(run)}
    with subprocess.Popen(
        [*serve, "--state", str(state)], stdout=subprocess.PIPE, text=True, env=env
    ) as daemon:
        assert daemon.stdout is not None
        host = Phone(int(daemon.stdout.readline().rsplit(":", 1)[1]))
        pin = json.loads((state / "running.json").read_text())["pin"]
        assert host.post("/host", pin=pin, name="Mrs Kerr").status == 200
        assert not (run / "poweroff").exists()
        if how == "page":
            host.post("/host/shutdown", follow=False, confirm="1")
        else:
            host.forge("/table/press", follow=False, button="back")
        assert daemon.wait(ASLEEP) == 0
    assert (run / "poweroff").exists()
    assert not (state / "running.json").exists()
