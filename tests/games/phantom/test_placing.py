"""Laying the 36 tiles."""

from __future__ import annotations

from collections import Counter
from random import Random
from typing import Any

import msgspec
import pytest

from companion.contract import read_options
from companion.games.phantom import GAME
from companion.games.phantom.actions import Place
from companion.games.phantom.state import State
from companion.refusals import Illegal, Malformed, NotYourTurn
from tests.games.phantom.hotel import LAYOUT, QUARTER, after, new


def empty(**options: Any) -> State:
    return GAME.start(read_options(GAME, options))


def laid_at_random(state: State, seed: int = 1) -> tuple[State, list[tuple[str, Place]]]:
    chance, moves = Random(seed), []
    while state.phase == "placing":
        (seat,) = state.movers
        action = chance.choice(GAME.legal(state, seat))
        moves.append((seat, action))
        state = after(state, seat, action)
    return state, moves


def refused(state: State, seat: str, action: Any) -> str | None:
    with pytest.raises(Illegal) as refusal:
        GAME.apply(state, seat, action)
    return refusal.value.rule


def test_four_players_lay_nine_tiles_each_clockwise() -> None:
    """PS-T22, PS-20, PS-21, PS-22: p1, a hunter, lays first; each lays his own colour nine times."""
    state, moves = laid_at_random(empty())
    assert [seat for seat, _ in moves] == ["p1", "p2", "p3", "p4"] * 9
    assert Counter((seat, place.colour) for seat, place in moves) == {
        ("p1", "blue"): 9, ("p2", "red"): 9, ("p3", "green"): 9, ("p4", "white"): 9
    }  # fmt: skip
    assert sorted(place.room for _, place in moves) == list(range(1, 37))
    assert state.phase == "hiding"


def test_any_empty_room_will_do() -> None:
    """PS-22: no tile has to touch another."""
    state = after(empty(), "p1", Place(1, "blue", 3))
    assert {place.room for place in GAME.legal(state, "p2")} == set(range(2, 37))


def test_an_occupied_room_is_refused() -> None:
    """PS-T22, PS-22."""
    state = after(empty(), "p1", Place(1, "blue", 3))
    assert refused(state, "p2", Place(1, "red", 3)) == "PS-22"


def test_a_tenth_tile_of_a_colour_is_refused() -> None:
    """PS-T22, PS-2: nine a colour, though p1 has nine green tiles left to lay."""
    state, moves = empty(players=2), iter(range(1, 37))
    for _ in range(9):
        state = after(state, "p1", Place(next(moves), "blue", 1))
        state = after(state, "p2", Place(next(moves), "red", 1))
    assert refused(state, "p1", Place(36, "blue", 1)) == "PS-2"
    assert {place.colour for place in GAME.legal(state, "p1")} == {"green"}


def test_somebody_elses_colour_is_refused() -> None:
    """PS-21."""
    assert refused(empty(), "p1", Place(1, "red", 3)) == "PS-21"


def test_nobody_lays_out_of_turn() -> None:
    """PS-22."""
    with pytest.raises(NotYourTurn):
        GAME.apply(empty(), "p2", Place(1, "red", 3))


@pytest.mark.parametrize("room", [0, 37, -1, 10**30])
def test_there_are_36_rooms(room: int) -> None:
    """PS-1."""
    assert refused(empty(), "p1", Place(room, "blue", 3)) == "PS-1"


@pytest.mark.parametrize("value", [0, 7, -1])
def test_a_tile_is_worth_one_to_six(value: int) -> None:
    """PS-2."""
    assert refused(empty(), "p1", Place(1, "blue", value)) == "PS-2"
    assert {place.value for place in GAME.legal(empty(), "p1")} == {1, 2, 3, 4, 5, 6}


def test_a_known_box_offers_the_values_left_in_the_tray() -> None:
    """PS-2, PS-21: with `tiles` each value is there as often as the box has it."""
    tiles = {colour: list(QUARTER) for colour in ("blue", "red", "green", "white")}
    state = empty(tiles=tiles)
    state = after(state, "p1", Place(1, "blue", 6))
    for seat, colour, room in (("p2", "red", 2), ("p3", "green", 3), ("p4", "white", 4)):
        state = after(state, seat, Place(room, colour, 1))  # type: ignore[arg-type]
    assert {place.value for place in GAME.legal(state, "p1")} == {1, 2, 3, 4, 5}
    assert refused(state, "p1", Place(5, "blue", 6)) == "PS-2"
    everything, _ = laid_at_random(state)
    lying = Counter((tile.colour, tile.value) for tile in everything.laid if tile)
    assert lying == Counter((colour, value) for colour in tiles for value in QUARTER)


