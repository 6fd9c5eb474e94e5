"""The daemon: table, board, evening and phones in one process, from the first socket to the last lamp."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import socket
from collections.abc import Callable, Iterator
from pathlib import Path
from types import FrameType
from typing import Literal

import uvicorn

from companion import backup, notify
from companion.board import Board, open_board
from companion.journal import Journal
from companion.table import Table
from web import faults
from web.app import Desk, make_app
from web.callers import Reception
from web.connections import Connection
from web.doors import Names, home_address
from web.evening.bots import BotPlayers
from web.evening.demo import Demo
from web.evening.evening import Evening, open_evening
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
FILES = 4096
"""Open files, and so connections, that this process may have where the system lets it."""


class House:
    """Everything that is open while the daemon runs."""

    def __init__(self, folder: Path, kit: str, artist: Artist, moment: float | None = None) -> None:
        folder.mkdir(parents=True, exist_ok=True)
        backup.finish(folder)
        self.table = Table(Journal(folder / "journal"))
        for notice in self.table.notices:
            log.warning("%s", notice)
        self.evening: Evening = open_evening(folder, self.table)
        self.board = _board(kit, self.table)
        self.evening.board = self.board
        self.evening.dim()
        self.demo = Demo()
        self.bots = BotPlayers(self.evening) if moment is None else BotPlayers(self.evening, moment)
        self.frames = Frames(Sights(self.evening, self.demo), artist)
        self.streams = Streams(self.evening, self.demo, self.frames)

    def gate(self, names: Names) -> Gate:
        """The application that phones talk to."""
        reception = Reception(self.evening)
        desk = Desk(self.evening, self.demo, self.frames, reception)
        return Gate(names, reception, self.streams, make_app(desk))

    def close(self) -> None:
        """Bots still, lamps dark, record closed."""
        self.bots.close()
        self.demo.close()
        self.evening.close()
        if self.board is not None:
            try:
                self.board.close()
            except Exception as fault:
                faults.note("the board does not close", fault)
        self.table.close()


def _board(kit: str, table: Table) -> Board | None:
    """The board, if there is one and it works; the game goes on without."""
    try:
        return open_board(kit, table, table.clock)
    except Exception as fault:
        log.warning("no board: %s", fault)
        return None


class Server(uvicorn.Server):
    """uvicorn that tells the streams when it begins and when it ends."""

    def __init__(self, config: uvicorn.Config, streams: Streams, ready: Ready, pulse: Ready) -> None:
        super().__init__(config)
        self._streams, self._ready, self._pulse = streams, ready, pulse
        self.end: End = "stopped"

    def rest(self) -> None:
        """The host, or a long press on the board, says good night. From any thread."""
        self.end, self.should_exit = "rest", True

    def again(self) -> None:
        """End, so that everything is opened anew. From any thread."""
        self.end, self.should_exit = "again", True

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """Listen."""
        await super().startup(sockets)
        self._streams.begin()
        self._ready()
        notify.ready()

    async def on_tick(self, counter: int) -> bool:
        """Say that we live, for whoever watches over us."""
        if counter % 20 == 0:
            notify.alive()
            self._pulse()
        return await super().on_tick(counter)

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        """End every stream, then everything else."""
        if self.end != "again":
            notify.stopping()
        self._streams.end()
        await asyncio.sleep(0)
        await super().shutdown(sockets)

    def handle_exit(self, sig: int, frame: FrameType | None) -> None:
        """Ctrl-C is the ordinary way to end an evening."""
        self.should_exit = True


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
    if host in ANY:
        host = home_address()
    shown = f"[{host}]" if ":" in host else host
    return f"http://{shown}" if port == 80 else f"http://{shown}:{port}"


def _follow_address(evening: Evening, wire: socket.socket) -> None:
    """Tell phones the address of now: a Pi is often ready before its Wi-Fi is, or changes to its own."""
    if wire.getsockname()[0] in ANY and (found := base_url(wire)) != evening.base_url:
        evening.base_url = found
        evening.bump()


def serve(house: House, sockets: list[socket.socket], names: Names, ready: Ready = nothing) -> End:
    """Serve until somebody ends it; how they did comes back."""
    _allow_many_files()
    house.evening.base_url = base_url(sockets[0])
    gate = house.gate(names)
    config = uvicorn.Config(
        gate,
        http=Connection,
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
        h11_max_incomplete_event_size=16 * 1024,
    )
    server = Server(config, house.streams, ready, lambda: _follow_address(house.evening, sockets[0]))
    house.evening.on_shutdown, house.evening.on_reopen = server.rest, server.again
    if house.board is not None and hasattr(house.board, "on_rest"):
        house.board.on_rest = server.rest
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
