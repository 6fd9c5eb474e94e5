"""Streams: every open page gets its new fragment after each change. One asyncio thread owns them all.

A page is drawn once for all who see the same, and written straight to their lines; the page that most people
look at comes first. A stream has no queue: a line that is full is passed over, and gets what is true when it
has room again. So a slow phone misses nothing that still matters and holds up nobody; one that reads nothing
is dropped.
"""

from __future__ import annotations

import asyncio
import threading
from collections import Counter, defaultdict
from collections.abc import Awaitable, Callable, Coroutine, Iterable, Iterator
from contextlib import contextmanager
from time import monotonic
from typing import Any
from urllib.parse import parse_qs

import msgspec

from companion.board import Board
from companion.contract import PUBLIC, Seat, plain, read
from companion.refusals import Forbidden
from web import api, faults
from web.audiences import OPEN_PAGES, RUNNING_PAGES, Audience, audience, on_screen
from web.callers import Caller
from web.connections import Connection
from web.doors import neighbourhood
from web.evening.book import Book
from web.evening.demo import Demo
from web.evening.evening import Evening
from web.frames import Frame, Frames, event
from web.scene import Page
from web.statuses import Crowded

HEARTBEAT = 10.0
PULSE = 2.0
"""How often it is looked who has come and gone."""
BOARD_PULSE, SLOW_BOARD_PULSE = 0.1, 0.4
"""How often it is looked at the board's lamps while a screen mirrors them, and at its cursor otherwise."""
STALLED = 5.0
PATIENCE = 0.008
"""How long the answer to whoever changed something waits until the others have been told."""
A_PHONE, A_HOUSE, IN_ALL = 6, 8, 600
"""Streams of one guest, of the strangers of one address, and altogether."""

Setting = tuple[Book, tuple[Seat, ...]]
"""The guest book and the chairs: who sits where."""
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
        self.ended = False
        self.behind = False
        """Whether the line was full when there was something to tell."""
        self._over = asyncio.Event()
        self._line: Connection | None = None
        self._stalled: asyncio.TimerHandle | None = None

    async def until_over(self, line: Connection, room: Callable[[Stream], None]) -> None:
        """Follow a line until either side has had enough; `room` is called when there is room in it."""
        self._line = line
        line.follow(full=self._full, room=lambda: self._room(room), lost=self.end)
        room(self)
        await self._over.wait()
        self._line = None
        self._moving()

    def greeting(self) -> bytes:
        """What is said first."""
        return b"retry: 1000\n\n"

    def write(self, body: bytes) -> bool:
        """Send something, if there is room for it now."""
        self.behind = self._line is None or not self._line.push(body)
        return not self.behind

    def end(self) -> None:
        """Say goodbye at the next opportunity, which is now."""
        self.ended = True
        self._over.set()

    def _full(self) -> None:
        """It must read on in time: what is still in the pipe must not keep it open for ever."""
        if self._line is not None and self._stalled is None:
            self._stalled = asyncio.get_running_loop().call_later(STALLED, self._line.drop)

    def _room(self, room: Callable[[Stream], None]) -> None:
        self._moving()
        if self.behind and not self.ended:
            room(self)

    def _moving(self) -> None:
        if self._stalled is not None:
            self._stalled.cancel()
            self._stalled = None


