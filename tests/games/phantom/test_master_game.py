"""The Master Game: sealed bids decide who the ghosts are, and a tournament counts several of them."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

from companion.contract import PUBLIC, TABLE, Result, heard, read_options
from companion.games.phantom import GAME
from companion.games.phantom.actions import Bid, BidsOpened, Drawn, Hide
from companion.games.phantom.options import PACKS
from companion.games.phantom.state import State
from companion.games.phantom.tournament import points, standing
from companion.refusals import Illegal, NotYourTurn
from tests.games.phantom.hotel import GHOSTS, LAYOUT, after, new, room


def bidding(**options: Any) -> State:
    """A laid board, p1's team with pack A."""
    return new(**{"master_game": True, "packs": {"p1": "A"}, **options})


def bids(a: int, b: int, **options: Any) -> State:
    """Both teams have bid: the one with pack A, then the one with pack B."""
    return after(after(bidding(**options), "p1", Bid(a)), "p2", Bid(b))


def finished(state: State) -> State:
    """The game played to its end by chance."""
    chance = Random(1)
    while not state.result:
        seat = state.movers[0]
        state = after(state, seat, chance.choice(GAME.legal(state, seat)))
    return state


def refused(state: State, seat: str, action: Any) -> str | None:
    with pytest.raises(Illegal) as refusal:
        GAME.apply(state, seat, action)
    return refusal.value.rule


def test_each_pack_makes_fifteen_bids() -> None:
    """PS-4, PS-102, PS-Q1: tens 30, 40 or 50, and five units, even in pack A and odd in pack B."""
    assert list(PACKS["A"]) == [tens + unit for tens in (30, 40, 50) for unit in (0, 2, 4, 6, 8)]
    assert list(PACKS["B"]) == [tens + unit for tens in (30, 40, 50) for unit in (1, 3, 5, 7, 9)]
    assert [bid.thousands for bid in GAME.legal(bidding(), "p1")] == list(PACKS["A"])
    assert [bid.thousands for bid in GAME.legal(bidding(), "p4")] == list(PACKS["B"])


@pytest.mark.parametrize(
    ("a", "b", "ghosts", "objective", "difference"),
    [
        (48, 37, ("p1", "p3"), 37, 11),
        (30, 31, ("p2", "p4"), 30, 1),
        (58, 31, ("p1", "p3"), 31, 27),
        (30, 59, ("p2", "p4"), 30, 29),
    ],
)
def test_the_higher_bid_gives_the_ghosts_and_the_lower_the_objective(
    a: int, b: int, ghosts: tuple[str, ...], objective: int, difference: int
) -> None:
    """PS-T17, PS-103, PS-105, PS-110."""
    state = bids(a, b)
    assert (state.masters, state.objective) == (ghosts, objective)
    over = finished(state)
    assert sorted(points(over).values()) == [0, difference]


@pytest.mark.parametrize(
    ("seat", "thousands"),
    [("p1", 45), ("p1", 60), ("p1", 28), ("p1", 29), ("p2", 40), ("p2", 60), ("p2", 29), ("p2", 61)],
)
def test_a_bid_the_cards_cannot_make_is_refused(seat: str, thousands: int) -> None:
    """PS-T17, PS-102."""
    assert refused(bidding(), seat, Bid(thousands)) == "PS-102"


@pytest.mark.parametrize(("seat", "thousands"), [("p2", 45), ("p1", 40)])
def test_bids_that_the_cards_can_make(seat: str, thousands: int) -> None:
    """PS-T17."""
    assert Bid(thousands) in GAME.legal(bidding(), seat)


def test_no_two_bids_can_be_equal() -> None:
    """PS-104."""
    assert not set(PACKS["A"]) & set(PACKS["B"])


def test_nobody_has_a_role_before_the_bids() -> None:
    """PS-100, PS-101, PS-Q13: the board is laid first, by alternating teams, p1 first."""
    state = GAME.start(GAME.options(master_game=True))
    assert state.phase == "placing"
    assert state.movers == ("p1",)
    assert all(chair.role is None for chair in GAME.chairs(state))
    assert GAME.view(state, "p1").shows.objective is None


def test_bids_may_come_before_the_board() -> None:
    """PS-Q13: `bid_timing=before_board`."""
    state = GAME.start(GAME.options(master_game=True, bid_timing="before_board", packs={"p1": "A"}))
    assert state.phase == "bidding"
    state = after(after(state, "p3", Bid(30)), "p4", Bid(31))
    assert (state.phase, state.movers, state.masters) == ("placing", ("p1",), ("p2", "p4"))


def test_packs_not_given_are_drawn_by_chance() -> None:
    """PS-101."""
    state = bidding(packs={})
    assert state.movers == (TABLE,)
    drawn = GAME.chance(state, Random(1))
    draws = [GAME.chance(state, Random(seed)) for seed in range(20)]
    assert all(draw in draws for draw in GAME.legal(state, TABLE))
    state = after(state, TABLE, drawn)
    assert state.movers == ("p1", "p2", "p3", "p4")
    assert sorted(state.packs.values()) == ["A", "B"]  # type: ignore[union-attr]
    with pytest.raises(NotYourTurn):
        GAME.apply(bidding(packs={}), "p1", Bid(30))


