"""Connections: how many there may be, how long a head may take, and how much may come unasked for.

Each stands between asyncio and uvicorn's own HTTP protocol and hands everything on, by the interface that
asyncio gives protocols. A connection is a stranger's until a request on it shows a good key. Where there are
too many, the oldest of whoever has the most gives way: whoever comes now has a moment to show theirs.
"""

from __future__ import annotations

import asyncio
import socket
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import Any, cast

from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol

from web.access.shares import Shares
from web.http.addresses import neighbourhood

A_HOUSEHOLD, STRANGERS = 64, 256
"""Connections of strangers: from one address, and from all of them."""
A_CALLER, A_FULL_HOUSE, CALLERS = 16, 256, 1024
"""Connections of one phone or program (a browser opens six), of all from one address, and of all of them."""
HEAD_SECONDS = 10.0
"""In which the head of a request must have come to its end."""
LONGEST_HEAD = 16 * 1024
A_READ = 4 * 1024
"""Bytes that are read at a time: no more of a flood is looked at before it is answered."""
REQUESTS_A_READ = 8
"""More requests in one read are a flood: browsers send one after the other."""
UNREAD = 64 * 1024
"""Bytes that the system may keep for a phone that does not read; otherwise it would be megabytes."""


class Handshake:
    """A line on which TLS is still being agreed: a stranger's like any other, until it is a connection."""

    def __init__(self, line: socket.socket, address: str) -> None:
        self.household = neighbourhood(address)
        self._line = line

    def abort(self) -> None:
        """End it: whoever waits for it hears that the other end has gone."""
        with suppress(OSError):
            self._line.shutdown(socket.SHUT_RDWR)


class Connections:
    """All that are open, by whose they are. Neither one caller nor one address can have them all."""

    def __init__(self) -> None:
        self.read_buffer = memoryview(bytearray(A_READ))
        """One for all: what is in it is handed on before anything else is read."""
        self._strangers: Shares[Connection | Handshake] = Shares(A_HOUSEHOLD, A_HOUSEHOLD, STRANGERS)
        self._callers: Shares[Connection] = Shares(A_CALLER, A_FULL_HOUSE, CALLERS)

    def admit(self, connection: Connection | Handshake) -> None:
        """Count a stranger."""
        _close(self._strangers.add(connection, connection.household, connection.household))

    def recognise(self, connection: Connection, caller: str) -> None:
        """Whoever is at the other end is known: it counts among theirs from now on."""
        if self._strangers.remove(connection):
            _close(self._callers.add(connection, caller, connection.household))

    def forget(self, connection: Connection | Handshake) -> None:
        """It is gone."""
        if not self._strangers.remove(connection) and isinstance(connection, Connection):
            self._callers.remove(connection)

    def abort(self) -> None:
        """End all that are left, whatever was still to be sent: whoever reads nothing keeps no house open."""
        for connection in (*self._strangers, *self._callers):
            connection.abort()


class Line(asyncio.Transport):
    """What uvicorn writes to, for as long as it is there.

    uvicorn's own things hold each other until somebody looks for garbage. They are small; a line, with all
    that TLS needs for it, is not, and goes at once.
    """

    def __init__(self, transport: asyncio.Transport) -> None:
        self._transport: asyncio.Transport | None = transport

    def let_go(self) -> None:
        """It is gone."""
        self._transport = None

    def get_extra_info(self, name: str, default: Any = None) -> Any:
        """As the line itself says it."""
        return self._transport.get_extra_info(name, default) if self._transport else default

    def is_closing(self) -> bool:
        """Whether nothing more can be sent."""
        return self._transport is None or self._transport.is_closing()

    def write(self, data: Any) -> None:
        """Send something."""
        if self._transport:
            self._transport.write(data)

    def close(self) -> None:
        """Send what is left, and end it."""
        if self._transport:
            self._transport.close()

    def pause_reading(self) -> None:
        """Listen no more."""
        if self._transport:
            self._transport.pause_reading()

    def resume_reading(self) -> None:
        """Listen again."""
        if self._transport:
            self._transport.resume_reading()


