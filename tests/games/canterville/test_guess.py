"""The hunters' marker: Max's figure lies where they think he is."""

from __future__ import annotations

import pytest

from companion.contract import HOST, MODERATOR, PUBLIC, plain, read
from companion.games.canterville import GAME
from companion.refusals import Forbidden
from companion.table import Table
from tests.games.canterville.castles import FRAMES, act, enter, play, refusal, shows, tell

SOON = {"cats": {"size": 4, "taken": 3}, "owls": {"size": 4, "taken": 0}}


def test_any_hunter_puts_the_marker_whoever_is_to_act_and_all_see_it() -> None:
    """GJ-51: in Max's turn and in another hunter's, on the board and on every phone."""
    state = play(enter(), "max 14")
    for seat, room in (("h1", 12), ("h2", 44)):
        state, told = tell(state, seat, "guess", room=room)
        assert plain(told[0]) == {"type": "guessed", "by": seat, "room": room}
    assert {shows(state, seat).guess for seat in ("max", "h1", "h2", PUBLIC, HOST, MODERATOR)} == {44}
    picture = GAME.picture(GAME.view(state, PUBLIC))
    assert "guess" in picture.marks[44]
    assert picture.rooms[44].hue == "ecto"
    assert "guess" not in picture.marks.get(12, ())


def test_the_marker_changes_nothing_but_itself() -> None:
    """GJ-51: no turn, no choice, no odds, no knowledge."""
    before = play(enter(), "max 14")
    after = act(before, "h2", "guess", room=14)
    assert GAME.to_act(after) == GAME.to_act(before)
    for seat in ("max", "h1", "h2"):
        assert GAME.legal(after, seat) == GAME.legal(before, seat)
    assert GAME.odds(GAME.view(after, PUBLIC)) == GAME.odds(GAME.view(before, PUBLIC))
    assert GAME.view(act(after, "h1", "guess", room=None), PUBLIC) == GAME.view(before, PUBLIC)


def test_a_right_guess_and_a_wrong_one_are_answered_alike() -> None:
    """GJ-51: the companion does not say whether Max is there."""
    state = play(enter(), "max 14")
    (right, one), (wrong, other) = (tell(state, "h1", "guess", room=room) for room in (14, 12))
    assert plain(one[0]) == {**plain(other[0]), "room": 14}
    assert (right.facts, right.result) == (wrong.facts, wrong.result)


def test_the_marker_goes_when_max_stands_on_the_board_and_does_not_come_back() -> None:
    """GJ-51, GJ-60: it is his own figure."""
    state = act(play(enter(frames=SOON), "max 14"), "h1", "guess", room=12)
    assert shows(play(state, "a stay")).guess == 12
    shown = play(state, "a stay; b stay")
    assert shows(shown).max.shown
    assert shows(shown).guess is None
    assert refusal(shown, "h1", "guess", room=12) == "GJ-51"
    assert shows(play(shown, "owls; max 3")).guess is None


def test_the_marker_stays_while_max_moves_on_unseen() -> None:
    """GJ-51."""
    state = act(play(enter(), "max 14"), "h1", "guess", room=12)
    for how in ("max 51", "max pause"):
        assert shows(play(state, f"a stay; b stay; {how}")).guess == 12


def test_only_hunters_guess_and_only_rooms_of_the_castle() -> None:
    """GJ-1, GJ-51."""
    state = play(enter(), "max 14")
    action = read({"type": "guess", "room": 12}, GAME.action, "action")
    for seat in ("max", MODERATOR, "table"):
        with pytest.raises(Forbidden):
            GAME.apply(state, seat, action)
    assert refusal(state, "h1", "guess", room=99) == "GJ-1"
    assert refusal(enter(), "h1", "guess", room=12) == "GJ-51"


def test_a_position_may_have_a_marker_and_shows_it() -> None:
    """GJ-51: what a moderator sees can be sent back."""
    again = enter(phase="hunters", to_act=["h1"], shown=False, visited=[13, 14], room=14, guess=12)
    assert shows(again).guess == 12


def test_a_guess_is_taken_back_by_whoever_made_it() -> None:
    """GJ-51: it told nobody anything, and it stands in the open record."""
    table = Table()
    table.new("canterville", {"hunters": 2, "frames": FRAMES}, seed=1)
    while table.standing().phase != "hunters":
        seat = table.standing().to_act[0]
        table.act(seat, table.legal(seat)[0])
    table.act("h2", {"type": "guess", "room": 12})
    assert table.history()[-1].action == {"type": "guess", "room": 12}
    table.undo("h2")
    assert table.view(PUBLIC).shows.guess is None
