"""The application that uvicorn serves: every request passes here, with the guards written once.

Streams stay in the event loop (`web.push.streams`); everything else is Flask's (`web.server.app`), in a
thread.
"""

from __future__ import annotations

import contextlib
import logging
from collections.abc import Callable, MutableMapping
from typing import Any
from urllib.parse import parse_qs

import msgspec

from companion.contract import plain, read
from companion.headless import Fault, Refused
from companion.refusals import Malformed, Refusal
from web import failures
from web.access.connections import Connection
from web.admin import backup
from web.http import hotspot
from web.http.addresses import Names
from web.http.headers import Headers, headers_of, secured
from web.http.statuses import headers_of_refusal, status_of
from web.people.identity import Caller, Callers
from web.push.streams import ProgramStream, Send, Stream, Streams
from web.scene import Page
from web.server.wsgi import Application as Wsgi
from web.server.wsgi import Receive, Threads, environment, whole_body

log = logging.getLogger(__name__)

LARGEST_BODY, BODY_SECONDS = 64 * 1024, 10.0
UPLOADS = {backup.UPLOAD: backup.LARGEST_UPLOAD}
"""Where whoever runs the evening may send more."""
UPLOAD_SECONDS = 120.0
LONGEST_PATH = 2048
LONGEST_HEADERS = 8 * 1024
CALLER = "web.caller"
"""Under which Flask finds who sent a request."""

TEXT = "text/plain; charset=utf-8"

Scope = MutableMapping[str, Any]


class Application:
    """The ASGI application."""

    def __init__(
        self, names: Names, callers: Callers, streams: Streams, pages: Wsgi, alive: Callable[[], bool]
    ) -> None:
        self._names, self._callers, self._streams, self._alive = names, callers, streams, alive
        self._threads = Threads(pages)

    def close(self) -> None:
        """Let the threads go."""
        self._threads.close()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve one request."""
        if scope["type"] != "http":
            return
        headers = headers_of(scope["headers"])
        own = (scope.get("server") or (None,))[0]
        caller = self._callers.caller(
            headers, scope["client"][0] if scope["client"] else "", scope.get("scheme", "http")
        )
        with _serving(scope, caller):
            if not self._names.allow(headers.get("host", ""), own):
                await _under_a_foreign_name(send, own, scope["path"])
            elif len(scope["path"]) + len(scope["query_string"]) > LONGEST_PATH:
                await _plain(send, 414, "That address is too long.")
            elif sum(len(name) + len(value) for name, value in scope["headers"]) > LONGEST_HEADERS:
                await _plain(send, 431, "Those headers are too long.")
            else:
                try:
                    await self._serve(scope, headers, caller, receive, send)
                except Refusal as refusal:
                    await _refused(send, refusal, caller.language)
                except Exception as fault:
                    # An answer to whoever has hung up is no fault, and whoever hangs up fills no log.
                    if not (connection := _connection(scope)) or not connection.closing:
                        failures.note(log, "a request failed", fault)
                    raise

    async def _serve(
        self, scope: Scope, headers: dict[str, str], caller: Caller, receive: Receive, send: Send
    ) -> None:
        streamed = scope["method"] == "GET" and scope["path"] in ("/events", "/api/v1/events")
        if (streamed or scope["path"] == "/healthz") and _announces_a_body(headers):
            # Nobody would ever read it, and until it has come nothing is told of who hangs up.
            await _plain(send, 400, "Nothing can be sent here.")
            return
        if scope["path"] == "/healthz":
            # Here, and not in a thread: where the table hangs, they all wait for it.
            await _health(send, scope["method"], self._alive())
            return
        if streamed:
            connection = _connection(scope)
            drop = connection.abort if connection else lambda: None
            await self._streams.serve(self._stream(scope, caller), receive, send, drop)
            return
        with await whole_body(headers, receive, *_allowed(scope["path"], caller)) as body:
            environ = environment(scope, body, **{CALLER: caller})
            answer = await self._threads.answer(environ, caller.holder, caller.household, caller.known)
        self._welcome(scope, caller, answer.headers)
        await _send(send, answer.status, answer.headers, answer.body)

    def _welcome(self, scope: Scope, caller: Caller, headers: Headers) -> None:
        """Whoever was given a key with an answer is no stranger any more."""
        connection = _connection(scope)
        for name, value in headers:
            if connection is not None and name == b"set-cookie":
                shown = {"cookie": value.decode("latin1")}
                known = self._callers.caller(shown, caller.address, scope.get("scheme", "http"))
                if known.guest is not None:
                    connection.recognised(known.guest.id)

    def _stream(self, scope: Scope, caller: Caller) -> Stream:
        wanted = {
            name: values[0] for name, values in parse_qs(scope["query_string"].decode("latin1")).items()
        }
        seat = wanted.get("seat")
        if scope["path"] == "/events":
            page = read(wanted.get("page"), Page, "page")
            return self._streams.page_stream(
                caller, page, seat, wanted.get("hold", ""), wanted.get("game", "")
            )
        return ProgramStream(caller, self._callers.seat_of(caller, seat))


def _connection(scope: Scope) -> Connection | None:
    """The line that a request came by; none where there is no socket, as in tests."""
    found: Connection | None = scope.get("state", {}).get("connection")
    return found


def _serving(scope: Scope, caller: Caller) -> contextlib.AbstractContextManager[None]:
    """While a request is served its line is not waited for; a good key makes it no stranger's."""
    connection = _connection(scope)
    return (
        connection.serving(caller.holder if caller.known else None)
        if connection
        else contextlib.nullcontext()
    )


