"""Which tiles a ghost reaches from where it hides."""

from __future__ import annotations

import pytest

from companion.contract import PUBLIC
from companion.games.phantom import GAME
from companion.games.phantom.board import ROOMS, flood, in_set, place_of, room_at, straight
from companion.games.phantom.lamps import origins
from tests.games.phantom.hotel import aims, enter, hunt, names, play, position, room

FULL = sum(1 << number for number in ROOMS)


def without(*gone: str) -> int:
    return FULL & ~sum(1 << room(each) for each in gone)


def reached(where: str, *gone: str) -> str:
    return names(in_set(straight(room(where), without(*gone))))


def test_a_floor_has_six_rows_of_six_rooms() -> None:
    """PS-1: rooms 1 to 36, row by row."""
    assert [room_at(*place_of(number)) for number in ROOMS] == list(range(1, 37))
    assert (place_of(1), place_of(6), place_of(7), place_of(36)) == ((1, 1), (1, 6), (2, 1), (6, 6))


def test_blue_reaches_the_eight_rooms_around_it() -> None:
    """PS-T1, PS-51."""
    assert reached("B2") == "A1 A2 A3 B1 B3 C1 C2 C3"


def test_red_reaches_a_room_that_hides_an_allied_ghost() -> None:
    """PS-T2, PS-54."""
    assert reached("C4") == "B3 B4 B5 C3 C5 D3 D4 D5"
    assert aims(play(hunt(), "p2 A1", "p3 F6"), "p4") == "B3 B4 B5 C2 C3 C4 C5 D2 D3 D4 D5 E2 E3 E4"


@pytest.mark.parametrize(
    ("where", "expected"), [("A1", "A2 B1 B2"), ("A4", "A3 A5 B3 B4 B5"), ("F6", "E5 E6 F5")]
)
def test_corners_and_borders_reach_less(where: str, expected: str) -> None:
    """PS-T3."""
    assert reached(where) == expected


def test_number_of_targets_on_a_full_board() -> None:
    """PS-T3: four corners reach 3, sixteen borders 5, sixteen inner rooms 8."""
    counts = [straight(number, FULL).bit_count() for number in ROOMS]
    assert [counts.count(n) for n in (3, 5, 8)] == [4, 16, 16]


def test_an_emptied_room_lets_a_ghost_reach_further() -> None:
    """PS-T4, PS-52."""
    assert reached("B2", "C3") == "A1 A2 A3 B1 B3 C1 C2 D4"


def test_a_hidden_ghost_blocks_and_is_a_target() -> None:
    """PS-T5, PS-54."""
    assert reached("B2", "C3", "D4") == "A1 A2 A3 B1 B3 C1 C2 E5"


def test_a_tile_in_between_blocks_the_line() -> None:
    """PS-T7, PS-52, PS-Q5."""
    assert reached("B2", "D4") == "A1 A2 A3 B1 B3 C1 C2 C3"


def test_a_line_over_an_emptied_room_ends_at_the_wall() -> None:
    """PS-52: at most one target a direction, none where only emptied rooms are left."""
    assert reached("B2", "A1", "B1") == "A2 A3 B3 C1 C2 C3"


def test_revealed_ghost_does_not_block_a_line() -> None:
    """PS-53: white was found on E5, so blue on B2 sees F6 behind it."""
    state = enter(position("C3 D4 E5", {"white": "E5 p2 found"}))
    assert "F6" in aims(state, "p2").split()


def test_a_ghost_does_not_reach_its_own_tile() -> None:
    """PS-55."""
    assert all(not straight(number, FULL) >> number & 1 for number in ROOMS)
    assert all(not flood(number, 1 << number) >> number & 1 for number in ROOMS)


def test_flood_fill_reaches_around_corners() -> None:
    """PS-Q5: `reach=flood_fill` goes on through emptied rooms however they wind."""
    tiles = without("C3", "C4")
    assert names(in_set(flood(room("B2"), tiles))) == "A1 A2 A3 B1 B3 B4 B5 C1 C2 C5 D2 D3 D4 D5"
    assert "B5" not in names(in_set(straight(room("B2"), tiles)))
    state = enter(position("C3 D4"), reach="flood_fill")
    assert {"C4", "C5", "D5", "E3", "E5"} <= set(aims(state, "p2").split())


def origin_after(*turns: str, gone: str = "", **ghosts: str) -> str:
    state = play(enter(position(gone, ghosts)), *turns)
    known = GAME.view(state, PUBLIC).knows
    return names(origins(known, known.removed[-1].room))


def test_where_the_first_devastation_can_have_come_from() -> None:
    """PS-T19: B3 on the full board."""
    assert origin_after("p2 B3") == "A2 A3 A4 B2 B4 C2 C3 C4"


def test_where_a_devastation_through_an_emptied_room_can_have_come_from() -> None:
    """PS-T19: D4 when only C3 is gone."""
    assert origin_after("p2 D4", gone="C3") == "B2 C4 C5 D3 D5 E3 E4 E5"


def test_where_a_devastation_down_the_long_diagonal_can_have_come_from() -> None:
    """PS-T19: F6 when C3, D4 and E5 are gone."""
    assert origin_after("p2 F6", gone="C3 D4 E5", white="E6 p2") == "B2 E6 F5"


def test_origins_leave_out_the_colour_of_a_found_ghost() -> None:
    """PS-72, PS-T19: with white found, no white tile can hide who did it."""
    assert origin_after("p2 F6", gone="C3 D4 E5", white="E5 p2 found") == "B2"
