"""Crowds at the door: whoever opens, sends or holds more than their share hurts nobody else."""

import asyncio
import contextlib
import random
import socket
import sys
import threading
import time
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from companion.clock import VirtualClock
from tests.web.conftest import Running
from tests.web.daemon import Daemon
from tests.web.phones import PATIENCE, Phone, until
from web.access import connections
from web.access.shares import Shares
from web.http.statuses import Crowded
from web.people.book_changes import A_HOUSEHOLD
from web.people.presence import Presences
from web.push import page_cache
from web.push.audience import Audience
from web.server.wsgi import STRANGERS_WAITING, WAITING, Threads

HOSTILE = "127.0.0.9"
linux = pytest.mark.skipif(sys.platform != "linux", reason="memory and files are counted as Linux tells them")


def head(port: int, path: str = "/", cookie: str | None = None) -> bytes:
    shown = f"Cookie: {cookie}\r\n" if cookie else ""
    return f"GET {path} HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\n{shown}\r\n".encode()


class Crowd:
    """Lines that somebody opens and keeps."""

    def __init__(self, port: int) -> None:
        self.port, self.lines = port, list[socket.socket]()

    def come(self, number: int, saying: bytes = b"", source: str = HOSTILE) -> None:
        for _ in range(number):
            line = socket.create_connection(("127.0.0.1", self.port), 5, (source, 0))
            self.lines.append(line)
            with contextlib.suppress(OSError):
                line.sendall(saying)

    def pour(self, data: bytes, seconds: float) -> int:
        """Send for some time, as fast as it is taken, and read nothing; so many bytes were taken."""
        for line in self.lines:
            line.setblocking(False)
        end, sent = time.monotonic() + seconds, 0
        while time.monotonic() < end and self.lines:
            for line in tuple(self.lines):
                try:
                    sent += line.send(data)
                except BlockingIOError:
                    time.sleep(0.001)
                except OSError:
                    self.lines.remove(line)
                    line.close()
        return sent

    def leave(self) -> None:
        for line in self.lines:
            line.close()
        self.lines.clear()


@pytest.fixture
def crowd() -> Iterator[Callable[[int], Crowd]]:
    crowds: list[Crowd] = []

    def gather(port: int) -> Crowd:
        crowds.append(Crowd(port))
        return crowds[-1]

    yield gather
    for each in crowds:
        each.leave()


def joined(daemon: Daemon, name: str, source: str = "127.0.0.1") -> Phone:
    return daemon.phone(source=source).join(daemon.code, name)


# Who gives way


def shares_by_hand(taken: list[tuple[int, str, str]], each: int, household: int, most: int) -> list[int]:
    """What the shares should keep, said as plainly as possible."""
    kept: list[tuple[int, str, str]] = []

    def most_of(of: list[tuple[int, str, str]], by: int) -> list[tuple[int, str, str]]:
        # Of two that have as many, the one that came first.
        names = [one[by] for one in of]
        name = max(dict.fromkeys(names), key=names.count)
        return [one for one in of if one[by] == name]

    for one in taken:
        theirs, near = [o for o in kept if o[1] == one[1]], [o for o in kept if o[2] == one[2]]
        if len(theirs) >= each:
            kept.remove(theirs[0])
        elif len(near) >= household:
            kept.remove(most_of(near, 1)[0])
        elif len(kept) >= most:
            kept.remove(most_of(most_of(kept, 2), 1)[0])
        kept.append(one)
    return [number for number, _, _ in kept]


def test_whoever_has_the_most_gives_way() -> None:
    chance = random.Random(1)
    for _ in range(100):
        homes = {f"phone {n}": f"home {chance.randrange(3)}" for n in range(8)}
        taken = [(n, holder, homes[holder]) for n, holder in enumerate(chance.choices(list(homes), k=60))]
        shares: Shares[int] = Shares(4, 7, 12)
        for number, holder, home in taken:
            shares.add(number, holder, home)
        assert len(shares) <= 12
        kept = [number for number, _, _ in taken if number in set(shares)]
        assert len(kept) == len(shares_by_hand(taken, 4, 7, 12))
        newest = taken[-1]
        assert newest[0] in kept


