"""The gate: every request passes here first. Streams and actions stay in the loop, the rest goes to a thread.

Flask answers everything else. Nothing reaches a thread before it has arrived whole, and nothing leaves one
before it is whole: a slow phone never holds a thread.
"""

from __future__ import annotations

import asyncio
import contextlib
import tempfile
from collections.abc import Iterable, Iterator, MutableMapping
from concurrent.futures import ThreadPoolExecutor
from http import HTTPStatus
from typing import IO, Any
from urllib.parse import unquote_to_bytes

import msgspec
from a2wsgi.wsgi import build_environ
from flask import Flask

from companion.contract import plain
from companion.headless import Fault, Refused
from companion.refusals import Malformed, NotSaved, Refusal, TooLarge
from web import api, faults, hotspot, keeping
from web.callers import Caller, headers_of
from web.connections import Connection, Headers
from web.desk import FRAGMENT, Answer, Asked, Desk
from web.doors import Names, neighbourhood
from web.forms import act
from web.statuses import headers_of_refusal, status_of
from web.streams import ProgramStream, Receive, Send, Stream, Streams

THREADS = 8
AT_ONCE = 4
"""Threads that one phone, or the strangers of one address, may have at a time; the rest of theirs wait."""
ACT = ("POST", "/act")
"""What is done in the loop itself and without Flask: everybody waits for it, and two hand-overs between
threads cost more than the rules. The loop then waits for the disk, as it would for the table's lock."""
FORM, HTML = "application/x-www-form-urlencoded", b"text/html; charset=utf-8"
MOST_QUEUES = 256
LARGEST_BODY = 64 * 1024
LONGEST_PATH = 2048
LONGEST_HEADERS = 8 * 1024
BODY_SECONDS = 10.0
UPLOADS = {keeping.UPLOAD: keeping.LARGEST_UPLOAD}
"""Where whoever runs the evening may send more; it waits on the disk, not in memory."""
UPLOAD_SECONDS = 120.0

SECURITY = [
    (
        b"content-security-policy",
        b"default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; font-src 'self'; "
        b"connect-src 'self'; manifest-src 'self'; worker-src 'self'; form-action 'self'; base-uri 'none'; "
        b"frame-ancestors 'none'",
    ),
    (b"x-content-type-options", b"nosniff"),
    (b"referrer-policy", b"same-origin"),
    (b"cross-origin-opener-policy", b"same-origin"),
    (b"cross-origin-resource-policy", b"same-origin"),
    (b"x-frame-options", b"DENY"),
]
NO_STORE = (b"cache-control", b"no-store")

Scope = MutableMapping[str, Any]


