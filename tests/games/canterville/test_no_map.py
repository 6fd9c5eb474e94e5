"""Castle `none`: only what needs no map is checked; the table judges the rest when Max shows himself."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import msgspec
import pytest

from companion.contract import plain, read
from companion.games.canterville import GAME
from companion.games.canterville.state import State
from companion.journal import Journal
from companion.refusals import Refusal
from companion.table import Table
from tests.games.canterville.castles import (
    act,
    enter,
    max_room,
    new,
    options_of,
    play,
    position,
    refusal,
    shows,
    tell,
)

STEP = {"from": 3, "to": 54}
FULL_SOON = {"cats": {"size": 4, "taken": 2}, "owls": {"size": 4, "taken": 0}}


def without_map(options: dict[str, Any] | None = None, **fields: Any) -> State:
    filled = {"room": 27, "visited": [27], "frames": FULL_SOON, **fields}
    return enter({"castle": "none", **(options or {})}, **filled)


def events(told: Any, type_: str) -> list[Any]:
    found = [plain(getattr(each, "event", each)) for each in told]
    return [event for event in found if event["type"] == type_]


def test_what_needs_no_map_is_checked() -> None:
    """GJ-T21, GJ-33, GJ-34, GJ-35: the number, a figure in the room, no room twice without x2."""
    state = without_map()
    assert refusal(state, "max", "move", room=55) == "GJ-1"
    assert refusal(state, "max", "move", room=27) == "GJ-35"
    assert refusal(state, "max", "move", room=53) == "GJ-33"
    state = play(state, "max 3; a stay; b stay")
    assert refusal(state, "max", "move", room=27) == "GJ-34"
    assert options_of(state, "max", "cheat") == [27]


def test_what_cannot_be_judged_is_flagged_for_max() -> None:
    """GJ-T21, GJ-36, GJ-38, GJ-42: the ways that the rules name are known, all others are unchecked."""
    state = without_map()
    after, told = tell(state, "max", "move", room=3)
    assert events(told, "now") == [{"type": "now", "room": 3, "unchecked": True}]
    assert shows(after, "max").unchecked == ((27, 3),)
    assert shows(after, "h1").unchecked == ()
    assert shows(play(state, "max 14"), "max").unchecked == ()
    passage = without_map(room=1, visited=[1], figures={"a": 2, "b": 3})
    assert shows(play(passage, "max 54"), "max").unchecked == ()
    fireside = {"room": 42, "visited": [42], "figures": {"a": 1, "b": 2}}
    assert shows(play(without_map(**fireside, chimney=True), "max 53"), "max").unchecked == ()
    assert shows(play(without_map(**fireside), "max 53"), "max").unchecked == ((42, 53),)


def test_showing_lays_unchecked_steps_before_the_table() -> None:
    """GJ-Q22: everybody sees which steps to judge, and only those."""
    state = play(without_map(), "max 3; a stay; b stay; max 54; a stay")
    state, told = tell(state, "h2", "stay", figure="b")
    assert events(told, "shown")[0]["unchecked"] == ((27, 3), (3, 54))
    assert shows(state, "h1").unchecked == ((27, 3), (3, 54))


def showing(illegal_max_move: str) -> State:
    """Max stands shown on 54; his way was 27, 3, pause, 54."""
    options = {"illegal_max_move": illegal_max_move}
    frames = {"cats": {"size": 4, "taken": 1}, "owls": {"size": 4, "taken": 0}}
    return play(
        without_map(options, frames=frames),
        "max 3; a stay; b stay; max pause; a stay; b stay; max 54; a stay; b stay",
    )


def test_foul_step_wins_the_game_for_the_hunters() -> None:
    """GJ-Q22: the default; the moderator or the whole table says so."""
    for judge in ("moderator", "table"):
        state, told = tell(showing("hunters_win"), judge, "foul", **STEP)
        assert plain(GAME.result(state)) == {"winner": "hunters", "reason": "illegal_move"}
        assert events(told, "over")


def test_hunter_doubts_and_max_owns_up() -> None:
    """GJ-Q22: one of each side is enough; everybody sees what is in doubt."""
    state, told = tell(showing("hunters_win"), "h2", "doubt", **STEP)
    assert events(told, "doubted") == [{"type": "doubted", "by": "h2"}]
    for seat in ("max", "h1", "public", "host", "moderator"):
        assert plain(shows(state, seat).doubt) == {"by": "h2", **STEP}
        assert shows(state, seat).to_judge == ((27, 3), (3, 54))
    assert refusal(state, "max", "foul", **{"from": 27, "to": 3}) == "GJ-Q22"
    assert refusal(state, "h1", "doubt", **{"from": 27, "to": 3}) == "GJ-Q22"
    over, _ = tell(state, "max", "foul", **STEP)
    assert plain(GAME.result(over)) == {"winner": "hunters", "reason": "illegal_move"}
    assert (shows(over).doubt, shows(over).to_judge) == (None, ())


@pytest.mark.parametrize("seat", ["max", "h2", "moderator", "table"])
def test_step_in_doubt_may_stand(seat: str) -> None:
    """GJ-Q22: Max says it was possible, the doubter thinks again, or the moderator decides."""
    state = act(showing("hunters_win"), "h2", "doubt", **STEP)
    assert refusal(state, "h1", "stands") == "GJ-Q22"
    after, told = tell(state, seat, "stands")
    assert events(told, "stood") == [{"type": "stood", "by": seat}]
    assert (shows(after).doubt, GAME.result(after)) == (None, None)
    assert refusal(after, seat, "stands") == "GJ-Q22"


def test_the_game_waits_while_a_step_is_in_doubt() -> None:
    """GJ-Q22: it is Max's to answer; nobody goes on before that, and then all is as it was."""
    for before, seat, action in (
        (showing("replay_round"), "h1", {"type": "frame", "animal": "owls"}),
        (play(showing("replay_round"), "owls"), "max", {"type": "move", "room": 10}),
    ):
        state = act(before, "h1", "doubt", **STEP)
        assert (GAME.phase(state), GAME.to_act(state)) == (GAME.phase(before), ("max",))
        assert plain(GAME.legal(state, "max")) == [{"type": "foul", **STEP}, {"type": "stands"}]
        with pytest.raises(Refusal):
            GAME.apply(state, seat, read(action, GAME.action, "action"))
        settled = act(state, "max", "stands")
        assert GAME.to_act(settled) == GAME.to_act(before)
        gone, _ = GAME.apply(settled, seat, read(action, GAME.action, "action"))
        again = act(state, "max", "foul", **STEP)
        assert (max_room(again), shows(again).frame, shows(again).doubt) == (3, "cats", None)
    assert (shows(gone).doubt, shows(gone).to_judge) == (None, ())
    assert refusal(gone, "h1", "doubt", **STEP) == "GJ-Q22"


