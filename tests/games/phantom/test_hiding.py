"""Hiding the four ghosts."""

from __future__ import annotations

from itertools import permutations
from typing import Any

import pytest

from companion.contract import Whisper, heard
from companion.games.phantom import GAME
from companion.games.phantom.actions import Hide, HuntBegan, Remove
from companion.games.phantom.state import State
from companion.refusals import Illegal, NotYourTurn
from tests.games.phantom.hotel import GHOSTS, OWNERS, after, hidden, hunt, name, new, play, room


def refused(state: State, seat: str, action: Any) -> str | None:
    with pytest.raises(Illegal) as refusal:
        GAME.apply(state, seat, action)
    return refusal.value.rule


def test_every_master_with_a_ghost_to_hide_may_act() -> None:
    """PS-10, PS-23, PS-24: both masters hide in any order, hunters do nothing."""
    assert new().movers == ("p2", "p4")
    with pytest.raises(NotYourTurn):
        GAME.apply(new(), "p1", Hide("blue", 8))


def test_a_ghost_hides_under_a_tile_of_its_own_colour() -> None:
    """PS-24: so no two ghosts can share a tile."""
    assert refused(new(), "p2", Hide("blue", room("D4"))) == "PS-24"
    blue = [action.room for action in GAME.legal(new(), "p2") if action.ghost == "blue"]
    assert [name(number) for number in blue] == ["A1", "A2", "A3", "B1", "B2", "B3", "C1", "C2", "C3"]


def test_there_is_one_ghost_of_each_colour() -> None:
    """PS-3."""
    assert {action.ghost for action in GAME.legal(new(), "p2")} == {"blue", "red", "green", "white"}


def test_hiding_a_free_ghost_claims_it_two_each() -> None:
    """PS-25, PS-Q15: any two colours, whatever tiles a master laid."""
    state = after(after(new(), "p2", Hide("blue", 1)), "p4", Hide("red", 4))
    assert refused(state, "p4", Hide("blue", 2)) == "PS-25"
    state = after(state, "p2", Hide("white", 36))
    assert state.movers == ("p4",)
    assert {action.ghost for action in GAME.legal(state, "p4")} == {"red", "green"}


def test_a_master_may_claim_no_third_ghost() -> None:
    """PS-25."""
    state = after(new(), "p2", Hide("blue", 1))
    state = after(state, "p2", Hide("white", 36))
    with pytest.raises(NotYourTurn):
        GAME.apply(state, "p2", Hide("red", 4))


def test_a_ghost_may_be_hidden_again_while_its_master_is_hiding() -> None:
    """PS-24."""
    state = after(new(), "p2", Hide("blue", 1))
    assert Hide("blue", 2) in GAME.legal(state, "p2")
    state = after(state, "p2", Hide("blue", 2))
    assert state.ghosts[0].room == 2
    assert state.movers == ("p2", "p4")


def test_one_master_of_two_players_hides_all_four() -> None:
    """PS-25, PS-92."""
    state = new(players=2)
    for colour, where in GHOSTS.items():
        assert state.movers == ("p2",)
        state = after(state, "p2", Hide(colour, room(where)))  # type: ignore[arg-type]
    assert (state.phase, state.movers) == ("playing", ("p2",))


@pytest.mark.parametrize("order", list(permutations(GHOSTS)))
def test_the_fourth_hidden_ghost_starts_the_hunt(order: tuple[str, ...]) -> None:
    """PS-26: whichever comes last, a ghost plays first."""
    state = new(owners=OWNERS)
    for number, colour in enumerate(order):
        assert state.phase == "hiding", number
        state, events = GAME.apply(state, OWNERS[colour], Hide(colour, room(GHOSTS[colour])))  # type: ignore[arg-type]
    assert (state.phase, state.movers) == ("playing", ("p2",))
    assert events[-1] == HuntBegan("p2")


def test_ghosts_dealt_beforehand_are_hidden_by_their_masters() -> None:
    """PS-25: with `owners` a master hides those."""
    state = new(owners=OWNERS)
    assert {action.ghost for action in GAME.legal(state, "p2")} == {"blue", "white"}
    assert refused(state, "p2", Hide("red", 4)) == "PS-25"


@pytest.mark.parametrize(
    "owners",
    [
        {**OWNERS, "blue": "p4"},
        {**OWNERS, "blue": "p1"},
        {"blue": "p2", "red": "p4"},
        dict.fromkeys(OWNERS, "p9"),
        {},
    ],
)
def test_owners_that_are_no_masters_or_not_two_each_are_refused(owners: dict[str, str]) -> None:
    """PS-25."""
    with pytest.raises(Illegal) as refusal:
        new(owners=owners)
    assert refusal.value.rule == "PS-25"


@pytest.mark.parametrize("number", [0, 37, -3])
def test_no_ghost_hides_outside_the_hotel(number: int) -> None:
    """PS-1, PS-24."""
    assert refused(new(), "p2", Hide("blue", number)) == "PS-1"


def test_ghosts_never_move() -> None:
    """PS-27: once the hunt is on, nobody hides again, and all stay where they are."""
    state = hunt()
    assert refused(state, "p2", Hide("blue", 1)) is None
    later = play(state, "p2 B3", "p3 B4", "p4 E3", "p1 E2")
    assert [ghost.room for ghost in later.ghosts] == [ghost.room for ghost in state.ghosts]


def test_only_masters_hear_where_a_ghost_hides() -> None:
    """PS-23, PS-24: nothing of it reaches a hunter, the host or the table."""
    _, told = GAME.apply(new(), "p2", Hide("blue", 1))
    assert heard(told, "p2") == heard(told, "p4") == heard(told, "moderator") != ()
    assert [heard(told, seat) for seat in ("p1", "p3", "public", "host")] == [()] * 4
    assert all(isinstance(each, Whisper) for each in told)


def test_own_only_keeps_a_hidden_ghost_from_the_partner() -> None:
    """PS-Q16: `masters_see_all_ghosts=own_only`."""
    state, told = GAME.apply(new(masters_see_all_ghosts="own_only"), "p2", Hide("blue", 1))
    assert heard(told, "p4") == ()
    assert GAME.view(state, "p4").shows.ghosts["blue"].room is None
    assert GAME.view(state, "p2").shows.ghosts["blue"].room == 1


def test_masters_see_all_ghosts_by_default() -> None:
    """PS-Q16."""
    state = after(new(), "p2", Hide("blue", 1))
    assert GAME.view(state, "p4").shows.ghosts["blue"].room == 1


def test_what_a_table_sees_does_not_depend_on_who_claims_what() -> None:
    """PS-Q15: no public default by seat or by tile colour."""
    one = hidden(new(), GHOSTS, OWNERS)
    other = hidden(new(), GHOSTS, {"red": "p2", "green": "p2", "blue": "p4", "white": "p4"})
    for seat in ("public", "host", "p1", "p3"):
        assert GAME.view(one, seat) == GAME.view(other, seat)


def test_nothing_is_removed_before_all_are_hidden() -> None:
    """PS-26."""
    assert refused(after(new(), "p2", Hide("blue", 1)), "p2", Remove(1)) is None
