"""The daemon: table, board, evening and phones in one process, from the first socket to the last lamp."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import socket
import sys
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from types import FrameType
from typing import NamedTuple, cast

import uvicorn

from companion import backup, notify, safe_mode
from companion.board import Board, Sign
from companion.disk import make_folder
from companion.health import Pulse
from companion.journal import Journal, JournalInUse
from companion.refusals import NotSaved
from companion.table import Table
from web.access.connections import Connection, Connections, Handshake
from web.evening import recovered
from web.evening.bots import BotPlayers
from web.evening.demo import Demos
from web.evening.evening import Evening, open_evening
from web.http import hotspot
from web.http.addresses import LOOPBACK, Names, home_address, local_name
from web.people.identity import Callers
from web.push.page_cache import PageCache, Renderer
from web.push.scenes import SceneBuilder
from web.push.streams import Streams
from web.server import memory
from web.server.app import make_app
from web.server.asgi import Application
from web.server.secure import Https
from web.server.stopping import End, Stopping
from web.site.dispatch import Site

log = logging.getLogger(__name__)

Ready = Callable[[], object]


def nothing() -> None:
    """Nobody waits for us to be ready."""


USUAL = {"http": 80, "https": 443}
"""Ports that need not be told."""
ANY = ("0.0.0.0", "::")
"""Listening on every address there is."""
BETWEEN_LOOKS = 2.0
"""Seconds between two looks at what changes by itself."""
TURN = 0.0005
"""Seconds for which one thread may hold up the others: a bot that thinks must not make phones wait."""
FILES = 4096
"""Open files, and so connections, that this process may have where the system lets it."""


class Daemon:
    """Everything that is open while the daemon runs."""

    def __init__(self, folder: Path, kit: str, renderer: Renderer, moment: float | None = None) -> None:
        # A disk that takes nothing is the journal's to tell.
        with contextlib.suppress(OSError):
            make_folder(folder)
        backup.finish(folder)
        self.table = Table(Journal(folder / "journal"), seeded=False)
        for notice in self.table.notices:
            log.warning("%s", notice)
        self.stopping = Stopping()
        try:
            self.evening: Evening = open_evening(
                folder, self.table, shutdown=self.stopping.rest, reopen=self.stopping.again
            )
            # A disk that takes nothing is told of by its fault.
            with contextlib.suppress(NotSaved):
                recovered.tell(self.evening)
        except BaseException:
            self.table.close()
            raise
        self.evening.board_kit.open(kit)
        self.pulse = Pulse(self.table.lock, self.table.clock)
        self.alive = True
        """Whether somebody could act at the table lately."""
        self.demos = Demos()
        self.bots = BotPlayers(self.evening, moment)
        self.page_cache = PageCache(SceneBuilder(self.evening, self.demos), renderer)
        self.streams = Streams(self.evening, self.demos, self.page_cache)

    def application(self, names: Names) -> Application:
        """What phones talk to."""
        callers = Callers(self.evening.guests, self.evening.shared_phones)
        site = Site(self.evening, self.demos, self.page_cache, callers)
        return Application(names, callers, self.streams, make_app(site), lambda: self.alive)

    def close(self) -> None:
        """Bots still, lamps dark, record closed."""
        self.bots.close()
        self.demos.close()
        self.evening.close()
        self.table.close()

    @property
    def board(self) -> Board | None:
        """The board, if there is one and it works."""
        return self.evening.board

    def look_around(self, wire: socket.socket) -> None:
        """Notice what changes by itself: the address, the network, the disk."""
        _follow_address(self.evening, wire)
        self.evening.board_kit.say(self._sign(wire))

    def _sign(self, wire: socket.socket) -> Sign:
        """How the table is, the worst first."""
        if self._disk_in_trouble():
            return "not_saved"
        if _alone(wire):
            return "no_network"
        return "set_aside" if self.evening.set_aside.told else "ready"

    def _disk_in_trouble(self) -> bool:
        journal = self.table.journal
        if journal is None or journal.trouble is None:
            return False
        with self.table.lock:
            journal.look()
            if journal.trouble is None:
                self.evening.versions.bump()
        return journal.trouble is not None


class Server(uvicorn.Server):
    """uvicorn that tells the streams when it begins and when it ends."""

    def __init__(
        self,
        config: uvicorn.Config,
        daemon: Daemon,
        register: Connections,
        ready: Ready = nothing,
        look_around: Ready = nothing,
        https: Https | None = None,
    ) -> None:
        super().__init__(config)
        self._register, self._https = register, https
        self._daemon, self._streams, self._ready, self._look_around = (
            daemon,
            daemon.streams,
            ready,
            look_around,
        )
        self._told_to_end = asyncio.Event()
        self._loop: asyncio.AbstractEventLoop | None = None
        daemon.stopping.watch(self._stop)

    def _stop(self) -> None:
        """From any thread."""
        self.should_exit = True
        if (loop := self._loop) is not None:
            loop.call_soon_threadsafe(self._told_to_end.set)

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """Listen."""
        await super().startup(sockets)
        self._loop = asyncio.get_running_loop()
        memory.look_for_garbage()
        self._streams.begin()
        if self._https is not None:
            self._https.begin(self._connection)
        self._look()
        self._ready()
        notify.ready()

    async def main_loop(self) -> None:
        """Live until told to end. uvicorn would look ten times a second, and a resting daemon shall rest."""
        while not self.should_exit:
            await self.on_tick(0)
            with contextlib.suppress(TimeoutError):
                await asyncio.wait_for(self._told_to_end.wait(), BETWEEN_LOOKS)

    async def on_tick(self, counter: int) -> bool:
        """Say that we live, for whoever watches over us: this loop turns, and the table can be acted at."""
        self._daemon.alive = self._daemon.pulse.tell_systemd()
        if self._daemon.alive:
            self._look()
        return await super().on_tick(counter)

    def _connection(self, handshake: Handshake) -> Connection:
        """What speaks HTTP when TLS is agreed, as uvicorn makes it for a line without."""
        make = cast(Callable[..., Connection], self.config.http_protocol_class)
        state = {"server_state": self.server_state, "app_state": self.lifespan.state}
        return make(handshake, config=self.config, **state)

    def _look(self) -> None:
        self._look_around()
        if self._https is not None:
            self._https.look()

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        """End every stream, then everything else."""
        if self._daemon.stopping.end != "again":
            notify.stopping()
        self._streams.end()
        if self._https is not None:
            self._https.close()
        self._loop = None
        await asyncio.sleep(0)
        await super().shutdown(sockets)
        self._register.abort()
        await asyncio.sleep(0)

    def handle_exit(self, sig: int, frame: FrameType | None) -> None:
        """Ctrl-C is the ordinary way to end an evening."""
        self._daemon.stopping.stop()


def listen(host: str, port: int, option: str = "--port") -> list[socket.socket]:
    """Sockets of our own to listen on."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    wire = socket.socket(family, socket.SOCK_STREAM)
    try:
        wire.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        wire.bind((host, port))
        wire.listen(512)
    except OSError as fault:
        wire.close()
        raise OSError(
            f"cannot listen on port {port}: {fault.strerror}; choose another with {option}"
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


def _url(host: str, port: int, scheme: str = "http") -> str:
    shown = f"[{host}]" if ":" in host else host
    return f"{scheme}://{shown}" if port == USUAL[scheme] else f"{scheme}://{shown}:{port}"


def _alone(wire: socket.socket) -> bool:
    """Whether phones would come if there were a network, and there is none."""
    return wire.getsockname()[0] in ANY and home_address() == LOOPBACK


def _follow_address(evening: Evening, wire: socket.socket) -> None:
    """Tell phones the address of now: a Pi is often ready before its Wi-Fi is, or changes to its own."""
    if wire.getsockname()[0] in ANY:
        evening.addresses.move(base_url(wire), local_url(wire))


class SecurePlace(NamedTuple):
    """Where HTTPS is spoken: on a socket that systemd holds, or on this port while it is switched on."""

    port: int = 8443
    held: socket.socket | None = None


ANYWHERE = SecurePlace()


def _https(
    evening: Evening, host: str, names: Names, place: SecurePlace, register: Connections
) -> Https | None:
    """HTTPS on the same addresses as HTTP."""
    if evening.certificate is None:
        return None

    def hosts() -> tuple[str, ...]:
        return tuple(filter(None, (home_address(), local_name()))) if host in ANY else (host,)

    return Https(
        place.held,
        lambda: listen(host, place.port, "--https-port")[0],
        evening.certificate,
        evening.addresses,
        lambda: frozenset({*names.allowed, *hosts(), hotspot.ADDRESS, LOOPBACK, "::1"}),
        lambda port: tuple(_url(each, port, "https") for each in hosts()),
        register,
    )


def serve(
    daemon: Daemon,
    sockets: list[socket.socket],
    names: Names,
    ready: Ready = nothing,
    secure: SecurePlace = ANYWHERE,
) -> End:
    """Serve until somebody ends it; how they did comes back."""
    _allow_many_files()
    sys.setswitchinterval(TURN)
    daemon.evening.addresses.move(base_url(sockets[0]))
    application, register = daemon.application(names), Connections()
    https = _https(daemon.evening, sockets[0].getsockname()[0], names, secure, register)
    config = uvicorn.Config(
        application,
        http=partial(Connection, register),  # type: ignore[arg-type]
        ws="none",
        lifespan="off",
        log_config=None,
        log_level="critical",  # what fails is noted by the application, and strangers' bad requests by nobody
        access_log=False,
        server_header=False,
        date_header=False,
        proxy_headers=False,
        timeout_keep_alive=20,
        timeout_graceful_shutdown=1,
    )
    server = Server(config, daemon, register, ready, lambda: daemon.look_around(sockets[0]), https)
    try:
        server.run(sockets)
    finally:
        application.close()
    return daemon.stopping.end


@contextlib.contextmanager
def opened(folder: Path, kit: str, renderer: Renderer, moment: float | None = None) -> Iterator[Daemon]:
    """A daemon that is closed again whatever happens. What keeps it from starting is set aside at last."""
    safe_mode.begin(folder)
    try:
        daemon = Daemon(folder, kit, renderer, moment)
    except JournalInUse:
        # Nothing is wrong with what another one is playing with.
        safe_mode.succeeded(folder)
        raise
    try:
        yield daemon
    finally:
        daemon.close()


def _allow_many_files() -> None:
    try:
        import resource
    except ImportError:
        return
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = FILES if hard == resource.RLIM_INFINITY else min(FILES, hard)
    if soft < wanted:
        resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, hard))