def test_a_doubt_after_the_end_is_answered_and_nobody_is_to_act() -> None:
    """GJ-71, GJ-Q22."""
    frames = {"cats": {"size": 4, "taken": 3}}
    won = play(without_map(frames=frames), "max 3; a stay; b stay")
    state = act(won, "h1", "doubt", **{"from": 27, "to": 3})
    assert GAME.to_act(state) == ()
    assert GAME.result(act(state, "max", "foul", **{"from": 27, "to": 3})).winner == "hunters"  # type: ignore[union-attr]


def test_no_player_calls_a_foul_alone() -> None:
    """GJ-Q22: not a hunter, and Max only when he is asked; he doubts nothing himself."""
    state = showing("hunters_win")
    for seat in ("h1", "max", "host"):
        assert refusal(state, seat, "foul", **STEP) == "GJ-Q22"
    for seat in ("max", "moderator", "table"):
        assert refusal(state, seat, "doubt", **STEP) == "GJ-Q22"


def test_doubted_rooms_are_no_notes_for_later() -> None:
    """GJ-53: the open record is silent about them until the game is over."""
    state = act(showing("hunters_win"), "h1", "doubt", **STEP)
    doubt = read({"type": "doubt", **STEP}, GAME.action, "action")
    assert GAME.recorded(state, doubt, ())[0] == {"type": "doubt"}
    over = act(state, "max", "foul", **STEP)
    assert GAME.recorded(over, doubt, ())[0] == {"type": "doubt", **STEP}


def test_foul_step_may_be_played_again() -> None:
    """GJ-Q22: Max stands where he last was lawfully, the animal goes back, and his turn begins."""
    state, told = tell(showing("replay_round"), "moderator", "foul", **STEP)
    assert events(told, "sent_back") == [{"type": "sent_back", "room": 3}]
    assert (GAME.phase(state), shows(state).max.room, shows(state).frame) == ("max", 3, "cats")
    assert (state.frames["cats"].taken, shows(state, "max").visited) == (3, (3, 27))
    first, _ = tell(showing("replay_round"), "moderator", "foul", **{"from": 27, "to": 3})
    assert (max_room(first), shows(first, "max").cards.pause) == (27, 2)
    assert options_of(play(first, "max 3; a stay"), "h2", "stay") == ["b"]


