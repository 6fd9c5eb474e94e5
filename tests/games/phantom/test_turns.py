"""Whose turn it is, and who plays it."""

from __future__ import annotations

from typing import Any

import pytest

from companion.games.phantom import GAME
from companion.games.phantom.actions import Pass, Passed, Remove
from companion.games.phantom.state import State
from companion.refusals import Illegal, NotYourTurn
from tests.games.phantom.hotel import aims, all_but, enter, hunt, new, play, position, room, told

BLOCKED = position(all_but("B2 C4 D3"), {"white": "E5 p2 found"})
"""Three tiles left: p2's blue ghost sees none, p4's red and green see each other."""

DEAD = {"blue": "B2 p2 found", "white": "E5 p2 found"}
"""Both ghosts of p2 have been found."""


def seats_to_play(state: State, turns: int) -> list[str]:
    """Who plays the next turns, removing the first tile allowed."""
    seats = []
    for _ in range(turns):
        (seat,) = state.movers
        seats.append(seat)
        state = GAME.apply(state, seat, GAME.legal(state, seat)[0])[0]
    return seats


def refused(state: State, seat: str, action: Any) -> str | None:
    with pytest.raises(Illegal) as refusal:
        GAME.apply(state, seat, action)
    return refusal.value.rule


def roles(**options: Any) -> dict[str, str | None]:
    return {chair.seat: chair.role for chair in GAME.chairs(new(**options))}


def test_four_players_alternate_ghost_and_hunter_clockwise() -> None:
    """PS-10, PS-11, PS-40, PS-41, PS-90: partners sit opposite each other."""
    assert roles() == {"p1": "hunter", "p2": "master", "p3": "hunter", "p4": "master"}
    assert seats_to_play(hunt(), 8) == ["p2", "p3", "p4", "p1"] * 2


def test_with_three_players_the_hunter_plays_every_hunter_turn() -> None:
    """PS-91."""
    assert roles(players=3) == {"p1": "hunter", "p2": "master", "p3": "master"}
    assert seats_to_play(hunt(players=3), 8) == ["p2", "p1", "p3", "p1"] * 2
    assert new(players=3).objective == 45


def test_two_players_alternate() -> None:
    """PS-92."""
    assert roles(players=2) == {"p1": "hunter", "p2": "master"}
    assert seats_to_play(hunt(players=2), 6) == ["p2", "p1"] * 3
    assert new(players=2).objective == 50


@pytest.mark.parametrize(
    ("players", "first", "order"),
    [
        (4, "p4", ["p4", "p1", "p2", "p3"]),
        (4, "p2", ["p2", "p3", "p4", "p1"]),
        (3, "p3", ["p3", "p1", "p2", "p1"]),
    ],
)
def test_the_table_may_choose_the_first_master(players: int, first: str, order: list[str]) -> None:
    """PS-Q4: `first_master=chosen` with `first_seat`; the seating does the rest."""
    state = hunt(players=players, first_master="chosen", first_seat=first)
    assert seats_to_play(state, 4) == order


def test_the_first_master_is_left_of_the_first_hunter_by_default() -> None:
    """PS-Q4: p1 lays first, so p2 plays first."""
    assert hunt().movers == ("p2",)


@pytest.mark.parametrize(
    "options",
    [
        {"first_master": "chosen"},
        {"first_seat": "p2"},
        {"first_master": "chosen", "first_seat": "p1"},
        {"first_master": "chosen", "first_seat": "p9"},
    ],
)
def test_a_first_seat_that_is_no_master_is_refused(options: dict[str, str]) -> None:
    """PS-Q4."""
    with pytest.raises(Illegal) as refusal:
        new(**options)
    assert refusal.value.rule == "PS-Q4"


def test_nobody_plays_out_of_turn() -> None:
    """PS-40: one tile a turn, by the seat whose turn it is."""
    state = hunt()
    for seat in ("p1", "p3", "p4", "table", "moderator"):
        with pytest.raises(NotYourTurn):
            GAME.apply(state, seat, Remove(room("B3")))
    with pytest.raises(NotYourTurn):
        GAME.apply(play(state, "p2 B3"), "p2", Remove(room("A1")))


def test_a_hunter_may_not_pass() -> None:
    """PS-42, PS-Q21."""
    assert refused(play(hunt(), "p2 B3"), "p3", Pass()) == "PS-42"


