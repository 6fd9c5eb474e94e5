"""Single thoughts of bots, where a whole game would hardly show that one of them is wrong."""

from __future__ import annotations

import time
from itertools import repeat
from random import Random
from types import SimpleNamespace
from typing import Any

import pytest

from companion.bots import Moment
from companion.games.artefacts.bots.ground import stops
from companion.games.canterville.bots import memory
from companion.games.phantom.bots import ghosts


def test_the_time_to_think_is_no_time_of_day() -> None:
    """The Pi's clock may be years off; `until` is of the clock that only counts."""
    asked: dict[str, Any] = {"game": None, "view": None, "choices": (), "chance": Random(0)}
    assert Moment(**asked).in_time
    assert Moment(**asked, until=time.monotonic() + 60).in_time
    assert not Moment(**asked, until=time.monotonic() - 1).in_time


@pytest.mark.parametrize(
    ("power", "expected"),
    [(6, [1, 3, 4]), (5, [0, 2, 4]), (4, [0, 1, 3, 4]), (2, [0, 1, 2, 3, 4])],
)
def test_a_ghost_goes_two_tiles_from_power_six_on(power: int, expected: list[int]) -> None:
    """CFA-50, CFA-53, CFA-T3: it moves, and then it grows."""
    way = tuple((0, n) for n in range(5))
    assert stops(way, power) == [way[n] for n in expected]


def test_a_master_never_wrecks_the_tile_over_his_own_ghost() -> None:
    hunt: Any = SimpleNamespace(values={3: 6, 9: 1}, left=1)
    rated = ghosts.rate(hunt, "p2", (3, 9), {0: 3}, {}, (), 0, repeat(True))
    assert rated == {3: 0.0, 9: 2.0}


@pytest.mark.parametrize("sensible", [True, False])
def test_what_makes_no_sense_when_it_is_forgotten_comes_back_to_mind(
    sensible: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """GJ-53."""
    known: Any = SimpleNamespace(facts=("all", "of", "them"), options=None)
    monkeypatch.setattr(memory, "_kept", lambda facts, fate, forgets: iter(facts[:1]))
    monkeypatch.setattr(memory, "house", lambda options: None)
    monkeypatch.setattr(memory, "possible", lambda house, facts: sensible)
    assert memory.remembered(known, 7, 0.5) == (("all",) if sensible else known.facts)
    assert memory.remembered(known, 7, 0.0) == known.facts
