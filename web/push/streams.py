"""Streams: every open page and program hears of each change, by server-sent events.

Each stream is one ASGI request that goes on: a task that sleeps until something has changed, sends what is
new to it, and sleeps again. It has no queue: whoever reads slowly gets what is true when there is room again,
misses nothing that still matters and holds up nobody; whoever reads nothing is dropped.
"""

from __future__ import annotations

import asyncio
import logging
import threading
import time
from collections.abc import Awaitable, Callable, Coroutine, Iterator
from contextlib import contextmanager
from typing import Any

import msgspec

from companion.board import Board
from companion.contract import PUBLIC, Seat, plain
from companion.refusals import Forbidden
from web import failures
from web.access.shares import Shares
from web.evening.demo import Demos
from web.evening.evening import Evening
from web.http.headers import secured
from web.http.statuses import Crowded
from web.people.identity import Caller
from web.push.audience import OPEN_PAGES, RUNNING_PAGES, Audience, audience, on_screen
from web.push.page_cache import DrawnPage, PageCache, event
from web.scene import Page

log = logging.getLogger(__name__)

HEARTBEAT = 10.0
PULSE = 2.0
"""How often it is looked who has come and gone, which lines are silent and which are not read from."""
BOARD_PULSE, SLOW_BOARD_PULSE = 0.1, 0.4
"""How often it is looked at the board's lamps while a screen mirrors them, and at its cursor otherwise."""
STALLED = 5.0
"""Seconds that a full line may take to be read from."""
A_PHONE, A_FULL_HOUSE, PHONES = 6, 128, 512
"""Streams of one guest or program, of all of them at one address, and of all of them."""
A_HOUSEHOLD, STRANGERS = 8, 128
"""Streams of the strangers of one address, and of all strangers."""

Receive = Callable[[], Awaitable[Any]]
Send = Callable[[Any], Awaitable[None]]
Drop = Callable[[], object]

HEADERS = [(b"content-type", b"text/event-stream; charset=utf-8"), (b"x-accel-buffering", b"no")]
START = {"type": "http.response.start", "status": 200, "headers": secured(HEADERS)}


class Stream:
    """One open page or program."""

    greeting = b"retry: 1000\n\n"
    """What is said first."""

    def __init__(self, caller: Caller) -> None:
        self.caller = caller
        self.ended = False
        self.sending = False
        """Whether something is on its way; for long only where nobody reads."""
        self.since = 0.0
        """When that was begun, or done."""
        self.last: DrawnPage | None = None
        """The last page sent, as all who see the same share it."""
        self._news = asyncio.Event()

    def wake(self) -> None:
        """There may be something to tell."""
        self._news.set()

    def end(self) -> None:
        """Enough: what goes on ends at the next opportunity, which is now."""
        self.ended = True
        self._news.set()

    async def sleep(self) -> None:
        """Until woken."""
        await self._news.wait()
        self._news.clear()

    async def tell(self, send: Send, news: bytes) -> None:
        """Send a part of an answer that goes on, as soon as there is room for it."""
        self.sending, self.since = True, time.monotonic()
        await send({"type": "http.response.body", "body": news, "more_body": True})
        self.sending = False

    @property
    def quiet(self) -> bool:
        """Whether nothing was to be told for so long that the line might seem dead."""
        return not self.sending and time.monotonic() - self.since > HEARTBEAT - PULSE

    @property
    def stalled(self) -> bool:
        """Whether nobody reads what was sent."""
        return self.sending and time.monotonic() - self.since > STALLED

    async def until_lost(self, receive: Receive, drop: Drop) -> None:
        """End when the other end has gone; whoever sends something where nobody reads is dropped."""
        while (heard := await receive())["type"] != "http.disconnect":
            if heard.get("body"):
                drop()
        self.end()


class PageStream(Stream):
    """A phone's page."""

    def __init__(self, caller: Caller, page: Page, seat: Seat | None, hold: str = "", game: str = "") -> None:
        super().__init__(caller)
        self.page, self.seat, self.hold, self.game = page, seat, hold, game
        # With what the forms of this phone carry: pages are pushed the same to all.
        self.greeting = Stream.greeting + event("token", caller.token.encode())
        self.audience: tuple[int, Audience] | None = None
        """Who looks at it, as of a version since which nobody has come, gone or moved to another seat."""
        self.strips: dict[str, list[str]] = {}
        """The colours of the lamps as this screen last heard of them."""
        self.lamps: bytes | None = None
        """An event about them that is still to be sent."""


class ProgramStream(Stream):
    """A program that follows a seat."""

    def __init__(self, caller: Caller, seat: Seat) -> None:
        super().__init__(caller)
        self.seat = seat
        self.table_version = 0


