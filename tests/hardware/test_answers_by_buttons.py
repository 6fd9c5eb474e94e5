"""The doctor is told a room by its row and its column button, on boards that are not square."""

from __future__ import annotations

import pytest

from companion.words import Saying
from hardware import kits
from hardware.doctor import Question, Visit


@pytest.mark.parametrize(
    ("said", "room"),
    [(("row1", "col6"), 6), (("row2", "col1"), 7), (("col3", "row9"), 51), (("room54",), 54), (("7",), 7)],
)
def test_a_room_is_told_by_two_buttons_in_any_order(said: tuple[str, ...], room: int) -> None:
    """Nine rows of six rooms, counted row by row."""
    visit = Visit(kits.load("castle-rows"))
    answer = visit._room(Question(Saying("hardware.ask_room", lamp=0), (), True))
    next(answer)
    for word in said[:-1]:
        answer.send(word)
    with pytest.raises(StopIteration) as told:
        answer.send(said[-1])
    assert told.value.value == room
