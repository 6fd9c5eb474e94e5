"""Connections of strangers are few a house, so that five hundred of them keep nobody out.

A connection counts as a stranger's until a request on it shows a good key.
"""

from __future__ import annotations

import asyncio
import socket
from collections import Counter
from typing import Any

from uvicorn.protocols.http.h11_impl import H11Protocol

from web.doors import neighbourhood

A_HOUSE = 64
"""Connections of strangers from one address."""
IN_ALL = 512
SILENCE = 10.0
"""Seconds in which a new connection must have asked for something."""

UNREAD = 64 * 1024
"""Bytes that the system may keep for a phone that does not read; otherwise it would be megabytes."""

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


class Connection(H11Protocol):
    """A connection that is turned away where strangers crowd, or when it says nothing."""

    _house: str | None = None
    _silence: asyncio.TimerHandle | None = None

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.app_state = {**self.app_state, "connection": self}

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Count it, or turn it away."""
        super().connection_made(transport)
        if (wire := transport.get_extra_info("socket")) is not None:
            wire.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, UNREAD)
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
        if self._silence is not None:
            self._silence.cancel()
        super().connection_lost(exc)

    def recognised(self) -> None:
        """Whoever is at the other end is no stranger."""
        if self._house is not None:
            STRANGERS.forget(self._house)
            self._house = None

    def drop(self) -> None:
        """End it now, whatever was still to be sent."""
        self.transport.abort()

    def _still_silent(self) -> None:
        if self.cycle is None:
            self.drop()
