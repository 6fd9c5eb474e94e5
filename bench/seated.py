"""Phones around a game that is already under way, by public ways alone.

They sit down with a daemon in a folder; the game is written into its journal by `companion headless`; the
next daemon in that folder, at the same port, finds both.
"""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from random import Random
from typing import Any, NamedTuple

from bench.web_push import SEATS, House, Wire, daemon, seated
from companion.contract import TABLE

Request = dict[str, Any]


class Ready(NamedTuple):
    """A game under way: what was said so far, its seats, and rooms that nobody shall choose."""

    said: list[Request]
    seats: tuple[str, ...] = SEATS
    spared: frozenset[int] = frozenset()

    @property
    def plan(self) -> dict[str, Any]:
        """The same game as a host plans it."""
        new = self.said[0]
        told = {f"option-{name}": _field(value) for name, value in new.get("options", {}).items()}
        return {"game": new["game"], "players": new["players"], **told}


def _field(value: Any) -> str:
    return value if isinstance(value, str) else json.dumps(value)


@asynccontextmanager
async def around(ready: Ready, folder: Path, phones: int) -> AsyncIterator[tuple[House, list[Wire]]]:
    """A daemon in this folder with that game, and so many phones at its table."""
    with daemon(folder) as house:
        wires = await seated(house, phones, ready.plan, ready.seats)
    for wire in wires:
        wire.hang_up()
    write(ready, folder / "journal")
    with daemon(folder, house.port) as house:
        yield house, wires


def write(ready: Ready, journal: Path) -> None:
    """The game as a journal."""
    lines = "".join(json.dumps(request) + "\n" for request in ready.said)
    command = [sys.executable, "-m", "companion", "headless", "--journal", str(journal)]
    told = subprocess.run(command, input=lines, capture_output=True, text=True, check=True).stdout
    refused = [line for line in told.splitlines() if not json.loads(line)["ok"]]
    assert not refused, refused


async def choice(wires: list[Wire], ready: Ready, chance: Random) -> tuple[int, dict[str, str]] | None:
    """A phone that may act, and a form that its page could send; none where the game is over.

    What a real card says anybody may tell: the first phone speaks for the table.
    """
    for number, seat in (*enumerate(ready.seats), (0, TABLE)):
        _, text = await wires[number].ask("GET", f"/api/v1/legal?seat={seat}")
        actions = json.loads(text).get("actions", ())
        if safe := [each for each in actions if each.get("room") not in ready.spared]:
            return number, {"seat": seat, "action": json.dumps(chance.choice(safe))}
    return None
