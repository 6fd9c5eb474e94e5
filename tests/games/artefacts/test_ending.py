"""How a game is won and lost."""

from __future__ import annotations

import pytest

from companion.contract import TABLE
from companion.games.artefacts import GAME
from companion.refusals import Illegal
from tests.games.artefacts.house import (
    COLOURS,
    act,
    acted,
    corridors,
    end_turn,
    enter,
    ghost,
    refused,
    tags,
    tile,
)

THREE_HOME = {"red": {"home": True}, "yellow": {"home": True}, "green": {"home": True}}
LAST = {**THREE_HOME, "blue": {"by": "blue"}}


def result(state):
    return (state.result.winner, state.result.reason) if state.result else None


def test_four_artefacts_on_the_cross_win_before_the_ghosts_move() -> None:
    """CFA-70, CFA-T19, CFA-Q25, CFA-Q38: although three ghosts stand on their arms."""
    ghosts = [ghost("red", (1, 0)), ghost("yellow", (0, -1)), ghost("green", (-1, 0))]
    state = enter(artefacts=LAST, pawns={"blue": (0, 2), "red": (4, 0)}, ghosts=ghosts)
    state, events = acted(state, "blue", "step", to=(0, 1))
    assert (result(state), state.phase, GAME.to_act(state)) == (("players", "home"), "over", ())
    assert tags(events) == ["stepped", "home", "over"]


def test_in_a_position_with_both_the_win_comes_first() -> None:
    """CFA-Q38: four artefacts at home and three ghosts in the centre."""
    home = {colour: {"home": True} for colour in ("blue", "red", "yellow", "green")}
    fled = [ghost(colour, (0, 0)) for colour in ("blue", "red", "green")]
    assert result(enter(artefacts=home, ghosts=fled)) == ("players", "home")


def test_a_table_may_want_all_pawns_on_the_cross() -> None:
    """CFA-Q25: the living ones."""
    there = {
        "artefacts": LAST,
        "pawns": {"blue": (0, 2), "red": (2, 0), "green": (-3, 0)},
        "life": {"green": 0},
    }
    state = act(enter({"win_needs_all_pawns_on_cross": True}, **there), "blue", "step", to=(0, 1))
    assert result(state) is None
    state = act(act(state, "blue", "end"), "red", "step", to=(1, 0))
    assert result(state) == ("players", "home")


def test_three_escaped_ghosts_lose() -> None:
    """CFA-71: at the third, at once; the fourth does not move any more."""
    ghosts = [ghost("blue", (0, 1)), ghost("red", (1, 0)), ghost("yellow", (0, -1)), ghost("green", (-4, 0))]
    state = enter(ghosts=ghosts)
    for colour in COLOURS[:3]:
        state = act(state, colour, "end")
    state, events = acted(state, "green", "end")
    assert result(state) == ("ghosts", "escaped")
    assert tags(events) == ["moved", "escaped"] * 3 + ["over"]


def test_a_death_without_a_chalice_loses_if_the_own_artefact_was_never_picked_up() -> None:
    """CFA-71, CFA-Q34."""
    doomed = {"life": {"blue": 1}, "pawns": {"blue": (0, 2)}, "ghosts": [ghost("red", (0, 2))]}
    none_left = {"gone": {"chalice": 3}}
    assert result(act(enter(**doomed, piles=none_left), "blue", "fight", ghost="red1", life=1)) == (
        "ghosts",
        "dead",
    )
    assert result(act(enter(**doomed), "blue", "fight", ghost="red1", life=1)) is None
    picked = {"blue": {"by": "blue"}}
    late = enter(**doomed, piles=none_left, artefacts=picked)
    assert result(act(late, "blue", "fight", ghost="red1", life=1)) is None


@pytest.mark.parametrize("where", ["used", "hand"])
def test_a_chalice_in_the_discard_or_in_a_living_hand_is_a_chance(where) -> None:
    """CFA-Q34: cards of the dead go to the discard, so a chalice of theirs counts too."""
    doomed = {"life": {"blue": 1}, "pawns": {"blue": (0, 2)}, "ghosts": [ghost("red", (0, 2))]}
    if where == "used":
        state = enter(**doomed, piles={"gone": {"chalice": 2}, "used": {"chalice": 1}})
    else:
        state = enter(**doomed, piles={"gone": {"chalice": 2}}, hands={"blue": ["chalice"]})
    assert result(act(state, "blue", "fight", ghost="red1", life=1)) is None


def test_the_last_chalice_used_for_one_may_lose_another() -> None:
    """CFA-71, CFA-Q34: two are dead without their artefacts and one chalice is left."""
    state = enter(life={"red": 0, "green": 0}, hands={"blue": ["chalice"]}, piles={"gone": {"chalice": 2}})
    assert result(act(state, "blue", "use", card="chalice", target="red")) == ("ghosts", "dead")


def test_when_nobody_lives_the_game_is_lost() -> None:
    """CFA-71, CFA-Q34: chalices or not."""
    state = enter(life={"blue": 1, "red": 0, "yellow": 0, "green": 0}, manor=corridors(tile((0, 2), "trap")))
    state = act(act(state, "blue", "step", to=(0, 2)), TABLE, "trap", card="wound")
    assert result(state) == ("ghosts", "dead")


def test_nobody_acts_after_the_end() -> None:
    """CFA-70."""
    state = act(enter(artefacts=LAST, pawns={"blue": (0, 2)}), "blue", "step", to=(0, 1))
    assert refused(state, "blue", "end").code == "illegal"
    assert GAME.legal(state, "blue") == []


def test_a_rematch_keeps_the_options_and_passes_the_marker() -> None:
    """CFA-15."""
    state = act(enter({"players": 2}, artefacts=LAST, pawns={"blue": (0, 2)}), "blue", "step", to=(0, 1))
    options = GAME.rematch(state)
    assert (options["players"], options["leader"]) == (2, "red")
    with pytest.raises(Illegal):
        GAME.rematch(end_turn(enter()))