@pytest.mark.parametrize("short", [[1] * 8, [1] * 10, []])
def test_a_box_has_nine_tiles_of_each_colour(short: list[int]) -> None:
    """PS-2."""
    tiles = {"blue": short, "red": [1] * 9, "green": [1] * 9, "white": [1] * 9}
    with pytest.raises(Illegal) as refusal:
        empty(tiles=tiles)
    assert refusal.value.rule == "PS-2"


def test_a_box_without_a_colour_is_refused() -> None:
    """PS-2."""
    with pytest.raises(Illegal):
        empty(tiles={"blue": [1] * 9, "red": [1] * 9, "green": [1] * 9})


def test_values_outside_one_to_six_are_no_box() -> None:
    """PS-2."""
    with pytest.raises(Malformed):
        empty(tiles={colour: [7] * 9 for colour in ("blue", "red", "green", "white")})


def test_the_board_as_it_lies_skips_laying() -> None:
    """PS-20."""
    state = new()
    assert state.phase == "hiding"
    assert [(tile.colour, tile.value) for tile in state.laid[1:] if tile] == LAYOUT


@pytest.mark.parametrize("layout", [LAYOUT[:35], [*LAYOUT, ("blue", 1)], [("blue", 1)] * 36])
def test_a_layout_has_36_tiles_nine_of_each_colour(layout: list[Any]) -> None:
    """PS-2."""
    with pytest.raises(Illegal) as refusal:
        new(layout=layout)
    assert refusal.value.rule == "PS-2"


def test_two_players_hold_two_colours_each() -> None:
    """PS-92, PS-93, PS-Q3: they still lay in turn, hunter first."""
    _, moves = laid_at_random(empty(players=2))
    assert [seat for seat, _ in moves] == ["p1", "p2"] * 18
    assert {(seat, place.colour) for seat, place in moves} == {
        ("p1", "blue"), ("p1", "green"), ("p2", "red"), ("p2", "white")
    }  # fmt: skip


def test_with_three_players_the_hunter_lays_every_other_tile() -> None:
    """PS-93, PS-Q3: H, M1, H, M2, and the hunter picks freely from his 18."""
    _, moves = laid_at_random(empty(players=3))
    assert [seat for seat, _ in moves] == ["p1", "p2", "p1", "p3"] * 9
    assert {place.colour for place in GAME.legal(empty(players=3), "p1")} == {"blue", "green"}


@pytest.mark.parametrize("seed", range(5))
def test_three_players_may_share_the_fourth_colour(seed: int) -> None:
    """PS-Q3: `tiles_3p=shared_fourth_colour`: each lays twelve, three of them from the shared colour."""
    _, moves = laid_at_random(empty(players=3, tiles_3p="shared_fourth_colour"), seed)
    assert [seat for seat, _ in moves] == ["p1", "p2", "p3"] * 12
    assert Counter((seat, place.colour) for seat, place in moves) == {
        ("p1", "blue"): 9, ("p2", "red"): 9, ("p3", "white"): 9,
        ("p1", "green"): 3, ("p2", "green"): 3, ("p3", "green"): 3,
    }  # fmt: skip


def test_the_table_may_deal_the_colours_as_it_likes() -> None:
    """PS-21: which player gets which colour is free."""
    trays = {"blue": "p4", "red": "p3", "green": "p2", "white": "p1"}
    _, moves = laid_at_random(empty(trays=trays))
    assert {(place.colour, seat) for seat, place in moves} == set(trays.items())


@pytest.mark.parametrize(
    ("players", "trays"),
    [
        (4, {"blue": "p1", "red": "p1", "green": "p3", "white": "p4"}),
        (4, {"blue": "p1", "red": "p2", "green": "p3"}),
        (3, {"blue": "p1", "red": "p2", "green": "p2", "white": "p3"}),
        (2, {"blue": "p1", "red": "p1", "green": "p1", "white": "p2"}),
        (4, {"blue": "p1", "red": "p2", "green": "p3", "white": "p5"}),
    ],
)
def test_trays_that_leave_somebody_short_are_refused(players: int, trays: dict[str, str]) -> None:
    """PS-93."""
    with pytest.raises(Illegal) as refusal:
        empty(players=players, trays=trays)
    assert refusal.value.rule == "PS-93"


@pytest.mark.parametrize("players", [-1, 0, 1, 5])
def test_two_to_four_play(players: int) -> None:
    """PS-5."""
    with pytest.raises(Illegal) as refusal:
        empty(players=players)
    assert refusal.value.rule == "PS-5"


def test_a_laid_tile_is_seen_by_everybody() -> None:
    """PS-22: tiles are laid openly."""
    state, events = GAME.apply(empty(), "p1", Place(1, "blue", 3))
    assert msgspec.to_builtins(events) == (
        {"type": "laid", "by": "p1", "room": 1, "colour": "blue", "value": 3},
    )
    for seat in ("public", "host", "p1", "p2", "p3", "p4"):
        assert GAME.view(state, seat).shows.rooms[0] == state.laid[1]