def test_lawful_room_taken_by_a_hunter_is_a_catch() -> None:
    """GJ-Q22, GJ-70: there is nowhere to go back to."""
    state = play(
        without_map({"illegal_max_move": "replay_round"}), "max 3; a stay; b stay; max 54; a 1>3; b stay"
    )
    state, _ = tell(state, "moderator", "foul", **STEP)
    assert plain(GAME.result(state)) == {"winner": "hunters", "reason": "caught"}


def test_doubts_verdicts_and_repairs_are_kept(tmp_path: Path) -> None:
    """A record played again gives the same table, and undo takes each of them back."""
    running = Table(Journal(tmp_path / "journal"))
    told = position(room=27, visited=[27], frames=FULL_SOON)
    running.new("canterville", {"castle": "none", "hunters": 4, "illegal_max_move": "replay_round"}, told)
    for room in (3, 54):
        running.act("max", {"type": "move", "room": room})
        for seat, figure in (("h1", "a"), ("h2", "b")):
            running.act(seat, {"type": "stay", "figure": figure})
    running.act("h2", {"type": "doubt", **STEP})
    state = running.view("moderator").knows
    assert msgspec.json.decode(msgspec.json.encode(state), type=State) == state
    running.undo("h2", ["max"])
    running.act("h1", {"type": "doubt", **STEP})
    running.act("max", {"type": "foul", **STEP})
    running.act("moderator", {"type": "repair", "set": {"max": {"room": 8}, "figures": {"a": 9}}})
    shown = [running.view(seat) for seat in ("max", "h1", "moderator")]
    running.close()
    again = Table(Journal(tmp_path / "journal"))
    assert [again.view(seat) for seat in ("max", "h1", "moderator")] == shown
    assert max_room(shown[0].knows) == 8
    again.close()


def test_only_what_lies_open_can_be_foul() -> None:
    """GJ-Q22: not a step that is hidden, known, or never made."""
    state = showing("hunters_win")
    assert refusal(state, "moderator", "foul", **{"from": 27, "to": 54}) == "GJ-Q22"
    hidden = play(without_map(), "max 3")
    assert refusal(hidden, "moderator", "foul", **{"from": 27, "to": 3}) == "GJ-Q22"
    later = play(showing("hunters_win"), "owls; max 10")
    assert refusal(later, "moderator", "foul", **STEP) == "GJ-Q22"
    assert refusal(play(enter(), "max 14"), "moderator", "foul", **{"from": 13, "to": 14}) == "GJ-Q22"


def test_foul_may_be_found_when_max_has_won() -> None:
    """GJ-71, GJ-Q22: he shows his last cards."""
    frames = {"cats": {"size": 4, "taken": 3}}
    won = play(without_map(frames=frames), "max 3; a stay; b stay")
    assert GAME.result(won).winner == "max"  # type: ignore[union-attr]
    state, _ = tell(won, "moderator", "foul", **{"from": 27, "to": 3})
    assert GAME.result(state).winner == "hunters"  # type: ignore[union-attr]
    again = play(without_map({"illegal_max_move": "replay_round"}, frames=frames), "max 3; a stay; b stay")
    state, _ = tell(again, "moderator", "foul", **{"from": 27, "to": 3})
    assert (GAME.result(state), GAME.phase(state), max_room(state)) == (None, "max", 27)


def test_x2_spent_on_a_foul_way_comes_back() -> None:
    """GJ-40, GJ-Q22: the cards after the last lawful room return to his hand."""
    state = without_map({"illegal_max_move": "replay_round"})
    state = play(state, "max 3; a stay; b stay; max cheat 27; a stay; b stay")
    assert shows(state).cards.x2 == 1
    state, _ = tell(state, "moderator", "foul", **{"from": 27, "to": 3})
    assert (shows(state).cards.x2, shows(state, "max").visited) == (2, (27,))


def test_figures_and_doors_without_a_map() -> None:
    """GJ-43, GJ-44, GJ-50: any room is a step, all eight doors can be closed, and the table sees the rest."""
    state = play(without_map(door=True), "max lock 24; max 3")
    assert len(options_of(state, "h1", "walk")) == 53
    assert options_of(state, "h1", "unlock") == ["a"]
    strict = play(without_map({"unlock_side": "listed_room_only"}, door=True), "max lock 24; max 3")
    assert options_of(strict, "h1", "unlock") == []
    assert shows(play(state, "a unlock")).locked is None


def test_a_whole_game_without_a_map_can_be_set_up() -> None:
    """GJ-21, GJ-22: 54 rooms to choose from."""
    state = new(castle="none", hunters=3)
    assert len(GAME.legal(state, "h1")) == 54
    assert shows(state).castle == "none"
