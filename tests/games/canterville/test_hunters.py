"""The hunters' turn: figures walk, stay and open doors, the trap, and the catch."""

from __future__ import annotations

from companion.contract import plain
from companion.games.canterville import GAME
from tests.games.canterville.castles import (
    enter,
    max_room,
    new,
    options_of,
    play,
    refusal,
    shows,
    tell,
)

HUNT = {"phase": "hunters", "to_act": ["h1"], "shown": False}


def test_figures_walk_one_step_or_stay() -> None:
    """GJ-50: along dotted lines only, and back again if they like."""
    state = enter(**HUNT)
    assert options_of(state, "h1", "walk") == [2, 12]
    assert options_of(state, "h1", "stay") == ["a"]
    state = play(state, "a 1>2; b stay; max 14; a 2>1; b 53>44; max 51; a 1>2")
    assert state.figures["a"] == 2


def test_each_hunter_moves_every_figure_once() -> None:
    """GJ-30, GJ-Q12: clockwise from Max's left; a player's own order within his turn."""
    state = enter({"hunters": 2}, **HUNT, figures={"a": 1, "b": 53, "c": 1, "d": 54})
    assert refusal(state, "h2", "stay", figure="c") is None
    assert refusal(state, "h1", "stay", figure="c") == "GJ-30"
    state = play(state, "b stay")
    assert GAME.to_act(state) == ("h1",)
    assert refusal(state, "h1", "stay", figure="b") == "GJ-50"
    state = play(state, "a stay")
    assert GAME.to_act(state) == ("h2",)
    state = play(state, "c stay; d 54>3")
    assert GAME.phase(state) == "max"


def test_figures_may_meet_in_a_room() -> None:
    """GJ-Q13."""
    state = play(enter(**HUNT, figures={"a": 1, "b": 3}), "a 1>2; b 3>2")
    assert state.figures == {"a": 2, "b": 2}


def test_rooms_that_are_not_there_are_refused() -> None:
    """GJ-1."""
    state = enter(**HUNT)
    for room in (0, -3, 55, 9, 10**30):
        assert refusal(state, "h1", "walk", figure="a", room=room) == "GJ-1"


def test_a_whole_chase_with_a_catch() -> None:
    """GJ-T8, GJ-70, GJ-Q1: at once, no later figure moves, no animal is taken."""
    state = enter()
    state = play(state, "max 14; a 1>2; b 53>44")
    assert state.frames["cats"].taken == 1
    state = play(state, "max 51; a 2>3; b 44>53")
    assert (GAME.result(state), state.frames["cats"].taken) == (None, 2)
    assert options_of(state, "max", "move") == [54]
    state, told = tell(play(state, "max 54"), "h1", "walk", figure="a", room=54)
    assert [plain(event)["type"] for event in told] == ["walked", "caught", "over"]
    assert plain(GAME.result(state)) == {"winner": "hunters", "reason": "caught"}
    assert (GAME.phase(state), GAME.to_act(state), state.frames["cats"].taken) == ("over", (), 2)
    assert (shows(state, "h2").max.room, shows(state, "h2").route) == (54, (13, 14, 51, 54))
    assert (state.figures["b"], shows(state).caught_by) == (53, "h1")


def test_all_hunters_win_together() -> None:
    """GJ-Q24, GJ-70: the result names the side."""
    state = play(enter(**HUNT, room=2, visited=[2]), "a 1>2")
    assert GAME.result(state) is not None
    assert GAME.result(state).winner == "hunters"  # type: ignore[union-attr]
    assert {GAME.side(state, seat) for seat in ("h1", "h2", "h3", "h4")} == {"hunters"}
    assert (GAME.side(state, "max"), GAME.side(state, "public")) == ("max", None)


# The closed door


def closed(**options: object) -> object:
    """Room 12's door, towards 13, is closed; figure a stands in 12, b in 13."""
    return enter(dict(options), **HUNT, figures={"a": 12, "b": 13}, room=54, visited=[54], locked=12)


def test_figures_cannot_use_the_closed_door() -> None:
    """GJ-44, GJ-Q15: this one way only, in both directions."""
    state = closed()
    assert options_of(state, "h1", "walk") == [1, 42]
    assert refusal(state, "h1", "walk", figure="a", room=13) == "GJ-44"
    assert options_of(play(state, "a stay"), "h2", "walk") == [14]
    every = closed(door_scope="all_doors_of_room")
    assert options_of(every, "h1", "walk") == []
    assert refusal(every, "h1", "walk", figure="a", room=1) == "GJ-44"


def test_a_figure_that_says_so_opens_the_door() -> None:
    """GJ-44, GJ-Q16: from either side; merely staying does not; others may pass in the same round."""
    state = closed()
    assert shows(play(state, "a stay; b stay")).locked == 12
    state = play(state, "a unlock")
    assert (shows(state).locked, state.figures["a"]) == (None, 12)
    assert options_of(state, "h2", "walk") == [12, 14]
    assert refusal(state, "h2", "unlock", figure="b") == "GJ-44"
    assert shows(play(closed(), "a stay; b unlock")).locked is None


def test_who_opens_a_door_passes_in_his_next_turn() -> None:
    """GJ-44: the turn is over with the opening."""
    state = play(closed(), "a unlock")
    assert refusal(state, "h1", "walk", figure="a", room=13) is None
    state = play(state, "b 13>14; max 51")
    assert 13 in options_of(state, "h1", "walk")