class PageStream(Stream):
    """A phone's page."""

    def __init__(self, caller: Caller, page: Page, seat: Seat | None, hold: str = "") -> None:
        super().__init__(caller)
        self.page, self.seat, self.hold = page, seat, hold
        self.among: tuple[Setting, Audience] | None = None
        """Who looks at it, as long as the setting is this one."""
        self.last: Frame | None = None
        """The last page sent, as all who see the same share it."""
        self.strips: dict[str, list[str]] = {}
        """The colours of the lamps as this screen last heard of them."""

    def greeting(self) -> bytes:
        """With what the forms of this phone carry: pages are pushed the same to all."""
        return super().greeting() + event("token", self.caller.token.encode())


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
        self._thread = 0
        self._told = False
        self._news = asyncio.Event()
        self._tables = 0
        self._tasks: list[asyncio.Task[None]] = []
        self._shown: tuple[Any, ...] = ()
        self._all_told = threading.Event()
        self._all_told.set()
        self._chose: tuple[Seat, ...] = ()
        """The seats that had something to choose when everybody was last told."""
        self._told_of = (0, 0)
        """The versions of evening and demonstration that everybody has been told of."""
        frames.others_first = self._tell_others
        evening.watch(self._changed)
        demo.watch(self._changed)

    def begin(self) -> None:
        """Start living, in the running loop."""
        self._loop, self._thread = asyncio.get_running_loop(), threading.get_ident()
        tasks: list[Callable[[], Coroutine[Any, Any, None]]]
        tasks = [self._push, self._beat, self._pulse, self._follow_board]
        self._tasks = [self._loop.create_task(task()) for task in tasks]

    def end(self) -> None:
        """Tell every stream to end; new ones end at once."""
        for task in self._tasks:
            task.cancel()
        for stream in self._open:
            stream.end()
        self._loop = None
        self._all_told.set()

    # From any thread

    def _changed(self) -> None:
        """Something changed: everybody is told, once."""
        if self._loop is not None and not self._told:
            self._told = True
            self._all_told.clear()
            if threading.get_ident() == self._thread:
                self._news.set()
            else:
                self._loop.call_soon_threadsafe(self._news.set)

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

    async def serve(self, stream: Stream, connection: Connection, send: Send) -> None:
        """Feed one stream until somebody has had enough."""
        with self._counted(stream):
            connection.keep_open()
            await send(START)
            connection.push(stream.greeting())
            await stream.until_over(connection, self._tell)
            if connection.is_full:
                connection.drop()
            else:
                await send({"type": "http.response.body", "body": b""})

    async def _push(self) -> None:
        """Tell everybody after every change. Whatever else the loop has to do comes in between."""
        while True:
            await self._news.wait()
            self._news.clear()
            for _ in self._rounds():
                await asyncio.sleep(0)

    def _tell_others(self) -> None:
        """Before whoever changed something gets their answer everybody is told, as far as patience goes."""
        if threading.get_ident() != self._thread:
            self._all_told.wait(PATIENCE)
            return
        begun = monotonic()
        for _ in self._rounds():
            if monotonic() - begun > PATIENCE:
                break  # the rest is told right after

    def _rounds(self) -> Iterator[None]:
        """One audience after another is told: what most people look at first, the host's large desk last.

        Nothing secret decides when somebody else is told: neither what a page says nor how long it is.
        """
        now, self._told = (self._evening.version, self._demo.version), False
        if now != self._told_of:
            audiences, choosing = self._audiences(self._open), tuple(self._evening.choices)
            before, self._chose = self._chose, choosing
            for to in sorted(audiences, key=lambda to: (-len(audiences[to]), _rank(to, before, choosing))):
                self._show(to, audiences[to])
                yield
            for stream in list(self._open):
                if isinstance(stream, ProgramStream):
                    self._tell_program(stream)
            self._told_of = now
        if not self._told:
            self._all_told.set()

    def _tell(self, stream: Stream) -> None:
        """Tell one stream what it has not yet been told."""
        if isinstance(stream, ProgramStream):
            self._tell_program(stream)
        for to, streams in self._audiences([stream]).items():
            self._show(to, streams)

    def _audiences(self, streams: Iterable[Stream]) -> dict[Audience, list[PageStream]]:
        """Who sees the same page; whoever may no longer see theirs is sent away."""
        found = defaultdict(list)
        setting = self._evening.book, tuple([chair.seat for chair in self._evening.chairs()])
        for stream in list(streams):
            if isinstance(stream, PageStream) and not stream.ended:
                if stream.among is not None and stream.among[0] == setting:
                    found[stream.among[1]].append(stream)
                    continue
                with self._sent_away(stream):
                    found[self._audience(stream, setting)].append(stream)
        return found

    def _audience(self, stream: PageStream, setting: Setting) -> Audience:
        guest = self._now(stream.caller)
        to = audience(
            self._evening, guest, stream.page, stream.seat, stream.caller.language, hold=stream.hold
        )
        to = on_screen(to, stream.caller.own_screen)
        if stream.page != "play" or len(self._evening.seats_of(guest.id)) < 2:
            # Of several seats that is shown which is to act, or has the phone in hand.
            stream.among = setting, to
        return to

    def _show(self, to: Audience, streams: list[PageStream]) -> None:
        """Draw a page once, and send it to all of its audience that have not got it."""
        try:
            frame = self._frames.pushed(to)
        except Exception as fault:
            # The page stays as it was; the next change may be drawn again.
            faults.note("a push failed", fault)
            return
        told: dict[Frame | None, bytes] = {}
        for stream in streams:
            if frame is stream.last or stream.ended:
                continue
            if stream.last not in told:
                told[stream.last] = frame.since(stream.last)
            if stream.write(told[stream.last]):
                stream.last = frame

    @contextmanager
    def _sent_away(self, stream: Stream) -> Iterator[None]:
        """Whoever may not have what they ask for loads the front page."""
        try:
            yield
        except Forbidden:
            stream.write(event("go", b"/"))
            stream.end()
        except Exception as fault:
            faults.note("a push failed", fault)

    def _now(self, caller: Caller) -> Any:
        """The guest as the book has them now; whoever left is a stranger."""
        if caller.guest is None:
            return None
        guest = self._evening.guest(caller.guest.id)
        if guest is None:
            raise Forbidden("evening.join_first")
        return guest

    def _tell_program(self, stream: ProgramStream) -> None:
        with self._sent_away(stream), self._evening.lock:
            self._check_still_theirs(stream)
            version, table = self._evening.table_version, self._evening.table
            if stream.table_version != version and table.game is not None:
                shows = msgspec.json.encode(plain(table.view(stream.seat).shows))
                if stream.write(event("view", shows, version)):
                    stream.table_version = version

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

    async def _beat(self) -> None:
        """Keep quiet lines open."""
        while True:
            await asyncio.sleep(HEARTBEAT)
            for stream in self._open:
                if not stream.behind:
                    stream.write(b":\n\n")

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
        lit = event("lamps", msgspec.json.encode({"strips": strips}))
        for screen in screens:
            if strips and strips != screen.strips and not screen.behind and screen.write(lit):
                screen.strips = strips


def _rank(to: Audience, before: tuple[Seat, ...], now: tuple[Seat, ...]) -> int:
    """Open pages first, then players', then those of whoever runs the evening.

    Of a player who chose something, or who has to now, most of the page is new: that takes longer.
    """
    if to.page in OPEN_PAGES:
        return 0
    return 4 if to.page in RUNNING_PAGES else 3 if to.seat in now else 2 if to.seat in before else 1
