"""A board that feels: lifting a tile is the move, and the board is compared with the record."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from msgspec.structs import replace

from companion.contract import MODERATOR
from hardware import kits
from hardware.matrix import corners
from hardware.simulated import MockMatrix
from tests.games.phantom.hotel import room
from tests.hardware.evening import Evening


@pytest.fixture(params=["sensing", "expander"])
def evening(request: pytest.FixtureRequest) -> Iterator[Evening]:
    with Evening(request.param) as opened:
        opened.hotel()
        opened.lay_tiles()
        yield opened


def keys(evening: Evening) -> list[str]:
    return [fault.key for fault in evening.board.faults()]


def hunters_turn(evening: Evening) -> None:
    """p2 takes B3 on his phone, and then from the board."""
    evening.table.act("p2", {"type": "remove", "room": room("B3")})
    evening.lift(room("B3"))


def test_a_laid_board_agrees_with_the_record(evening: Evening) -> None:
    evening.wait(5)
    assert keys(evening) == []
    assert evening.lit() == set()


def test_a_hunter_lifts_a_tile_and_that_is_the_move(evening: Evening) -> None:
    hunters_turn(evening)
    evening.lift(1)
    assert [removal.room for removal in evening.shows().removed] == [room("B3"), 1]
    assert evening.shows().to_act == ("p4",)


def test_a_tile_put_back_within_a_moment_takes_the_move_back(evening: Evening) -> None:
    hunters_turn(evening)
    evening.lift(1)
    evening.wait(1)
    evening.put(1)
    assert [removal.room for removal in evening.shows().removed] == [room("B3")]
    assert evening.shows().to_act == ("p3",)
    assert evening.table.history()[-1].undone


def test_a_tile_put_back_after_somebody_else_has_played_takes_nothing_back(evening: Evening) -> None:
    """However quickly: the last move is another's by then."""
    hunters_turn(evening)
    evening.lift(1)
    played = evening.table.legal("p4")[0]
    evening.table.act("p4", played)
    evening.put(1)
    assert not any(line.undone for line in evening.table.history())
    assert len(evening.shows().removed) == 3


def test_a_tile_put_back_after_a_correction_does_not_take_the_correction_back(evening: Evening) -> None:
    """The removal is still the last one, but no longer the last thing that happened."""
    hunters_turn(evening)
    evening.lift(1)
    evening.table.act(MODERATOR, {"type": "repair", "set": {"damage": 13}})
    evening.put(1)
    assert evening.shows().damage == 13
    assert not any(line.undone for line in evening.table.history())


def test_a_tile_put_back_later_is_asked_about(evening: Evening) -> None:
    hunters_turn(evening)
    evening.lift(1)
    evening.wait(4)
    evening.put(1)
    assert evening.shows().removed[-1].room == 1
    evening.wait(4)
    assert keys(evening) == ["hardware.check_the_board"]


def test_what_was_uncovered_cannot_be_put_back(evening: Evening) -> None:
    """PS-Q18: a revealed ghost stays revealed."""
    hunters_turn(evening)
    evening.lift(room("C4"))
    evening.put(room("C4"))
    assert evening.shows().ghosts["red"].revealed
    assert not evening.table.history()[-1].undone


@pytest.mark.parametrize("name", ["B3", "A6"])
def test_a_tile_lifted_on_a_masters_turn_is_asked_back_whether_legal_or_not(
    evening: Evening, name: str
) -> None:
    evening.lift(room(name))
    assert evening.shows().to_act == ("p2",)
    assert evening.lit() == set()
    evening.wait(3.5)
    assert evening.lit() == {room(name)}
    assert keys(evening) == ["hardware.check_the_board"]
    evening.put(room(name))
    evening.wait(1)
    assert evening.lit() == set()
    assert keys(evening) == []


def test_a_master_chooses_on_his_phone_and_then_lifts(evening: Evening) -> None:
    evening.table.act("p2", {"type": "remove", "room": room("B3")})
    evening.wait(1)
    evening.lift(room("B3"))
    evening.wait(5)
    assert keys(evening) == []


def test_two_tiles_lifted_at_once_are_one_move_and_one_question(evening: Evening) -> None:
    hunters_turn(evening)
    evening.board.release("room1")
    evening.lift(2)
    assert len(evening.shows().removed) == 2
    evening.wait(4)
    assert keys(evening) == ["hardware.check_the_board"]


def test_a_drifted_board_is_checked_room_by_room(evening: Evening) -> None:
    for number in (30, 31, 32):
        evening.lift(number)
    evening.wait(4)
    assert "30, 31, 32" in str(evening.board.faults()[0])
    for number in (30, 31, 32):
        assert min(evening.lit()) == number
        evening.put(number)
        evening.wait(4)
    assert keys(evening) == []


def test_the_board_is_not_compared_while_it_is_being_laid() -> None:
    with Evening("sensing") as evening:
        evening.table.new("phantom", {"players": 4}, seed=7)
        evening.put(1)
        evening.wait(10)
        assert keys(evening) == []


