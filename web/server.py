"""The daemon: table, board, evening and phones in one process, from the first socket to the last lamp."""

from __future__ import annotations

import asyncio
import contextlib
import gc
import logging
import socket
import sys
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from types import FrameType
from typing import Literal

import uvicorn

from companion import backup, notify
from companion.board import Board, Sign
from companion.journal import Journal
from companion.table import Table
from web.app import make_app
from web.callers import Reception
from web.connections import Connection
from web.desk import Desk
from web.doors import LOOPBACK, Names, home_address, local_name
from web.evening.bots import BotPlayers
from web.evening.demo import Demo
from web.evening.evening import Evening, open_evening
from web.fitting import Fitting
from web.frames import Artist, Frames
from web.gate import Gate
from web.sights import Sights
from web.streams import Streams

log = logging.getLogger(__name__)

Ready = Callable[[], object]
End = Literal["stopped", "rest", "again"]
"""How serving ended: somebody stopped it; the power may be cut; the house opens again with another state."""


def nothing() -> None:
    """Nobody waits for us to be ready."""


ANY = ("0.0.0.0", "::")
"""Listening on every address there is."""
MOMENT, LONGEST_BREATH = 0.1, 30.0
"""Seconds to wait for the table's lock, and for which a slow card or processor may keep it."""
PULSE = 2.0
"""Seconds between two looks at what changes by itself."""
GARBAGE = 20_000
"""Things made and not yet gone before it is looked which of them hold each other."""
TURN = 0.0005
"""Seconds for which one thread may hold up the others: a bot that thinks must not make phones wait."""
FILES = 4096
"""Open files, and so connections, that this process may have where the system lets it."""


class House:
    """Everything that is open while the daemon runs."""

    def __init__(self, folder: Path, kit: str, artist: Artist, moment: float | None = None) -> None:
        # A disk that takes nothing is the journal's to tell.
        with contextlib.suppress(OSError):
            folder.mkdir(parents=True, exist_ok=True)
        backup.finish(folder)
        self.table = Table(Journal(folder / "journal"))
        for notice in self.table.notices:
            log.warning("%s", notice)
        self.evening: Evening = open_evening(folder, self.table)
        self.fitting = Fitting(self.evening, kit)
        self._breathed = self.table.clock.now()
        self.demo = Demo()
        self.bots = BotPlayers(self.evening) if moment is None else BotPlayers(self.evening, moment)
        self.frames = Frames(Sights(self.evening, self.demo), artist)
        self.streams = Streams(self.evening, self.demo, self.frames)

    def gate(self, names: Names) -> Gate:
        """The application that phones talk to."""
        reception = Reception(self.evening)
        desk = Desk(self.evening, self.demo, self.frames, reception)
        return Gate(names, desk, self.streams, make_app(desk))

    def close(self) -> None:
        """Bots still, lamps dark, record closed."""
        self.bots.close()
        self.demo.close()
        self.evening.close()
        self.fitting.close()
        self.table.close()

    @property
    def board(self) -> Board | None:
        """The board, if there is one and it works."""
        return self.fitting.board

    def breathes(self) -> bool:
        """Whether the table's lock was to be had lately: a game that hangs is no game."""
        if self.table.lock.acquire(timeout=MOMENT):
            self.table.lock.release()
            self._breathed = self.table.clock.now()
        return self.table.clock.now() - self._breathed < LONGEST_BREATH

    def look_around(self, wire: socket.socket) -> None:
        """Notice what changes by itself: the address, the network, the disk."""
        _follow_address(self.evening, wire)
        sign: Sign = "no_network" if _alone(wire) else "ready"
        self.fitting.say("not_saved" if self._disk_in_trouble() else sign)

    def _disk_in_trouble(self) -> bool:
        journal = self.table.journal
        if journal is None or journal.trouble is None:
            return False
        with self.table.lock:
            journal.look()
            if journal.trouble is None:
                self.evening.bump()
        return journal.trouble is not None


