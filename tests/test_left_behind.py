"""The fixture that every test runs under finds what it is there to find."""

from __future__ import annotations

import socket
import subprocess
import sys
import tempfile
import threading
from pathlib import Path

import pytest

pytest_plugins = ["pytester"]

PROJECT = Path(__file__).parents[1]

CULPRITS = {
    "thread": "import threading\nthreading.Thread(target=threading.Event().wait, daemon=True).start()",
    "socket": "import socket\nkept = socket.socket()\nimport builtins\nbuiltins.kept = kept",
    "file": "import tempfile, pathlib\npathlib.Path(tempfile.mkdtemp()).exists()",
    "pin": (
        "import builtins, gpiozero\nfrom gpiozero.pins.mock import MockFactory\n"
        "gpiozero.Device.pin_factory = MockFactory()\nbuiltins.kept = gpiozero.Button(4)"
    ),
}


@pytest.mark.parametrize("thing", CULPRITS)
def test_a_test_that_leaves_something_behind_fails(pytester: pytest.Pytester, thing: str) -> None:
    conftest = Path(__file__).with_name("conftest.py").read_text(encoding="utf-8")
    pytester.makeconftest(conftest.replace("PATIENCE = 2.0", "PATIENCE = 0.1"))
    body = "\n    ".join(CULPRITS[thing].splitlines())
    pytester.makepyfile(f"def test_culprit():\n    {body}\n\ndef test_next():\n    pass\n")
    result = pytester.runpytest_subprocess("-p", "no:cacheprovider")
    result.assert_outcomes(passed=2, errors=1)
    result.stdout.fnmatch_lines([f"*left behind: {thing} *"])


def test_what_is_put_away_is_not_missed() -> None:
    thread = threading.Thread(target=lambda: None)
    thread.start()
    thread.join()
    with socket.socket(), tempfile.TemporaryDirectory(), tempfile.NamedTemporaryFile():
        pass
    assert not thread.is_alive()


def test_programs_of_a_run_in_the_background_hear_ctrl_c() -> None:
    """A shell makes a run deaf to it; what our tests start must not inherit that."""
    asked = "import signal; print(signal.getsignal(signal.SIGINT) is signal.SIG_IGN)"
    run = (
        "import signal, subprocess, sys; signal.signal(signal.SIGINT, signal.SIG_IGN); "
        f"import tests.conftest; subprocess.run([sys.executable, '-c', {asked!r}])"
    )
    done = subprocess.run([sys.executable, "-c", run], cwd=PROJECT, capture_output=True, text=True)
    assert done.stdout == "False\n", done.stderr
