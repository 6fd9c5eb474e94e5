"""Few turns; `make test-timing EACH=1000` for a measurement that sees less than a millisecond."""

from __future__ import annotations

import time
from pathlib import Path
from random import Random
from typing import Any

import pytest

from companion import games
from companion.games.canterville.actions import Pause
from tests.timing.judging import ALPHA, noticed, p_value, quick_p_value
from tests.timing.verdict import tried

FEW, FEWER, DELAY = 25, 15, 0.15
"""Turns of each kind, and seconds that are seen in so few of them on a machine that others use, too."""


def test_a_hunter_cannot_tell_by_the_time_whether_max_went_or_stayed(tmp_path: Path) -> None:
    trial = tried(tmp_path, FEW)
    assert not trial.found, trial.verdicts


def test_a_delay_is_found_in_the_answer_and_in_the_push(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    game = type(games.find("canterville"))
    honest = game.apply

    def slow(self: Any, state: Any, seat: str, action: Any) -> Any:
        if isinstance(action, Pause):
            time.sleep(DELAY)
        return honest(self, state, seat, action)

    monkeypatch.setattr(game, "apply", slow)
    assert tried(tmp_path, FEWER).found == {"answer", "push"}


def test_the_judge_sees_a_delay_and_nothing_where_there_is_none() -> None:
    chance = Random(1)
    one, other = ([chance.gauss(10, 1) for _ in range(60)] for _ in range(2))
    assert p_value(one, other, chance) > ALPHA
    assert p_value(one, [value + 1.5 for value in other], chance) <= ALPHA
    assert abs(quick_p_value(one, other) - p_value(one, other, chance)) < 0.05


def test_so_often_is_chance_alone_taken_for_a_delay_as_was_agreed() -> None:
    chance = Random(2)
    values = [
        quick_p_value(*([chance.random() for _ in range(30)] for _ in range(2))) <= 0.05 for _ in range(800)
    ]
    assert 0.02 < sum(values) / len(values) < 0.08


def test_more_turns_see_smaller_delays() -> None:
    chance = Random(3)
    few, many = ([chance.gauss(0.02, 0.002) for _ in range(n)] for n in (25, 400))
    seen_by_few, seen_by_many = noticed(few, chance), noticed(many, chance)
    assert seen_by_few is not None
    assert seen_by_many is not None
    assert seen_by_many < seen_by_few
