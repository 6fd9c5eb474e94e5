"""From an action to the phones updated, beside boardgame.io servers: the same clients, clock and machine.

    python -m bench.web_peer [6 50 200]

All serve a table of 36 tiles with secrets to as many phones. Ours has its rules, its access checks and a
durable journal. Theirs runs twice: in memory, and with its own `FlatFile` store, the nearest it has to ours
(it writes files, and does not wait until they are on the disk). Of ours four play, one is the host's and the
others watch; of theirs all have a seat and a hand of their own, or only some with `--seats 4`. They play in
turns, a game of ours and as many moves of theirs, so that whatever else the machine does hits all. One
program is all the phones (`bench/peer/phones.js`); times are over all pairs of a phone and a move.

Phones are not in the server: their program has a processor of its own, and the servers have the others. With
`--together` they share all of them; then the system often runs the phones on the very processor of whoever
writes to them, and they wait until it has written to all.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import ExitStack, closing, contextmanager
from pathlib import Path
from random import Random
from typing import Any

from bench.web_push import (
    HIDDEN,
    IDLE,
    IDLE_SECONDS,
    LAYOUT,
    MEGABYTES,
    Wire,
    abandon,
    at,
    begin,
    cpu,
    daemon,
    free_port,
    rss,
    seated,
)
from companion.contract import plain, read_options
from companion.games.phantom import GAME
from companion.games.phantom.actions import Hide

PEER = Path(__file__).parent / "peer"
STORES = ("memory", "files")
"""The two of theirs."""
TARGETS = {
    6: {"memory": {"p50": 2.0, "p99": 2.0}, "files": {"p50": 1.5}},
    50: {"memory": {"p50": 1.0, "p99": 0.7}, "files": {"p50": 1.0}},
    200: {"memory": {"p50": 0.5, "p99": 1.0}, "files": {"p50": 0.5}},
}
"""The most that our median and our 99th percentile may be, as a multiple of theirs."""
SEATS = 4
GAMES = 12
WARM_UP = 1
"""Games of each side, and those before them that do not count: node and Python both warm up."""

Moves = list[tuple[int, dict[str, Any]]]
Row = dict[str, float]


@contextmanager
def on(processors: set[int]) -> Iterator[None]:
    """Programs that begin meanwhile run on these processors only; without any, wherever the system likes."""
    if not processors:
        yield
        return
    every = os.sched_getaffinity(0)
    os.sched_setaffinity(0, processors)
    try:
        yield
    finally:
        os.sched_setaffinity(0, every)


def shared_out(together: bool) -> tuple[set[int], set[int]]:
    """The processors of the phones and of the servers; none where there is nothing to share out."""
    every = sorted(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else []
    return (set(), set()) if together or len(every) < 2 else ({every[0]}, {*every[1:]})


class Phones:
    """The program that is all the phones."""

    def __init__(self) -> None:
        self._program = subprocess.Popen(
            ["node", "phones.js"], cwd=PEER, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        )

    def told(self, **command: Any) -> Any:
        """What it answers to a command."""
        assert self._program.stdin
        assert self._program.stdout
        self._program.stdin.write(json.dumps(command) + "\n")
        self._program.stdin.flush()
        answer = self._program.stdout.readline()
        assert answer, "the phones gave up"
        return json.loads(answer)

    def close(self) -> None:
        """Hang up."""
        self._program.kill()
        self._program.communicate()


def played(chance: Random) -> Moves:
    """The hunt of one game as a list of forms: all that can be removed without uncovering a ghost."""
    state = GAME.start(read_options(GAME, {"players": SEATS, "layout": LAYOUT, "objective": 216}))
    for seat, ghost, room in HIDDEN:
        state, _ = GAME.apply(state, seat, Hide(ghost, room))
    rooms = {room for _, _, room in HIDDEN}
    moves: Moves = []
    while state.movers:
        seat = state.movers[0]
        safe = [one for one in GAME.legal(state, seat) if getattr(one, "room", None) not in rooms]
        if not safe:
            break
        action = chance.choice(safe)
        moves.append((int(seat[1]) - 1, {"seat": seat, "action": json.dumps(plain(action))}))
        state, _ = GAME.apply(state, seat, action)
    return moves


@contextmanager
def peer(store: str) -> Iterator[tuple[int, int]]:
    """A boardgame.io server with one of its stores: its process and its port."""
    port = free_port()
    environment = {**os.environ, "NODE_ENV": "production"}
    with tempfile.TemporaryDirectory() as folder:
        server = subprocess.Popen(
            ["node", "server.js", str(port), *([folder] if store == "files" else [])],
            cwd=PEER,
            env=environment,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
        )
        try:
            assert server.stdout
            while "ready" not in (line := server.stdout.readline()):
                assert line, "boardgame.io does not start"
            yield server.pid, port
        finally:
            server.kill()
            server.communicate()


class Side:
    """What was measured of one server."""

    def __init__(self, name: str, pid: int) -> None:
        self.name, self.pid = name, pid
        self.times: list[list[float]] = []
        self.spent = self.bytes = self.idle = self.memory = 0.0

    def play(self, phones: Phones, moves: list[Any], counts: bool) -> None:
        """Play these moves on it."""
        before = cpu(self.pid)
        answer = phones.told(play=self.name, moves=moves)
        if counts:
            self.spent += cpu(self.pid) - before
            self.times += answer["times"]
            self.bytes += answer["bytes"] * len(moves)

    def rested(self, idle: float) -> None:
        """What it did while nobody did anything, and what it weighs then."""
        self.idle, self.memory = idle, rss(self.pid)

    def add(self, other: Side) -> None:
        """What was measured of another run of the same."""
        self.times += other.times
        self.spent += other.spent
        self.bytes += other.bytes
        self.idle, self.memory = other.idle, other.memory

    def row(self) -> Row:
        """All of it."""
        every = [ms for move in self.times for ms in move]
        slowest = [max(move) for move in self.times]
        return {
            "p50": at(every, 0.5),
            "p99": at(every, 0.99),
            "all p50": at(slowest, 0.5),
            "all p99": at(slowest, 0.99),
            "CPU ms a move": round(self.spent / len(self.times) * 1000, 2),
            "kB a push": round(self.bytes / len(self.times) / 1000, 1),
            "memory MB": self.memory,
            "idle CPU %": round(self.idle, 2),
        }


async def race(phones: int, seats: int, together: bool) -> dict[str, Row]:
    """All three with so many phones, in turns."""
    chance, (for_phones, for_servers) = Random(1), shared_out(together)
    with ExitStack() as open:
        with on(for_phones):
            clients = open.enter_context(closing(Phones()))
        with on(for_servers):
            house = open.enter_context(daemon())
            peers = {store: open.enter_context(peer(store)) for store in STORES}
        wires = await seated(house, phones)
        clients.told(join="ours", port=house.port, phones=await pages(wires))
        ours, theirs = Side("ours", house.pid), []
        for store, (pid, port) in peers.items():
            clients.told(join=store, port=port, phones=phones, seats=seats)
            theirs.append(Side(store, pid))
        for game in range(WARM_UP + GAMES):
            moves = played(chance)
            if game:
                await abandon(wires)
            await begin(wires)
            ours.play(clients, moves, game >= WARM_UP)
            claims = [(chance.randrange(seats), chance.randrange(36)) for _ in moves]
            for side in theirs:
                side.play(clients, claims, game >= WARM_UP)
        await rest(ours, *theirs)
        return {side.name: side.row() for side in (ours, *theirs)}


async def pages(wires: list[Wire]) -> list[dict[str, str]]:
    """What the program of the phones needs to be them."""
    return [
        {
            "page": wire.page,
            "address": wire.address,
            "cookie": wire.cookie,
            "token": await wire.token(f"/{wire.page}"),
        }
        for wire in wires
    ]


async def rest(*sides: Side) -> None:
    """What each does while nobody does anything."""
    before = [cpu(side.pid) for side in sides]
    await asyncio.sleep(IDLE_SECONDS)
    for side, spent in zip(sides, before, strict=True):
        side.rested((cpu(side.pid) - spent) / IDLE_SECONDS * 100)


def verdict(phones: int, rows: dict[str, Row]) -> bool:
    """Print all three with our ratio to each of theirs, and whether every target is met."""
    print(f"{phones} phones:")
    ours = rows["ours"]
    for name, value in ours.items():
        print(f"  {name:14}  ours {value:8}", end="")
        for store in STORES:
            theirs = rows[store][name]
            print(f"  {store} {theirs:8}" + (f" = {value / theirs:.2f}×" if theirs else " " * 8), end="")
        print()
    checks = [
        (f"{name} at most {most}× {store}", ours[name] <= most * rows[store][name])
        for store, limits in TARGETS.get(phones, {}).items()
        for name, most in limits.items()
    ]
    checks.append((f"less than {MEGABYTES:g} MB", ours["memory MB"] < MEGABYTES))
    checks.append((f"less than {IDLE:g} % when idle", ours["idle CPU %"] < IDLE))
    for target, met in checks:
        print(f"  {target}: {'met' if met else 'MISSED'}", flush=True)
    return all(met for _, met in checks)


def installed() -> bool:
    """Whether there is a boardgame.io to race against; it is fetched when first needed."""
    if shutil.which("node") is None or shutil.which("npm") is None:
        print("This bench needs node and npm: apt install nodejs npm, or see nodejs.org. Nothing else does.")
        return False
    if not (PEER / "node_modules" / "boardgame.io").exists():
        subprocess.run(["npm", "install", "--silent", "--no-audit", "--no-fund"], cwd=PEER, check=True)
    return True


def main() -> int:
    """Print all of it; 1 if a target is missed or there was no race."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("phones", type=int, nargs="*", default=[6, 50, 200])
    parser.add_argument(
        "--seats", type=int, help="of theirs so many play and the others watch; else all play"
    )
    parser.add_argument(
        "--together", action="store_true", help="phones and servers share the processors of this machine"
    )
    given = parser.parse_args()
    if not installed():
        return 1
    verdicts = [
        verdict(phones, asyncio.run(race(phones, min(phones, given.seats or phones), given.together)))
        for phones in given.phones
    ]
    return 0 if all(verdicts) else 1


if __name__ == "__main__":
    sys.exit(main())
