"""From fingers to actions, through mock pins and the light encoder, on a virtual clock."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from msgspec.structs import replace

from companion.picture import Pointer
from companion.refusals import Illegal
from hardware import kits, signs
from hardware.kits import Grid
from tests.games.phantom.hotel import room
from tests.hardware.evening import TAP, Evening


@pytest.fixture
def evening() -> Iterator[Evening]:
    with Evening() as opened:
        opened.hotel()
        yield opened


def hunters_turn(evening: Evening) -> None:
    evening.table.act("p2", {"type": "remove", "room": room("B3")})


def test_a_direction_shows_and_moves_the_cursor(evening: Evening) -> None:
    assert evening.board.pointer is None
    evening.tap("right")
    assert evening.board.pointer == Pointer(2)
    evening.tap("down")
    assert evening.board.pointer == Pointer(8)
    assert 8 in evening.lit()


def test_the_cursor_stops_at_the_edge(evening: Evening) -> None:
    for _ in range(9):
        evening.tap("down")
        evening.tap("left")
    assert evening.board.pointer == Pointer(31)


def test_the_cursor_shows_the_lines_from_its_room(evening: Evening) -> None:
    evening.point(1)
    assert evening.lit() == {1, 2, 7, 8}


def test_the_first_ok_chooses_and_the_second_acts(evening: Evening) -> None:
    hunters_turn(evening)
    evening.point(1)
    assert evening.tap("ok") == []
    assert evening.board.pointer == Pointer(1, chosen=True)
    assert evening.shows().rooms[0] is not None
    assert [event.room for event in evening.tap("ok")] == [1]  # type: ignore[attr-defined]
    assert evening.shows().rooms[0] is None
    assert evening.board.pointer is None


def test_a_cursor_that_moves_on_has_chosen_nothing(evening: Evening) -> None:
    """Or one OK on the next room would lift a tile that nobody chose."""
    hunters_turn(evening)
    evening.point(1)
    evening.tap("ok")
    evening.tap("right")
    assert evening.board.pointer == Pointer(2)
    assert evening.tap("ok") == []
    assert evening.shows().rooms[1] is not None


def test_back_takes_the_choice_back_and_then_hides_the_cursor(evening: Evening) -> None:
    hunters_turn(evening)
    evening.point(1)
    evening.tap("ok")
    evening.tap("back")
    assert evening.board.pointer == Pointer(1)
    evening.tap("back")
    assert evening.board.pointer is None


def test_ok_without_a_cursor_or_on_an_emptied_room_does_nothing(evening: Evening) -> None:
    hunters_turn(evening)
    version = evening.table.version
    evening.tap("ok")
    evening.point(room("B3"))
    evening.tap("ok")
    evening.tap("ok")
    assert evening.table.version == version
    assert evening.board.pointer == Pointer(room("B3"))


def test_a_choice_is_void_when_somebody_else_acts_first(evening: Evening) -> None:
    hunters_turn(evening)
    evening.point(1)
    evening.tap("ok")
    evening.table.act("p3", {"type": "remove", "room": 2})
    assert evening.board.pointer == Pointer(1)


def test_a_cursor_left_alone_goes_away(evening: Evening) -> None:
    evening.tap("right")
    evening.wait(61)
    assert evening.board.pointer is None
    assert evening.lit() == set()


@pytest.mark.parametrize("name", ["B3", "A6"])
def test_ok_on_a_masters_turn_does_nothing_that_can_be_seen(evening: Evening, name: str) -> None:
    """B3 is within reach and A6 is not: the lamps say the same."""
    evening.point(room(name))
    before = evening.board.strips(), evening.board.pointer
    for _ in range(3):
        assert list(evening.board.press("ok")) == []
        assert (evening.board.strips(), evening.board.pointer) == before
        evening.board.release("ok")
    assert evening.shows().to_act == ("p2",)


def test_masters_use_the_buttons_in_a_learning_game() -> None:
    with Evening() as evening:
        evening.hotel(privacy="learning")
        evening.remove(room("B3"))
        assert evening.shows().removed[-1].room == room("B3")


def test_an_illegal_choice_of_a_master_blinks_like_a_legal_one_and_then_nothing_happens() -> None:
    with Evening() as evening:
        evening.hotel(masters_use_buttons=True)
        evening.point(room("A6"))
        evening.tap("ok")
        assert evening.board.pointer == Pointer(room("A6"), chosen=True)
        assert evening.tap("ok") == []
        assert evening.shows().to_act == ("p2",)


def test_hiding_and_bids_never_go_by_public_buttons() -> None:
    with Evening() as evening:
        evening.hotel({})
        evening.remove(1)
        assert evening.table.standing().phase == "hiding"
        assert evening.table.history() == ()


def test_learning_lamps_are_exactly_the_rooms_within_reach() -> None:
    with Evening() as evening:
        evening.hotel(privacy="learning")
        reach = {action.room for action in evening.table.legal("p2")}  # type: ignore[attr-defined]
        assert evening.lit() == reach


# Peek


def test_peek_shows_the_movers_lines_while_it_is_held() -> None:
    with Evening() as evening:
        evening.hotel(privacy="eyes_closed")
        reach = {action.room for action in evening.table.legal("p2")}  # type: ignore[attr-defined]
        assert evening.lit() == set()
        evening.board.press("peek")
        assert evening.lit() == reach
        assert evening.board.peek == "p2"
        evening.wait(TAP)
        evening.board.release("peek")
        assert evening.lit() == set()


def test_peek_is_nobodys_where_several_are_to_act() -> None:
    """While ghosts are hidden nobody can tell whose eyes are open."""
    with Evening() as evening:
        evening.hotel({}, privacy="eyes_closed")
        assert len(evening.table.standing().to_act) > 1
        evening.board.press("peek")
        assert evening.board.peek is None
        evening.wait(TAP)
        evening.board.release("peek")


def test_peek_ends_after_ten_seconds_and_needs_a_new_press() -> None:
    with Evening() as evening:
        evening.hotel(privacy="eyes_closed")
        evening.board.press("peek")
        evening.wait(9.9)
        assert evening.lit()
        evening.wait(0.2)
        assert not evening.lit()
        evening.board.release("peek")
        evening.wait(TAP)
        assert not evening.lit()


def test_peek_ends_when_the_master_has_played() -> None:
    with Evening() as evening:
        evening.hotel(privacy="eyes_closed")
        evening.board.press("peek")
        evening.table.act("p2", {"type": "remove", "room": room("B3")})
        assert evening.board.peek is None
        evening.board.release("peek")


@pytest.mark.parametrize("privacy", ["fair", "eyes_closed"])
def test_a_hunters_peek_shows_nothing(privacy: str) -> None:
    with Evening() as evening:
        evening.hotel(privacy=privacy)
        hunters_turn(evening)
        before = evening.lit()
        evening.board.press("peek")
        assert evening.lit() == before


def test_peek_does_nothing_in_a_fair_game(evening: Evening) -> None:
    before = evening.board.strips()
    evening.board.press("peek")
    assert evening.board.strips() == before


# Rest


def test_a_long_back_says_that_the_plug_may_be_pulled(evening: Evening) -> None:
    rested = []
    evening.board.on_rest = lambda: rested.append(evening.lit())
    evening.board.press("back")
    evening.wait(4.9)
    assert rested == []
    evening.wait(0.2)
    assert rested == [{12, 17, 19, 22, 26, 27}]
    evening.board.release("back")
    evening.wait(TAP)
    evening.tap("right")
    # The press that wakes it does nothing else.
    assert evening.board.pointer is None
    assert evening.lit() == set()


def test_the_farewell_stays_on_the_lamps_when_the_companion_ends() -> None:
    evening = Evening()
    evening.hotel()
    evening.board.press("back")
    evening.wait(6)
    evening.board.close()
    assert sum(colour != (0, 0, 0) for colour in evening.shown) == 6
    evening.table.close()


def test_the_lamps_are_dark_when_the_companion_ends(evening: Evening) -> None:
    evening.tap("right")
    evening.board.close()
    assert set(evening.shown) == {(0, 0, 0)}


# Kits and games


def test_a_simulated_kit_takes_the_size_of_the_game(evening: Evening) -> None:
    assert len(evening.board.strips()["board"]) == 36
    assert len(evening.board.strips()["damage"]) == 60


def test_a_kit_with_other_rooms_than_the_game_says_so_and_stays_dark() -> None:
    with Evening("castle-joystick") as evening:
        evening.hotel()
        with pytest.raises(Illegal, match="has 54 rooms and phantom has 36: choose a kit with 36 rooms"):
            evening.board.press("up")
        assert [fault.key for fault in evening.board.faults()] == ["hardware.misfit"]
        assert evening.lit() == set()


def test_a_contact_that_the_kit_has_not_is_refused_with_those_it_has(evening: Evening) -> None:
    with pytest.raises(Illegal, match="the kit simulated has no contact row1; it has: up, down"):
        evening.board.press("row1")
    with Evening("sensing") as other:
        other.hotel()
        with pytest.raises(Illegal, match="it has: ok, back, peek, power, room1…room36"):
            other.board.press("up")


def test_the_total_is_spelled_for_two_seconds_if_the_kit_says_so() -> None:
    kit = kits.load("simulated")
    board = [replace(strip, digits=strip.shows == "rooms") for strip in kit.strips]
    with Evening(replace(kit, strips=board)) as evening:
        evening.hotel()
        evening.table.act("p2", {"type": "remove", "room": room("B3")})
        value = evening.shows().damage
        assert evening.lit() == set(signs.number(value, Grid(6, 6)))
        evening.wait(2.1)
        assert room("B3") in evening.lit()


def test_while_the_game_is_paused_no_press_counts_and_the_lamps_are_dim(evening: Evening) -> None:
    hunters_turn(evening)
    evening.wait(0.1)
    bright = max(max(colour) for colour in evening.frames[-1][1])
    evening.table.pause(True)
    evening.wait(0.1)
    dim = max(max(colour) for colour in evening.frames[-1][1])
    assert 0 < dim <= bright / 5
    for button in ("right", "ok", "ok"):
        evening.tap(button)
    assert evening.table.standing().to_act == ("p3",)
    evening.table.pause(False)
    for button in ("right", "ok", "ok"):
        evening.tap(button)
    assert evening.table.standing().to_act == ("p4",)
