"""What each seat may know, and what the lamps show of it."""

from __future__ import annotations

from typing import Any

from companion.contract import MODERATOR, PUBLIC
from companion.games.phantom import GAME
from companion.games.phantom.actions import Hide, Remove
from companion.games.phantom.state import State
from companion.picture import STYLES, Picture, Pointer
from tests.games.phantom.hotel import (
    GHOSTS,
    after,
    enter,
    hunt,
    name,
    names,
    new,
    play,
    position,
    room,
)

HUNTERS = ("p1", "p3", PUBLIC, "host")


def rooms_seen(state: State, seat: str) -> dict[str, str | None]:
    shown = GAME.view(state, seat).shows.ghosts
    return {colour: None if ghost.room is None else name(ghost.room) for colour, ghost in shown.items()}


def picture(state: State, peek: str | None = None, pointer: Pointer | None = None) -> Picture:
    return GAME.picture(GAME.view(state, GAME.audience(state, peek)), pointer)


def marked(state: State, mark: str, **how: Any) -> str:
    return names(number for number, marks in picture(state, **how).marks.items() if mark in marks)


# Views


def test_hunters_see_no_hidden_ghost_and_no_owner() -> None:
    """PS-23, PS-24, PS-Q23."""
    state = play(hunt(), "p2 B3", "p3 E5")
    for seat in HUNTERS:
        assert rooms_seen(state, seat) == {"blue": None, "red": None, "green": None, "white": "E5"}
        assert {ghost.owner for ghost in GAME.view(state, seat).shows.ghosts.values()} == {None}


def test_masters_and_the_moderator_see_all_ghosts() -> None:
    """PS-25, PS-Q16."""
    for seat in ("p2", "p4", MODERATOR):
        assert rooms_seen(hunt(), seat) == GHOSTS


def test_own_only_shows_a_master_his_two() -> None:
    """PS-Q16: `masters_see_all_ghosts=own_only`."""
    for option in ("own_only", False):
        state = hunt(masters_see_all_ghosts=option)
        assert rooms_seen(state, "p2") == {"blue": "B2", "red": None, "green": None, "white": "E5"}
        assert rooms_seen(state, "p4") == {"blue": None, "red": "C4", "green": "D3", "white": None}


def test_masters_may_have_to_remember_where_their_ghosts_are() -> None:
    """PS-25, PS-Q17: `show_ghosts_to_masters=never_after_setup`."""
    hiding = after(new(show_ghosts_to_masters="never_after_setup"), "p2", Hide("blue", 8))
    assert rooms_seen(hiding, "p2")["blue"] == "B2"
    state = play(hunt(show_ghosts_to_masters="never_after_setup"), "p2 B3", "p3 E5")
    assert rooms_seen(state, "p2") == {"blue": None, "red": None, "green": None, "white": "E5"}
    assert rooms_seen(state, MODERATOR) == GHOSTS
    over = play(state, "p4 D3", "p1 C4", "p2 A1", "p3 B2")
    assert over.result is not None
    assert rooms_seen(over, "p2") == GHOSTS


def test_the_removal_log_may_be_hidden_until_the_end() -> None:
    """PS-123, PS-Q17: `show_removal_log=hidden_until_end`."""
    state = play(hunt(show_removal_log="hidden_until_end", objective=12), "p2 B3")
    for seat in (*HUNTERS, "p2", "p4"):
        assert GAME.view(state, seat).shows.removed is None
    assert GAME.view(state, MODERATOR).shows.removed is not None
    assert GAME.recorded(state, Remove(9), ()) == ({"type": "remove"}, ())
    assert marked(state, "last") == marked(state, "origin") == ""
    over = play(state, "p3 B6")
    assert over.result is not None
    assert [line.room for line in GAME.view(over, PUBLIC).shows.removed] == [9, 12]
    assert GAME.recorded(over, Remove(9), ())[0] == {"type": "remove", "room": 9}


def test_damage_and_objective_are_public() -> None:
    """PS-80."""
    state = play(hunt(), "p2 B3")
    assert {
        (GAME.view(state, seat).shows.damage, GAME.view(state, seat).shows.objective) for seat in HUNTERS
    } == {(6, 45)}


def test_the_printed_names_of_a_box_are_shown() -> None:
    """PS-1: the printed numbering is not ours."""
    assert GAME.view(new(names={"1": "101"}), PUBLIC).shows.names == {"1": "101"}


# Worlds


def test_worlds_after_each_turn_of_a_known_game() -> None:
    """PS-T20."""
    state = hunt()
    expected = [
        (None, 39366, 6561), ("p2 B3", 15552, 4374), ("p3 B4", 12798, 3726), ("p4 E3", 6348, 2484),
        ("p1 E2", 5262, 2070), ("p2 E6", 1120, 920), ("p3 E5", 224, 184),
    ]  # fmt: skip
    for turn, worlds, placements in expected:
        state = play(state, turn) if turn else state
        found = list(GAME.worlds(GAME.view(state, PUBLIC)))
        assert len(found) == worlds == GAME.odds(GAME.view(state, PUBLIC)).worlds
        assert len({tuple(ghost.room for ghost in world.ghosts) for world in found}) == placements


def test_known_owners_are_not_used_in_the_odds() -> None:
    """PS-T20: a master who asks gets the hunters' map."""
    state = play(hunt(), "p2 B3")
    for seat in ("p1", "p2", MODERATOR):
        assert GAME.odds(GAME.view(state, seat)) == GAME.odds(GAME.view(state, PUBLIC))