class Gate:
    """The ASGI application."""

    def __init__(self, names: Names, desk: Desk, streams: Streams, flask: Flask) -> None:
        self._names, self._desk, self._streams, self._flask = names, desk, streams, flask
        self._threads = ThreadPoolExecutor(THREADS, "pages")
        self._queues: dict[str, asyncio.Semaphore] = {}

    def close(self) -> None:
        """Let the threads go."""
        self._threads.shutdown(cancel_futures=True)

    def acts(self, connection: Connection, form: bytes) -> bytes | None:
        """Answer a guest's action in the game on the spot; whatever is unusual goes the long way."""
        headers = headers_of(connection.headers)
        client, own = connection.client or ("", 0), connection.server or (None, 0)
        if (
            not headers.get("content-type", "").startswith(FORM)
            or _too_long(connection.headers)
            or not self._names.allow(headers.get("host", ""), own[0])
        ):
            return None
        caller = self._desk.reception.caller(headers, client[0])
        if caller.guest is None:
            return None
        connection.recognised()
        answer = self._acted(Asked(caller, _fields(form), FRAGMENT in headers))
        return b"".join(_response(answer))

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve one request."""
        if scope["type"] != "http":
            return
        headers = headers_of(scope["headers"])
        send = _guarded(send)
        own = (scope.get("server") or (None,))[0]
        if not self._names.allow(headers.get("host", ""), own):
            await _under_a_foreign_name(send, own, scope["path"])
        elif len(scope["path"]) + len(scope["query_string"]) > LONGEST_PATH:
            await _plain(send, 414, "That address is too long.")
        elif _too_long(scope["headers"]):
            await _plain(send, 431, "Those headers are too long.")
        else:
            caller = self._desk.reception.caller(headers, scope["client"][0] if scope["client"] else "")
            connection: Connection | None = scope.get("state", {}).get("connection")
            if connection is not None and (caller.guest or caller.program):
                connection.recognised()
            await self._serve(scope, headers, caller, connection, receive, send)

    async def _serve(
        self,
        scope: Scope,
        headers: dict[str, str],
        caller: Caller,
        connection: Connection | None,
        receive: Receive,
        send: Send,
    ) -> None:
        try:
            if scope["path"] in ("/events", f"{api.ROOT}/events") and scope["method"] == "GET":
                assert connection is not None, "streams are written straight to our own lines"
                await self._streams.serve(self._stream(scope, caller), connection, send)
            elif (scope["method"], scope["path"]) == ACT and headers.get("content-type", "").startswith(FORM):
                await self._act(headers, caller, receive, send)
            else:
                await self._page(scope, headers, caller, connection, receive, send)
        except Refusal as refusal:
            await _refused(send, refusal, caller.language)

    def _stream(self, scope: Scope, caller: Caller) -> Stream:
        if scope["path"] == "/events":
            return self._streams.opened(caller, scope["query_string"])
        return ProgramStream(caller, self._streams.program_seat(caller, scope["query_string"]))

    async def _act(self, headers: dict[str, str], caller: Caller, receive: Receive, send: Send) -> None:
        """An action in the game, from a page."""
        with await _whole_body(headers, receive, LARGEST_BODY, BODY_SECONDS) as body:
            answer = self._acted(Asked(caller, _fields(body.read()), FRAGMENT in headers))
        await _answer(send, answer.status, HTML, answer.body, _extra(answer))

    def _acted(self, asked: Asked) -> Answer:
        try:
            return self._desk.take(act, asked)
        except Exception as fault:
            faults.note("a page failed", fault)
            return Answer(b"Internal Server Error\n", 500)

    async def _page(
        self,
        scope: Scope,
        headers: dict[str, str],
        caller: Caller,
        connection: Connection | None,
        receive: Receive,
        send: Send,
    ) -> None:
        with await _whole_body(headers, receive, *_allowed(scope["path"], caller)) as body:
            environ = build_environ(scope, body)  # type: ignore[arg-type]
            async with self._queue(caller):
                loop = asyncio.get_running_loop()
                status, answered, content = await loop.run_in_executor(self._threads, self._call, environ)
        if connection is not None and any(name == b"set-cookie" for name, _ in answered):
            connection.recognised()
        await send({"type": "http.response.start", "status": status, "headers": answered})
        await send({"type": "http.response.body", "body": content})

    def _queue(self, caller: Caller) -> asyncio.Semaphore:
        """Where a caller's requests wait for each other, so that nobody has every thread."""
        if len(self._queues) >= MOST_QUEUES:
            self._queues = {name: queue for name, queue in self._queues.items() if queue.locked()}
        name = caller.guest.id if caller.guest else caller.program or neighbourhood(caller.address)
        return self._queues.setdefault(name, asyncio.Semaphore(AT_ONCE))

    def _call(self, environ: Any) -> tuple[int, list[tuple[bytes, bytes]], bytes]:
        """Let Flask answer, in a thread; the answer comes back whole."""
        started: list[Any] = []

        def start(status: str, headers: list[tuple[str, str]], fault: Any = None) -> Any:
            started[:] = [int(status[:3]), headers]
            return lambda data: None

        parts: Iterable[bytes] = self._flask(environ, start)
        try:
            content = b"".join(parts)
        finally:
            getattr(parts, "close", lambda: None)()
        status, headers = started
        return status, [(n.lower().encode("latin1"), v.encode("latin1")) for n, v in headers], content


def _allowed(path: str, caller: Caller) -> tuple[int, float]:
    """How much a caller may send there, and how long it may take."""
    runs = caller.guest is not None and (caller.guest.host or caller.guest.moderator)
    if runs and path in UPLOADS:
        return UPLOADS[path], UPLOAD_SECONDS
    return LARGEST_BODY, BODY_SECONDS


