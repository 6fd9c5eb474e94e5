"""Max's turn: through walls, back with x2, staying with a pause, and the door he may close."""

from __future__ import annotations

import pytest

from companion.contract import heard, plain
from companion.games.canterville import GAME
from tests.games.canterville.castles import (
    act,
    enter,
    max_room,
    new,
    options_of,
    play,
    refusal,
    shows,
    tell,
)


def test_first_moves_from_the_start() -> None:
    """GJ-T3, GJ-31, GJ-34: fresh rooms, a pause, and nothing to cheat back to."""
    state = enter()
    assert options_of(state, "max", "move") == [2, 12, 14, 43]
    assert options_of(state, "max", "pause") == [None]
    assert options_of(state, "max", "cheat") == []


def test_max_must_leave_his_room() -> None:
    """GJ-35."""
    assert refusal(enter(), "max", "move", room=13) == "GJ-35"


def test_max_does_not_enter_a_room_with_a_figure() -> None:
    """GJ-33, GJ-T5: neither as a move nor with x2."""
    state = enter(room=1, route=[2, 1], visited=[2, 1], figures={"a": 12, "b": 53})
    assert options_of(state, "max", "move") == [54]
    assert options_of(state, "max", "cheat") == [2]
    assert refusal(state, "max", "move", room=12) == "GJ-33"
    without = enter(room=1, route=[2, 1], visited=[2, 1], figures={"a": 12, "b": 53}, x2=0)
    assert options_of(without, "max", "cheat") == []
    crowded = enter(room=1, route=[2, 1], visited=[2, 1], figures={"a": 2, "b": 53})
    assert refusal(crowded, "max", "cheat", room=2) == "GJ-33"


def test_secret_passage_is_open_to_max_alone() -> None:
    """GJ-T11, GJ-36: unless visited or occupied; nothing public tells it from another move."""
    state = enter(room=1, visited=[1], figures={"a": 12, "b": 53})
    assert options_of(state, "max", "move") == [2, 54]
    through, told = tell(state, "max", "move", room=54)
    beside, told_too = tell(state, "max", "move", room=2)
    assert heard(told, "h1") == heard(told_too, "h1")
    assert shows(through, "h1") == shows(beside, "h1")
    assert 54 not in options_of(enter(room=1, visited=[1, 54], figures={"a": 12}), "max", "move")
    assert 54 not in options_of(enter(room=1, visited=[1], figures={"a": 54}), "max", "move")
    walker = enter(phase="hunters", to_act=["h1"])
    assert refusal(walker, "h1", "walk", figure="a", room=54) == "GJ-50"


def test_chimney_needs_its_card_and_is_never_spent() -> None:
    """GJ-T2, GJ-42."""
    start = {"room": 42, "visited": [42], "figures": {"a": 1, "b": 2}}
    assert refusal(enter(**start), "max", "move", room=53) == "GJ-31"
    state = enter(**start, chimney=True)
    assert options_of(state, "max", "move") == [12, 43, 53]
    again = play(state, "max 53; a stay; b stay; max cheat 42")
    assert shows(again).cards.chimney


def test_x2_goes_back_to_a_visited_room_and_is_announced() -> None:
    """GJ-40, GJ-T20: hunters learn that it was used, not where; the card is spent; a third is refused."""
    state = play(enter(), "max 14; a stay; b stay")
    state, told = tell(state, "max", "cheat", room=13)
    assert [plain(event) for event in heard(told, "h1")] == [{"type": "cheated", "turn": None}]
    assert (shows(state).cards.x2, max_room(state)) == (1, 13)
    state = play(state, "a stay; b stay; max cheat 14; a stay; b stay")
    assert options_of(state, "max", "cheat") == []
    assert refusal(state, "max", "cheat", room=13) == "GJ-40"


def test_x2_is_for_visited_rooms_and_moves_for_others() -> None:
    """GJ-T20, GJ-34, GJ-40: nobody wastes a card by mistake."""
    state = play(enter(), "max 14; a stay; b stay")
    assert refusal(state, "max", "cheat", room=3) == "GJ-40"
    assert refusal(state, "max", "move", room=13) == "GJ-34"
    assert refusal(state, "max", "cheat", room=12) == "GJ-31"


def test_x2_may_lead_straight_back_or_to_a_room_revisited() -> None:
    """GJ-Q5: any visited room, unless the table agreed otherwise."""
    route = "max 14; a stay; b stay; max cheat 13; a stay; b stay"
    assert options_of(play(enter(), route), "max", "cheat") == [14]
    strict = enter({"x2_target": "not_previous_room"})
    state = play(strict, "max 14; a stay; b stay")
    assert options_of(state, "max", "cheat") == []
    assert refusal(state, "max", "cheat", room=13) == "GJ-Q5"
    after_pause = play(state, "max pause; a stay; b stay")
    assert options_of(after_pause, "max", "cheat") == []
    around = play(strict, "max 12; a stay; b stay; max 42; a stay; b stay; max 43; a stay; b stay")
    assert options_of(around, "max", "cheat") == [13]


def test_card_taken_from_the_row_tells_its_turn() -> None:
    """GJ-Q6: with the cards alone everybody sees from which turn the old card comes."""
    state = enter({"x2_card_handling": "take_from_row"})
    state = play(state, "max 14; a stay; b stay; max pause; a stay; b stay")
    after, told = tell(state, "max", "cheat", room=13)
    assert [plain(event) for event in heard(told, "h1")] == [{"type": "cheated", "turn": 0}]
    beside = (2, 12, 14, 43)
    expected = {(13, r, 0, 13) for r in beside} | {(13, 0, r, 13) for r in beside}
    assert {world.route for world in GAME.worlds(GAME.view(after, "h1"))} == expected
    assert GAME.odds(GAME.view(after, "h1")).worlds == 8


