"""Pages of a manor in which somebody has died: the lamp of that seat is dark, and everything can be drawn."""

from __future__ import annotations

import re
from typing import Any

import pytest

from companion.contract import HOST, PUBLIC
from tests.conformance.walks import Walk
from tests.swapped.houses import House

OPTIONS = {"decks": "virtual"}


def with_somebody_dead() -> Any:
    """A moment at which one of the four has no life left, and the game goes on."""
    for seed in range(50):
        walk = Walk("artefacts", OPTIONS, seed)
        for moment in walk.moments:
            if moment.seat is not None and 0 in walk.game.view(moment.state, PUBLIC).shows.life.values():
                return moment.state
    raise AssertionError("nobody ever dies")


@pytest.mark.parametrize("language", ["en", "fr", "de"])
def test_every_page_can_be_drawn_and_the_lamp_of_the_dead_is_off(language: str) -> None:
    house = House("artefacts", OPTIONS, language)
    house.become(state := with_somebody_dead())
    for seat in (*(chair.seat for chair in house.table.chairs()), HOST):
        assert house.drawn(seat)
    drawn = house.drawn(PUBLIC)["table"].html().decode()
    turn = re.findall(r'<circle class="bulb( on)?"', drawn)[:4]
    lives = house.game.view(state, PUBLIC).shows.life
    assert turn.count("") == sum(not life for life in lives.values())
