"""Every form and the API, filled with anything by a stranger, a player and the host: no error of ours."""

from __future__ import annotations

import re
import secrets
from collections.abc import Callable, Iterator
from pathlib import Path
from random import Random
from typing import Any

import msgspec
import pytest

from companion.contract import plain
from tests.fuzz.test_core import ODD, mutated, seeds
from tests.web.conftest import Running
from tests.web.forms import Form, forms
from tests.web.phones import Phone
from web.render import pages
from web.server import server

PAGES = ("/", "/host", "/play", "/watch", "/table", "/moderator", "/lay", "/check", "/boxes", "/castles",
         "/kits", "/backup", "/welcome", "/demo", "/doctor")  # fmt: skip
VALUES = (
    "", "0", "-1", "1", "36", "99999999999999999999", "p1", "p2", "h1", "max", "blue", "host", "table",
    "phantom", "canterville", "artefacts", "easy", "../../etc/passwd", "{}", "[[]]", "null", "true", "\x00",
    "é" * 300,
    "\u202e", "x" * 20_000, "remove", "move", "%00", "<script>", "1e400", "NaN",
)  # fmt: skip
ENDS = {"/host/shutdown", "/host/off", "/host/rest"}
"""These end the daemon, as they should."""
ODD_METHODS = ("GET", "POST", "PUT", "DELETE", "HEAD", "OPTIONS", "PATCH")
OWN_FAULTS = {500, 501, 502, 504}
"""What we never answer. 503 is for crowds, 507 for a full disk: neither is expected here, either."""


class Fuzzer:
    """Three people at one table, and what they send."""

    def __init__(self, house: Running, rules: list[str]) -> None:
        self.house, self.rules = house, rules
        self.host = house.host()
        self.player = house.guest("Ada")
        self.stranger = house.phone(source="127.0.0.5")
        self.known: list[Form] = []
        self.statuses: dict[int, int] = {}

    @property
    def callers(self) -> tuple[Phone, ...]:
        return self.host, self.player, self.stranger

    def look(self) -> None:
        """The forms that these pages have now."""
        for phone in self.callers[:2]:
            for page in PAGES:
                answer = phone.get(page)
                self.judge(answer.status, page)
                self.known += [form for form in forms(answer.text) if form.action.startswith("/")]
        self.known = self.known[-300:]

    def step(self, chance: Random) -> None:
        """One request by somebody, in one of the ways there are."""
        phone = chance.choice(self.callers)
        how = chance.random()
        if how < 0.5 and self.known:
            self._form(phone, chance)
        elif how < 0.7:
            self._any_form(phone, chance)
        elif how < 0.85:
            self._api(phone, chance)
        elif how < 0.93:
            self._page(phone, chance)
        else:
            self._act(chance)

    def _form(self, phone: Phone, chance: Random) -> None:
        """One that a page has, with a few fields changed."""
        form = chance.choice(self.known)
        fields = {name: field.value or "" for name, field in form.fields.items() if name and name != "csrf"}
        for button in form.buttons[:1]:
            fields |= {button.name: button.value} if button.name else {}
        for _ in range(chance.randrange(3)):
            name = chance.choice([*fields, "seat", "type", "version"])
            fields[name] = chance.choice(VALUES)
        if chance.random() < 0.1 and fields:
            del fields[chance.choice(list(fields))]
        self._send(phone, form.action, fields)

    def _any_form(self, phone: Phone, chance: Random) -> None:
        """Any route, with fields of others."""
        names = [
            "seat",
            "type",
            "room",
            "version",
            "name",
            "pin",
            "code",
            "game",
            "players",
            "option-map",
            "key",
        ]
        fields = {name: chance.choice(VALUES) for name in chance.sample(names, chance.randrange(6))}
        self._send(phone, filled(chance.choice(self.rules), chance), fields)

    def _send(self, phone: Phone, path: str, fields: dict[str, Any]) -> None:
        if path.split("?")[0] in ENDS:
            return
        answer = phone.forge(
            path, follow=False, **{k: v for k, v in fields.items() if k not in ("path", "follow")}
        )
        self.judge(answer.status, f"POST {path} {fields}", answer.text if answer.status >= 500 else "")

    def _api(self, phone: Phone, chance: Random) -> None:
        action = mutated(
            {"seat": "p1", "action": {"type": "remove", "room": 1}, "version": 1, "as": "p2"}, chance
        )
        path = chance.choice(("act", "view", "legal", "lamps", "openapi.json", "nothing"))
        seat = chance.choice(("", "?seat=p1", "?seat=%00", "?seat=moderator", "?seat=" + "x" * 500))
        body = msgspec.json.encode(action) if chance.random() < 0.8 else chance.randbytes(40)
        headers = {"Content-Type": chance.choice(("application/json", "text/plain", ""))}
        method = chance.choice(ODD_METHODS) if chance.random() < 0.2 else "POST" if path == "act" else "GET"
        answer = phone.ask(method, f"/api/v1/{path}{seat}", body, headers)
        self.judge(answer.status, f"{method} {path}{seat} {body[:200]!r}")

    def _page(self, phone: Phone, chance: Random) -> None:
        path, odd = (
            filled(chance.choice((*PAGES, *self.rules)), chance),
            chance.choice(("", "?seat=p9&hold=x", "?game=%ff")),
        )
        if path.split("?")[0] not in ENDS and not path.startswith("/events"):
            method = chance.choice(ODD_METHODS[:1] * 6 + ODD_METHODS[2:])
            self.judge(phone.ask(method, path + odd).status, f"{method} {path}{odd}")

    def _act(self, chance: Random) -> None:
        """The game goes on beside it, so that other forms come up."""
        table = self.house.evening.table
        with table.lock:
            seats = table.standing().to_act if table.game else ()
            if seats and not table.paused and (choices := table.legal(seats[0])):
                table.act(seats[0], chance.choice(choices))

    def judge(self, status: int, what: str, text: str = "") -> None:
        """Whatever is refused is refused in words."""
        self.statuses[status] = self.statuses.get(status, 0) + 1
        assert status < 500, f"{status}: {what[:600]} {text[-300:]}"


