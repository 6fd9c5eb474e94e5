"""How a game ends."""

from __future__ import annotations

from random import Random

import pytest

from companion.contract import Result
from companion.games.phantom import GAME
from companion.games.phantom.actions import Lifted, Remove
from companion.refusals import Illegal
from tests.games.phantom.hotel import after, all_but, enter, hunt, new, play, position, room

GAME_S1 = (
    "p2 B3 6", "p3 B4 10", "p4 E3 16", "p1 E2 21", "p2 E6 27", "p3 E5 27", "p4 E4 31", "p1 B5 36",
    "p2 A3 39", "p3 C5 41", "p4 D4 42", "p1 F3 43", "p2 C3 44", "p3 D3 44", "p4 A2 46",
)  # fmt: skip
EXACTLY_45 = (
    "p2 B3 6", "p3 E4 10", "p4 E3 16", "p1 B5 21", "p2 E6 27", "p3 B6 33", "p4 B4 37", "p1 E2 42", "p2 A3 45",
)  # fmt: skip


def test_ghosts_win_with_overshoot() -> None:
    """PS-T13, PS-T21, PS-80: turn by turn, with the total after each."""
    state = hunt()
    for turn in GAME_S1:
        seat, where, total = turn.split()
        assert state.result is None
        state = play(state, f"{seat} {where}")
        assert state.damage == int(total)
    assert state.result == Result("ghosts", "damage")
    assert (state.phase, state.movers) == ("over", ())
    assert [ghost.revealed for ghost in state.ghosts] == [False, False, True, True]


def test_exactly_the_objective_is_enough() -> None:
    """PS-T15, PS-80, PS-Q11."""
    state = hunt()
    for turn in EXACTLY_45:
        seat, where, total = turn.split()
        state = play(state, f"{seat} {where}")
        assert state.damage == int(total)
    assert state.result == Result("ghosts", "damage")


def test_with_two_players_the_objective_is_50() -> None:
    """PS-T15, PS-92: the same removals do not end it; next is the hunter."""
    state = hunt(players=2)
    for turn in EXACTLY_45:
        seat, where, _ = turn.split()
        state = play(state, f"{'p2' if seat in ('p2', 'p4') else 'p1'} {where}")
    assert (state.damage, state.result, state.movers) == (45, None, ("p1",))
    assert play(state, "p1 B1", "p2 C2").result == Result("ghosts", "damage")


@pytest.mark.parametrize(("players", "objective"), [(2, 50), (3, 45), (4, 45)])
def test_the_objective_depends_on_the_players(players: int, objective: int) -> None:
    """PS-80, PS-90, PS-91, PS-92."""
    assert new(players=players).objective == objective
    assert new(players=players, objective=30).objective == 30


@pytest.mark.parametrize("objective", [0, 217, -5])
def test_an_objective_no_box_can_hold_is_refused(objective: int) -> None:
    """PS-80."""
    with pytest.raises(Illegal) as refusal:
        new(objective=objective)
    assert refusal.value.rule == "PS-80"


def test_hunters_win_when_all_four_are_found() -> None:
    """PS-81."""
    state = play(hunt(), "p2 A1", "p3 B2", "p4 C3", "p1 C4", "p2 E6", "p3 D3", "p2 F6")
    assert state.result is None
    state = play(state, "p1 E5")
    assert state.result == Result("hunters", "all_revealed")


def test_hunters_win_even_if_a_ghost_reveals_the_fourth() -> None:
    """PS-81, PS-Q8."""
    found = {"red": "C4 p4 found", "green": "D3 p4 found", "blue": "C3 p2", "white": "D4 p2"}
    state = enter(position("C4 D3", found))
    state = play(state, "p2 D4")
    assert state.result is None
    assert play(state, "p3 C3").result == Result("hunters", "all_revealed")
    last = enter(position("C4 D3 D4", {**found, "white": "D4 p2 found"}))
    assert after(last, "moderator", Lifted(room("C3"))).result == Result("hunters", "all_revealed")


def test_nothing_can_be_done_after_the_end() -> None:
    """PS-80: the game stops at once."""
    state = enter(position("A1", damage=44, to_act=["p3"]))
    state = play(state, "p3 A2")
    for seat in ("p1", "p2", "p3", "p4"):
        assert GAME.legal(state, seat) == []
        with pytest.raises(Illegal) as refusal:
            GAME.apply(state, seat, Remove(room("A3")))
        assert refusal.value.code == "illegal"


@pytest.mark.parametrize("players", [2, 3, 4])
@pytest.mark.parametrize("seed", range(10))
def test_every_game_ends_after_at_most_36_removals(players: int, seed: int) -> None:
    """PS-82: though the objective is out of reach and masters pass where they must."""
    chance, state = Random(seed), hunt(players=players, objective=216)
    while state.result is None:
        (seat,) = state.movers
        state = GAME.apply(state, seat, chance.choice(GAME.legal(state, seat)))[0]
    assert len(state.removed) <= 36
    assert state.result == Result("hunters", "all_revealed")


def test_an_objective_out_of_reach_ends_nothing() -> None:
    """PS-Q19: the table plays on; saying more would tell what hides under the last tiles."""
    state = enter(position(all_but("B2 C4 D3 E5 B3"), to_act=["p3"]))
    assert play(state, "p3 B3").result is None


def test_at_the_end_everything_is_shown() -> None:
    """PS-80: and every devastation can be checked."""
    state = play(hunt(), *(turn.rsplit(" ", 1)[0] for turn in EXACTLY_45))
    for seat in ("public", "host", "p1"):
        shown = GAME.view(state, seat).shows.ghosts
        assert {colour: ghost.room for colour, ghost in shown.items()} == {
            "blue": 8, "red": 16, "green": 21, "white": 29
        }  # fmt: skip
        assert {colour: ghost.owner for colour, ghost in shown.items()} == {
            "blue": "p2", "red": "p4", "green": "p4", "white": "p2"
        }  # fmt: skip