async def _whole_body(headers: dict[str, str], receive: Receive, most: int, seconds: float) -> IO[bytes]:
    """The body of a request, if it is not too large and does not take for ever."""
    length = headers.get("content-length", "0")
    if not length.isdecimal() or int(length[:12]) > most:
        raise TooLarge("evening.too_large")
    with contextlib.ExitStack() as unless_whole:
        body: IO[bytes] = unless_whole.enter_context(tempfile.SpooledTemporaryFile(LARGEST_BODY))
        try:
            async with asyncio.timeout(seconds):
                await _fill(body, receive, most)
        except TimeoutError:
            raise Malformed("evening.too_slow") from None
        except OSError as fault:
            raise NotSaved("companion.not_saved", fault=fault.strerror or str(fault)) from None
        unless_whole.pop_all()
    return body


def _fields(body: bytes) -> dict[str, str]:
    """The fields of a form; of one sent twice, the first."""
    parts = [part.partition(b"=") for part in body.replace(b"+", b" ").split(b"&")]
    return {_unquoted(name): _unquoted(value) for name, _, value in reversed(parts)}


def _unquoted(text: bytes) -> str:
    return unquote_to_bytes(text).decode("utf-8", "replace")


def _too_long(headers: Headers) -> bool:
    return sum(len(name) + len(value) for name, value in headers) > LONGEST_HEADERS


def _extra(answer: Answer) -> Headers:
    return [(name.lower().encode(), value.encode()) for name, value in answer.headers.items()]


def _response(answer: Answer) -> Iterator[bytes]:
    """An answer as it goes over the line."""
    yield b"HTTP/1.1 %d %b\r\n" % (answer.status, HTTPStatus(answer.status).phrase.encode())
    headers = [(b"content-type", HTML), *_length(answer.status, answer.body), *_extra(answer)]
    for name, value in _with_guard(headers):
        yield b"%b: %b\r\n" % (name, value)
    yield b"\r\n"
    yield answer.body


async def _fill(body: IO[bytes], receive: Receive, most: int) -> None:
    while True:
        message = await receive()
        body.write(message.get("body", b""))
        if body.tell() > most:
            raise TooLarge("evening.too_large")
        if not message.get("more_body"):
            break
    body.seek(0)


def _guarded(send: Send) -> Send:
    """The same, with the headers that keep a browser on its guard."""

    async def guarded(message: Any) -> None:
        if message["type"] == "http.response.start":
            message = {**message, "headers": _with_guard(message["headers"])}
        await send(message)

    return guarded


def _with_guard(headers: Headers) -> Headers:
    kept = [] if any(name == b"cache-control" for name, _ in headers) else [NO_STORE]
    return [*headers, *SECURITY, *kept]


def _length(status: int, body: bytes) -> Headers:
    return [] if status == 204 else [(b"content-length", b"%d" % len(body))]


async def _refused(send: Send, refusal: Refusal, language: str) -> None:
    """A refusal before any page could say it: in the shape of the protocol."""
    body = msgspec.json.encode(plain(Refused(Fault(refusal.code, refusal.message(language), refusal.rule))))
    extra = [(n.lower().encode(), v.encode()) for n, v in headers_of_refusal(refusal).items()]
    closing = [(b"connection", b"close")] if isinstance(refusal, Malformed) else []
    await _answer(send, status_of(refusal), b"application/json", body, [*extra, *closing])


async def _under_a_foreign_name(send: Send, own: str | None, path: str) -> None:
    """Refused, but on the table's own Wi-Fi, where every name leads here."""
    told = hotspot.reply(own, path)
    if told is None:
        await _plain(send, 421, "This is not the machine you asked for.")
    else:
        extra = [(b"location", told.location.encode())] if told.location else []
        await _answer(send, told.status, told.kind.encode(), told.body.encode(), extra)


async def _plain(send: Send, status: int, text: str) -> None:
    await _answer(
        send, status, b"text/plain; charset=utf-8", text.encode() + b"\n", [(b"connection", b"close")]
    )


async def _answer(send: Send, status: int, kind: bytes, body: bytes, extra: Headers) -> None:
    headers = [(b"content-type", kind), *_length(status, body), *extra]
    await send({"type": "http.response.start", "status": status, "headers": headers})
    await send({"type": "http.response.body", "body": body})
