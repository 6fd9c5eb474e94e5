"""The thread that plays for bots: when they act tells nothing, and one that fails stops nobody."""

import threading
import time
from collections.abc import Callable
from itertools import pairwise
from random import Random
from typing import Any

import pytest

from companion import bots
from companion.bots import Anything, Bot, Moment, Persona, pace
from companion.contract import Game, Seat, View
from companion.refusals import Illegal
from companion.table import Change
from tests.web.conftest import Running, hide
from tests.web.phones import PATIENCE, Phone, until
from tests.web.test_bots import OWNERS, ROOMS
from web.evening import bots as bot_players

SEATS = ("p1", "p2", "p3", "p4")
SECRET = " ".join(["red", "is", "in", "12"])


class Thinking(Bot):
    """Does anything, after a while."""

    def __init__(self, seconds: float) -> None:
        self.seconds = seconds

    def choose(self, moment: Moment) -> Any:
        time.sleep(self.seconds)
        return Anything().choose(moment)


class Failing(Bot):
    """Cannot choose, each time in another way."""

    def __init__(self) -> None:
        self.asked = 0

    def choose(self, moment: Moment) -> Any:
        self.asked += 1
        match self.asked % 4:
            case 0:
                raise RuntimeError(SECRET)
            case 1:
                return {"type": "remove", "room": 99}
            case 2:
                raise Illegal("companion.paused")
        return None

    def persona(self, view: View, fate: int) -> Persona | None:
        raise RuntimeError(SECRET)

    def consents(self, game: Game[Any], view: View) -> bool:
        raise RuntimeError(SECRET)


def seated(house: Running, monkeypatch: pytest.MonkeyPatch, levels: dict[str, Bot], **options: Any) -> Phone:
    """A hunt in which masters are bots of one level and hunters of another; it is held."""
    host, phones = house.host(), house.players("Ada", "Hamish", "Zoe", "Ian")
    house.start(host, **options)
    hide(phones, ROOMS, OWNERS)
    assert host.post("/host/pause").status == 200
    monkeypatch.setattr(bots, "load", lambda game, level: levels[level])
    for seat, level in zip(SEATS, ("easy", "normal") * 2, strict=True):
        assert host.post("/host/seat", seat=seat, bot=level).status == 200
    return host


def test_a_bot_acts_after_the_same_time_however_long_it_thinks(
    run: Callable[..., Running], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Hunters think for no time at all, masters nearly as long as they may."""
    moment = 1.0
    house = run(moment=moment)
    host = seated(house, monkeypatch, {"easy": Thinking(0.0), "normal": Thinking(0.8)})
    acted: list[tuple[float, Seat]] = []

    def note(change: Change) -> None:
        acted.append((time.monotonic(), house.evening.table.history()[-1].seat))

    assert host.post("/host/resume").status == 200
    house.evening.table.subscribe(note)
    end = time.monotonic() + 30
    while len(acted) < 6:
        assert time.monotonic() < end
        time.sleep(0.05)
    taken: dict[bool, list[float]] = {True: [], False: []}
    for (before, _), (after, mover) in pairwise(acted):
        taken[mover in ("p2", "p4")].append(after - before)
    assert min(*taken[True], *taken[False]) >= moment - 0.02
    assert abs(min(taken[True]) - min(taken[False])) < 0.3


def test_nobody_acts_before_the_time_that_a_bot_may_think_is_over() -> None:
    assert all(pace.delay(Random(n)) > pace.thinking() for n in range(100))


def test_a_bot_that_fails_does_anything_that_is_allowed_and_all_are_told_once(
    run: Callable[..., Running], monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    house = run(moment=0.001)
    failing = Failing()
    # With 6 a removal at most, four bots at least are asked: each way to fail comes once.
    host = seated(house, monkeypatch, {"easy": failing, "normal": failing}, **{"option-objective": 24})
    assert host.post("/host/resume").status == 200
    until(lambda: house.evening.stage == "result")
    assert failing.asked >= 4
    told = [one.facts["seat"] for one in house.evening.book.told if one.key == "evening.bot_failed"]
    assert sorted(told) == sorted(set(told))
    assert {"p2", "p3"} <= set(told)
    seen = host.get("/host").scene
    assert seen["characters"] == []
    says = [one["text"] for one in seen["says"]]
    assert any("has failed on seat 2" in text for text in says)
    assert "a bot failed" in caplog.text
    assert SECRET not in caplog.text


def test_a_bot_that_never_comes_to_an_end_holds_up_neither_the_others_nor_the_end(
    run: Callable[..., Running], monkeypatch: pytest.MonkeyPatch
) -> None:
    """It is waited for once, and then its seat is played at random; those that think go on as they are."""
    monkeypatch.setattr(bot_players, "PATIENCE", 0.5)
    house, morning = run(moment=0.001), threading.Event()
    asked: list[Seat] = []

    class Endless(Bot):
        def choose(self, moment: Moment) -> Any:
            asked.append(moment.view.seat)
            morning.wait()

    host = seated(house, monkeypatch, {"easy": Endless(), "normal": Anything()})
    assert host.post("/host/resume").status == 200
    try:
        until(lambda: len(house.evening.table.history()) > 12)
        told = {one.facts["seat"] for one in house.evening.book.told if one.key == "evening.bot_failed"}
        assert told == {"p1", "p3"}
        assert sorted(asked) == ["p1", "p3"]
        assert house.close() < PATIENCE / 3
    finally:
        morning.set()


def test_a_bot_that_cannot_say_whether_it_agrees_leaves_it_to_the_host(
    run: Callable[..., Running], monkeypatch: pytest.MonkeyPatch
) -> None:
    house = run(moment=60.0)
    host, phones = house.host(), house.players("Ada", "Hamish", "Zoe", "Ian")
    house.start(host)
    hide(phones, ROOMS, OWNERS)
    assert phones["p2"].post("/act", seat="p2", type="remove", room=2).status == 200
    monkeypatch.setattr(bots, "load", lambda game, level: Failing())
    for seat in ("p2", "p4"):
        assert host.post("/host/seat", seat=seat, bot="easy").status == 200
    assert phones["p3"].post("/act", seat="p3", type="remove", room=36).status == 200
    assert phones["p3"].post("/undo", seat="p3").status == 200
    assert host.get("/host").scene["undo"]["ask"] == ["p2", "p4"]
