"""A game entered midway, and repairs by the moderator."""

from __future__ import annotations

from typing import Any

import pytest

from companion.contract import MODERATOR, PUBLIC, plain, read
from companion.games.canterville import GAME
from companion.games.canterville.state import State
from companion.refusals import Refusal
from tests.games.canterville.castles import (
    FRAMES,
    SMALL,
    act,
    enter,
    max_room,
    new,
    options_of,
    play,
    position,
    possible_rooms,
    refusal,
    shows,
    truth,
)


def cannot_be(**fields: Any) -> str:
    with pytest.raises(Refusal) as refused:
        enter(**fields)
    return refused.value.message()


# Entering


def test_a_view_of_the_moderator_can_be_entered_again() -> None:
    """The same table stands there, with the same choices for everybody."""
    frames = dict.fromkeys(list(FRAMES)[:4], 4)
    state = play(
        new(hunters=2, frames=frames, trap="h2", door=True, chimney=True),
        "a 1; b 1; c 53; d 3; max 13; cats; max 14; a stay; b stay; c stay; trap 42; d stay",
    )
    seen = plain(truth(state))
    seen.pop("result")
    options = GAME.options(castle=state.options.castle, hunters=2)
    again = GAME.enter(options, read(seen, GAME.position, "position"))
    for field in ("phase", "to_act", "figures", "max", "visited", "frames", "frame", "trap", "locked"):
        assert getattr(truth(again), field) == getattr(truth(state), field), field
    for seat in ("max", "h1", "h2"):
        assert [plain(a) for a in GAME.legal(again, seat)] == [plain(a) for a in GAME.legal(state, seat)]


@pytest.mark.parametrize("field", list(position()))
def test_every_field_is_needed(field: str) -> None:
    """A position that leaves something out is not guessed at."""
    told = position()
    del told[field]
    with pytest.raises(Refusal) as refused:
        read(told, GAME.position, "position")
    assert field in refused.value.message()


@pytest.mark.parametrize(
    ("fields", "reason"),
    [
        ({"room": 1}, "both in room 1"),
        ({"visited": [14]}, "among the visited rooms"),
        ({"room": 9, "visited": [9]}, "no room 9"),
        ({"room": 99, "visited": [99]}, "no room 99"),
        ({"visited": [13, 10**12]}, "no room 1000000000000"),
        ({"visited": [13, -4]}, "no room -4"),
        ({"route": [77, 13]}, "no room 77"),
        ({"route": [2, 13]}, "every room of the route"),
        ({"figures": {"a": 4}}, "no room 4"),
        ({"figures": {"a": 10**12}}, "no room 1000000000000"),
        ({"figures": {}}, "must be a figure"),
        ({"frames": {"cats": {"size": 4, "taken": 5}}}, "holds 4"),
        ({"frames": {"cats": {"size": 9, "taken": 0}}}, "1 to 8"),
        ({"frames": {}}, "must be a frame"),
        ({"frame": None}, "must be chosen"),
        ({"frame": "owls"}, "without the frame"),
        ({"x2": 3}, "at most two"),
        ({"pause": -1}, "at most two"),
        ({"locked": 13}, "no red door"),
        ({"trap": 4}, "no room 4"),
        ({"trap": 2, "holder": "h1"}, "cannot lie in a room and before a hunter"),
        ({"to_act": ["h1"]}, "turn"),
        ({"to_act": []}, "turn"),
        ({"phase": "over"}, "turn"),
        ({"phase": "hunters", "to_act": ["h3"]}, "has a figure to move"),
        ({"holder": "h9"}, "not h9"),
        ({"holder": True}, "before a hunter"),
    ],
)
def test_positions_that_cannot_be_are_refused(fields: dict[str, Any], reason: str) -> None:
    """With the reason, and none of it costs more than a moment. GJ-1, GJ-3, GJ-4, GJ-22, GJ-33."""
    assert reason in cannot_be(**fields)


def test_all_problems_come_at_once() -> None:
    """Nobody likes to be told one by one."""
    message = cannot_be(room=1, visited=[13], x2=3, frame="owls")
    for part in ("both in room 1", "among the visited", "at most two", "without the frame"):
        assert part in message


def test_figure_of_nobody_is_refused() -> None:
    """GJ-11: with three hunters there is no figure d."""
    with pytest.raises(Refusal, match="belongs to nobody"):
        enter({"hunters": 3}, figures={"d": 1})
    typed = GAME.options(castle=enter().options.castle)
    four = GAME.enter(typed, read(position(figures={"d": 1}), GAME.position, "position"))
    assert len(GAME.chairs(four)) == 5


def test_hunters_without_a_figure_are_skipped() -> None:
    """GJ-30: the next one with a figure is to act."""
    state = enter(figures={"b": 53, "d": 1}, phase="hunters", to_act=["h1"])
    assert GAME.to_act(state) == ("h2",)
    assert GAME.to_act(play(state, "b stay")) == ("h4",)


def test_end_is_judged_at_once() -> None:
    """GJ-71, GJ-72."""
    won = enter(frames={"cats": {"size": 4, "taken": 4}})
    assert plain(GAME.result(won)) == {"winner": "max", "reason": "last_animal"}
    stuck = enter(room=53, visited=[53, 44, 51], figures={"a": 1}, pause=0, x2=0)
    assert plain(GAME.result(stuck)) == {"winner": "hunters", "reason": "stuck"}