def filled(rule: str, chance: Random) -> str:
    """A route's address with something in its gaps."""
    gap = chance.choice(("phantom", "1", "0", "x", "demo", "..", "%00", "joystick", "9999999999"))
    return re.sub(r"<[^>]*>", gap, rule)


def rules_of(house: server.Daemon) -> list[str]:
    """Every address that the application knows."""
    from web.people.identity import Callers
    from web.server.app import make_app
    from web.site.dispatch import Site

    app = make_app(
        Site(
            house.evening,
            house.demos,
            house.page_cache,
            Callers(house.evening.guests, house.evening.shared_phones),
        )
    )
    return sorted({rule.rule for rule in app.url_map.iter_rules() if not rule.rule.startswith("/static")})


GAMES: tuple[dict[str, Any], ...] = (
    {"game": "phantom", "players": 2},
    {
        "game": "canterville",
        "players": 2,
        "option-frames": '{"bats":2,"cats":2,"hedgehogs":2,"mice":2,"owls":2}',
    },
    {"game": "artefacts", "players": 2, "option-decks": "virtual"},
)


@pytest.fixture
def patient(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Guessing is not what this is about, so nobody has to wait."""
    from web.access.guess_limit import GuessLimit

    monkeypatch.setattr(GuessLimit, "guess", lambda *_: None)
    monkeypatch.setattr(secrets, "choice", Random(1).choice)
    return


def test_no_request_ends_in_an_error_of_ours_and_a_restart_works(
    run: Callable[..., Running], patient: None, caplog: pytest.LogCaptureFixture
) -> None:
    house = run(renderer=pages, kit="simulated", moment=0.01)
    fuzzer = Fuzzer(house, rules_of(house.house))
    for n, chance in enumerate(seeds()):
        if n % 50 == 0:
            fuzzer.host.forge("/host/abandon")
            fuzzer.host.forge("/host/start", empty="random" if n % 100 else "", **GAMES[n // 50 % 3])
            renew(fuzzer, chance)
            fuzzer.look()
        fuzzer.step(chance)
    assert "Traceback" not in caplog.text
    assert not [record for record in caplog.records if record.levelname in ("ERROR", "CRITICAL")]
    assert len(fuzzer.statuses) > 3
    table = house.evening.table
    known = plain(table.history()) if table.game else []
    house.close()
    again = run(renderer=pages, kit="simulated", moment=60.0)
    assert again.house.table.notices == []
    table = again.evening.table
    assert (plain(table.history()) if table.game else [])[: len(known)] == known
    assert again.phone().get("/watch").status == 200


def renew(fuzzer: Fuzzer, chance: Random) -> None:
    """Whoever gave away their part has it again."""
    house = fuzzer.house
    if fuzzer.host.get("/host").status != 200 or not fuzzer.host.cookie:
        fuzzer.host = house.phone()
        fuzzer.host.post("/host", pin=house.evening.pin.shown, name=f"Host {chance.random()}")
    if not fuzzer.player.cookie:
        fuzzer.player = house.guest(f"Ada {chance.random()}")
    seats = [chair.seat for chair in house.evening.chairs()]
    if seats:
        fuzzer.player.forge("/seat/take", seat=seats[0])


def test_an_error_of_ours_would_be_noticed(
    run: Callable[..., Running], monkeypatch: pytest.MonkeyPatch, patient: None
) -> None:
    house = run(renderer=pages)
    fuzzer = Fuzzer(house, rules_of(house.house))

    def broken(*_: object) -> None:
        raise RuntimeError("planted")

    monkeypatch.setattr("web.evening.match.plan", broken)
    with pytest.raises(AssertionError, match="500"):
        fuzzer._send(fuzzer.host, "/host/plan", {"game": str(ODD[-1])})


@pytest.fixture
def run(tmp_path: Path) -> Iterator[Callable[..., Running]]:
    """Daemons in threads, all on the same folder."""
    running: list[Running] = []

    def start(**more: Any) -> Running:
        running.append(Running(tmp_path / "state", **more))
        return running[-1]

    yield start
    for each in running:
        if each._thread.is_alive():
            each.close()
