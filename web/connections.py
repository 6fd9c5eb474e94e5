"""Connections of strangers are few a house, so that five hundred of them keep nobody out.

A connection counts as a stranger's until a request on it shows a good key.
"""

from __future__ import annotations

import asyncio
import socket
from collections import Counter
from collections.abc import Callable
from typing import Any

from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol

from web.doors import neighbourhood

A_HOUSE = 64
"""Connections of strangers from one address."""
IN_ALL = 512
SILENCE = 10.0
"""Seconds in which a new connection must have asked for something."""

LONGEST_HEAD = 16 * 1024
"""Bytes in which the head of a request must have come to its end."""
A_READ = 64 * 1024
"""Bytes that are read at a time."""
UNREAD = 64 * 1024
"""Bytes that the system may keep for a phone that does not read; otherwise it would be megabytes."""

ACT = b"/act"
"""Where a form that has come whole is answered on the spot: everybody waits for it."""
LARGEST_FORM = 8 * 1024
"""Bytes of a form that may be kept back for that; no action is nearly as large."""

Told = Callable[[], None]
Headers = list[tuple[bytes, bytes]]
Acts = Callable[["Connection", bytes], bytes | None]
"""Answers the form on a connection, or leaves it to be answered the long way."""

BUSY = b"HTTP/1.1 503 Service Unavailable\r\nretry-after: 5\r\ncontent-length: 0\r\nconnection: close\r\n\r\n"


class Strangers:
    """How many connections of strangers are open, by house."""

    def __init__(self) -> None:
        self._houses: Counter[str] = Counter()

    def admit(self, house: str) -> bool:
        """Count one more, if there is room."""
        if self._houses[house] >= A_HOUSE or self._houses.total() >= IN_ALL:
            return False
        self._houses[house] += 1
        return True

    def forget(self, house: str) -> None:
        """One fewer."""
        self._houses[house] -= 1
        if self._houses[house] <= 0:
            del self._houses[house]


STRANGERS = Strangers()


def nothing() -> None:
    """Nobody follows this line."""


class Connection(HttpToolsProtocol):
    """A connection that is turned away where strangers crowd, or when it says nothing."""

    _house: str | None = None
    _silence: asyncio.TimerHandle | None = None
    _full = _room = _lost = staticmethod(nothing)
    _head: int | None = 0
    """How much there is of a head that is not yet whole; null while there is none."""
    _form: bytes | None = None
    """What there is of a form that may be answered on the spot."""

    def __init__(self, *args: Any, acts: Acts = lambda connection, form: None, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self._acts = acts
        self.app_state = {**self.app_state, "connection": self}

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Count it, or turn it away."""
        super().connection_made(transport)
        # The loop would fetch a quarter of a megabyte from the system for every few bytes a phone sends.
        transport.max_size = A_READ  # type: ignore[attr-defined]
        if (wire := transport.get_extra_info("socket")) is not None:
            wire.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, UNREAD)
            # A small push must not wait until the phone has said that it has the one before.
            wire.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        house = neighbourhood(self.client[0] if self.client else "")
        if not STRANGERS.admit(house):
            transport.write(BUSY)
            transport.close()
            return
        self._house = house
        self._silence = self.loop.call_later(SILENCE, self._still_silent)

    def connection_lost(self, exc: Exception | None) -> None:
        """Count it no more."""
        self.recognised()
        self._spoken()
        super().connection_lost(exc)
        self._lost()

    def on_message_begin(self) -> None:
        """A request begins."""
        super().on_message_begin()
        self._head = 0

    def on_headers_complete(self) -> None:
        """Its head is whole."""
        self._head = None
        if self._may_be_short():
            self._form = b""
        else:
            super().on_headers_complete()

    def on_body(self, body: bytes) -> None:
        """More of it."""
        if self._form is not None and len(self._form) + len(body) <= LARGEST_FORM:
            self._form += body
        else:
            self._go_the_long_way(self._kept_back())
            super().on_body(body)

    def on_message_complete(self) -> None:
        """It is whole."""
        form = self._kept_back()
        if form is not None and (answer := self._acts(self, form)) is not None:
            self._spoken()
            self.transport.write(answer)
            self.on_response_complete()
        else:
            self._go_the_long_way(form)
            super().on_message_complete()

    def _may_be_short(self) -> bool:
        """Whether it is a form for the game, with nothing unusual about how it comes."""
        return (
            self.url == ACT
            and self.parser.get_method() == b"POST"
            and self.parser.get_http_version() == "1.1"
            and self.parser.should_keep_alive()
            and not self.expect_100_continue
            and (self.cycle is None or self.cycle.response_complete)
        )

    def _kept_back(self) -> bytes | None:
        form, self._form = self._form, None
        return form

    def _go_the_long_way(self, form: bytes | None) -> None:
        """Let uvicorn have what was kept back."""
        if form is not None and not self.transport.is_closing():
            super().on_headers_complete()
            super().on_body(form)

    def data_received(self, data: bytes) -> None:
        """Read on; whoever never comes to the point is not listened to."""
        super().data_received(data)
        self._go_the_long_way(self._kept_back())
        if self._head is not None:
            self._head += len(data)
            if self._head > LONGEST_HEAD:
                self.drop()

    def recognised(self) -> None:
        """Whoever is at the other end is no stranger."""
        if self._house is not None:
            STRANGERS.forget(self._house)
            self._house = None

    # A line that goes on is written to without the detour through ASGI messages

    def keep_open(self) -> None:
        """The answer to come has no end; whoever speaks HTTP/1.0 reads it until the line is closed."""
        if self._old:
            self.cycle.chunked_encoding = False

    def follow(self, full: Told, room: Told, lost: Told) -> None:
        """From now on write at once what is pushed, and tell when the line is full and when it is not."""
        self._full, self._room, self._lost = full, room, lost
        self.transport.set_write_buffer_limits(0)

    @property
    def _old(self) -> bool:
        return self.scope["http_version"] == "1.0"

    @property
    def is_full(self) -> bool:
        """Whether the other end still has to read what was sent."""
        return bool(self.flow.write_paused)

    def push(self, body: bytes) -> bool:
        """Send a part of an answer that has begun and goes on, if there is room for it."""
        if self.is_full or self.transport.is_closing():
            return False
        self.transport.write(body if self._old else b"%x\r\n%b\r\n" % (len(body), body))
        return True

    def pause_writing(self) -> None:
        """It is full."""
        super().pause_writing()
        self._full()

    def resume_writing(self) -> None:
        """It has room again."""
        super().resume_writing()
        self._room()

    def drop(self) -> None:
        """End it now, whatever was still to be sent."""
        self.transport.abort()

    def _spoken(self) -> None:
        """It has said something."""
        if self._silence is not None:
            self._silence.cancel()

    def _still_silent(self) -> None:
        if self.cycle is None:
            self.drop()
