"""Flask behind ASGI: a request goes to a thread when it has come whole, and its answer comes back whole.

So a slow phone never holds a thread. The environment of a request is that of PEP 3333.
"""

from __future__ import annotations

import asyncio
import contextlib
import sys
import tempfile
from collections import Counter
from collections.abc import Awaitable, Callable, Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import IO, Any

import msgspec

from companion.refusals import Malformed, NotSaved, TooLarge
from web.http.headers import Headers
from web.http.statuses import Crowded

THREADS = 8
AT_ONCE, AT_ONCE_NEAR = 4, 6
"""Threads that one phone may have at a time, and all of one address together; the rest of theirs wait."""
STRANGERS_AT_ONCE = 2
"""Threads that all who have not joined may have together: joined phones do not wait behind a crowd."""
WAITING, STRANGERS_WAITING = 32, 64
"""Requests of one phone, and of all strangers together, that may wait for a thread or have one; more are
turned away: whoever hangs up does not take theirs out of the queue."""
MOST_QUEUES = 256
IN_MEMORY = 64 * 1024
"""Bytes of a request that wait in memory; what is larger waits on the disk."""

Receive = Callable[[], Awaitable[Any]]
Application = Callable[[dict[str, Any], Callable[..., Any]], Iterable[bytes]]


class WsgiResponse(msgspec.Struct, frozen=True):
    """What a WSGI application answered."""

    status: int
    headers: Headers
    body: bytes


class Threads:
    """Runs a WSGI application in a few threads, of which nobody has all."""

    def __init__(self, application: Application) -> None:
        self._application = application
        self._pool = ThreadPoolExecutor(THREADS, "pages")
        self._queues: dict[tuple[str, int], asyncio.Semaphore] = {}
        self._strangers = asyncio.Semaphore(STRANGERS_AT_ONCE)
        self._under_way = Counter[str]()
        """How many requests of each holder, and of strangers together (under no name), are under way."""

    def close(self) -> None:
        """Let the threads go."""
        self._pool.shutdown(cancel_futures=True)

    async def answer(self, environ: dict[str, Any], holder: str, household: str, known: bool) -> WsgiResponse:
        """Let a thread answer, when `holder` has one free, and so have all of where they call from.

        Whoever is not `known` shares theirs with all strangers.
        """
        crowd = contextlib.nullcontext() if known else self._strangers
        with self._counted(holder if known else "", WAITING if known else STRANGERS_WAITING):
            async with self._queue(holder, AT_ONCE), self._queue(household, AT_ONCE_NEAR), crowd:
                return await asyncio.get_running_loop().run_in_executor(self._pool, self._call, environ)

    @contextlib.contextmanager
    def _counted(self, whose: str, most: int) -> Iterator[None]:
        """While a request is under way; where there are too many, none is taken in."""
        if self._under_way[whose] >= most:
            raise Crowded("evening.too_many_requests")
        self._under_way[whose] += 1
        try:
            yield
        finally:
            self._under_way[whose] -= 1
            if not self._under_way[whose]:
                del self._under_way[whose]

    def _queue(self, holder: str, at_once: int) -> asyncio.Semaphore:
        if len(self._queues) >= MOST_QUEUES:
            self._queues = {name: queue for name, queue in self._queues.items() if queue.locked()}
        return self._queues.setdefault((holder, at_once), asyncio.Semaphore(at_once))

    def _call(self, environ: dict[str, Any]) -> WsgiResponse:
        started: list[Any] = []

        def start(status: str, headers: list[tuple[str, str]], fault: Any = None) -> Callable[[bytes], None]:
            started[:] = [int(status[:3]), headers]
            return lambda data: None

        parts = self._application(environ, start)
        try:
            body = b"".join(parts)
        finally:
            getattr(parts, "close", lambda: None)()
        status, headers = started
        return WsgiResponse(
            status, [(n.lower().encode("latin1"), v.encode("latin1")) for n, v in headers], body
        )


async def whole_body(headers: dict[str, str], receive: Receive, most: int, seconds: float) -> IO[bytes]:
    """The body of a request, if it is not too large and does not take for ever."""
    length = headers.get("content-length", "0")
    if not length.isdecimal() or int(length[:12]) > most:
        raise TooLarge("evening.too_large")
    with contextlib.ExitStack() as unless_whole:
        body: IO[bytes] = unless_whole.enter_context(tempfile.SpooledTemporaryFile(IN_MEMORY))
        try:
            async with asyncio.timeout(seconds):
                await _fill(body, receive, most)
        except TimeoutError:
            raise Malformed("evening.too_slow") from None
        except OSError as fault:
            raise NotSaved("companion.not_saved", fault=fault.strerror or str(fault)) from None
        unless_whole.pop_all()
    return body


async def _fill(body: IO[bytes], receive: Receive, most: int) -> None:
    while True:
        message = await receive()
        body.write(message.get("body", b""))
        if body.tell() > most:
            raise TooLarge("evening.too_large")
        if not message.get("more_body"):
            break
    body.seek(0)


def environment(scope: Any, body: IO[bytes], **more: Any) -> dict[str, Any]:
    """The environment of a request that has come whole."""
    server, client = scope.get("server") or ("localhost", 80), scope.get("client") or ("", 0)
    environ: dict[str, Any] = {
        "REQUEST_METHOD": scope["method"],
        "SCRIPT_NAME": "",
        "PATH_INFO": scope["path"].encode().decode("latin1"),
        "QUERY_STRING": scope["query_string"].decode("latin1"),
        "SERVER_PROTOCOL": f"HTTP/{scope['http_version']}",
        "SERVER_NAME": server[0],
        "SERVER_PORT": str(server[1] or 0),
        "REMOTE_ADDR": client[0],
        "wsgi.version": (1, 0),
        "wsgi.url_scheme": scope.get("scheme", "http"),
        "wsgi.input": body,
        "wsgi.input_terminated": True,
        "wsgi.errors": sys.stderr,
        "wsgi.multithread": True,
        "wsgi.multiprocess": False,
        "wsgi.run_once": False,
        **more,
    }
    for name, value in scope["headers"]:
        key = name.decode("latin1").upper().replace("-", "_")
        key = key if key in ("CONTENT_TYPE", "CONTENT_LENGTH") else f"HTTP_{key}"
        text = value.decode("latin1")
        environ[key] = f"{environ[key]},{text}" if key in environ else text
    return environ