def test_an_objective_out_of_reach_is_told_from_public_data_alone() -> None:
    """PS-Q19: nothing shown depends on what hides under the tiles that are left."""
    board = "A1 A2 A3 B1 B3 C1 C2 C3"
    one = enter(position(board, {"red": "C4 p4"}))
    other = enter(position(board, {"red": "B6 p4", "green": "E3 p4"}))
    assert GAME.view(one, PUBLIC) == GAME.view(other, PUBLIC)
    assert picture(one) == picture(other)


# Lamps


def test_fair_lamps_show_no_true_line() -> None:
    """PS-50: on a master's turn the board shows what everybody knows."""
    state = play(hunt(), "p2 B3", "p3 A1")
    assert marked(state, "target") == marked(state, "line") == ""
    assert marked(state, "target", peek="p4") == ""


def test_learning_lamps_show_the_movers_true_lines() -> None:
    """PS-50, PS-52: targets, and faintly the empty squares between."""
    state = play(hunt(privacy="learning"), "p2 C3", "p3 A1", "p4 D4", "p1 A6")
    assert marked(state, "target") == names(move.room for move in GAME.legal(state, "p2"))
    assert marked(state, "line") == "C3 D4"
    hunters_turn = play(state, "p2 A2")
    assert marked(hunters_turn, "target") == ""


def test_eyes_closed_shows_them_to_the_mover_who_peeks() -> None:
    """PS-50: to nobody else, and only in his own turn."""
    state = hunt(privacy="eyes_closed")
    targets = names(move.room for move in GAME.legal(state, "p2"))
    assert marked(state, "target", peek="p2") == targets
    assert marked(state, "target") == ""
    for seat in ("p1", "p3", "p4"):
        assert marked(state, "target", peek=seat) == ""
    assert marked(play(state, "p2 B3"), "target", peek="p2") == ""


def test_peeking_does_not_help_a_master_who_plays_by_memory() -> None:
    """PS-Q17."""
    state = hunt(privacy="eyes_closed", show_ghosts_to_masters="never_after_setup")
    assert marked(state, "target", peek="p2") == ""


def test_a_pointer_shows_the_lines_from_there_to_everybody() -> None:
    """PS-52: pure geometry, whether somebody hides there or not."""
    state = play(hunt(), "p2 C3")
    for where in ("B2", "A1"):
        pointed = Pointer(room(where))
        assert marked(state, "cursor", pointer=pointed) == where
    assert marked(state, "reach", pointer=Pointer(room("B2"))) == "A1 A2 A3 B1 B3 C1 C2 D4"
    assert marked(state, "line", pointer=Pointer(room("B2"))) == "C3"
    assert marked(state, "chosen", pointer=Pointer(room("B2"), chosen=True)) == "B2"


def test_the_last_removal_and_where_it_can_have_come_from() -> None:
    """PS-T19, PS-52: after a hunter's removal there is nothing to come from."""
    state = play(hunt(), "p2 B3")
    assert (marked(state, "last"), marked(state, "origin")) == ("B3", "A2 A3 A4 B2 B4 C2 C3 C4")
    state = play(state, "p3 A1")
    assert (marked(state, "last"), marked(state, "origin")) == ("A1", "")


def test_found_ghosts_shine_in_their_colour() -> None:
    """PS-70: and pulse when they have just been found."""
    state = play(hunt(), "p2 B3", "p3 E5")
    glow = picture(state).rooms[room("E5")]
    assert (glow.hue, glow.effect) == ("white", "pulse")
    glow = picture(play(state, "p4 E3")).rooms[room("E5")]
    assert (glow.hue, glow.effect) == ("white", "steady")


def test_the_gauge_counts_towards_the_objective() -> None:
    """PS-80: what the last removal added is fresh."""
    gauge = picture(play(hunt(), "p2 B3", "p3 B4")).gauges["damage"]
    assert (gauge.value, gauge.of, gauge.fresh, gauge.won) == (10, 45, 4, False)
    gauge = picture(play(hunt(), "p2 B3", "p3 E5")).gauges["damage"]
    assert (gauge.value, gauge.fresh) == (6, 0)
    assert picture(play(hunt(objective=6), "p2 B3")).gauges["damage"].won


def test_the_end_shows_all_four_ghosts() -> None:
    """PS-80, PS-81: those never found and those found look different."""
    state = play(hunt(objective=12), "p2 E6", "p3 E5", "p4 E3")
    assert state.result is not None
    assert (marked(state, "hidden"), marked(state, "revealed")) == ("B2 C4 D3", "E5")


def test_the_seat_to_act_pulses() -> None:
    """PS-40: colour is not the only sign."""
    seats = picture(play(hunt(), "p2 B3")).seats
    assert {seat: glow.effect for seat, glow in seats.items()} == {
        "p1": "steady", "p2": "steady", "p3": "pulse", "p4": "steady"
    }  # fmt: skip


def test_marks_of_one_picture_can_be_told_apart_without_colour() -> None:
    """Steady, pulse and blink, bright and faint."""
    kinds = ("line", "origin", "last", "chosen")
    assert len({(STYLES[mark].effect, STYLES[mark].level) for mark in kinds}) == len(kinds)