class Server(uvicorn.Server):
    """uvicorn that tells the streams when it begins and when it ends."""

    def __init__(
        self, config: uvicorn.Config, house: House, ready: Ready = nothing, pulse: Ready = nothing
    ) -> None:
        super().__init__(config)
        self._house, self._streams, self._ready, self._pulse = house, house.streams, ready, pulse
        self.end: End = "stopped"
        self._told_to_end = asyncio.Event()
        self._loop: asyncio.AbstractEventLoop | None = None

    def rest(self) -> None:
        """The host, or a long press on the board, says good night. From any thread."""
        self._stop("rest")

    def again(self) -> None:
        """End, so that everything is opened anew. From any thread."""
        self._stop("again")

    def _stop(self, end: End) -> None:
        self.end, self.should_exit = end, True
        if (loop := self._loop) is not None:
            loop.call_soon_threadsafe(self._told_to_end.set)

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """Listen."""
        await super().startup(sockets)
        self._loop = asyncio.get_running_loop()
        # What is there now stays: it need not be looked through for garbage again and again. A page makes
        # thousands of things that go by themselves, and must not be held up by a search among them.
        gc.freeze()
        gc.set_threshold(GARBAGE)
        self._streams.begin()
        self._pulse()
        self._ready()
        notify.ready()

    async def main_loop(self) -> None:
        """Live until told to end. uvicorn would look ten times a second, and a resting house shall rest."""
        while not self.should_exit:
            await self.on_tick(0)
            with contextlib.suppress(TimeoutError):
                await asyncio.wait_for(self._told_to_end.wait(), PULSE)

    async def on_tick(self, counter: int) -> bool:
        """Say that we live, for whoever watches over us: this loop turns, and the table can be acted at."""
        if self._house.breathes():
            notify.alive()
            self._pulse()
        return await super().on_tick(counter)

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        """End every stream, then everything else."""
        if self.end != "again":
            notify.stopping()
        self._streams.end()
        self._loop = None
        await asyncio.sleep(0)
        await super().shutdown(sockets)

    def handle_exit(self, sig: int, frame: FrameType | None) -> None:
        """Ctrl-C is the ordinary way to end an evening."""
        self._stop(self.end)


def listen(host: str, port: int) -> list[socket.socket]:
    """The sockets to listen on: those systemd opened, or our own."""
    given = notify.sockets()
    if given:
        return given
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    wire = socket.socket(family, socket.SOCK_STREAM)
    try:
        wire.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        wire.bind((host, port))
        wire.listen(512)
    except OSError as fault:
        wire.close()
        raise OSError(
            f"cannot listen on port {port}: {fault.strerror}; choose another with --port"
        ) from fault
    return [wire]


def base_url(wire: socket.socket) -> str:
    """The address to tell phones: numeric, because some do not find `.local` names."""
    host, port = wire.getsockname()[:2]
    return _url(home_address() if host in ANY else host, port)


def local_url(wire: socket.socket) -> str:
    """The same by name, where phones find one."""
    host, port = wire.getsockname()[:2]
    name = local_name() if host in ANY else ""
    return _url(name, port) if name else ""


def _url(host: str, port: int) -> str:
    shown = f"[{host}]" if ":" in host else host
    return f"http://{shown}" if port == 80 else f"http://{shown}:{port}"


def _alone(wire: socket.socket) -> bool:
    """Whether phones would come if there were a network, and there is none."""
    return wire.getsockname()[0] in ANY and home_address() == LOOPBACK


def _follow_address(evening: Evening, wire: socket.socket) -> None:
    """Tell phones the address of now: a Pi is often ready before its Wi-Fi is, or changes to its own."""
    found = base_url(wire), local_url(wire)
    if wire.getsockname()[0] in ANY and found != (evening.base_url, evening.local_url):
        evening.base_url, evening.local_url = found
        evening.bump()


def serve(house: House, sockets: list[socket.socket], names: Names, ready: Ready = nothing) -> End:
    """Serve until somebody ends it; how they did comes back."""
    _allow_many_files()
    sys.setswitchinterval(TURN)
    house.evening.base_url = base_url(sockets[0])
    gate = house.gate(names)
    config = uvicorn.Config(
        gate,
        http=partial(Connection, acts=gate.acts),  # type: ignore[arg-type]
        # Another loop, if there were one, would keep what is pushed until all pages are drawn.
        loop="asyncio",
        ws="none",
        lifespan="off",
        log_config=None,
        log_level="warning",
        access_log=False,
        server_header=False,
        date_header=False,
        proxy_headers=False,
        timeout_keep_alive=20,
        timeout_graceful_shutdown=1,
    )
    server = Server(config, house, ready, lambda: house.look_around(sockets[0]))
    house.evening.on_shutdown, house.evening.on_reopen = server.rest, server.again
    house.fitting.when_asked_to_rest(server.rest)
    try:
        server.run(sockets)
    finally:
        gate.close()
    return server.end


@contextlib.contextmanager
def opened(folder: Path, kit: str, artist: Artist, moment: float | None = None) -> Iterator[House]:
    """A house that is closed again whatever happens."""
    house = House(folder, kit, artist, moment)
    try:
        yield house
    finally:
        house.close()


def _allow_many_files() -> None:
    try:
        import resource
    except ImportError:
        return
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = FILES if hard == resource.RLIM_INFINITY else min(FILES, hard)
    if soft < wanted:
        resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, hard))