class Streams:
    """All open streams, and the small tasks that keep them alive."""

    def __init__(self, evening: Evening, demos: Demos, pages: PageCache) -> None:
        self._evening, self._demos, self._pages = evening, demos, pages
        self._open: dict[Stream, Drop] = {}
        self._phones: Shares[Stream] = Shares(A_PHONE, A_FULL_HOUSE, PHONES)
        self._strangers: Shares[Stream] = Shares(A_HOUSEHOLD, A_HOUSEHOLD, STRANGERS)
        self._loop: asyncio.AbstractEventLoop | None = None
        self._loop_thread = 0
        self._waking = False
        self._tasks: list[asyncio.Task[None]] = []
        self._shown: tuple[Any, ...] = ()
        evening.versions.watch(self._changed)
        demos.watch(self._changed)

    def begin(self) -> None:
        """Start living, in the running loop."""
        self._loop, self._loop_thread = asyncio.get_running_loop(), threading.get_ident()
        tasks: list[Callable[[], Coroutine[Any, Any, None]]] = [self._pulse, self._follow_board]
        self._tasks = [self._loop.create_task(task()) for task in tasks]

    def end(self) -> None:
        """Tell every stream to end; new ones end at once."""
        for task in self._tasks:
            task.cancel()
        for stream in self._open:
            stream.end()
        self._loop = None

    def _changed(self) -> None:
        """Something changed: everybody is woken, once. From any thread."""
        if self._loop is not None and not self._waking:
            self._waking = True
            if threading.get_ident() == self._loop_thread:
                self._loop.call_soon(self._wake)
            else:
                self._loop.call_soon_threadsafe(self._wake)

    def _wake(self) -> None:
        """Wake what most people look at first, the host's large desk last: nothing secret decides when."""
        self._waking = False
        sharing: dict[DrawnPage | None, list[Stream]] = {}
        for stream in sorted(self._open, key=_rank):
            sharing.setdefault(stream.last, []).append(stream)
        self._wake_next(iter(sharing.values()))

    def _wake_next(self, groups: Iterator[list[Stream]]) -> None:
        """Wake those who share a page; the next in another turn of the loop, which sends at its end."""
        if (group := next(groups, None)) is not None and self._loop is not None:
            for stream in group:
                stream.wake()
            self._loop.call_soon(self._wake_next, groups)

    # One stream

    def page_stream(
        self, caller: Caller, page: Page, seat: Seat | None, hold: str, game: str = ""
    ) -> PageStream:
        """The stream that a phone asks for, if it may see that page."""
        audience(self._evening, caller.guest, page, seat, caller.language, game=game)
        return PageStream(caller, page, seat, hold, game)

    async def serve(self, stream: Stream, receive: Receive, send: Send, drop: Drop = lambda: None) -> None:
        """Feed a stream until somebody has had enough; `drop` closes the line of whoever reads nothing."""
        with self._counted(stream, drop):
            lost = asyncio.ensure_future(stream.until_lost(receive, drop))
            try:
                await send(START)
                await stream.tell(send, stream.greeting)
                stream.wake()
                while not stream.ended:
                    await stream.sleep()
                    for news in self._news_of(stream):
                        await stream.tell(send, news)
                await send({"type": "http.response.body", "body": b""})
            finally:
                lost.cancel()

    def _news_of(self, stream: Stream) -> Iterator[bytes]:
        """What a stream has not yet been told; whoever may not have it any more loads the front page."""
        try:
            if isinstance(stream, PageStream):
                yield from self._page_news(stream)
            elif isinstance(stream, ProgramStream):
                yield from self._program_news(stream)
            if stream.quiet:
                yield b":\n\n"
        except Forbidden:
            yield event("go", b"/")
            stream.end()
        except Exception as fault:
            # The page stays as it was; the next change may be drawn again.
            failures.note(log, "a push failed", fault)

    def _page_news(self, stream: PageStream) -> Iterator[bytes]:
        if stream.page == "demo" and not self._demos.find(stream.game).ready:
            # Bots are playing it up to where it is shown; when they have, this stream is woken.
            return
        page = self._pages.pushed(self._audience_of(stream))
        if page is not stream.last and not stream.ended:
            before, stream.last = stream.last, page
            # Colours that were looked up before are those of another moment.
            stream.strips, stream.lamps = {}, None
            yield page.since(before)
        if stream.lamps is not None:
            yield stream.lamps
            stream.lamps = None

    def _audience_of(self, stream: PageStream) -> Audience:
        """Who looks at a page now."""
        if stream.audience is not None and stream.audience[0] == self._evening.versions.besides_moves:
            return stream.audience[1]
        guest = self._guest_now(stream.caller)
        to = audience(
            self._evening,
            guest,
            stream.page,
            stream.seat,
            stream.caller.language,
            hold=stream.hold,
            game=stream.game,
        )
        to = on_screen(to, stream.caller.own_screen)
        if stream.page != "play" or len(self._evening.guests.seats_of(guest.id)) < 2:
            # Of several seats that is shown which is to act, or has the phone in hand.
            stream.audience = self._evening.versions.besides_moves, to
        return to

    def _guest_now(self, caller: Caller) -> Any:
        """The guest as the book has them now; whoever left, or has another key since, is a stranger."""
        if caller.guest is None:
            return None
        guest = self._evening.guests.by_key(caller.guest.key)
        if guest is None:
            raise Forbidden("evening.join_first")
        return guest

    def _program_news(self, stream: ProgramStream) -> Iterator[bytes]:
        with self._evening.lock:
            self._check_still_theirs(stream)
            version, table = self._evening.versions.last_move, self._evening.table
            if stream.table_version == version or table.game is None:
                return
            shows = msgspec.json.encode(plain(table.view(stream.seat).shows))
        stream.table_version = version
        yield event("view", shows, version)

    def _check_still_theirs(self, stream: ProgramStream) -> None:
        """Seats change hands while streams are open."""
        if stream.caller.program is not None:
            theirs = self._evening.guests.seat_of_program(stream.caller.bearer or "") == stream.caller.program
        else:
            guest = self._guest_now(stream.caller)
            theirs = stream.seat == PUBLIC or self._evening.guests.may_speak(guest, stream.seat)
            theirs = theirs and stream.seat not in self._evening.shared_phones.shared(guest.id)
        if not theirs:
            raise Forbidden("evening.not_your_seat", seat=stream.seat)

    @contextmanager
    def _counted(self, stream: Stream, drop: Drop) -> Iterator[None]:
        """Count a stream while it is open, and say who is here."""
        caller = stream.caller
        shares = self._phones if caller.known else self._strangers
        if shares.full(caller.holder) or self._loop is None:
            raise Crowded("evening.too_many_streams")
        if (leaving := shares.add(stream, caller.holder, caller.household)) is not None:
            self._open[leaving]()
        self._open[stream] = drop
        self._presence(stream, 1)
        try:
            yield
        finally:
            self._open.pop(stream, None)
            shares.remove(stream)
            self._presence(stream, -1)

    def _presence(self, stream: Stream, by: int) -> None:
        if isinstance(stream, PageStream) and stream.page == "demo":
            self._demos.find(stream.game).looked_at(by)
        if (guest := stream.caller.guest) is not None:
            with self._evening.lock:
                (self._evening.presences.opened if by > 0 else self._evening.presences.closed)(guest.id)
                if by < 0 and isinstance(stream, PageStream):
                    # Whoever looked at this page looks no more.
                    self._evening.shared_phones.put_down(guest.id, stream.hold)
                self._evening.refresh()

    # What changes by itself

    async def _pulse(self) -> None:
        while True:
            await asyncio.sleep(PULSE)
            self._evening.refresh()
            for stream, drop in tuple(self._open.items()):
                if stream.stalled:
                    drop()
                elif stream.quiet:
                    stream.wake()

    async def _follow_board(self) -> None:
        """Show where the cursor goes, and to whoever looks at the table page the lamps as they move."""
        while True:
            screens = [s for s in self._open if isinstance(s, PageStream) and s.page == "table"]
            if (board := self._evening.board) is not None:
                try:
                    self._show_lamps(board, screens)
                except Exception as fault:
                    failures.note(log, "the board does not answer", fault)
                    await asyncio.sleep(PULSE)
            await asyncio.sleep(BOARD_PULSE if screens else SLOW_BOARD_PULSE)

    def _show_lamps(self, board: Board, screens: list[PageStream]) -> None:
        pointed = (board.pointer, board.peek, self._evening.doctor.look(), self._evening.check.look())
        if pointed != self._shown:
            self._shown = pointed
            self._evening.versions.bump()
        lamps = self._pages.scenes.lamps
        strips = lamps.strips() if screens and pointed[1] is None and lamps.followed() else {}
        for screen in screens:
            if strips and strips != screen.strips and screen.lamps is None:
                screen.strips, screen.lamps = strips, event("lamps", msgspec.json.encode({"strips": strips}))
                screen.wake()


def _rank(stream: Stream) -> int:
    """Open pages first, then players', then those of whoever runs the evening, then programs."""
    if not isinstance(stream, PageStream):
        return 3
    return 0 if stream.page in OPEN_PAGES else 2 if stream.page in RUNNING_PAGES else 1