@pytest.mark.parametrize("packs", [{}, {"p1": "A", "p2": "A"}, {"p1": "A", "p3": "B"}, {"p9": "A"}])
def test_a_draw_gives_each_team_one_pack(packs: dict[str, Any]) -> None:
    """PS-101."""
    assert refused(bidding(packs={}), TABLE, Drawn(packs)) == "PS-101"


@pytest.mark.parametrize(
    "packs", [{"p1": "A"}, {"p3": "A"}, {"p2": "B"}, {"p4": "B"}, {"p1": "A", "p4": "B"}]
)
def test_one_given_pack_settles_the_other(packs: dict[str, str]) -> None:
    """PS-101."""
    assert bidding(packs=packs).packs == {"p1": "A", "p2": "B"}


@pytest.mark.parametrize("packs", [{"p1": "A", "p2": "A"}, {"p1": "A", "p3": "B"}, {"p7": "A"}])
def test_packs_that_contradict_each_other_are_refused(packs: dict[str, str]) -> None:
    """PS-101."""
    with pytest.raises(Illegal) as refusal:
        bidding(packs=packs)
    assert refusal.value.rule == "PS-101"


@pytest.mark.parametrize(
    ("options", "rule"),
    [
        ({"packs": {"p1": "A"}, "master_game": False}, "PS-101"),
        ({"objective": 40}, "PS-105"),
        ({"owners": {"blue": "p2", "red": "p2", "green": "p4", "white": "p4"}}, "PS-103"),
    ],
)
def test_what_the_bids_decide_cannot_be_given(options: dict[str, Any], rule: str) -> None:
    """PS-101, PS-103, PS-105."""
    with pytest.raises(Illegal) as refusal:
        bidding(**options)
    assert refusal.value.rule == rule


def test_one_bid_a_team_by_either_seat() -> None:
    """PS-102."""
    state = after(bidding(), "p3", Bid(30))
    assert state.movers == ("p2", "p4")
    with pytest.raises(NotYourTurn):
        GAME.apply(state, "p1", Bid(32))


def test_a_bid_is_sealed_until_both_are_in() -> None:
    """PS-102: only the own team hears and sees it."""
    state, told = GAME.apply(bidding(), "p3", Bid(30))
    assert [len(heard(told, seat)) for seat in ("p1", "p3", "p2", "p4", PUBLIC, "host")] == [1, 1, 0, 0, 0, 0]
    other = after(bidding(), "p1", Bid(58))
    for seat in ("p2", "p4", PUBLIC, "host"):
        assert GAME.view(state, seat) == GAME.view(other, seat)
        assert GAME.view(state, seat).shows.bids == {"p1": None, "p2": None}
    assert GAME.view(state, "p1").shows.bids == {"p1": 30, "p2": None}


def test_both_bids_open_at_once() -> None:
    """PS-103."""
    _, told = GAME.apply(after(bidding(), "p1", Bid(48)), "p4", Bid(37))
    assert heard(told, PUBLIC) == (BidsOpened({"p1": 48, "p2": 37}, ("p1", "p3"), 37),)


@pytest.mark.parametrize(
    ("a", "b", "order"), [(48, 37, ["p1", "p2", "p3", "p4"]), (30, 31, ["p2", "p3", "p4", "p1"])]
)
def test_the_lowest_numbered_master_plays_first(a: int, b: int, order: list[str]) -> None:
    """PS-105, PS-40, PS-Q4."""
    assert list(bids(a, b).order) == order


def test_two_players_bid_against_each_other() -> None:
    """PS-101, PS-92, PS-Q14: the bid is the objective, not 50."""
    state = bids(48, 37, players=2)
    assert (state.masters, state.hunters, state.objective) == (("p1",), ("p2",), 37)
    assert {hide.ghost for hide in GAME.legal(state, "p1")} == set(GHOSTS)


def test_a_single_player_who_wins_the_ghosts_leads_all_four() -> None:
    """PS-Q14: and the two hunters take turns."""
    state = bids(48, 37, players=3)
    assert (state.masters, state.movers) == (("p1",), ("p1",))
    for colour, where in GHOSTS.items():
        state = after(state, "p1", Hide(colour, room(where)))  # type: ignore[arg-type]
    assert state.order == ("p1", "p2", "p1", "p3")
    assert GAME.odds(GAME.view(state, PUBLIC)).worlds == 9**4
    assert finished(state).result is not None


def test_a_pair_of_three_that_wins_the_ghosts_plays_as_usual() -> None:
    """PS-Q14, PS-91."""
    assert bids(30, 31, players=3).order == ("p2", "p1", "p3", "p1")


# Tournaments


