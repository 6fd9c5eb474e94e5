"""Games behind "Show me": their bots think where nobody waits for them."""

import threading
from collections.abc import Iterator
from typing import Any

import pytest
from msgspec.structs import replace

from companion import bots
from companion.bots import Anything, Bot, Moment
from tests.web.conftest import Running
from tests.web.phones import PATIENCE, Stream, until


class Slow(Bot):
    """Does anything, and takes its time where that is wanted."""

    def __init__(self) -> None:
        self.wanted = False
        self.thinking, self.go_on = threading.Event(), threading.Event()

    def choose(self, moment: Moment) -> Any:
        if self.wanted:
            self.thinking.set()
            assert self.go_on.wait(PATIENCE)
        return Anything().choose(moment)


@pytest.fixture
def slow(monkeypatch: pytest.MonkeyPatch, house: Running) -> Iterator[Slow]:
    """Every bot of this house."""
    bot = Slow()
    monkeypatch.setattr(bots, "load", lambda game, level: bot)
    yield bot
    bot.go_on.set()


def opened(house: Running, query: str = "page=demo&game=phantom") -> Stream:
    """A stranger's page."""
    phone = house.phone()
    phone.streams.append(Stream(phone, f"/events?{query}"))
    return phone.streams[-1]


def is_answered(house: Running) -> None:
    """Somebody else's page comes while the bot thinks, and so does a whole new one."""
    assert opened(house, "page=front").page()
    assert house.phone().get("/").status == 200


def test_nobody_waits_while_a_game_is_played_up_to_where_it_is_shown(house: Running, slow: Slow) -> None:
    slow.wanted = True
    shown = opened(house)
    assert slow.thinking.wait(PATIENCE)
    is_answered(house)
    slow.go_on.set()
    assert shown.scene()["legal"]


@pytest.mark.parametrize("does", ["help", "again"])
def test_nobody_waits_while_a_bot_thinks_for_the_visitor(house: Running, slow: Slow, does: str) -> None:
    shown = opened(house)
    before = shown.scene()
    demo = house.house.demos.find("phantom")
    slow.wanted = True
    asked = threading.Thread(target=demo.help if does == "help" else demo.begin)
    asked.start()
    assert slow.thinking.wait(PATIENCE)
    is_answered(house)
    # Whoever comes meanwhile is shown the game as it is.
    assert opened(house).scene()["history"] == before["history"]
    slow.go_on.set()
    asked.join()
    assert shown.scene()["history"] != before["history"]


def test_a_bot_whose_game_has_gone_on_without_it_does_nothing(house: Running, slow: Slow) -> None:
    demo = house.house.demos.find("phantom")
    demo.prepare()
    slow.wanted = True
    asked = threading.Thread(target=demo.help)
    asked.start()
    assert slow.thinking.wait(PATIENCE)
    demo.act([demo.table.legal(demo.seat)[0]])
    told, slow.wanted = len(demo.table.history()), False
    slow.go_on.set()
    asked.join()
    assert (len(demo.table.history()), demo.helped) == (told, False)


def test_bots_move_while_somebody_looks(house: Running, slow: Slow) -> None:
    demo = house.house.demos.find("phantom")
    demo.prepare()
    demo._shown = replace(demo._shown, pace=0.05)
    shown = opened(house)
    until(lambda: demo._looking)
    demo.help()
    slow.wanted = True
    slow.thinking.clear()
    assert slow.thinking.wait(PATIENCE)
    is_answered(house)
    slow.wanted = False
    slow.go_on.set()
    assert shown.until(lambda scene: scene["legal"])