def _announces_a_body(headers: dict[str, str]) -> bool:
    """Whether something is to follow the head of a request."""
    return "transfer-encoding" in headers or headers.get("content-length", "0").strip() != "0"


def _allowed(path: str, caller: Caller) -> tuple[int, float]:
    """How much a caller may send there, and how long it may take."""
    runs = caller.guest is not None and (caller.guest.host or caller.guest.moderator)
    if runs and path in UPLOADS:
        return UPLOADS[path], UPLOAD_SECONDS
    return LARGEST_BODY, BODY_SECONDS


async def _refused(send: Send, refusal: Refusal, language: str) -> None:
    """A refusal before any page could say it: in the shape of the protocol."""
    body = msgspec.json.encode(plain(Refused(Fault(refusal.code, refusal.message(language), refusal.rule))))
    extra = [(n.lower().encode(), v.encode()) for n, v in headers_of_refusal(refusal).items()]
    closing = [(b"connection", b"close")] if isinstance(refusal, Malformed) else []
    await _answer(send, status_of(refusal), "application/json", body, [*extra, *closing])


async def _under_a_foreign_name(send: Send, own: str | None, path: str) -> None:
    """Refused, but on the table's own Wi-Fi, where every name leads here."""
    told = hotspot.reply(own, path)
    if told is None:
        await _plain(send, 421, "This is not the machine you asked for.")
    else:
        extra = [(b"location", told.location.encode())] if told.location else []
        await _answer(send, told.status, told.kind, told.body.encode(), extra)


async def _health(send: Send, method: str, alive: bool) -> None:
    if method not in ("GET", "HEAD"):
        await _answer(send, 405, TEXT, b"", [(b"allow", b"GET, HEAD"), (b"connection", b"close")])
    else:
        await _answer(send, *((200, TEXT, b"ok\n") if alive else (503, TEXT, b"The table hangs.\n")), [])


async def _plain(send: Send, status: int, text: str) -> None:
    await _answer(send, status, TEXT, text.encode() + b"\n", [(b"connection", b"close")])


async def _answer(send: Send, status: int, kind: str, body: bytes, extra: Headers) -> None:
    headers = [(b"content-type", kind.encode()), (b"content-length", b"%d" % len(body)), *extra]
    await _send(send, status, headers, body)


async def _send(send: Send, status: int, headers: Headers, body: bytes) -> None:
    await send({"type": "http.response.start", "status": status, "headers": secured(headers)})
    await send({"type": "http.response.body", "body": body})