def tournament(played: int = 0, games: int = 3, **options: Any) -> State:
    running = {"games": games, "played": played, "points": {"p1": 5, "p2": 2}}
    return finished(bids(48, 37, tournament=running, **options))


def test_the_winner_of_the_game_scores_the_difference() -> None:
    """PS-110, PS-Q12: points add up over the games."""
    over = tournament()
    winner = "p1" if over.result == Result("ghosts", "damage") else "p2"
    now = standing(over)
    assert now is not None
    assert now.played == 1
    assert now.points == {"p1": 5, "p2": 2} | {winner: {"p1": 5, "p2": 2}[winner] + 11}


@pytest.mark.parametrize(
    ("to", "expected"), [("game_winner", {"p1": 0, "p2": 11}), ("ghosts_only_if_win", {"p1": 0, "p2": 0})]
)
def test_hunters_who_win_score_or_not_as_agreed(to: str, expected: dict[str, int]) -> None:
    """PS-Q12: `tournament_points_to`."""
    state = bids(48, 37, tournament_points_to=to)
    for colour, where in GHOSTS.items():
        state = after(state, state.movers[0], Hide(colour, room(where)))  # type: ignore[arg-type]
    hunters_won = finished_by_hunters(state)
    assert hunters_won.result == Result("hunters", "all_revealed")
    assert points(hunters_won) == expected


def finished_by_hunters(state: State) -> State:
    while not state.result:
        seat = state.movers[0]
        moves = GAME.legal(state, seat)
        hidden = [ghost.room for ghost in state.ghosts if not ghost.revealed]
        wanted = [move for move in moves if seat in state.hunters and move.room in hidden]
        state = after(state, seat, (wanted or list(moves))[0])
    return state


def test_ghosts_who_win_score_either_way() -> None:
    """PS-Q12."""
    for to in ("game_winner", "ghosts_only_if_win"):
        state = bids(48, 31, tournament_points_to=to)
        for colour, where in GHOSTS.items():
            state = after(state, state.movers[0], Hide(colour, room(where)))  # type: ignore[arg-type]
        while not state.result:
            seat = state.movers[0]
            hidden = [ghost.room for ghost in state.ghosts if not ghost.revealed]
            safe = [move for move in GAME.legal(state, seat) if getattr(move, "room", None) not in hidden]
            state = after(state, seat, safe[0])
        assert state.result == Result("ghosts", "damage")
        assert points(state) == {"p1": 17, "p2": 0}


def test_an_unfinished_game_scores_nothing() -> None:
    """PS-110."""
    assert points(bids(48, 37)) == {"p1": 0, "p2": 0}


def test_the_end_shows_the_tournament_with_this_game_counted() -> None:
    """PS-110: also after the last game, which has no next one."""
    over = tournament(played=2)
    shown = GAME.view(over, PUBLIC).shows.tournament
    assert (shown.played, sum(shown.points.values())) == (3, 18)


def test_packs_are_drawn_anew_or_swapped_as_agreed() -> None:
    """PS-Q12: `tournament_packs`."""
    assert "packs" not in GAME.rematch(tournament())
    assert GAME.rematch(tournament(tournament_packs="swap"))["packs"] == {"p1": "B", "p2": "A"}


def test_the_next_game_carries_the_points_on() -> None:
    """PS-110: same teams, a new board."""
    following = GAME.rematch(tournament())
    assert following["tournament"]["played"] == 1
    assert sum(following["tournament"]["points"].values()) == 18
    assert "layout" not in following
    assert GAME.start(GAME.options(**{**following, "tournament": standing(tournament())})).phase == "placing"


def test_a_tournament_has_the_agreed_number_of_games() -> None:
    """PS-110, PS-Q12."""
    with pytest.raises(Illegal) as refusal:
        GAME.rematch(tournament(played=2))
    assert refusal.value.rule == "PS-110"


def test_a_running_game_has_no_rematch() -> None:
    """PS-110."""
    with pytest.raises(Illegal):
        GAME.rematch(bids(48, 37))


def test_an_option_given_beside_a_preset_holds_in_the_next_game_too() -> None:
    """PS-110: the same people play by the same rules."""
    state = finished(new(preset="family", friendly_fire="legal"))
    following = GAME.rematch(state)
    assert read_options(GAME, following).friendly_fire == "legal"
    assert read_options(GAME, following).privacy == "learning"


@pytest.mark.parametrize(
    "options",
    [
        {"tournament": {"games": 3}},
        {"tournament": {"games": 3, "points": {"p3": 1}}, "master_game": True},
        {"tournament": {"games": 3, "played": 3}, "master_game": True},
    ],
)
def test_a_tournament_that_cannot_be_is_refused(options: dict[str, Any]) -> None:
    """PS-110."""
    with pytest.raises(Illegal) as refusal:
        new(**options)
    assert refusal.value.rule == "PS-110"


def test_the_layout_is_public_in_every_game() -> None:
    """PS-100."""
    assert [(tile.colour, tile.value) for tile in GAME.view(bidding(), PUBLIC).shows.rooms] == LAYOUT