def test_knowledge_starts_with_the_position() -> None:
    """A hidden Max is in one of the rooms he has visited, and in none with a figure."""
    state = enter(room=13, visited=[13, 14, 51, 1], shown=False, phase="hunters", to_act=["h1"])
    assert possible_rooms(state) == {13, 14, 51}
    view = GAME.view(state, PUBLIC)
    assert state in list(GAME.worlds(view))
    assert all(GAME.view(world, PUBLIC) == view for world in GAME.worlds(view))
    after = play(state, "a 1>2; b 53>44; max 43")
    assert GAME.odds(GAME.view(after, PUBLIC)).worlds == len(GAME.worlds(GAME.view(after, PUBLIC)))
    assert 43 in possible_rooms(after)
    assert possible_rooms(enter(visited=[13, 14])) == {13}


# Repairs


def repair(state: State, **fixes: Any) -> State:
    return act(state, MODERATOR, "repair", set=fixes)


def test_only_the_moderator_repairs() -> None:
    """And not while the castle is being set up: there one just takes things back."""
    for seat in ("max", "h1", "table"):
        assert refusal(enter(), seat, "repair", set={}) is None
    assert refusal(new(hunters=3), MODERATOR, "repair", set={}) == "GJ-20"


def test_figure_put_right_tells_that_max_is_not_there() -> None:
    """What was known stays known."""
    state = play(enter(), "max 14; a 1>2")
    assert possible_rooms(state) == {12, 13, 14, 43}
    state = repair(state, figures={"a": 12})
    assert (possible_rooms(state), state.figures["a"], GAME.to_act(state)) == ({13, 14, 43}, 12, ("h2",))
    assert refusal(state, MODERATOR, "repair", set={"figures": {"a": 14}}) is None


def test_table_put_right_goes_on_from_there() -> None:
    """Frames, cards, trap, door and whose turn it is."""
    state = play(enter(), "max 14")
    mended = repair(
        state,
        frames={"cats": {"size": 5, "taken": 2}},
        frame="hedgehogs",
        cards={"x2": 1, "door": True, "trap": "h2"},
        locked=12,
        to_act=["h2"],
    )
    view = shows(mended)
    assert (view.frames["cats"].size, view.frame, view.locked) == (5, "hedgehogs", 12)
    assert (view.cards.x2, view.cards.door, view.cards.trap) == (1, True, "h2")
    assert GAME.to_act(mended) == ("h2",)
    assert shows(repair(mended, trap=3, cards={"trap": False}, locked=None)).trap == 3
    assert GAME.phase(repair(mended, phase="max")) == "max"


def test_half_done_turn_survives_a_repair() -> None:
    """A figure that has acted does not act twice."""
    state = play(enter({"hunters": 2}, figures={"a": 1, "b": 53, "c": 3}), "max 14; a stay")
    assert options_of(repair(state, locked=12), "h1", "stay") == ["b"]


def test_max_put_right_starts_a_new_chapter() -> None:
    """What was known of him was wrong; from here on it is right."""
    state = play(enter(), "max 14; a stay; b stay; max 51; a stay")
    mended = repair(state, max={"room": 44}, visited=[13, 14, 44])
    assert (max_room(mended), possible_rooms(mended)) == (44, {13, 14, 44})
    assert max_room(repair(state, max={"room": 54})) == 54
    seen = repair(state, max={"shown": True})
    assert (shows(seen).max.room, possible_rooms(seen)) == (51, {51})
    assert shows(repair(state, cards={"pause": 0}), "max").cards.pause == 0
    assert GAME.seen(state, mended) == state


def test_trap_put_elsewhere_has_not_shown_max() -> None:
    """GJ-52: his figure leaves the board; what was seen stays known."""
    state = play(enter(trap=14), "max 14")
    assert shows(state).max.shown
    mended = repair(state, trap=44)
    assert (shows(mended).max.shown, possible_rooms(mended)) == (False, {14})


def test_repair_may_end_the_game_or_open_it_again() -> None:
    """Judged at once, like a position."""
    state = play(enter(), "max 14")
    over = repair(state, frames={"cats": {"size": 4, "taken": 4}, "hedgehogs": {"size": 6, "taken": 6}})
    assert GAME.result(over) is not None
    assert refusal(over, MODERATOR, "repair", set={"frames": {"cats": {"size": 4, "taken": 1}}}) is None
    again = repair(over, frames={"cats": {"size": 4, "taken": 1}}, phase="max", frame="cats")
    assert (GAME.result(again), GAME.to_act(again)) == (None, ("max",))


def test_repair_that_cannot_be_is_refused() -> None:
    """And changes nothing."""
    state = play(enter(), "max 14")
    for fixes in ({"figures": {"a": 4}}, {"max": {"room": 10**9}}, {"cards": {"x2": 7}}, {"visited": [2]}):
        assert refusal(state, MODERATOR, "repair", set=fixes) in (None, "GJ-1")
    for holder in ("max", "h9", True):
        assert refusal(state, MODERATOR, "repair", set={"cards": {"trap": holder}}) == "GJ-52"


def test_sound_tables_have_no_problems() -> None:
    """Every state on the way of a game is one that can be."""
    state = new(hunters=3, castle="demo", frames=FRAMES)
    for step in ("a 1", "b 1", "c 30", "max 14", "cats", "max 27", "a 1>2", "b stay", "c stay"):
        assert GAME.problems(state) == ()
        state = play(state, step)
    assert len(SMALL["rooms"]) == 12
