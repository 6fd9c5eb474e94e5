"""HTTPS beside HTTP: opened, renewed and closed as the setting in the state folder says."""

from __future__ import annotations

import asyncio
import logging
import socket
import ssl
from collections.abc import Callable
from weakref import WeakSet

from companion.certificate import LARGEST, Certificate
from companion.disk import read_own
from companion.refusals import Refusal
from companion.words import Saying
from web.access.connections import HEAD_SECONDS, Connection, Connections, Handshake
from web.evening.addresses import Addresses
from web.scene import Secured

log = logging.getLogger(__name__)

AGAIN = 60.0
"""Seconds before what failed is tried again."""
NO_FILES = 1.0
"""Seconds for which nobody is taken where no more files can be opened."""


class Https:
    """The place at which lines are taken that agree on TLS first."""

    def __init__(
        self,
        held: socket.socket | None,
        listen: Callable[[], socket.socket],
        certificate: Certificate,
        addresses: Addresses,
        names: Callable[[], frozenset[str]],
        urls: Callable[[int], tuple[str, ...]],
        register: Connections,
    ) -> None:
        """`held` is a socket that is open whether HTTPS is on or not; without one, `listen` opens one.

        `names` are those under which phones come now, `urls` what they are told, with the port.
        """
        self._held, self._listen, self._wire = held, listen, held
        self._certificate, self._addresses = certificate, addresses
        self._names, self._urls = names, urls
        self._register = register
        self._make: Callable[[Handshake], Connection] | None = None
        self._context: ssl.SSLContext | None = None
        """Null while it is switched off."""
        self._shown = b""
        """The certificate that new lines are shown."""
        self._tasks: set[asyncio.Task[None]] = set()
        self._taking: asyncio.Task[None] | None = None
        self._following: asyncio.Task[None] | None = None
        self._lines: WeakSet[Connection] = WeakSet()
        self._next_try = 0.0

    def begin(self, make: Callable[[Handshake], Connection]) -> None:
        """Start living, in the running loop; `make` makes what speaks HTTP when TLS is agreed."""
        self._make = make

    def look(self) -> None:
        """Follow the setting, the addresses and the calendar; what takes long is done beside."""
        loop = asyncio.get_running_loop()
        if (self._following is None or self._following.done()) and loop.time() >= self._next_try:
            self._following = loop.create_task(self._follow())

    def close(self) -> None:
        """Nobody is served here any more."""
        for task in (self._following, self._taking, *self._tasks):
            if task is not None:
                task.cancel()
        self._shut()
        if self._wire is not None:
            self._wire.close()

    async def _follow(self) -> None:
        try:
            if self._certificate.wanted:
                await self._open()
            elif self._context is not None or self._addresses.secured is not None:
                self._shut()
                self._addresses.secure(None)
            if self._wire is not None and self._taking is None:
                self._taking = asyncio.get_running_loop().create_task(self._take(self._wire))
        except (Refusal, OSError) as fault:
            self._next_try = asyncio.get_running_loop().time() + AGAIN
            told = Saying("companion.as_told", text=str(fault))
            said = fault.saying if isinstance(fault, Refusal) else told
            log.warning("HTTPS: %s", said)
            self._addresses.secure(Secured(fault=said))

    async def _open(self) -> None:
        names = self._names()
        if not self._certificate.fits(names):
            await asyncio.to_thread(self._certificate.renew, names)
        if self._wire is None:
            self._wire = self._listen()
        if (shown := read_own(self._certificate.served, LARGEST)) != self._shown:
            context = self._context or _context()
            try:
                context.load_cert_chain(self._certificate.served)
            except ssl.SSLError:
                # Damaged: the next time there is a new one.
                self._certificate.served.unlink()
                raise
            self._context, self._shown = context, shown
        port = self._wire.getsockname()[1]
        self._addresses.secure(Secured(self._urls(port), port, self._certificate.fingerprint))

    def _shut(self) -> None:
        """Let go of all lines, and of a socket of our own; on systemd's whoever comes is sent away."""
        self._context, self._shown = None, b""
        for line in tuple(self._lines):
            line.abort()
        if self._wire is not None and self._wire is not self._held:
            if self._taking is not None:
                self._taking.cancel()
            self._wire.close()
            self._wire = self._taking = None

    async def _take(self, wire: socket.socket) -> None:
        """Take every line that comes."""
        loop = asyncio.get_running_loop()
        wire.setblocking(False)
        while True:
            try:
                line, address = await loop.sock_accept(wire)
            except OSError:
                await asyncio.sleep(NO_FILES)
                continue
            if self._context is None:
                line.close()
                continue
            task = loop.create_task(self._agree(Handshake(line, address[0]), line, self._context))
            self._tasks.add(task)
            task.add_done_callback(self._tasks.discard)

    async def _agree(self, handshake: Handshake, line: socket.socket, context: ssl.SSLContext) -> None:
        """Agree on TLS, in the time that a head may take."""
        assert self._make is not None
        connection = self._make(handshake)
        self._lines.add(connection)
        self._register.admit(handshake)
        try:
            await asyncio.get_running_loop().connect_accepted_socket(
                lambda: connection, line, ssl=context, ssl_handshake_timeout=HEAD_SECONDS
            )
        except OSError:
            # Whoever does not trust the certificate yet hangs up here, and so does whoever speaks no TLS.
            line.close()
        except asyncio.CancelledError:
            line.close()
            raise
        finally:
            self._register.forget(handshake)


def _context() -> ssl.SSLContext:
    context = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
    context.options |= ssl.OP_NO_RENEGOTIATION
    context.set_alpn_protocols(["http/1.1"])
    return context
