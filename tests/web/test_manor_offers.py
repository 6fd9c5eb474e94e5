"""What the manor's pages offer, and what its repairs ask for: straight from the functions, without a page."""

from __future__ import annotations

from typing import Any

import pytest

from companion.contract import MODERATOR, plain
from companion.games.artefacts import GAME
from companion.games.artefacts.options import POINTS
from companion.games.artefacts.state import State
from tests.games.artefacts.house import COLOURS, act, corridors, enter, ghost, shows, tile
from web import games
from web.games.artefacts import repairs
from web.games.artefacts.offers import Pick, choices
from web.games.artefacts.texts import artefacts_texts


def offered(state: State, seat: str) -> list[Pick]:
    """What a seat is offered, in English."""
    assert games.find("artefacts"), "whose words are there now"
    view = GAME.view(state, seat)
    legal = tuple(plain(action) for action in GAME.legal(state, seat))
    return list(choices(view.shows, legal, GAME.ahead(view), artefacts_texts("en")))


def test_which_ghost_goes_first_is_asked_by_name() -> None:
    """CFA-Q6: each choice names its own ghost, and no other."""
    pair = [ghost("blue", (1, 4)), ghost("blue", (-1, 4), n=2)]
    manor = corridors((1, 4), (-1, 4))
    state = act(enter(manor=manor, ghosts=pair, leader="red"), "blue", "end")
    picks = offered(state, "red")
    assert [(pick.at, "blue 1" in pick.what, "blue 2" in pick.what) for pick in picks] == [
        ((1, 4), True, False),
        ((-1, 4), False, True),
    ]


def test_a_teleporter_that_can_be_walked_to_is_offered_once_and_for_nothing() -> None:
    """CFA-42: two steps on foot, or none."""
    manor = corridors(tile((0, 2), "teleporter"), tile((0, 4), "teleporter"))
    picks = offered(enter(manor=manor, pawns={"blue": (0, 2)}), "blue")
    assert [pick.group for pick in picks if pick.at == (0, 4)] == ["teleport"]
    assert [pick.group for pick in picks if pick.at == (0, 3)] == ["step"]


OVER = {"life": dict.fromkeys(COLOURS, 0)}
"""All are dead, and nobody can be brought back."""


@pytest.mark.parametrize(
    ("fields", "expected"),
    [
        (
            {"fix": "hunter", "colour": "red", "at": "1,0", "life": "2"},
            {
                "phase": "acting",
                "points": POINTS,
                "pending": None,
                "pawns": {"red": (1, 0)},
                "life": {"red": 2},
                "hands": {"red": []},
            },
        ),
        (
            {
                "fix": "turn",
                "leader": "red",
                "phase": "acting",
                "active": "blue",
                "points": "1",
                "moves": "2",
            },
            {
                "phase": "acting",
                "points": 1,
                "pending": None,
                "leader": "red",
                "to_act": ["blue"],
                "moves": 2,
                "open": [],
            },
        ),
        (
            {"fix": "turn", "leader": "red", "phase": "building", "active": "blue"},
            {"phase": "building", "points": POINTS, "pending": None, "leader": "red", "to_act": ["blue"]},
        ),
    ],
)
def test_a_game_that_ended_by_mistake_goes_on_as_the_form_says(
    fields: dict[str, str], expected: dict[str, Any]
) -> None:
    """CFA-71: the hunters act on, unless the form itself says where the turn stands."""
    state = enter(**OVER)
    assert state.phase == "over"
    assert repairs.fixes(shows(state, MODERATOR), fields, state.options.box) == expected


def test_a_repair_of_a_game_that_goes_on_sets_nothing_else() -> None:
    state = enter()
    fields = {"fix": "hunter", "colour": "red", "at": "1,0", "life": "2"}
    assert repairs.fixes(shows(state, MODERATOR), fields, state.options.box).keys() == {
        "pawns",
        "life",
        "hands",
    }
