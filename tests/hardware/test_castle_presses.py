"""Figures moved by the buttons of the board: where two of them could go, the board asks which."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from companion.picture import Pointer
from companion.refusals import Ambiguous
from tests.games.canterville.castles import SMALL, position
from tests.hardware.evening import TAP, Evening

FIGURES = {"a": 1, "b": 3, "c": 3}
"""h1 has a on 1 and b on 3, both one step from 2; h2 has c on 3."""


@pytest.fixture
def evening() -> Iterator[Evening]:
    with Evening() as opened:
        yield opened


def begun(evening: Evening, **figures: int) -> None:
    """h1's turn, with these figures."""
    told = position(phase="hunters", to_act=["h1"], room=43, shown=False, figures=figures or FIGURES)
    evening.table.new("canterville", {"castle": SMALL, "hunters": 2}, told)
    evening.wait(TAP)


def where(evening: Evening) -> dict[str, int]:
    return dict(evening.shows().figures)


def ask(evening: Evening, room: int) -> None:
    """Point at a room that two figures can reach, and press OK."""
    evening.point(room)
    with pytest.raises(Ambiguous, match="which of them goes to room"):
        evening.board.press("ok")
    evening.board.release("ok")
    evening.wait(TAP)


def test_the_board_asks_which_figure_and_ok_takes_the_one_that_blinks(evening: Evening) -> None:
    """GJ-50: the room pulses, one figure blinks, and only one."""
    begun(evening)
    ask(evening, 2)
    assert evening.board.pointer == Pointer(1, chosen=True, towards=2)
    glows = evening.table.picture(evening.board.pointer).rooms
    assert [room for room, glow in glows.items() if glow.effect == "blink"] == [1]
    assert glows[2].effect == "pulse"
    evening.tap("ok")
    assert where(evening) == {"a": 2, "b": 3, "c": 3}


def test_a_direction_offers_the_next_figure(evening: Evening) -> None:
    """GJ-Q12: in whatever order the player likes."""
    begun(evening)
    ask(evening, 2)
    evening.tap("right")
    assert evening.board.pointer == Pointer(3, chosen=True, towards=2)
    evening.tap("down")
    assert evening.board.pointer == Pointer(1, chosen=True, towards=2)
    evening.tap("left")
    evening.tap("ok")
    assert where(evening) == {"a": 1, "b": 2, "c": 3}


def test_back_takes_the_question_back(evening: Evening) -> None:
    begun(evening)
    ask(evening, 2)
    evening.tap("back")
    assert evening.board.pointer == Pointer(2)
    assert where(evening) == FIGURES


def test_a_question_is_void_when_somebody_has_moved_on_a_phone(evening: Evening) -> None:
    begun(evening)
    ask(evening, 2)
    evening.table.act("h1", {"type": "stay", "figure": "a"})
    evening.wait(TAP)
    assert evening.board.pointer == Pointer(2)
    evening.tap("ok")
    evening.tap("ok")
    assert where(evening) == {"a": 1, "b": 2, "c": 3}


def test_staying_and_walking_there_are_told_apart(evening: Evening) -> None:
    """GJ-50: figure a stays on 2, or figure b walks there."""
    begun(evening, a=2, b=3)
    ask(evening, 2)
    evening.tap("up")
    evening.tap("ok")
    assert where(evening) == {"a": 2, "b": 2}


def test_figures_that_stand_together_are_alike(evening: Evening) -> None:
    """GJ-Q13: nobody has to say which of them goes."""
    begun(evening, a=1, b=1)
    for _ in range(2):
        evening.point(2)
        evening.tap("ok")
        evening.tap("ok")
    assert where(evening) == {"a": 2, "b": 2}


def test_rows_and_columns_point_at_the_figure_itself() -> None:
    """A kit without directions: point at the figure that is meant, then OK."""
    with Evening("castle-rows") as evening:
        begun(evening)
        ask(evening, 2)
        evening.point(3)
        assert evening.board.pointer == Pointer(3, chosen=True, towards=2)
        evening.tap("ok")
        assert where(evening) == {"a": 1, "b": 2, "c": 3}


def test_a_sensing_board_tells_figures_apart_by_the_room_they_left() -> None:
    """Two that stood together are alike there, too."""
    with Evening("castle-sensing") as evening:
        begun(evening, a=1, b=1)
        evening.put(1)
        evening.lift(1)
        evening.put(2)
        assert sorted(where(evening).values()) == [1, 2]
