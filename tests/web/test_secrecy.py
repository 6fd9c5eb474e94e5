"""Secrecy on the wire: two tables that differ only in secrets look the same to everybody who may not know.

Everything that a hunter, the host, a spectator and the table's screen receive is compared byte by byte:
pages, headers, sizes, and every event of every stream. Only what is a phone's or a daemon's own is put aside.
"""

import re
from collections.abc import Callable
from typing import Any

import pytest

from tests.web import sketches
from tests.web.conftest import Running, hide
from tests.web.phones import Phone, Stream
from web.render import pages

OWNERS = {"blue": "p2", "red": "p2", "green": "p4", "white": "p4"}
ONE = {"blue": 1, "red": 12, "green": 25, "white": 36}
OTHER = {"blue": 8, "red": 18, "green": 19, "white": 28}

PUBLIC_MOVES = (("p2", 2), ("p3", 35), ("p4", 20), ("p1", 34), ("p2", 3), ("p3", 33))
"""Both tables allow these, and nobody is found by them."""


class Ears:
    """All that reaches the people who may not know: their streams, and the pages they load."""

    def __init__(self, house: Running, host: Phone, hunters: dict[str, Phone]) -> None:
        self.readers: dict[str, tuple[Phone, str]] = {
            "hunter": (hunters["p1"], "play"),
            "other hunter": (hunters["p3"], "play"),
            "host": (host, "host"),
            "spectator": (house.phone(), "watch"),
            "table": (house.phone(), "table"),
        }
        self.streams: dict[str, Stream] = {
            name: phone.stream(page) for name, (phone, page) in self.readers.items()
        }
        self.heard: dict[str, list[Any]] = {name: [] for name in self.readers}

    def listen(self, version: int) -> None:
        """Read every stream up to a version, and load every page again."""
        for name, stream in self.streams.items():
            while f"id: {version}\n".encode() not in stream.raw:
                stream.page()
            phone, page = self.readers[name]
            answer = phone.get(f"/{page}")
            self.heard[name].append((answer.status, sorted(answer.headers.items()), _aside(answer.text)))

    def everything(self) -> dict[str, Any]:
        return {name: (heard, _aside(self.streams[name].raw.decode())) for name, heard in self.heard.items()}


def _aside(text: str) -> str:
    """Without what is a phone's own: the token of its forms."""
    return re.sub(r"\b[0-9a-f]{32}\b", "token", text)


def evening(
    run: Callable[..., Running], name: str, renderer: Any, rooms: dict[str, int], tries: int
) -> dict[str, Any]:
    """One evening: ghosts in these rooms, the same public moves, and masters who also try what is illegal."""
    house = run(name, renderer=renderer)
    house.evening.addresses.move("http://192.168.1.7:8000")
    host = house.host()
    phones = house.players("Ada", "Hamish", "Zoe", "Jurgen")
    for master in ("p2", "p4"):
        phones[master].stream("play")
    house.start(host, **{"option-owners": '{"blue":"p2","red":"p2","green":"p4","white":"p4"}'})
    ears = Ears(house, host, phones)
    ears.listen(house.evening.versions.now)
    for ghost, room in rooms.items():
        hide(phones, {ghost: room}, OWNERS)
        ears.listen(house.evening.versions.now)
    for seat, room in PUBLIC_MOVES:
        for wrong in range(1, 1 + tries if seat in ("p2", "p4") else 1):
            _try_something_wrong(house, phones[seat], seat, wrong)
        answer = phones[seat].post("/act", seat=seat, type="remove", room=room)
        assert answer.status == 200, answer.text
        ears.listen(house.evening.versions.now)
    for name, stream in ears.streams.items():
        assert stream.raw, name
    everything = ears.everything()
    house.close()
    return everything


def _try_something_wrong(house: Running, master: Phone, seat: str, n: int) -> None:
    """An illegal choice: refused on his own phone, and nobody else is told that anything was tried."""
    before = house.evening.versions.now
    legal = {action["room"] for action in _legal(house, seat)}
    wrong = [room for room in range(1, 37) if room not in legal][n]
    answer = master.forge("/act", seat=seat, type="remove", room=wrong)
    assert answer.status == 409
    assert house.evening.versions.now == before


def _legal(house: Running, seat: str) -> list[dict[str, Any]]:
    from companion.contract import plain

    return [plain(action) for action in house.evening.table.legal(seat)]


@pytest.mark.parametrize("renderer", [sketches, pages], ids=["scenes", "pages"])
def test_tables_that_differ_in_secrets_alone_look_the_same_to_everybody_else(
    run: Callable[..., Running], same_luck: Callable[[], None], renderer: Any
) -> None:
    same_luck()
    one = evening(run, "one", renderer, ONE, tries=0)
    same_luck()
    other = evening(run, "other", renderer, OTHER, tries=3)
    for name in one:
        pages_one, stream_one = one[name]
        pages_other, stream_other = other[name]
        assert pages_one == pages_other, name
        assert stream_one == stream_other, name


def test_the_comparison_would_notice_a_secret(run: Callable[..., Running]) -> None:
    """The masters' own streams do differ: the test above is able to fail."""
    seen = []
    for name, rooms in (("one", ONE), ("other", OTHER)):
        house = run(name)
        host = house.host()
        phones = house.players("Ada", "Hamish", "Zoe", "Jurgen")
        house.start(host)
        hide(phones, rooms, OWNERS)
        seen.append(_aside(phones["p2"].get("/play").text))
        house.close()
    assert seen[0] != seen[1]
