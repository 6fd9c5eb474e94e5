"""Rounds: the animal, the showing, the frames and the end."""

from __future__ import annotations

from companion.contract import plain
from companion.games.canterville import GAME
from tests.games.canterville.castles import act, enter, new, options_of, play, refusal, shows, tell

LAST_ROUND = {"phase": "hunters", "to_act": ["h1"], "shown": False}


def frames(cats: int, owls: int) -> dict[str, dict[str, int]]:
    """Four cats and four owls, some of them taken."""
    return {"cats": {"size": 4, "taken": cats}, "owls": {"size": 4, "taken": owls}}


def test_one_animal_a_round() -> None:
    """GJ-30, GJ-T17: of the current frame's kind, when the last figure of all has acted."""
    state = play(enter(), "max 14; a stay")
    assert state.frames["cats"].taken == 0
    state, told = tell(state, "h2", "stay", figure="b")
    assert plain(told[-1]) == {"type": "taken", "animal": "cats", "left": 3, "all_left": 9}
    assert GAME.phase(state) == "max"


def test_full_frame_shows_max_and_his_way() -> None:
    """GJ-60, GJ-Q8: all cards up, pauses too; his figure in the room of the last room card."""
    state = enter(frames=frames(2, 0))
    state = play(state, "max 14; a stay; b stay; max pause; a stay")
    state, told = tell(state, "h2", "stay", figure="b")
    shown = next(plain(event) for event in told if plain(event)["type"] == "shown")
    assert shown == {"type": "shown", "room": 14, "route": (14, "pause"), "unchecked": ()}
    assert (GAME.phase(state), GAME.to_act(state)) == ("framing", ("h1", "h2", "h3", "h4"))
    assert (shows(state).max.room, shows(state).route) == (14, (13, 14, "pause"))
    assert (shows(state).cards.pause, shows(state).frame) == (1, None)
    assert options_of(state, "h1", "frame") == ["owls"]


def test_max_goes_on_invisibly_after_a_showing() -> None:
    """GJ-61, GJ-37: his figure leaves the board with his next move or pause."""
    state = play(enter(frames=frames(3, 0)), "max 14; a stay; b stay; owls")
    assert shows(state).max.shown
    for way in ("max 3", "max pause"):
        after = play(state, way)
        assert (shows(after).max.shown, shows(after).max.room, shows(after).route) == (False, None, ())


def test_frame_stays_until_it_is_full_or_is_chosen_every_round() -> None:
    """GJ-Q10: locked, unless the table agreed otherwise; then Max shows himself when a frame is full."""
    state = play(enter(), "max 14; a stay; b stay")
    assert (GAME.phase(state), shows(state).frame) == ("max", "cats")
    free = enter({"frame_locked": "free_kind_each_round"}, frames=frames(2, 0))
    free = play(free, "max 14; a stay; b stay")
    assert (GAME.phase(free), shows(free).max.shown) == ("framing", False)
    free = play(free, "owls; max 3; a stay; b stay; cats; max 2; a stay; b stay")
    assert (GAME.phase(free), shows(free).max.shown) == ("framing", True)


def test_last_animal_saves_max_even_if_he_would_be_stuck() -> None:
    """GJ-T16, GJ-71, GJ-Q2: the reveal is only for show."""
    state = enter(
        **LAST_ROUND, room=53, visited=[53, 44], figures={"a": 51, "b": 1}, pause=0, x2=0, frames=frames(3, 4)
    )
    state, told = tell(play(state, "a stay"), "h2", "stay", figure="b")
    assert plain(GAME.result(state)) == {"winner": "max", "reason": "last_animal"}
    assert [plain(event)["type"] for event in told] == ["stayed", "taken", "over"]
    assert (shows(state).max.room, shows(state).max.shown, GAME.to_act(state)) == (53, True, ())


def test_catch_in_the_last_round_leaves_the_animal_on_the_board() -> None:
    """GJ-T16, GJ-Q1: hunters move before the animal is taken."""
    state = enter(**LAST_ROUND, room=54, visited=[54], figures={"a": 1, "b": 51}, frames=frames(3, 4))
    state = play(state, "a stay; b 51>54")
    assert plain(GAME.result(state)) == {"winner": "hunters", "reason": "caught"}
    assert state.frames["cats"].taken == 3


def test_nothing_can_be_done_after_the_end() -> None:
    """GJ-71."""
    over = enter(frames=frames(4, 4), phase="over", to_act=[])
    assert refusal(over, "max", "move", room=14) is None
    assert refusal(over, "h1", "stay", figure="a") is None
    assert GAME.legal(over, "max") == []


def test_round_begins_with_max() -> None:
    """GJ-30: after the frame is chosen; actions of other phases are refused."""
    state = play(new(hunters=3), "a 1; b 1; c 53; max 13")
    assert refusal(state, "max", "move", room=14) is None
    assert refusal(state, "h1", "stay", figure="a") is None
    state = act(state, "h3", "frame", animal="cats")
    assert GAME.to_act(state) == ("max",)
    assert refusal(state, "max", "start", room=14) is None
    assert refusal(play(state, "max 14"), "h1", "frame", animal="owls") is None
