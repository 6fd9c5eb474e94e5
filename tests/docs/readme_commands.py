"""Runs the README's own commands, as a newcomer would: `make run` must answer, `make test` must pass.

One alone, timed: `python3 tests/docs/readme_commands.py "make run"`; a fresh clone begins by installing.
"""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
import tempfile
import time
import urllib.request
from pathlib import Path

SECONDS = 60
"""`make run` answers within a minute, on a fresh clone too: what playing needs and no more is installed."""
PROJECT = Path(__file__).parents[2]
NO_PROXY = urllib.request.build_opener(urllib.request.ProxyHandler({}))


def commands() -> list[str]:
    """What the README tells people to type."""
    (block,) = re.findall(
        r"^```sh\n(.*?)^```$", (PROJECT / "README.md").read_text("utf-8"), re.MULTILINE | re.DOTALL
    )
    return [line.partition("#")[0].strip() for line in block.splitlines()]


def run_until_the_page_answers(command: str) -> None:
    """Start it, read the address it prints, ask for the page, and press Ctrl-C."""
    began = time.monotonic()
    with tempfile.TemporaryDirectory() as state:
        env = {**os.environ, "COMPANION_STATE": state, "PYTHONUNBUFFERED": "1"}
        words = command.split()
        # Where a shell has sent us to the background, Ctrl-C would be ignored by all that we start.
        signal.signal(signal.SIGINT, signal.default_int_handler)
        with subprocess.Popen(
            words, cwd=PROJECT, env=env, stdout=subprocess.PIPE, text=True, start_new_session=True
        ) as game:
            try:
                assert game.stdout
                lines = (re.search(r"http://[^/]*?:(\d+)/", line) for line in game.stdout)
                told = next(filter(None, lines), None)
                assert told, f"{command} ended without telling an address"
                with NO_PROXY.open(f"http://127.0.0.1:{told[1]}/", timeout=10) as page:
                    text = page.read().decode()
                took = time.monotonic() - began
            finally:
                os.killpg(game.pid, signal.SIGINT)
            game.wait(10)
    assert "<html" in text
    print(f"{command}: the page answers after {took:.1f} s, and Ctrl-C ends it", flush=True)
    assert took <= SECONDS, f"{command} is to answer within {SECONDS} s"


def main() -> int:
    """Each of them, in the README's order, or the one that was asked for."""
    for command in sys.argv[1:] or commands():
        if command == "make run":
            run_until_the_page_answers(command)
        else:
            subprocess.run(command.split(), cwd=PROJECT, check=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
