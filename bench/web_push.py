"""How long from a move until every phone shows it: real daemon, real sockets, rules, access checks, journal.

    python -m bench.web_push [6 50 200]

Four phones hold the seats, one is the host's, the others watch. A move is sent as a program sends it, the
clock runs until the page of every phone has arrived. Each row also says what the daemon weighs and what it
does when idle. `web_peer` times the same with the forms that phones send, beside another server.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import re
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from random import randrange
from typing import Any, NamedTuple
from urllib.parse import urlencode

MOVES = 120
WARM_UP = 10
REST = 0.02
KEPT_ALIVE = 10.0
"""Seconds after which a line for requests is opened anew: the daemon hangs up one that rests for long."""
HOTEL = {"game": "phantom", "players": 4}
SEATS = ("p1", "p2", "p3", "p4")
HOST = 4
"""Which of the phones is the host's."""
IDLE_SECONDS = 10.0
MEGABYTES, IDLE = 80.0, 1.0
"""What the daemon may weigh with any number of phones, and the percentage of one core it may have at rest."""
LAYOUT = [
    [colour, value] for colour in ("blue", "red", "green", "white") for value in (1, 1, 2, 2, 3, 3, 4, 5, 6)
]
HIDDEN = (("p2", "blue", 1), ("p2", "red", 12), ("p4", "green", 25), ("p4", "white", 36))


class Wire:
    """A phone: one kept-alive connection for requests, one for its stream, from an address of its own."""

    def __init__(self, port: int, page: str, number: int = 0) -> None:
        self.port, self.page = port, page
        self.address = f"127.0.{1 + number // 250}.{1 + number % 250}"
        self.cookie = ""
        self.version = 0
        self.news = asyncio.Event()
        self.bytes = 0
        self._reader: asyncio.StreamReader | None = None
        self._used = 0.0

    async def ask(self, method: str, path: str, body: bytes = b"", kind: str = "") -> tuple[int, str]:
        """One request on the kept-alive connection."""
        if self._reader is None or time.monotonic() - self._used > KEPT_ALIVE:
            self._reader, self._writer = await self._line()
        self._used = time.monotonic()
        self._writer.write(self._head(method, path, body, kind) + body)
        status, headers = await self._answer_head(self._reader)
        if "set-cookie" in headers:
            self.cookie = headers["set-cookie"].split(";")[0]
        content = await self._reader.readexactly(int(headers.get("content-length", 0)))
        return status, content.decode()

    async def _line(self) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
        return await asyncio.open_connection(
            "127.0.0.1", self.port, limit=1 << 20, local_addr=(self.address, 0)
        )

    def hang_up(self) -> None:
        """Close the line for requests; the cookie stays."""
        if self._reader is not None:
            self._writer.close()
        self._reader = None

    def _head(self, method: str, path: str, body: bytes, kind: str) -> bytes:
        lines = [f"{method} {path} HTTP/1.1", f"Host: 127.0.0.1:{self.port}", f"Content-Length: {len(body)}"]
        lines += [f"Cookie: {self.cookie}"] if self.cookie else []
        lines += [f"Content-Type: {kind}"] if kind else []
        return ("\r\n".join(lines) + "\r\n\r\n").encode()

    async def _answer_head(self, reader: asyncio.StreamReader) -> tuple[int, dict[str, str]]:
        status, *lines = (await reader.readuntil(b"\r\n\r\n")).decode().split("\r\n")
        return int(status.split()[1]), {n.lower(): v for n, _, v in (line.partition(": ") for line in lines)}

    async def form(self, path: str, page: str, **fields: Any) -> int:
        """A form, with the token of the page it is on."""
        body = urlencode({"csrf": await self.token(page), **fields}).encode()
        status, _ = await self.ask("POST", path, body, "application/x-www-form-urlencoded")
        return status

    async def token(self, page: str) -> str:
        """What the forms of a page carry."""
        _, text = await self.ask("GET", page)
        token = re.search(r'name="csrf" value="([0-9a-f]{32})"', text)
        assert token, page
        return token[1]

    async def live(self) -> None:
        """Open the stream of its page and wait for the first one."""
        reader, self._stream = await self._line()
        self._stream.write(self._head("GET", f"/events?page={self.page}", b"", ""))
        status, _ = await self._answer_head(reader)
        assert status == 200, status
        self.following = asyncio.create_task(self._follow(reader))
        await self.until(1)

    async def _follow(self, reader: asyncio.StreamReader) -> None:
        """Read whole chunks; a page or a change of it that has arrived has its version as the event's id."""
        while True:
            size = int(await reader.readline(), 16)
            chunk = await reader.readexactly(size + 2)
            self.bytes += size
            if chunk.startswith((b"event: page\nid: ", b"event: change\nid: ")):
                self.version = int(chunk.split(b"id: ", 1)[1][:20].split(b"\n")[0])
                self.news.set()

    async def until(self, version: int) -> float:
        """Wait until a version is shown; when that was comes back."""
        while self.version < version:
            self.news.clear()
            await self.news.wait()
        return time.perf_counter()


async def seated(
    house: House, phones: int, plan: Mapping[str, Any] = HOTEL, seats: Sequence[str] = SEATS
) -> list[Wire]:
    """As many phones as asked for: four with the seats of a planned game, the host's, and watchers."""
    code, pin = re.search(r"/j/([A-Z0-9]{6})\b", house.said), re.search(r"PIN (\d{6})", house.said)
    assert code
    assert pin
    pages = ["play", "play", "play", "play", "host", *["watch"] * phones][:phones]
    wires = [Wire(house.port, page, number) for number, page in enumerate(pages)]
    assert await wires[HOST].form("/host", "/", pin=pin[1], name="Mrs Kerr") == 303
    assert await wires[HOST].form("/host/plan", "/host", **plan) == 303
    for number, wire in enumerate(wires):
        if wire.page != "host":
            assert await wire.form("/join", f"/j/{code[1]}", code=code[1], name=f"Phone {number}") == 303
        if wire.page == "play":
            assert await wire.form("/seat/take", "/play", seat=seats[number]) == 303
    return wires