def test_door_may_stay_closed_until_the_round_is_over() -> None:
    """GJ-Q16: if the table agreed so, later figures of the round find it closed."""
    state = play(closed(unlock_same_round_for_others=False), "a unlock")
    assert (shows(state).locked, shows(state).opening) == (12, True)
    assert options_of(state, "h2", "walk") == [14]
    assert refusal(state, "h2", "unlock", figure="b") == "GJ-Q16"
    state, told = tell(state, "h2", "stay", figure="b")
    assert shows(state).locked is None
    assert "opened" in [plain(event)["type"] for event in told]


def test_only_a_figure_at_the_door_opens_it() -> None:
    """GJ-Q16: or only one in the listed room, if the table agreed so."""
    far = enter(**HUNT, figures={"a": 1, "b": 13}, room=54, visited=[54], locked=12)
    assert refusal(far, "h1", "unlock", figure="a") == "GJ-44"
    strict = closed(unlock_side="listed_room_only")
    assert options_of(strict, "h1", "unlock") == ["a"]
    assert options_of(play(strict, "a stay"), "h2", "unlock") == []


# The trap


def test_trap_shows_max_when_he_enters_and_stays_where_it_is() -> None:
    """GJ-52: his figure stands there until his next move; the place is shown, the route is not."""
    state = enter(**HUNT, holder="h1", room=13, visited=[13, 12], figures={"a": 1, "b": 53})
    state = play(state, "trap 14; a stay; b stay")
    state, told = tell(state, "max", "move", room=14)
    assert [plain(event)["type"] for event in told if not hasattr(event, "to")] == ["prowled", "trapped"]
    assert (shows(state).max.room, shows(state).max.shown, shows(state).route) == (14, True, ())
    state = play(state, "a stay; b stay; max 3")
    assert (shows(state).max.room, shows(state).max.shown, shows(state).trap) == (None, False, 14)


def test_trap_laid_on_max_stays_silent() -> None:
    """GJ-Q19: nothing changes anywhere; a table may agree that it shows him."""
    silent = enter(**HUNT, holder="h1")
    on_him, told = tell(silent, "h1", "trap", room=13)
    assert [plain(event)["type"] for event in told] == ["trap_laid"]
    assert not shows(on_him).max.shown
    assert not shows(play(on_him, "a stay; b stay; max pause")).max.shown
    loud = enter({"trap_on_occupied": "reveal"}, **HUNT, holder="h1")
    assert shows(play(loud, "trap 13")).max.room == 13
    assert not shows(play(loud, "trap 14")).max.shown


def test_pausing_in_the_trap_does_nothing_and_coming_back_does() -> None:
    """GJ-Q19: only entering counts, by x2 too."""
    state = enter(**HUNT, holder="h1", room=14, visited=[14])
    state = play(state, "trap 14; a stay; b stay; max pause")
    assert not shows(state).max.shown
    state = play(state, "a stay; b stay; max 13; a stay; b stay; max cheat 14")
    assert (shows(state).max.room, shows(state).max.shown) == (14, True)


def test_passage_and_chimney_lead_into_the_trap_too() -> None:
    """GJ-Q19."""
    passage = enter(**HUNT, holder="h1", room=1, visited=[1], figures={"a": 12, "b": 13})
    assert shows(play(passage, "trap 54; a stay; b stay; max 54")).max.shown
    chimney = enter(**HUNT, holder="h1", room=42, visited=[42], figures={"a": 1, "b": 13}, chimney=True)
    assert shows(play(chimney, "trap 53; a stay; b stay; max 53")).max.shown


def test_trap_is_laid_once_in_the_holders_own_turn() -> None:
    """GJ-52, GJ-Q18: before his last figure has acted, in any room."""
    state = enter({"hunters": 2}, **HUNT, holder="h1", figures={"a": 1, "b": 53, "c": 2})
    assert len(options_of(state, "h1", "trap")) == 12
    state = play(state, "a stay")
    assert len(options_of(state, "h1", "trap")) == 12
    assert refusal(play(state, "b stay"), "h1", "trap", room=2) is None
    laid = play(state, "trap 2")
    assert (shows(laid).trap, shows(laid).cards.trap, GAME.to_act(laid)) == (2, False, ("h1",))
    assert refusal(laid, "h1", "trap", room=3) == "GJ-52"
    assert refusal(enter(**HUNT), "h1", "trap", room=2) == "GJ-52"
    assert refusal(state, "h1", "trap", room=4) == "GJ-1"


def test_where_and_when_the_trap_may_be_laid_is_agreed_on() -> None:
    """GJ-Q18."""
    own = enter({"trap_where": "own_room"}, **HUNT, holder="h1")
    assert options_of(own, "h1", "trap") == [1]
    near = enter({"trap_where": "own_or_adjacent"}, **HUNT, holder="h1")
    assert options_of(near, "h1", "trap") == [1, 2, 12]
    assert refusal(near, "h1", "trap", room=3) == "GJ-Q18"
    any_time = enter({"trap_when": "any_time_between_turns"}, holder="h2")
    assert (GAME.to_act(any_time), GAME.awaited(any_time)) == (("max", "h2"), ("max",))
    assert refusal(any_time, "h2", "stay", figure="b") == "GJ-Q18"
    state = play(any_time, "max 14")
    assert GAME.to_act(state) == ("h1", "h2")
    assert GAME.to_act(play(state, "trap 3")) == ("h1",)


def test_three_figures_of_one_hunter() -> None:
    """GJ-14: he moves all of them."""
    state = play(new(hunters=1), "a 1; b 1; c 53; max 13; cats; max 14; c stay; a 1>2")
    assert GAME.to_act(state) == ("h1",)
    assert GAME.phase(play(state, "b stay")) == "max"
    assert max_room(state) == 14
