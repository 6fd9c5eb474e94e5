"""Bots, map and hints by the line protocol."""

from __future__ import annotations

import pytest

from tests.headless.door import Door


@pytest.mark.parametrize("level", ["random", "easy", "normal", "strong"])
def test_a_bot_says_what_it_would_do_and_does_not_do_it(door: Door, level: str) -> None:
    door.hunt()
    before = door.ask("history")
    answer = door.ask("bot", seat="p2", level=level)
    assert answer["level"] == level
    assert answer["action"] in door.ask("legal", seat="p2")["actions"]
    assert door.ask("history") == before
    assert door.ask("bot", seat="p2", level=level, seconds=0.5)["ok"]


def test_a_level_that_does_not_exist_is_illegal_and_names_those_that_do(door: Door) -> None:
    door.hunt()
    error = door.ask("bot", seat="p2", level="genius")["error"]
    assert error["code"] == "illegal"
    assert "random, easy, normal, strong" in error["message"]


@pytest.mark.parametrize("seconds", [-1, "1", True])
def test_a_time_limit_is_a_number_of_seconds(door: Door, seconds: object) -> None:
    door.hunt()
    assert door.ask("bot", seat="p2", level="easy", seconds=seconds)["error"]["code"] == "malformed"


def test_a_hint_has_a_reason_in_the_language_that_was_asked_for(door: Door) -> None:
    door.hunt()
    hints = [door.ask("hint", seat="p2", language=language) for language in ("en", "fr", "de")]
    assert len({str(hint["action"]) for hint in hints}) == 1
    assert len({hint["because"] for hint in hints}) == 3
    assert hints[0]["because"].startswith("room ")


def test_a_hint_is_only_for_a_seat_that_is_to_act(door: Door) -> None:
    door.hunt()
    assert door.ask("hint", seat="p1")["error"]["code"] == "illegal"
    assert door.ask("hint", seat="p2", language="it")["error"]["code"] == "malformed"


def test_the_map_under_each_model_has_the_same_worlds_and_possible_rooms(door: Door) -> None:
    door.hunt()
    door.must("act", seat="p2", action={"type": "remove", "room": 9})
    maps = {model: door.ask("odds", model=model) for model in ("uniform", "careful", "human")}
    assert maps["uniform"] == door.ask("odds")
    assert len({each["worlds"] for each in maps.values()}) == 1
    assert len({tuple(each["possible"]) for each in maps.values()}) == 1
    assert len({str(each["rooms"]) for each in maps.values()}) == 3
    assert door.ask("odds", model="psychic")["error"]["code"] == "malformed"
