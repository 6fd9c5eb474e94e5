"""A living room: slow phones, crowds, power cuts, and an end that does not wait for anybody."""

import asyncio
import contextlib
import gc
import os
import re
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from itertools import count
from pathlib import Path

import pytest

from tests.web import sketches
from tests.web.conftest import Running, hide
from tests.web.daemon import Daemon
from tests.web.phones import PATIENCE, Phone
from web.access.connections import Connection
from web.push import streams
from web.scene import Page, Scene
from web.server import asgi

OWNERS = {"blue": "p2", "red": "p2", "green": "p4", "white": "p4"}
ROOMS = {"blue": 1, "red": 12, "green": 25, "white": 36}


NOW = Path("/proc/loadavg")


def allowed(seconds: float) -> float:
    """Time that something may take on this machine, whose cores may have more to do than these tests.

    The average of the last minute knows nothing of what has just begun: what runs now counts, too.
    """
    running = int(NOW.read_text().split()[3].partition("/")[0]) if NOW.exists() else 1
    return seconds * (1 + max(os.getloadavg()[0], running) / (os.cpu_count() or 1))


def silent_reader(phone: Phone, page: str) -> socket.socket:
    """A phone that asks for its stream and never reads a byte of it."""
    wire = socket.socket()
    wire.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 2048)
    wire.connect(("127.0.0.1", phone.port))
    head = (
        f"GET /events?page={page} HTTP/1.1\r\nHost: 127.0.0.1:{phone.port}\r\nCookie: {phone.cookie}\r\n\r\n"
    )
    wire.sendall(head.encode())
    return wire


class LargePages:
    """Pages as large as real ones can be."""

    render = staticmethod(sketches.render)

    @staticmethod
    def fragment(scene: Scene, page: Page) -> str:
        return sketches.fragment(scene, page) + "x" * 50_000