class Connection(asyncio.BufferedProtocol):
    """One of them, around uvicorn's protocol for it."""

    def __init__(
        self,
        register: Connections,
        handshake: Handshake | None = None,
        *,
        app_state: dict[str, Any],
        **uvicorn: Any,
    ) -> None:
        """`handshake` is what it has been until now, where TLS had to be agreed."""
        self.household = ""
        """Where it comes from."""
        self._register, self._handshake = register, handshake
        self._http = HttpToolsProtocol(app_state={**app_state, "connection": self}, **uvicorn)
        self._transport: asyncio.Transport | None = None
        self._line: Line | None = None
        self._deadline: asyncio.TimerHandle | None = None
        self._head: int | None = 0
        """How much there is of a head that is not yet whole; null while a request is served."""

    # What asyncio tells

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Count it, and wait for its first head."""
        self._transport = cast(asyncio.Transport, transport)
        if (wire := transport.get_extra_info("socket")) is not None:
            wire.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, UNREAD)
            # A small push must not wait until the phone has said that it has the one before.
            wire.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        if self._handshake is not None:
            self._register.forget(self._handshake)
            self._transport.set_write_buffer_limits(UNREAD)
        self.household = neighbourhood((transport.get_extra_info("peername") or ("",))[0])
        self._register.admit(self)
        self._line = Line(self._transport)
        self._http.connection_made(self._line)
        self._await_head()

    def get_buffer(self, sizehint: int) -> memoryview:
        """Where to read to."""
        return self._register.read_buffer

    def buffer_updated(self, nbytes: int) -> None:
        """Hand on what came; whoever floods, or never comes to the point, is not listened to."""
        data = bytes(self._register.read_buffer[:nbytes])
        if self._head is not None:
            if self._head == 0 and self._deadline is None:
                self._await_head()
            # A body may follow before the request is served.
            self._head = None if b"\r\n\r\n" in data else self._head + nbytes
        if data.count(b" HTTP/") > REQUESTS_A_READ or (self._head or 0) > LONGEST_HEAD:
            self.abort()
        else:
            self._http.data_received(data)

    def eof_received(self) -> None:
        """Nothing more will come."""
        self._http.eof_received()

    def pause_writing(self) -> None:
        """The other end does not read."""
        self._http.pause_writing()

    def resume_writing(self) -> None:
        """It reads again."""
        self._http.resume_writing()

    def connection_lost(self, exc: Exception | None) -> None:
        """Count it no more."""
        self._register.forget(self)
        self._head_came()
        self._http.connection_lost(exc)
        if self._line is not None:
            self._line.let_go()
        self._transport = None

    # What the application tells

    @contextmanager
    def serving(self, caller: str | None) -> Iterator[None]:
        """A request has come, and is being answered; `caller` is who sent it, if they are known."""
        self._head_came()
        self._head = None
        if caller is not None:
            self.recognised(caller)
        try:
            yield
        finally:
            self._head = 0

    def recognised(self, caller: str) -> None:
        """Whoever is at the other end has shown, or been given, a good key."""
        self._register.recognise(self, caller)

    @property
    def closing(self) -> bool:
        """Whether nothing can be said by it any more."""
        return self._transport is None or self._transport.is_closing()

    def abort(self) -> None:
        """End it now, whatever was still to be sent."""
        if self._transport is not None:
            self._transport.abort()

    def _await_head(self) -> None:
        self._deadline = asyncio.get_running_loop().call_later(HEAD_SECONDS, self.abort)

    def _head_came(self) -> None:
        if self._deadline is not None:
            self._deadline.cancel()
            self._deadline = None


def _close(connection: Connection | Handshake | None) -> None:
    if connection is not None:
        connection.abort()