def test_hunters_may_pass_where_the_table_agreed() -> None:
    """PS-Q21: `hunter_may_pass`."""
    state = play(hunt(hunter_may_pass=True), "p2 B3")
    assert GAME.legal(state, "p3")[0] == Pass()
    assert told(state, "p3", Pass()) == [Passed("p3")]
    after = play(state, "p3 pass")
    assert (after.movers, after.damage) == (("p4",), state.damage)


def test_a_master_who_reaches_a_tile_may_not_pass() -> None:
    """PS-42, PS-57."""
    assert refused(hunt(), "p2", Pass()) == "PS-57"


def test_a_master_who_reaches_nothing_passes() -> None:
    """PS-57, PS-Q2: passing is all he can do, and his partner does not replace him."""
    state = enter(BLOCKED)
    assert (state.movers, aims(state, "p2")) == (("p2",), "pass")
    assert refused(state, "p2", Remove(room("C4"))) == "PS-52"
    assert play(state, "p2 pass").movers == ("p3",)


def test_nothing_tells_of_a_pass_before_it_is_made() -> None:
    """PS-Q22: no automatic pass; the public view is that of a master with every choice."""
    blocked = enter(BLOCKED)
    swapped = {"white": "E5 p2 found", "red": "C4 p2", "blue": "B2 p4"}
    free = enter(position(all_but("B2 C4 D3"), swapped))
    assert aims(free, "p2") != "pass"
    for seat in ("public", "host", "p1", "p3"):
        assert GAME.view(blocked, seat) == GAME.view(free, seat)


def test_the_partner_may_play_for_a_blocked_master_where_the_table_agreed() -> None:
    """PS-Q2: `blocked_master=partner_plays`."""
    state = enter(BLOCKED, blocked_master="partner_plays")
    assert (state.movers, aims(state, "p4")) == (("p4",), "C4 D3")
    after = play(state, "p4 C4")
    assert (after.removed[-1].by, after.movers) == ("p4", ("p3",))


def test_a_blocked_master_passes_if_his_partner_is_blocked_too() -> None:
    """PS-Q2, PS-57."""
    board = position(all_but("B2 C4"), {"white": "E5 p2 found", "green": "D3 p4 found"})
    state = enter(board, blocked_master="partner_plays")
    assert (state.movers, aims(state, "p2")) == (("p2",), "pass")


def test_the_partner_plays_every_turn_of_a_master_without_ghosts() -> None:
    """PS-58, PS-Q2."""
    state = enter(position("B2 E5", DEAD))
    assert seats_to_play(state, 6) == ["p4", "p3", "p4", "p1", "p4", "p3"]
    assert play(state, "p4 C3").removed[-1].by == "p4"


def test_turns_of_a_master_without_ghosts_may_be_skipped() -> None:
    """PS-58, PS-Q2: `master_without_ghosts=skip_turn`."""
    state = enter(position("B2 E5", DEAD), master_without_ghosts="skip_turn")
    assert seats_to_play(state, 6) == ["p3", "p4", "p1", "p3", "p4", "p1"]


def test_the_partner_who_plays_on_may_have_to_pass() -> None:
    """PS-57, PS-58."""
    board = position(all_but("C4 D1"), {**DEAD, "green": "D1 p4"})
    state = enter(board)
    assert (state.movers, aims(state, "p4")) == (("p4",), "pass")


def test_who_owned_the_found_ghosts_shows_only_when_the_partner_plays() -> None:
    """PS-Q23, PS-121: the second find changes nothing but what is seen; the next ghost turn tells."""
    state = enter(position("B2", {"blue": "B2 p2 found"}, to_act=["p3"]))
    other = enter(position("B2", {"blue": "B2 p4 found", "green": "D3 p2"}, to_act=["p3"]))
    for turn in ("p3 E5", "p4 C3"):
        assert GAME.view(state, "public") == GAME.view(other, "public")
        state, other = play(state, turn), play(other, turn)
    assert state.movers == other.movers == ("p1",)
    state, other = play(state, "p1 A1"), play(other, "p1 A1")
    assert (state.movers, other.movers) == (("p4",), ("p2",))
    assert all(ghost.owner is None for ghost in GAME.view(state, "p1").shows.ghosts.values())


def test_a_found_ghosts_master_is_never_shown_to_hunters_before_the_end() -> None:
    """PS-121, PS-Q23."""
    state = play(hunt(), "p2 B3", "p3 E5")
    for seat in ("public", "host", "p1", "p3"):
        assert GAME.view(state, seat).shows.ghosts["white"].owner is None
    assert GAME.view(state, "p4").shows.ghosts["white"].owner == "p2"