def test_phone_that_reads_nothing_delays_no_one_and_is_dropped(
    run: Callable[..., Running], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(streams, "STALLED", 0.5)
    house = run(renderer=LargePages)
    host = house.host()
    slow, quick = house.guest("Slow"), house.guest("Quick")
    with silent_reader(slow, "play"):
        stream = quick.stream("play")
        longest, latest = 0.0, time.monotonic() + allowed(10.0)
        for turn in count():
            begun = time.monotonic()
            host.post("/me", name=f"{turn:024}")
            stream.until(lambda scene: scene["version"] >= house.evening.versions.now)
            longest = max(longest, time.monotonic() - begun)
            if len(house.house.streams._open) == 1:
                break
            assert begun < latest, "the silent phone was never dropped"
    assert longest < allowed(1.0)


def test_five_hundred_connections_from_one_address_keep_nobody_out(house: Running) -> None:
    host = house.host()
    ada = house.guest("Ada")
    with contextlib.ExitStack() as crowd:
        for n in range(500):
            wire = crowd.enter_context(
                socket.create_connection(("127.0.0.1", house.port), 5, ("127.0.0.9", 0))
            )
            # Half of them say nothing, half begin a request that never ends.
            if n % 2:
                with contextlib.suppress(OSError):
                    wire.sendall(b"POST /join HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 9999\r\n\r\nco")
        begun = time.monotonic()
        assert ada.get("/play").status == 200
        stream = ada.stream("play")
        house.start(host, players=2)
        stream.until(lambda scene: scene["stage"] == "setup")
        assert house.guest("Zoe", source="127.0.0.3").get("/play").status == 200
        assert time.monotonic() - begun < allowed(2.0)


def test_in_a_crowd_of_strangers_the_oldest_gives_way(house: Running) -> None:
    with contextlib.ExitStack() as crowd:
        wires = [
            crowd.enter_context(socket.create_connection(("127.0.0.1", house.port), 5, ("127.0.0.9", 0)))
            for _ in range(80)
        ]
        with contextlib.suppress(ConnectionResetError):
            assert wires[0].recv(200) == b""
        wires[-1].sendall(f"GET /healthz HTTP/1.1\r\nHost: 127.0.0.1:{house.port}\r\n\r\n".encode())
        assert wires[-1].recv(200).startswith(b"HTTP/1.1 200")


def test_end_with_fifty_open_streams_takes_less_than_a_second(house: Running) -> None:
    phones = [house.guest(f"Guest {n}") for n in range(10)]
    opened = [phone.stream("play") for phone in phones for _ in range(5)]
    assert all(stream.status == 200 for stream in opened)
    for stream in opened:
        stream.page()
    assert house.close() < allowed(1.0)


def test_two_phones_acting_at_once_cannot_both_win(house: Running) -> None:
    host = house.host()
    phones = house.players("Ada", "Hamish")
    house.start(host, players=2)
    hide(phones, ROOMS, dict.fromkeys(ROOMS, "p2"))
    moderator = house.moderator("Referee")
    scene = phones["p2"].get("/play").scene
    rooms = [action["room"] for action in scene["legal"]["p2"][:2]]
    pages = {phone: phone.get(page) for phone, page in ((phones["p2"], "/play"), (moderator, "/moderator"))}
    answers: list[int] = []

    def tap(phone: Phone, **fields: object) -> None:
        answers.append(phone.post("/act", page=pages[phone], type="remove", **fields).status)

    taps = [
        threading.Thread(target=tap, args=(phones["p2"],), kwargs={"seat": "p2", "room": rooms[0]}),
        threading.Thread(
            target=tap, args=(moderator,), kwargs={"seat": "moderator", "as_": "p2", "room": rooms[1]}
        ),
    ]
    for each in taps:
        each.start()
    for each in taps:
        each.join()
    assert sorted(answers) == [200, 409]
    assert len(phones["p1"].get("/play").scene["shows"]["removed"]) == 1


def test_full_disk_refuses_the_change_and_nothing_is_half_done(
    house: Running, monkeypatch: pytest.MonkeyPatch
) -> None:
    ada = house.guest("Ada")

    def full(path: Path, data: bytes) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("web.people.guest_book.write_file", full)
    answer = ada.post("/seat/take", seat="p1")
    assert answer.status == 507
    assert answer.errors == ["not_saved"]
    assert not answer.scene["places"][0]["mine"]
    monkeypatch.undo()
    assert ada.post("/seat/take", seat="p1").scene["places"][0]["mine"]


def test_damaged_guest_book_is_put_aside_and_the_game_is_kept(
    run: Callable[..., Running], tmp_path: Path
) -> None:
    first = run("state")
    host = first.host()
    first.players("Ada", "Hamish")
    first.start(host, players=2)
    first.close()
    (tmp_path / "state" / "guests.json").write_bytes(b'{"book":1,"tab')
    second = run("state")
    assert second.evening.stage == "setup"
    assert second.evening.book.guests == ()
    assert (tmp_path / "state" / "guests.json.damaged-1").exists()


def test_page_that_fails_takes_nothing_with_it(house: Running, monkeypatch: pytest.MonkeyPatch) -> None:
    ada = house.guest("Ada")
    good = sketches.render

    def broken(*_: object) -> str:
        raise RuntimeError("room 14")

    monkeypatch.setattr(sketches, "render", broken)
    answer = ada.get("/play")
    assert answer.status == 500
    assert b"14" not in answer.body
    monkeypatch.setattr(sketches, "render", good)
    assert ada.get("/play").status == 200


def test_push_that_fails_leaves_the_stream_open_and_tells_the_log_no_secret(
    house: Running, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    stream = house.guest("Ada").stream("play")
    stream.page()
    good = sketches.fragment

    def broken(*_: object) -> str:
        raise RuntimeError(f"the blue ghost is in room {2 * 7}")

    monkeypatch.setattr(sketches, "fragment", broken)
    house.evening.versions.bump()
    _eventually(lambda: "a push failed" in caplog.text)
    assert "room 14" not in caplog.text
    monkeypatch.setattr(sketches, "fragment", good)
    house.evening.versions.bump()
    assert stream.page()


def _eventually(check: Callable[[], bool]) -> None:
    end = time.monotonic() + PATIENCE
    while not check():
        assert time.monotonic() < end, "it never came true"
        time.sleep(0.02)


def token_on(phone: Phone, path: str) -> str:
    found = re.search(r'name="csrf" value="([0-9a-f]{32})"', phone.get(path).text)
    assert found, "a page with a form has a token"
    return found[1]


def test_killed_daemon_comes_back_with_seats_and_game_and_phones_go_on_by_themselves(
    daemon: Callable[[], Daemon],
) -> None:
    import msgspec

    first = daemon()
    host, ada = first.phone(), first.phone()
    assert host.post("/host", pin=first.pin, name="Kerr").status == 200
    ada.join(first.code, "Ada")
    host.post("/host/plan", players=2)
    ada.post("/seat/take", seat="p2")
    assert host.post("/host/start").status == 200
    assert host.post("/lay/now").status == 200
    for ghost in ROOMS:
        actions = msgspec.json.decode(ada.ask("GET", "/api/v1/legal").body)["actions"]
        hides = next(action for action in actions if action["ghost"] == ghost)
        assert ada.post("/act", seat="p2", **hides).status == 200
    before = ada.ask("GET", "/api/v1/view").body
    first.end(signal.SIGKILL)

    second = daemon()
    assert ada.ask("GET", "/api/v1/view").body == before
    stream = ada.stream("play")
    assert stream.status == 200
    assert stream.page()
    legal = msgspec.json.decode(ada.ask("GET", "/api/v1/legal").body)["actions"]
    assert ada.post("/act", seat="p2", **legal[0]).status == 200
    assert host.get("/host").status == 200
    assert second.end(signal.SIGINT) < allowed(1.0)


def test_daemon_is_ready_in_about_a_second_and_ctrl_c_ends_it_cleanly(daemon: Callable[[], Daemon]) -> None:
    running = daemon()
    assert running.ready_after < allowed(2.0)
    strangers = [running.phone(source=f"127.0.0.{n}") for n in range(2, 9)]
    opened = [stranger.stream("watch") for stranger in strangers for _ in range(8)]
    assert [stream.status for stream in opened] == [200] * 56
    assert running.end(signal.SIGINT) < allowed(1.0)
    assert running.process.returncode == 0
    assert "Traceback" not in running.said


def test_second_daemon_on_the_same_state_says_so_and_leaves_it_alone(daemon: Callable[[], Daemon]) -> None:
    first = daemon()
    again = subprocess.run(
        [
            sys.executable,
            "-m",
            "companion",
            "serve",
            "--host",
            "127.0.0.1",
            "--port",
            "0",
            "--state",
            first.folder,
        ],
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert again.returncode == 1
    assert "another companion" in again.stderr
    status = subprocess.run(
        [sys.executable, "-m", "companion", "status", "--state", first.folder],
        capture_output=True,
        text=True,
        timeout=60,
        check=True,
    )
    assert first.pin in status.stdout


def test_head_without_an_end_is_not_listened_to(house: Running) -> None:
    with socket.create_connection(("127.0.0.1", house.port), timeout=PATIENCE) as line:
        line.sendall(b"GET / HTTP/1.1\r\nHost: table.example\r\n")
        with contextlib.suppress(ConnectionError):
            for number in range(1000):
                line.sendall(b"X-%d: %b\r\n" % (number, b"a" * 1000))
            # Not a word, and no waiting for the end of the head either.
            assert line.recv(100) == b""
    assert house.phone().get("/").status == 200


def test_small_pushes_wait_for_nobody(house: Running) -> None:
    """Otherwise a push would be held back until the phone has acknowledged the one before, up to 40 ms."""
    house.guest("Ada").stream("watch").page()
    lines = [each._transport for each in gc.get_objects() if isinstance(each, Connection)]
    wires = [line.get_extra_info("socket") for line in lines if line and not line.is_closing()]
    assert wires
    assert all(wire.getsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY) for wire in wires)


# Bodies


def asked(house: Running, head: str, body: bytes = b"", cookie: str = "") -> socket.socket:
    """A line on which somebody has sent so much, and keeps the rest."""
    line = socket.create_connection(("127.0.0.1", house.port), timeout=PATIENCE)
    cookie = f"Cookie: {cookie}\r\n" if cookie else ""
    line.sendall(f"{head}\r\nHost: 127.0.0.1:{house.port}\r\n{cookie}\r\n".encode() + body)
    return line


def told_until_closed(line: socket.socket) -> bytes:
    """Everything that is answered until the line is closed, which must not take long."""
    told = b""
    with line, contextlib.suppress(ConnectionError):
        while part := line.recv(4096):
            told += part
    return told


@pytest.mark.parametrize(
    "length",
    ["Content-Length: 10", "Content-Length: 1000000000000", "Transfer-Encoding: chunked"],
)
@pytest.mark.parametrize(
    "request_line",
    ["GET /events?page=watch", "GET /api/v1/events", "GET /healthz", "HEAD /healthz"],
)
def test_where_nothing_can_be_sent_a_body_is_refused_and_the_line_closed(
    house: Running, request_line: str, length: str
) -> None:
    """It would be swallowed for ever, and the daemon would not notice who hangs up."""
    told = told_until_closed(asked(house, f"{request_line} HTTP/1.1\r\n{length}"))
    assert told.startswith(b"HTTP/1.1 400")
    assert b"connection: close" in told.lower()
    assert not house.house.streams._open


def test_an_announced_body_of_nothing_is_no_body(house: Running) -> None:
    answer = house.phone().ask("GET", "/healthz", headers={"Content-Length": "0"})
    assert answer.status == 200


def test_a_stream_on_which_somebody_sends_all_the_same_is_dropped() -> None:
    dropped: list[str] = []
    heard = iter(
        [
            {"type": "http.request", "body": b"", "more_body": True},
            {"type": "http.request", "body": b"x", "more_body": True},
            {"type": "http.disconnect"},
        ]
    )

    async def receive() -> object:
        message = next(heard)
        assert len(dropped) == (message["type"] == "http.disconnect")
        return message

    stream = streams.Stream(None)  # type: ignore[arg-type]
    asyncio.run(stream.until_lost(receive, lambda: dropped.append("now")))
    assert stream.ended


@pytest.mark.parametrize("rest", [b"", b"x"], ids=["nothing more", "a byte now and then"])
@pytest.mark.parametrize(
    ("path", "seconds", "runs"),
    [("/join", "BODY_SECONDS", False), ("/backup/upload", "UPLOAD_SECONDS", True)],
)
def test_a_body_that_does_not_come_to_its_end_is_not_waited_for(
    house: Running, monkeypatch: pytest.MonkeyPatch, path: str, seconds: str, runs: bool, rest: bytes
) -> None:
    cookie = house.host().cookie if runs else ""
    monkeypatch.setattr(asgi, seconds, 0.4)
    begun = time.monotonic()
    line = asked(house, f"POST {path} HTTP/1.1\r\nContent-Length: 5000", b"begun", cookie)
    line.settimeout(0.1)
    told = b""
    with line, contextlib.suppress(ConnectionError):
        while time.monotonic() - begun < allowed(5):
            try:
                if not (part := line.recv(4096)):
                    break
                told += part
            except TimeoutError:
                line.sendall(rest)
    assert time.monotonic() - begun < allowed(4)
    assert told.startswith(b"HTTP/1.1 400")
    assert b"connection: close" in told.lower()


def test_whoever_may_not_upload_has_no_more_time_for_it(
    house: Running, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(asgi, "BODY_SECONDS", 0.2)
    cookie = house.guest("Ada").cookie
    line = asked(house, "POST /backup/upload HTTP/1.1\r\nContent-Length: 5000", b"begun", cookie)
    assert told_until_closed(line).startswith(b"HTTP/1.1 400")