def test_pause_stays_and_looks_like_a_move() -> None:
    """GJ-41, GJ-37, GJ-T20, GJ-Q25: two in a row, never a third, and the figure leaves the board."""
    state = enter()
    paused, told = tell(state, "max", "pause")
    moved, told_too = tell(state, "max", "move", room=2)
    assert heard(told, "h1") == heard(told_too, "h1")
    assert shows(paused, "h1") == shows(moved, "h1")
    assert not shows(paused).max.shown
    state = play(paused, "a stay; b stay; max pause; a stay; b stay")
    assert (max_room(state), shows(state, "max").cards.pause) == (13, 0)
    assert refusal(state, "max", "pause") == "GJ-41"


def test_pause_needs_no_x2_and_x2_may_follow_a_pause() -> None:
    """GJ-Q7: a pause replaces the room card; staying is no second visit."""
    state = play(enter(x2=1), "max 14; a stay; b stay; max pause; a stay; b stay; max cheat 13")
    assert (shows(state, "max").route, shows(state).cards.x2) == ((13, 14, "pause", 13), 0)


@pytest.mark.parametrize("room", [1, 2, 13, 52, 54, 0, 99])
def test_only_red_doors_can_be_closed(room: int) -> None:
    """GJ-T13, GJ-43."""
    assert refusal(enter(door=True), "max", "lock", room=room) == "GJ-43"


def test_door_is_closed_once_beside_the_move() -> None:
    """GJ-T13, GJ-43, GJ-Q17: for all to see, from anywhere, even with a figure in the room; then he moves."""
    state = enter(door=True, figures={"a": 12, "b": 53})
    assert options_of(state, "max", "lock") == [12, 51]
    state = play(state, "max lock 12")
    assert (shows(state).locked, shows(state).cards.door, GAME.to_act(state)) == (12, False, ("max",))
    assert refusal(state, "max", "lock", room=51) == "GJ-43"
    state = play(state, "max 2")
    assert refusal(state, "max", "lock", room=51) is None
    assert refusal(enter(), "max", "lock", room=12) == "GJ-43"
    assert refusal(enter(door=True), "max", "lock", room=17) == "GJ-43"


def test_a_table_may_agree_on_more_closings() -> None:
    """GJ-Q17: there is one piece, so it moves; the door it left is open."""
    state = play(enter({"door_uses": 2}, door=True), "max lock 12")
    assert refusal(state, "max", "lock", room=12) == "GJ-43"
    state = play(state, "max lock 51")
    assert (shows(state).locked, shows(state).cards.door) == (51, False)


def test_max_ignores_the_closed_door() -> None:
    """GJ-44."""
    state = play(enter(door=True), "max lock 12; max 12")
    assert max_room(state) == 12


def test_stuck_max_has_lost_when_his_turn_begins() -> None:
    """GJ-72, GJ-Q4: enclosed, he does not walk into a hunter; the hunters have won."""
    enclosed = {"room": 53, "visited": [53, 44], "figures": {"a": 51, "b": 1}, "pause": 0, "x2": 0}
    state = enter(**enclosed)
    assert plain(GAME.result(state)) == {"winner": "hunters", "reason": "stuck"}
    assert shows(state).max.shown
    last = enter(**{**enclosed, "figures": {"a": 54, "b": 1}}, phase="hunters", to_act=["h1"])
    assert GAME.result(play(last, "a 54>51; b stay")) == GAME.result(state)


def test_a_card_that_lets_him_stay_or_move_saves_max() -> None:
    """GJ-Q3: a pause, an x2 with a free visited neighbour, the chimney's way; the door card does not."""
    enclosed = {"room": 53, "visited": [53, 44], "figures": {"a": 51, "b": 1}, "pause": 0, "x2": 0}
    paused = enter(**{**enclosed, "pause": 1})
    assert [plain(action) for action in GAME.legal(paused, "max")] == [{"type": "pause"}]
    cheats = enter(**{**enclosed, "x2": 1})
    assert [plain(action) for action in GAME.legal(cheats, "max")] == [{"type": "cheat", "room": 44}]
    assert options_of(enter(**enclosed, chimney=True), "max", "move") == [42]
    assert GAME.result(enter(**enclosed, door=True)) is not None
    blocked = enter(**{**enclosed, "x2": 1, "figures": {"a": 51, "b": 44}})
    assert GAME.result(blocked) is not None


def test_start_without_a_way_out_can_be_lost_at_once() -> None:
    """GJ-Q14, GJ-72: judged when the frame is chosen."""
    state = play(new(hunters=3, pause=0), "a 44; b 51; c 1; max 53")
    assert GAME.phase(state) == "framing"
    state = act(state, "h1", "frame", animal="cats")
    assert plain(GAME.result(state)) == {"winner": "hunters", "reason": "stuck"}


def test_max_may_not_do_what_is_not_his() -> None:
    """GJ-30: nothing of the hunters', and nothing in their turn."""
    state = enter()
    assert refusal(state, "max", "stay", figure="a") is None
    assert refusal(state, "h1", "walk", figure="a", room=2) is None
    assert refusal(play(state, "max 14"), "max", "move", room=3) is None