async def begin(wires: list[Wire]) -> None:
    """A game with its ghosts hidden."""
    fields = {"players": 4, "option-layout": json.dumps(LAYOUT), "option-objective": 216}
    assert await wires[HOST].form("/host/start", "/host", **fields) == 303
    for seat, ghost, room in HIDDEN:
        assert await act(wires, seat, {"type": "hide", "ghost": ghost, "room": room}) == 200


async def abandon(wires: list[Wire]) -> None:
    assert await wires[HOST].form("/host/abandon", "/host") == 303


async def act(wires: list[Wire], seat: str, action: dict[str, Any]) -> int:
    body = json.dumps({"action": action}).encode()
    status, _ = await wires[int(seat[1]) - 1].ask("POST", "/api/v1/act", body, "application/json")
    return status


async def next_move(wires: list[Wire]) -> tuple[str, dict[str, Any]] | None:
    """A seat to act and something it may do, without finding a ghost if there is a choice."""
    for number, wire in enumerate(wires[:4]):
        _, text = await wire.ask("GET", "/api/v1/legal")
        answer = json.loads(text)
        if not answer["ok"]:
            return None
        for action in answer["actions"]:
            if action.get("room") not in [room for _, _, room in HIDDEN]:
                return f"p{number + 1}", action
    return None


async def measure(house: House, phones: int) -> dict[str, Any]:
    wires, pid = await seated(house, phones), house.pid
    for wire in wires:
        await wire.live()
    await begin(wires)
    single: list[float] = []
    slowest: list[float] = []
    moves, spent = 0, 0.0
    while len(slowest) < MOVES:
        move = await next_move(wires)
        if move is None:
            await abandon(wires)
            await begin(wires)
            continue
        await asyncio.sleep(REST)
        versions = [wire.version for wire in wires]
        busy, begun = cpu(pid), time.perf_counter()
        waiting = asyncio.gather(*(w.until(v + 1) for w, v in zip(wires, versions, strict=True)))
        assert await act(wires, *move) == 200
        arrived = [(at - begun) * 1000 for at in await waiting]
        moves += 1
        spent += cpu(pid) - busy
        if moves > WARM_UP:
            single += arrived
            slowest.append(max(arrived))
    before = cpu(pid)
    await asyncio.sleep(IDLE_SECONDS)
    idle = (cpu(pid) - before) / IDLE_SECONDS * 100
    for wire in wires:
        wire.following.cancel()
    return {
        "phones": phones,
        "p50": at(single, 0.5),
        "p99": at(single, 0.99),
        "all p50": at(slowest, 0.5),
        "all p99": at(slowest, 0.99),
        "CPU ms a move": round(spent / moves * 1000, 1),
        "memory MB": rss(pid),
        "idle CPU %": round(idle, 2),
        "kB a push": round(sum(w.bytes for w in wires) / moves / phones / 1000, 1),
    }


def at(values: list[float], share: float) -> float:
    return round(sorted(values)[min(len(values) - 1, int(share * len(values)))], 2)


def rss(pid: int) -> float:
    status = Path(f"/proc/{pid}/status").read_text()
    return round(int(status.split("VmRSS:")[1].split()[0]) / 1000, 1)


def cpu(pid: int) -> float:
    fields = Path(f"/proc/{pid}/stat").read_text().rsplit(") ", 1)[1].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def free_port() -> int:
    """One that nobody listens at; below those that the system gives to whoever calls."""
    while True:
        port = randrange(20000, 32000)
        with suppress(OSError), socket.create_server(("127.0.0.1", port)):
            return port


class House(NamedTuple):
    """A daemon that runs."""

    pid: int
    port: int
    said: str


@contextmanager
def daemon(folder: Path | None = None, port: int = 0) -> Iterator[House]:
    """A daemon with a simulated board and a journal on the disk, in a folder of its own or in this one."""
    port = port or free_port()
    command = [sys.executable, "-m", "companion", "play", "--host", "127.0.0.1", "--port", str(port)]
    with tempfile.TemporaryDirectory() as own:
        state = str(folder or own)
        process = subprocess.Popen([*command, "--state", state], stdout=subprocess.PIPE, text=True)
        try:
            assert process.stdout
            said = ""
            while "Ctrl-C" not in said:
                line = process.stdout.readline()
                assert line, said
                said += line
            yield House(process.pid, port, said)
        finally:
            process.terminate()
            process.communicate()


def main() -> int:
    """Print a row for each number of phones, and whether the daemon is small and quiet enough."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("phones", type=int, nargs="*", default=[6, 50, 200])
    enough = True
    for phones in parser.parse_args().phones:
        with daemon() as house:
            row = asyncio.run(measure(house, phones))
        met = row["memory MB"] < MEGABYTES and row["idle CPU %"] < IDLE
        enough &= met
        print("  ".join(f"{name} {value}" for name, value in row.items()), end="")
        print(f" (target {MEGABYTES:g} MB, {IDLE:g} % idle: {'met' if met else 'MISSED'})", flush=True)
    return 0 if enough else 1


if __name__ == "__main__":
    sys.exit(main())