def test_an_unplugged_board_is_called_that() -> None:
    with Evening("sensing") as evening:
        evening.hotel()
        evening.clear_tiles()
        evening.wait(4)
        assert keys(evening) == ["hardware.board_unlaid"]


def test_a_button_on_a_chip_counts_as_a_button() -> None:
    kit = kits.load("expander")
    assert kit.expander is not None
    on_chip = replace(kit.expander, buttons={"peek": "0x22 B1"})
    buttons = {name: pin for name, pin in kit.buttons.items() if name != "peek"}
    with Evening(replace(kit, expander=on_chip, buttons=buttons)) as evening:
        evening.hotel(privacy="eyes_closed")
        evening.lay_tiles()
        evening.board.press("peek")
        evening.wait(0.1)
        assert evening.board.peek == "p2"


# Wiring


def without_diodes() -> kits.Kit:
    kit = kits.load("sensing")
    assert kit.matrix is not None
    return replace(kit, matrix=replace(kit.matrix, diodes=False))


def test_three_closed_contacts_without_diodes_feign_a_fourth_and_nobody_is_moved() -> None:
    with Evening(without_diodes()) as evening:
        evening.hotel()
        evening.clear_tiles()
        for number in (1, 4, 13):
            evening.put(number)
        matrix = evening.wires._contacts
        assert isinstance(matrix, MockMatrix)
        assert (2, 3) not in matrix.closed
        believed = evening.board._hands.rounds.closed if evening.board._hands.rounds else set()
        assert believed == {"room1", "room4"}
        assert any("Room 1, Room 4, Room 13, Room 16" in str(fault) for fault in evening.board.faults())


def test_with_diodes_the_same_contacts_are_read_as_they_are() -> None:
    with Evening("sensing") as evening:
        evening.hotel()
        evening.clear_tiles()
        for number in (1, 4, 13):
            evening.put(number)
        assert evening.board._hands.rounds is not None
        assert evening.board._hands.rounds.closed == {"room1", "room4", "room13"}


def test_corners_of_rectangles_are_doubtful() -> None:
    assert corners({(0, 0), (0, 3), (2, 0)}) == set()
    assert corners({(0, 0), (0, 3), (2, 0), (2, 3), (5, 5)}) == {(0, 0), (0, 3), (2, 0), (2, 3)}


# A check that a person leads


def test_board_tells_where_it_differs_at_this_moment(evening: Evening) -> None:
    assert evening.board.differing() == []
    evening.lift(9)
    evening.lift(20)
    assert evening.board.differing() == [9, 20]


def test_board_that_feels_hardly_anything_tells_no_differences(evening: Evening) -> None:
    for number in range(1, 10):
        evening.lift(number)
    assert evening.board.differing() is None


def test_lamp_asks_about_the_room_that_a_person_is_led_to(evening: Evening) -> None:
    evening.lift(9)
    evening.lift(20)
    evening.wait(4)
    assert evening.lit() == {9}
    evening.board.ask(20)
    assert evening.lit() == {20}
    evening.board.ask(None)
    assert evening.lit() == {9}


def test_board_without_sensors_asks_too_and_tells_no_differences() -> None:
    with Evening("joystick") as evening:
        evening.hotel()
        evening.board.ask(14)
        assert evening.lit() == {14}
        assert evening.board.differing() is None
        bright = evening.board.strips()["board"][13]
        evening.wait(0.6)
        assert evening.board.strips()["board"][13] < bright


def test_a_dealt_board_is_built_by_laying_each_tile_where_its_lamp_shines() -> None:
    box = {colour: [1, 2, 3, 4, 5, 6, 3, 2, 1] for colour in ("blue", "red", "green", "white")}
    with Evening("sensing") as evening:
        evening.table.new("phantom", {"deal": True, "tiles": box}, seed=3)
        evening.wait(0.1)
        for number in range(1, 37):
            assert evening.shows().build.room == number
            assert evening.lit() == {number}
            if number == 14:
                evening.put(30)
                assert evening.shows().build.room == number
                evening.lift(30)
            evening.put(number)
        assert evening.shows().phase == "hiding"
        evening.wait(5)
        assert keys(evening) == []


def test_a_dealt_board_is_built_by_pressing_ok() -> None:
    box = {colour: [1, 2, 3, 4, 5, 6, 3, 2, 1] for colour in ("blue", "red", "green", "white")}
    with Evening("joystick") as evening:
        evening.table.new("phantom", {"deal": True, "tiles": box}, seed=3)
        for number in range(1, 37):
            assert evening.lit() == {number}
            evening.tap("ok")
        assert evening.shows().phase == "hiding"


def test_what_the_companion_decides_is_no_difference_and_done_when_the_tile_is_lifted(
    evening: Evening,
) -> None:
    """Its lamp asks for it; a board that feels needs nobody to say that it is done."""
    evening.table.companion_plays(frozenset({"p2"}))
    evening.table.act("p2", {"type": "remove", "room": room("B3")})
    evening.wait(5)
    assert keys(evening) == []
    assert room("B3") in evening.lit()
    evening.lift(room("B3"))
    assert evening.table.copying()[1] == 1
    evening.wait(5)
    assert keys(evening) == []
