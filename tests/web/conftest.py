"""A whole daemon for each test, over real sockets."""

import secrets
import signal
import ssl
import threading
from collections.abc import Callable, Iterator
from itertools import count
from pathlib import Path
from typing import Any

import msgspec
import pytest

from companion import games, seals
from companion.contract import Seat
from tests.web import sketches
from tests.web.daemon import Daemon, port_that_stays_free
from tests.web.phones import PATIENCE, Phone
from web.evening import match, roles
from web.evening.seats import put_bot
from web.http.addresses import Names
from web.people import presence
from web.push.page_cache import Renderer
from web.server import server

LAYOUT = [
    [colour, value] for colour in ("blue", "red", "green", "white") for value in (1, 1, 2, 2, 3, 3, 4, 5, 6)
]


class Running:
    """A daemon in a thread, and phones that belong to it."""

    def __init__(self, folder: Path, renderer: Renderer, moment: float = 0.01, kit: str = "none") -> None:
        self.house = server.Daemon(folder, kit, renderer, moment)
        self.evening = self.house.evening
        self.sockets = server.listen("127.0.0.1", 0)
        self.port: int = self.sockets[0].getsockname()[1]
        self.phones: list[Phone] = []
        ready = threading.Event()
        self._thread = threading.Thread(
            target=server.serve,
            args=(self.house, self.sockets, Names("table.example"), ready.set, server.SecurePlace(0)),
        )
        self._thread.start()
        assert ready.wait(PATIENCE)

    def phone(self, **more: Any) -> Phone:
        phone = Phone(self.port, **more)
        self.phones.append(phone)
        return phone

    def secure_phone(self, **more: Any) -> Phone:
        """A phone that trusts this table's certificate, and speaks HTTPS."""
        secured, certificate = self.evening.addresses.secured, self.evening.certificate
        assert secured
        assert certificate
        trust = ssl.create_default_context(cadata=ssl.DER_cert_to_PEM_cert(certificate.root()))
        phone = Phone(secured.port, trust=trust, **more)
        self.phones.append(phone)
        return phone

    def guest(self, name: str, **more: Any) -> Phone:
        return self.phone(**more).join(self.evening.codes.table_code().code, name)

    def host(self, name: str = "Mrs Kerr") -> Phone:
        phone = self.phone()
        assert phone.post("/host", pin=self.evening.pin.shown, name=name).status == 200
        return phone

    def moderator(self, name: str = "Isla", phone: Phone | None = None) -> Phone:
        """Somebody who sees everything; whoever plays agrees to that."""
        phone = phone or self.phone()
        named = {} if phone.cookie else {"name": name}
        assert phone.post("/moderator", pin=self.evening.pin.shown, **named).status == 200
        while (asked := self.evening.moderator_request.pending) is not None:
            roles.agree(self.evening, min(asked.asked))
        return phone

    def players(self, *names: str) -> dict[Seat, Phone]:
        """Phones that have joined and sat down, clockwise."""
        seated = {}
        for seat, name in zip(("p1", "p2", "p3", "p4"), names, strict=False):
            seated[seat] = self.guest(name)
            assert seated[seat].post("/seat/take", seat=seat).status == 200
        return seated

    def plan(self, host: Phone, game: str = "", **fields: Any) -> None:
        """Choose a game, and what its page asks for, step by step."""
        if game:
            assert host.post("/host/plan", game=game).status == 200
        if left := self._asked(host, fields):
            assert host.post("/host/plan", **left).status == 200

    def start(self, host: Phone, game: str = "", empty: str = "", board: Any = LAYOUT, **fields: Any) -> None:
        """Choose the same and begin; a hotel lies already: masters hide next."""
        self.plan(host, game)
        if self.evening.book.plan.game == "phantom":
            fields = {"players": 4, **({"option-layout": board} if board else {}), **fields}
        left = self._asked(host, fields) | ({"empty": empty} if empty else {})
        answer = host.post("/host/start", **left)
        assert answer.status == 200, answer.text

    def _asked(self, host: Phone, fields: dict[str, Any]) -> dict[str, Any]:
        """Fill in what the page asks for, and look again; what it asks for in the end comes back.

        What is told on other pages, piece by piece, is set at once: the board, a box, the animals.
        """
        elsewhere = games.find(self.evening.book.plan.game).elsewhere
        told = {name: value for name, value in fields.items() if name.removeprefix("option-") in elsewhere}
        match.plan(
            self.evening,
            {name: value if isinstance(value, str) else _json(value) for name, value in told.items()},
        )
        left = {name: value for name, value in fields.items() if name not in told}
        while left:
            page = "/host" if host.get("/host").status == 200 else "/moderator"
            here = host.form(page, "/host/plan", id="plan").fields
            now = {name: value for name, value in left.items() if name in here}
            if len(now) in (0, len(left)):
                break
            assert host.post("/host/plan", **now).status == 200
            left = {name: value for name, value in left.items() if name not in now}
        return left

    def bot(self, *seats: Seat, level: str = "random") -> None:
        """Leave seats to a bot; pages offer none that plays at random."""
        for seat in seats:
            put_bot(self.evening, seat, level)

    def close(self) -> float:
        """Stop it; how long that took comes back."""
        import time

        begun = time.monotonic()
        self.evening.shutdown()
        self._thread.join(PATIENCE)
        taken = time.monotonic() - begun
        assert not self._thread.is_alive()
        for phone in self.phones:
            phone.close()
        self.house.close()
        return taken


def _json(data: Any) -> str:
    return msgspec.json.encode(data).decode()


@pytest.fixture
def run(tmp_path: Path) -> Iterator[Callable[..., Running]]:
    """Start daemons; each has a folder of its own unless told otherwise."""
    running: list[Running] = []

    def start(folder: str = "state", renderer: Any = sketches, **more: Any) -> Running:
        running.append(Running(tmp_path / folder, renderer, **more))
        return running[-1]

    yield start
    for each in running:
        if each._thread.is_alive():
            each.close()


@pytest.fixture
def house(run: Callable[..., Running]) -> Running:
    return run()


@pytest.fixture
def same_luck(monkeypatch: pytest.MonkeyPatch) -> Callable[[], None]:
    """Codes and ids that are the same on every daemon, and nobody falls asleep: pages can be compared."""

    def begin() -> None:
        numbers = count(1)
        monkeypatch.setattr(presence, "GRACE", float("inf"))
        monkeypatch.setattr(secrets, "choice", lambda letters: letters[0])
        monkeypatch.setattr(secrets, "token_hex", lambda size: f"{next(numbers):0{2 * size}x}")
        # What hides an entry in its seal is random; here it is not, so the entry must stay out of it.
        monkeypatch.setattr(seals, "next_seal", lambda before, entry, random: f"{random:0>64}")

    return begin


def hide(phones: dict[Seat, Phone], rooms: dict[str, int], owners: dict[str, Seat]) -> None:
    """Each master hides the ghosts given to him."""
    for ghost, room in rooms.items():
        seat = owners[ghost]
        answer = phones[seat].post("/act", seat=seat, type="hide", ghost=ghost, room=room)
        assert answer.status == 200, answer.text


@pytest.fixture
def daemon(tmp_path: Path) -> Iterator[Callable[[], Daemon]]:
    port = port_that_stays_free()
    daemons: list[Daemon] = []

    def start() -> Daemon:
        daemons.append(Daemon(tmp_path / "state", port))
        return daemons[-1]

    yield start
    for each in daemons:
        if each.process.poll() is None:
            each.end(signal.SIGKILL)
        for phone in each.phones:
            phone.close()
