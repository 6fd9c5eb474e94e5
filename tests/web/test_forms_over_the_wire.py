"""However a form comes over the wire, it is done once and answered the same, with every guard."""

import re
import socket
import time
from collections.abc import Callable
from urllib.parse import urlencode

import pytest

from tests.web.conftest import Running
from tests.web.phones import PATIENCE, Phone

ROOMS = {"blue": 1, "red": 12}


def head(phone: Phone, form: str, *more: str, version: str = "1.1", host: str = "") -> str:
    lines = [
        f"POST /act HTTP/{version}",
        f"Host: {host or f'127.0.0.1:{phone.port}'}",
        f"Cookie: {phone.cookie}",
        "Content-Type: application/x-www-form-urlencoded",
        *(more or [f"Content-Length: {len(form)}"]),
    ]
    return "\r\n".join(lines) + "\r\n\r\n"


def hiding(phone: Phone, ghost: str, **more: str) -> str:
    action = {"seat": "p2", "type": "hide", "ghost": ghost, "room": ROOMS[ghost]}
    return urlencode({"csrf": phone.token(), **action, **more})


def whole(phone: Phone, form: str) -> list[str]:
    return [head(phone, form) + form]


def in_two(phone: Phone, form: str) -> list[str]:
    return [head(phone, form), form]


def in_pieces(phone: Phone, form: str) -> list[str]:
    text = head(phone, form) + form
    return [text[:30], text[30:-40], text[-40:-10], text[-10:]]


def in_chunks(phone: Phone, form: str) -> list[str]:
    return [head(phone, form, "Transfer-Encoding: chunked") + f"{len(form):x}\r\n{form}\r\n0\r\n\r\n"]


def for_the_last_time(phone: Phone, form: str) -> list[str]:
    return [head(phone, form, f"Content-Length: {len(form)}", "Connection: close") + form]


def announced(phone: Phone, form: str) -> list[str]:
    return [head(phone, form, f"Content-Length: {len(form)}", "Expect: 100-continue"), form]


def in_an_old_way(phone: Phone, form: str) -> list[str]:
    return [head(phone, form, version="1.0") + form]


def larger(phone: Phone, form: str) -> list[str]:
    return whole(phone, form + "&hold=" + "x" * 20_000)


def said(phone: Phone, parts: list[str], answers: int = 1) -> str:
    """All that comes back until so many answers are whole."""
    heard = b""
    with socket.create_connection(("127.0.0.1", phone.port), timeout=PATIENCE) as wire:
        for part in parts:
            wire.sendall(part.encode())
            time.sleep(0.02)
        while whole_answers(heard) < answers and (more := wire.recv(65536)):
            heard += more
    return heard.decode().removeprefix("HTTP/1.1 100 Continue\r\n\r\n")


def whole_answers(heard: bytes) -> int:
    """How many have come to their end; "continue" is none."""
    found = 0
    while b"\r\n\r\n" in heard:
        head, _, rest = heard.partition(b"\r\n\r\n")
        length = re.search(rb"content-length: (\d+)", head, re.IGNORECASE)
        body = int(length[1]) if length else 0
        if len(rest) < body:
            break
        found += not head.startswith(b"HTTP/1.1 100")
        heard = rest[body:]
    return found


@pytest.fixture
def master(house: Running) -> Phone:
    """A master who may hide two ghosts."""
    host, phones = house.host(), house.players("Ada", "Hamish", "Zoe", "Ian")
    house.start(host)
    return phones["p2"]


WAYS = [whole, in_two, in_pieces, in_chunks, for_the_last_time, announced, in_an_old_way, larger]
GUARDS = {
    "content-security-policy",
    "x-content-type-options",
    "referrer-policy",
    "cross-origin-opener-policy",
    "cross-origin-resource-policy",
    "x-frame-options",
    "cache-control",
}


@pytest.mark.parametrize("way", WAYS)
def test_however_a_form_comes_it_is_done_once_and_answered_with_all_guards(
    way: Callable[[Phone, str], list[str]], house: Running, master: Phone
) -> None:
    answer = said(master, way(master, hiding(master, "blue")))
    assert answer.startswith("HTTP/1.1 303")
    names = {line.partition(":")[0] for line in answer.split("\r\n\r\n")[0].split("\r\n")[1:]}
    assert names >= {"location", "content-length", *GUARDS}
    assert len(house.evening.table.history()) == 1


def test_two_forms_at_once_are_answered_one_after_the_other(house: Running, master: Phone) -> None:
    parts = [*whole(master, hiding(master, "blue")), *whole(master, hiding(master, "red"))]
    answer = said(master, ["".join(parts)], answers=2)
    assert re.findall(r"HTTP/1\.1 (\d+)", answer) == ["303", "303"]
    assert [line.action["type"] for line in house.evening.table.history()] == ["hide", "hide"]


def test_line_goes_on_after_an_answer(house: Running, master: Phone) -> None:
    with socket.create_connection(("127.0.0.1", master.port), timeout=PATIENCE) as wire:
        for ghost in ROOMS:
            wire.sendall(whole(master, hiding(master, ghost))[0].encode())
            assert wire.recv(65536).startswith(b"HTTP/1.1 303")
    assert len(house.evening.table.history()) == 2


def test_strangers_forgeries_and_foreign_names_are_refused(house: Running, master: Phone) -> None:
    form = hiding(master, "blue")
    forged = form.replace(master.token(), "0" * 32)
    stranger = Phone(master.port)
    stranger.cookie = "companion=nobody"
    foreign = head(master, form, host="evil.example") + form
    assert said(master, whole(master, forged)).startswith("HTTP/1.1 403")
    assert said(master, whole(stranger, form)).startswith("HTTP/1.1 403")
    assert said(master, [foreign]).startswith("HTTP/1.1 421")
    assert house.evening.table.history() == ()


def test_a_script_whose_stream_is_open_gets_no_page_twice(house: Running, master: Phone) -> None:
    """The answer says which version will be pushed, and nothing else; a refusal is told as ever."""
    stream = master.stream("play")
    before = stream.scene()["version"]
    hides = {"seat": "p2", "type": "hide", "ghost": "blue"}
    answer = master.post("/act", wants="pushed", room=1, **hides)
    assert (answer.status, answer.body) == (204, b"")
    pushed = int(answer.headers["x-companion-version"])
    assert pushed > before
    assert stream.until(lambda scene: scene["version"] >= pushed)
    refused = master.forge("/act", wants="pushed", room=20, **hides)
    assert refused.status == 409