def test_an_honest_phone_keeps_its_line_beside_a_crowd_of_the_same_address_or_of_others() -> None:
    shares: Shares[str] = Shares(16, 256, 1024)
    for home in ("theirs", "elsewhere"):
        shares.add(f"honest at {home}", f"Ada at {home}", home)
    gone = {shares.add(f"{guest} {n}", f"guest {guest}", "theirs") for guest in range(40) for n in range(16)}
    assert {"honest at theirs", "honest at elsewhere"}.isdisjoint(gone)
    gone = {
        shares.add(f"{home} {n}", f"guest {home} {n % 9}", f"home {home}")
        for home in range(20)
        for n in range(300)
    }
    assert "honest at elsewhere" not in gone
    assert len(shares) == 1024


# Real lines


@linux
@pytest.mark.parametrize("lines", [1, 8])
def test_requests_sent_without_waiting_for_an_answer_take_no_memory(
    daemon: Callable[[], Daemon], crowd: Callable[[int], Crowd], lines: int
) -> None:
    running = daemon()
    ada = joined(running, "Ada")
    ada.get("/play")
    before = running.megabytes
    one = head(running.port)
    for flood in (one * 200, one[:-2] + b"X: " + b"a" * 600 + b"\r\n\r\n", b"GET / HTTP/2.0\r\n\r\n" * 500):
        many = crowd(running.port)
        many.come(lines)
        assert many.pour(flood, 1.0)
        assert ada.get("/play").status == 200
        assert running.megabytes < before + 40
        many.leave()
    assert "Traceback" not in running.said


def test_choosing_a_language_makes_nobody_known(house: Running, crowd: Callable[[int], Crowd]) -> None:
    stranger = house.phone(source=HOSTILE)
    stranger.post("/me", language="fr")
    assert stranger.cookie == "language=fr"
    many = crowd(house.port)
    many.come(3 * connections.A_HOUSEHOLD, head(house.port, "/watch", stranger.cookie))
    until(lambda: _open(many) <= connections.A_HOUSEHOLD)


def _open(crowd: Crowd) -> int:
    """Lines of a crowd that nobody has closed."""
    number = 0
    for line in crowd.lines:
        line.setblocking(False)
        try:
            while data := line.recv(65536):
                del data
        except BlockingIOError:
            number += 1
        except OSError:
            pass
    return number


