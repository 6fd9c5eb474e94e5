"""Streams: every open page gets its new fragment after each change. One asyncio thread owns them all.

A stream has no queue: it knows that something changed, and sends what is true when it gets to it. So a slow
phone misses nothing that still matters and holds up nobody; one that reads nothing is dropped.
"""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager
from typing import Any
from urllib.parse import parse_qs

import msgspec

from companion.board import Board
from companion.contract import PUBLIC, Seat, plain, read
from companion.refusals import Forbidden
from web import api, faults
from web.callers import Caller
from web.connections import Connection
from web.doors import neighbourhood
from web.evening.demo import Demo
from web.evening.evening import Evening
from web.frames import Frames, event
from web.scene import CSRF, Page
from web.sights import audience
from web.statuses import Crowded

HEARTBEAT = 10.0
PULSE = 2.0
"""How often it is looked who has come and gone."""
BOARD_PULSE, SLOW_BOARD_PULSE = 0.1, 0.4
"""How often it is looked at the board's lamps while a screen mirrors them, and at its cursor otherwise."""
STALLED = 5.0
A_PHONE, A_HOUSE, IN_ALL = 6, 8, 600
"""Streams of one guest, of the strangers of one address, and altogether."""

Receive = Callable[[], Awaitable[Any]]
Send = Callable[[Any], Awaitable[None]]

START = {
    "type": "http.response.start",
    "status": 200,
    "headers": [
        (b"content-type", b"text/event-stream; charset=utf-8"),
        (b"cache-control", b"no-store"),
        (b"x-accel-buffering", b"no"),
    ],
}


class Stream:
    """One open page or program."""

    def __init__(self, caller: Caller) -> None:
        self.caller = caller
        self.wake = asyncio.Event()
        self.ended = False
        self.last = b""
        """The last page sent, as all who see the same share it."""

    def end(self) -> None:
        """Say goodbye at the next opportunity, which is now."""
        self.ended = True
        self.wake.set()


class PageStream(Stream):
    """A phone's page."""

    def __init__(self, caller: Caller, page: Page, seat: Seat | None, hold: str = "") -> None:
        super().__init__(caller)
        self.page, self.seat, self.hold = page, seat, hold
        self.strips: dict[str, list[str]] = {}
        """The colours of the lamps as this screen last heard of them."""
        self.fresh_strips = False


class ProgramStream(Stream):
    """A program that follows a seat."""

    def __init__(self, caller: Caller, seat: Seat) -> None:
        super().__init__(caller)
        self.seat = seat
        self.table_version = 0


