"""Lamps on the table page: nothing while the board is dark, and never more of them than hang there."""

from __future__ import annotations

import pytest

from web.games.phantom.board.gauge import LAMPS, gauge
from web.render.lamps import Lamp, board_lamp, strip_lamp
from web.scene import Lamps


def test_a_dark_board_shows_no_lamp_of_any_strip() -> None:
    """PS-80: eyes closed."""
    strips = {"board": ["ff8800"], "damage": ["ff8800"]}
    for shown in (board_lamp, lambda lamps, number: strip_lamp(lamps, "damage", number)):
        assert shown(Lamps(strips=strips), 1).fill
        assert shown(Lamps(strips=strips, dark=True), 1) == Lamp(1)
        assert shown(None, 1) == Lamp(1)


@pytest.mark.parametrize(
    ("goal", "value", "lit", "at"), [(45, 30, 30, 45), (60, 60, 60, 60), (61, 61, 30, 30), (90, 90, 45, 45)]
)
def test_a_goal_beyond_the_last_lamp_makes_each_worth_more(goal: int, value: int, lit: int, at: int) -> None:
    shown = gauge(value, goal, value)
    assert (shown.lit, shown.goal) == (lit, at)
    assert shown.last <= LAMPS