def test_the_second_head_of_a_line_has_a_deadline_too_whoever_sends_it(
    house: Running, crowd: Callable[[int], Crowd], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(connections, "HEAD_SECONDS", 0.3)
    ada = house.guest("Ada")
    for cookie in (None, ada.cookie):
        many = crowd(house.port)
        many.come(1, head(house.port, "/healthz", cookie))
        line = many.lines[0]
        assert line.recv(65536).startswith(b"HTTP/1.1 200")
        line.sendall(b"GET /healthz HTT")
        line.settimeout(PATIENCE)
        begun = time.monotonic()
        with contextlib.suppress(ConnectionResetError):
            assert line.recv(100) == b""
        assert time.monotonic() - begun < PATIENCE / 3


def test_eight_full_addresses_shut_nobody_out(house: Running, crowd: Callable[[int], Crowd]) -> None:
    ada = house.guest("Ada")
    many = crowd(house.port)
    for n in range(10, 18):
        many.come(connections.A_HOUSEHOLD, source=f"127.0.0.{n}")
    assert ada.get("/play").status == 200
    assert house.phone(source="127.0.0.77").get("/healthz").status == 200
    assert house.guest("Zoe", source="127.0.0.78").stream("play").status == 200


@linux
def test_a_guest_who_joins_two_hundred_times_takes_neither_files_nor_streams_from_others(
    daemon: Callable[[], Daemon], crowd: Callable[[int], Crowd]
) -> None:
    running = daemon()
    ada, bert = joined(running, "Ada"), joined(running, "Bert", HOSTILE)
    assert bert.post("/seat/take", seat="p1").status == 200
    before = ada.stream("play")
    many = crowd(running.port)
    for n in range(200):
        puppet = running.phone(source=HOSTILE)
        refused = puppet.forge("/join", code=running.code, name=f"Puppet {n}", follow=False).status == 409
        assert n >= A_HOUSEHOLD - 1 or not refused
        many.come(6, head(running.port, "/events?page=watch", puppet.cookie))
    assert running.files < 400
    for phone in (ada, bert):
        stream = phone.stream("play")
        assert stream.status == 200
        assert stream.page()
        assert phone.get("/play").status == 200
    # The one that was open before them all is open still, and hears of what happens now.
    ada.post("/me", name="Ada of the long name")
    while "Ada of the long name" not in before.page():
        pass


def test_who_hangs_up_fills_no_log(
    house: Running, crowd: Callable[[int], Crowd], caplog: pytest.LogCaptureFixture
) -> None:
    many = crowd(house.port)
    for _ in range(40):
        many.come(1, head(house.port) * 7)
        many.lines.pop().close()
    many.come(20, b"\x16\x03\x01 no HTTP at all \r\n\r\n")
    assert house.phone().get("/healthz").status == 200
    assert caplog.records == []


def test_what_waits_is_bounded_and_more_is_turned_away_at_once() -> None:
    """Whoever asks and hangs up, again and again, fills no memory with what nobody will read."""
    held = threading.Event()

    def application(environ: dict[str, Any], start: Any) -> list[bytes]:
        held.wait(10)
        start("200 OK", [])
        return [b"here"]

    async def ask(known: bool) -> tuple[int, int]:
        held.clear()
        threads = Threads(application)
        crowd = [
            asyncio.create_task(threads.answer({}, "Ada" if known else f"s{n}", f"h{n}", known=known))
            for n in range(300)
        ]
        async with asyncio.timeout(5):
            while sum(task.done() for task in crowd) + STRANGERS_WAITING < len(crowd):
                await asyncio.sleep(0.01)
        turned_away = sum(isinstance(task.exception(), Crowded) for task in crowd if task.done())
        held.set()
        answered = await asyncio.gather(*crowd, return_exceptions=True)
        again = await threads.answer({}, "Ada", "home", known=known)
        assert again.status == 200, "the next one is taken in again"
        threads.close()
        return turned_away, sum(not isinstance(each, BaseException) for each in answered)

    assert asyncio.run(ask(known=False)) == (300 - STRANGERS_WAITING, STRANGERS_WAITING)
    assert asyncio.run(ask(known=True)) == (300 - WAITING, WAITING)


def test_who_left_for_good_and_looks_no_more_is_forgotten() -> None:
    presences = Presences(VirtualClock())
    for n in range(300):
        presences.heard(f"guest {n}")
    presences.opened("guest 7")
    presences.forget_all_but({"guest 8"})
    assert set(presences._heard) == {"guest 7", "guest 8"}
    presences.closed("guest 7")
    presences.forget_all_but({"guest 8"})
    assert set(presences._heard) == {"guest 8"}


def test_what_somebody_has_seen_who_left_for_good_is_forgotten(house: Running) -> None:
    zoe = house.guest("Zoe")
    for _ in range(3):
        house.guest("Ada").post("/leave")
    zoe.get("/play")
    house.evening.refresh()
    assert set(house.evening.seen_news._lines) == {guest.id for guest in house.evening.book.guests}


def test_drawn_pages_of_a_crowd_are_not_all_kept(house: Running) -> None:
    cache = house.house.page_cache
    for n in range(3 * page_cache.MOST_KEPT):
        cache.pushed(Audience("table", "en", code=f"{n}"))
    assert len(cache._kept) == page_cache.MOST_KEPT
