"""Runs the README's own commands, as a newcomer would: `make run` must answer, `make test` must pass."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
import tempfile
import urllib.request
from pathlib import Path

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
    with tempfile.TemporaryDirectory() as state:
        env = {**os.environ, "COMPANION_STATE": state, "PYTHONUNBUFFERED": "1"}
        words = command.split()
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
            finally:
                os.killpg(game.pid, signal.SIGINT)
            game.wait(10)
    assert "<html" in text
    print(f"{command}: the page answers ({len(text)} bytes), and Ctrl-C ends it", flush=True)


def main() -> int:
    """Each of them, in the README's order."""
    for command in commands():
        if command == "make run":
            run_until_the_page_answers(command)
        else:
            subprocess.run(command.split(), cwd=PROJECT, check=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
