"""A guesser as a process of its own: `python -m tests.guesser.guesser PORT RATE SECONDS` prints the answers.

It calls 127.0.0.1 alone, from other addresses of this machine, for a number of seconds told beforehand.
"""

from __future__ import annotations

import asyncio
import json
import random
import re
import sys
import time
from collections import Counter
from contextlib import suppress
from itertools import count
from urllib.parse import urlencode

from web.access.credentials import ALPHABET, CODE_LENGTH

LINES, TRIES_A_LINE = 48, 12
TOKEN = re.compile(rb'name="csrf" value="([^"]*)"')


def address(number: int) -> str:
    """Another address of this machine for every line, of sixty thousand."""
    return f"127.{1 + number // 250 % 240}.7.{1 + number % 250}"


class Line:
    """One line to the table, on which a few things are tried."""

    def __init__(self, port: int, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self._port, self._reader, self._writer = port, reader, writer
        self._token = b""

    async def ask(
        self, method: str, path: str, body: bytes = b"", **headers: str
    ) -> tuple[int, bytes, bytes]:
        """Status, head and body of an answer."""
        lines = [f"{method} {path} HTTP/1.1", f"Host: 127.0.0.1:{self._port}"]
        lines += [f"{name}: {value}" for name, value in headers.items()]
        lines += ["Content-Type: application/x-www-form-urlencoded", f"Content-Length: {len(body)}"]
        self._writer.write(("\r\n".join(lines) + "\r\n\r\n").encode() + body)
        head = await self._reader.readuntil(b"\r\n\r\n")
        length = re.search(rb"content-length: (\d+)", head, re.IGNORECASE)
        return int(head[9:12]), head, await self._reader.readexactly(int(length[1]) if length else 0)

    async def form(self, path: str, **fields: str) -> tuple[int, bytes, bytes]:
        """Send a form with the token that a page gave this address."""
        if not self._token:
            found = TOKEN.search((await self.ask("GET", "/watch"))[2])
            self._token = found[1] if found else b""
        return await self.ask("POST", path, urlencode({"csrf": self._token, **fields}).encode())

    async def guess(self, kind: str) -> tuple[int, bool]:
        """Try something by chance: how it was answered, and whether it opened anything."""
        pin = f"{random.randrange(10**6):06}"
        code = "".join(random.choices(ALPHABET, k=CODE_LENGTH))
        key = "".join(random.choices("abcdefghijklmnopqrstuvwxyz0123456789_-", k=43))
        match kind:
            case "PIN of the host":
                status, head, _ = await self.form("/host", pin=pin, name="Eve")
            case "PIN of the moderator":
                status, head, _ = await self.form("/moderator", pin=pin, name="Eve")
            case "code":
                status, head, _ = await self.form("/join", code=code, name="Eve")
            case "cookie":
                status, head, _ = await self.ask("GET", "/play", Cookie=f"companion={key}")
                return status, status == 200
            case _:
                status, head, _ = await self.ask("GET", "/api/v1/view", Authorization=f"Bearer {key}")
                return status, status == 200
        return status, b"set-cookie: companion=" in head.lower()


KINDS = ("PIN of the host", "PIN of the moderator", "code", "cookie", "key")


class Guesser:
    """Keeps a rate over many lines, and counts."""

    def __init__(self, port: int, rate: float, seconds: float) -> None:
        self._port, self._rate, self._seconds = port, rate, seconds
        self._tries, self._lines = count(), count()
        self._begun = time.monotonic()
        self.answers: Counter[str] = Counter()
        self.opened: list[str] = []

    async def run(self) -> None:
        """All of it."""
        await asyncio.gather(*(self._work() for _ in range(LINES)))

    async def _work(self) -> None:
        while time.monotonic() < self._begun + self._seconds:
            # A line that is closed, or an address that is not listened to: the next one, then.
            with suppress(OSError, asyncio.IncompleteReadError, TimeoutError):
                async with asyncio.timeout(10):
                    await self._one_line()

    async def _one_line(self) -> None:
        local = (address(next(self._lines)), 0)
        reader, writer = await asyncio.open_connection("127.0.0.1", self._port, local_addr=local)
        try:
            line = Line(self._port, reader, writer)
            for _ in range(TRIES_A_LINE):
                number = next(self._tries)
                await asyncio.sleep(max(0.0, self._begun + number / self._rate - time.monotonic()))
                kind = KINDS[number % len(KINDS)]
                status, opened = await line.guess(kind)
                self.answers[f"{kind}: {status}"] += 1
                self.opened += [kind] * opened
        finally:
            writer.close()


def main() -> None:
    """Guess, and print how that went."""
    guesser = Guesser(int(sys.argv[1]), float(sys.argv[2]), float(sys.argv[3]))
    asyncio.run(guesser.run())
    seconds = time.monotonic() - guesser._begun
    print(json.dumps({"answers": guesser.answers, "opened": guesser.opened, "seconds": seconds}))


if __name__ == "__main__":
    main()
