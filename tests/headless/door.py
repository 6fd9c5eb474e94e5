"""A `companion headless` in a process of its own, as a program outside the project talks to it."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

from tests.games.phantom.hotel import GHOSTS, LAYOUT, OWNERS, room

Answer = dict[str, Any]


class Door:
    """One process, one line each way."""

    def __init__(self, *arguments: str, **environment: str) -> None:
        self.process = subprocess.Popen(
            [sys.executable, "-m", "companion", "headless", *arguments],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            env={**os.environ, **environment},
        )

    def raw(self, line: bytes) -> Answer:
        """The answer to a line of any bytes."""
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        self.process.stdin.write(line + b"\n")
        self.process.stdin.flush()
        answer: Answer = json.loads(self.process.stdout.readline())
        return answer

    def ask(self, cmd: str, **fields: Any) -> Answer:
        """The answer to a request."""
        return self.raw(json.dumps({"cmd": cmd, **fields}).encode())

    def code(self, cmd: str, **fields: Any) -> str | None:
        """The code of a refusal, or null if it was accepted."""
        return code_of(self.ask(cmd, **fields))

    def must(self, cmd: str, **fields: Any) -> Answer:
        """The answer to a request that has to be accepted."""
        answer = self.ask(cmd, **fields)
        assert answer["ok"] is True, answer
        return answer

    def act(self, seat: str, type: str, **fields: Any) -> Answer:
        """An action that has to be accepted."""
        return self.must("act", seat=seat, action={"type": type, **fields})

    def try_act(self, seat: str, type: str, **fields: Any) -> str | None:
        """The code of a refused action, or null."""
        return self.code("act", seat=seat, action={"type": type, **fields})

    def new(self, **options: Any) -> Answer:
        """A game of The Phantom Society on the usual board."""
        players = options.pop("players", 4)
        return self.must(
            "new", game="phantom", players=players, seed=7, options={"layout": LAYOUT, **options}
        )

    def hunt(self, ghosts: dict[str, str] | None = None, **options: Any) -> None:
        """A game with all four ghosts hidden."""
        self.new(owners=OWNERS, **options)
        for colour, where in (ghosts or GHOSTS).items():
            self.act(OWNERS[colour], "hide", ghost=colour, room=room(where))

    def play(self, *turns: str) -> Answer:
        """Turns such as `p2 B3`."""
        answer: Answer = {}
        for turn in turns:
            seat, where = turn.split()
            answer = self.act(seat, "pass") if where == "pass" else self.act(seat, "remove", room=room(where))
        return answer

    def end(self) -> tuple[int, bytes, bytes]:
        """Close the input; its exit status, what it still said, and its complaints."""
        said, complaints = self.process.communicate(timeout=20)
        return self.process.returncode, said, complaints

    def __enter__(self) -> Door:
        return self

    def __exit__(self, *fault: object) -> None:
        if self.process.poll() is None:
            self.process.kill()
        self.process.communicate(timeout=20)


def code_of(answer: Answer) -> str | None:
    """The code of a refusal, or null."""
    if answer["ok"]:
        return None
    assert answer["error"]["message"]
    return str(answer["error"]["code"])


def session(lines: list[bytes], *arguments: str, hash_seed: str = "0") -> bytes:
    """Everything that a process answers to some lines."""
    done = subprocess.run(
        [sys.executable, "-m", "companion", "headless", *arguments],
        input=b"\n".join(lines) + b"\n",
        capture_output=True,
        check=True,
        timeout=60,
        env={**os.environ, "PYTHONHASHSEED": hash_seed},
    )
    return done.stdout


def journal_in(folder: Path) -> tuple[str, str]:
    """The arguments that make it durable."""
    return "--journal", str(folder / "journal")