class Streams:
    """All open streams, and the small tasks that keep them alive."""

    def __init__(self, evening: Evening, demo: Demo, frames: Frames) -> None:
        self._evening, self._demo, self._frames = evening, demo, frames
        self._open: set[Stream] = set()
        self._holders: Counter[str] = Counter()
        self._loop: asyncio.AbstractEventLoop | None = None
        self._told = False
        self._tables = 0
        self._tasks: list[asyncio.Task[None]] = []
        self._shown: tuple[Any, ...] = ()
        evening.watch(self._changed)
        demo.watch(self._changed)

    def begin(self) -> None:
        """Start living, in the running loop."""
        self._loop = asyncio.get_running_loop()
        self._tasks = [self._loop.create_task(self._pulse()), self._loop.create_task(self._follow_board())]

    def end(self) -> None:
        """Tell every stream to end; new ones end at once."""
        for task in self._tasks:
            task.cancel()
        for stream in self._open:
            stream.end()
        self._loop = None

    # From any thread

    def _changed(self) -> None:
        """Something changed: wake everybody up, once."""
        if self._loop is not None and not self._told:
            self._told = True
            self._loop.call_soon_threadsafe(self._wake_all)

    def _wake_all(self) -> None:
        self._told = False
        for stream in self._open:
            stream.wake.set()

    # In the loop

    def opened(self, caller: Caller, query: bytes) -> PageStream:
        """The stream that a phone asks for, if it may."""
        wanted = {name: values[0] for name, values in parse_qs(query.decode("latin1")).items()}
        page = read(wanted.get("page"), Page, "page")
        seat = wanted.get("seat")
        audience(self._evening, caller.guest, page, seat, caller.language)
        return PageStream(caller, page, seat, wanted.get("hold", ""))

    def program_seat(self, caller: Caller, query: bytes) -> Seat:
        """The seat whose views a program asks for, if it may have them."""
        wanted = parse_qs(query.decode("latin1")).get("seat")
        return api.seat_of(self._evening, caller, wanted[0] if wanted else None)

    async def serve(
        self, stream: Stream, connection: Connection | None, receive: Receive, send: Send
    ) -> None:
        """Feed one stream until somebody has had enough."""
        with self._counted(stream):
            gone = asyncio.ensure_future(self._gone(stream, receive))
            try:
                await send(START)
                await self._feed(stream, send)
                await send({"type": "http.response.body", "body": b""})
            except TimeoutError:
                # It reads nothing: what is still in the pipe must not keep it open.
                if connection is not None:
                    connection.drop()
                    await gone
            finally:
                gone.cancel()

    async def _gone(self, stream: Stream, receive: Receive) -> None:
        while (await receive())["type"] != "http.disconnect":
            pass
        stream.end()

    async def _feed(self, stream: Stream, send: Send) -> None:
        await _sent(send, b"retry: 1000\n\n")
        while not stream.ended:
            stream.wake.clear()
            for part in self._news(stream):
                await _sent(send, part)
            try:
                async with asyncio.timeout(HEARTBEAT):
                    await stream.wake.wait()
            except TimeoutError:
                await _sent(send, b":\n\n")

    def _news(self, stream: Stream) -> Iterator[bytes]:
        """What a stream has not yet been told."""
        if stream.ended:
            return
        try:
            yield from self._page_news(stream) if isinstance(stream, PageStream) else self._view_news(stream)
        except Forbidden:
            yield event("go", "/")
            stream.end()
        except Exception as fault:
            # The page stays as it was; the next change may be drawn again.
            faults.note("a push failed", fault)

    def _page_news(self, stream: PageStream) -> Iterator[bytes]:
        guest = self._now(stream.caller)
        to = audience(
            self._evening, guest, stream.page, stream.seat, stream.caller.language, hold=stream.hold
        )
        frame = self._frames.pushed(to)
        if frame != stream.last:
            stream.last = frame
            yield frame.replace(CSRF.encode(), stream.caller.token.encode())
        if stream.fresh_strips:
            stream.fresh_strips = False
            yield event("lamps", msgspec.json.encode({"strips": stream.strips}).decode())

    def _now(self, caller: Caller) -> Any:
        """The guest as the book has them now; whoever left is a stranger."""
        if caller.guest is None:
            return None
        guest = self._evening.guest(caller.guest.id)
        if guest is None:
            raise Forbidden("evening.join_first")
        return guest

    def _view_news(self, stream: Stream) -> Iterator[bytes]:
        assert isinstance(stream, ProgramStream)
        evening = self._evening
        with evening.lock:
            self._check_still_theirs(stream)
            if stream.table_version == evening.table_version or evening.table.game is None:
                return
            stream.table_version = evening.table_version
            shows = plain(evening.table.view(stream.seat).shows)
        yield event("view", msgspec.json.encode(shows).decode(), stream.table_version)

    def _check_still_theirs(self, stream: ProgramStream) -> None:
        """Seats change hands while streams are open."""
        if stream.caller.program is not None:
            theirs = self._evening.seat_of(stream.caller.bearer or "") == stream.caller.program
        else:
            guest = self._now(stream.caller)
            theirs = stream.seat == PUBLIC or self._evening.speaks(guest, stream.seat)
            theirs = theirs and stream.seat not in self._evening.hands.shared(guest.id)
        if not theirs:
            raise Forbidden("evening.not_your_seat", seat=stream.seat)

    @contextmanager
    def _counted(self, stream: Stream) -> Iterator[None]:
        """Count a stream while it is open, and say who is here."""
        guest = stream.caller.guest
        holder = guest.id if guest else stream.caller.program or neighbourhood(stream.caller.address)
        most = A_PHONE if guest or stream.caller.program else A_HOUSE
        if self._holders[holder] >= most or len(self._open) >= IN_ALL or self._loop is None:
            raise Crowded("evening.too_many_streams")
        self._holders[holder] += 1
        self._open.add(stream)
        self._presence(stream, 1)
        try:
            yield
        finally:
            self._open.discard(stream)
            self._holders[holder] -= 1
            self._holders += Counter()
            self._presence(stream, -1)

    def _presence(self, stream: Stream, by: int) -> None:
        if isinstance(stream, PageStream) and stream.page == "demo":
            self._demo.looked_at(by)
        if (guest := stream.caller.guest) is not None:
            with self._evening.lock:
                (self._evening.presences.opened if by > 0 else self._evening.presences.closed)(guest.id)
                if by < 0 and isinstance(stream, PageStream):
                    # Whoever looked at this page looks no more.
                    self._evening.hands.put_down(guest.id, stream.hold)
                self._evening.refresh()

    # Small tasks

    async def _pulse(self) -> None:
        while True:
            await asyncio.sleep(PULSE)
            self._evening.refresh()

    async def _follow_board(self) -> None:
        """Show where the cursor goes, and to whoever looks at the table page the lamps as they move."""
        while True:
            await asyncio.sleep(BOARD_PULSE if self._tables else SLOW_BOARD_PULSE)
            screens = [s for s in self._open if isinstance(s, PageStream) and s.page == "table"]
            self._tables = len(screens)
            if (board := self._evening.board) is not None:
                try:
                    self._show_lamps(board, screens)
                except Exception as fault:
                    faults.note("the board does not answer", fault)
                    await asyncio.sleep(PULSE)

    def _show_lamps(self, board: Board, screens: list[PageStream]) -> None:
        pointed = (board.pointer, board.peek, self._evening.surgery.look(), self._evening.check.look())
        if pointed != self._shown:
            self._shown = pointed
            self._evening.bump()
        strips = self._frames.sights.strips() if screens and pointed[1] is None else {}
        for screen in screens:
            if strips and strips != screen.strips:
                screen.strips, screen.fresh_strips = strips, True
                screen.wake.set()


async def _sent(send: Send, body: bytes) -> None:
    async with asyncio.timeout(STALLED):
        await send({"type": "http.response.body", "body": body, "more_body": True})
