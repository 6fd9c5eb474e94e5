"""Before the hunt: how many play, with what, and where they begin."""

from __future__ import annotations

from itertools import combinations
from random import Random
from typing import Any

import pytest

from companion.contract import TABLE, plain, read_options
from companion.games.canterville import GAME
from companion.games.canterville.options import PRESETS, Options
from companion.refusals import Refusal
from companion.table import Table
from tests.games.canterville.castles import (
    FRAMES,
    SMALL,
    act,
    enter,
    new,
    options_of,
    play,
    refusal,
    shows,
    tell,
)


def refused(**options: Any) -> str:
    with pytest.raises(Refusal) as refusal:
        new(**options)
    return refusal.value.message()


@pytest.mark.parametrize(
    ("hunters", "each", "total", "frames"), [(4, 1, 4, 4), (3, 1, 3, 5), (2, 2, 4, 4), (1, 3, 3, 5)]
)
def test_figures_and_frames_by_number_of_hunters(hunters: int, each: int, total: int, frames: int) -> None:
    """GJ-T18, GJ-10, GJ-11, GJ-12, GJ-13, GJ-14."""
    state = new(hunters=hunters)
    owners = shows(state).owners
    assert [len(own) for own in owners.values()] == [each] * hunters
    assert [figure for own in owners.values() for figure in own] == list("abcd")[:total]
    if frames == 5:
        assert (GAME.to_act(state)[0], len(state.frames)) == ("h1", 5)
    else:
        assert GAME.to_act(state) == (TABLE,)
        drawn = GAME.legal(state, TABLE)
        assert [action.frames for action in drawn] == list(combinations(sorted(FRAMES), 4))
        assert len(act(state, TABLE, "drawn", frames=list(drawn[2].frames)).frames) == 4


@pytest.mark.parametrize("hunters", [0, 5])
def test_no_hunters_or_too_many_are_refused(hunters: int) -> None:
    """GJ-T18, GJ-5."""
    assert "1 to 4 hunters" in refused(hunters=hunters)
    assert "1 to 4 hunters" in refused(players=hunters + 1)


def test_players_and_hunters_must_agree() -> None:
    """GJ-10: one is Max, all others are hunters."""
    assert [chair.seat for chair in GAME.chairs(new(players=3))] == ["max", "h1", "h2"]
    assert new(players=3) == new(hunters=2) == new(players=3, hunters=2)
    assert "agree" in refused(players=3, hunters=3)


def test_frames_are_drawn_by_chance_unless_enough_are_named() -> None:
    """GJ-11, GJ-Q11: the set is random; what is named in full needs no draw."""
    four = dict.fromkeys(list(FRAMES)[:4], 4)
    assert GAME.to_act(new(hunters=4, frames=four)) == ("h1", "h2", "h3", "h4")
    state = new(hunters=4)
    assert refusal(state, TABLE, "drawn", frames=["cats", "cats", "owls", "bats"]) == "GJ-11"
    assert refusal(state, TABLE, "drawn", frames=["cats"]) == "GJ-11"
    seen = {GAME.chance(state, Random(seed)).frames for seed in range(60)}
    assert len(seen) == 5


def test_same_seed_draws_the_same_frames() -> None:
    """Chance is an action of the table, and stays in the record."""
    frames = []
    for _ in range(2):
        table = Table()
        table.new("canterville", {"castle": SMALL, "frames": FRAMES, "hunters": 4}, seed=7)
        assert table.history()[0].action["type"] == "drawn"
        frames.append(table.history()[0].action["frames"])
    assert frames[0] == frames[1]


def test_sizes_nobody_published_are_asked_for() -> None:
    """GJ-3: cats and hedgehogs are known, the table counts the rest."""
    message = refused(hunters=3, frames={})
    assert "bats, mice, owls" in message
    state = new(hunters=3, frames={"bats": 4, "mice": 5, "owls": 6})
    assert {animal: frame.size for animal, frame in state.frames.items()} == {
        "bats": 4, "cats": 4, "hedgehogs": 6, "mice": 5, "owls": 6,
    }  # fmt: skip
    for size in (0, 9):
        with pytest.raises(Refusal):
            new(frames={**FRAMES, "bats": size})


def test_length_of_a_game_is_the_number_of_its_animals() -> None:
    """GJ-T17, GJ-74: one animal a round; Max is shown once less than there are frames."""
    frames = {"cats": 4, "hedgehogs": 6, "owls": 5, "bats": 4}
    state = play(new(hunters=4, frames=frames, castle="none", pause=0), "a 1; b 1; c 2; d 2; max 10; bats")
    rounds, showings, room = 0, 0, 10
    while GAME.result(state) is None:
        room += 1
        state = play(state, f"max {room}; a stay; b stay; c stay")
        state, told = tell(state, "h4", "stay", figure="d")
        rounds += 1
        if any(plain(event)["type"] == "shown" for event in told):
            showings += 1
            state = play(state, GAME.legal(state, "h1")[0].animal)
    assert (rounds, showings) == (19, 3)
    assert plain(GAME.result(state)) == {"winner": "max", "reason": "last_animal"}


def test_cards_of_the_first_game_and_of_later_ones() -> None:
    """GJ-4, GJ-15, GJ-16, GJ-Q23: chimney, door and trap must be agreed on; x2 and pause are 0 to 2."""
    first = shows(new()).cards
    assert plain(first) == {"x2": 2, "pause": 2, "chimney": False, "door": False, "trap": False}
    later = shows(new(x2=1, pause=0, chimney=True, door=True, trap="h2")).cards
    assert plain(later) == {"x2": 1, "pause": 0, "chimney": True, "door": True, "trap": "h2"}
    for options in ({"x2": 3}, {"pause": -1}, {"trap": "h4", "hunters": 3}, {"trap": "max"}, {"trap": True}):
        with pytest.raises(Refusal):
            new(**options)


def test_trap_with_one_hunter_is_his() -> None:
    """GJ-Q26."""
    assert shows(new(hunters=1, trap="h1")).cards.trap == "h1"


def test_presets_fill_in_and_give_way() -> None:
    """What is said beside a preset wins over it."""
    for preset in PRESETS:
        assert new(preset=preset).options.preset == preset
    assert new(preset="as_printed").options.door
    assert not new(preset="as_printed", door=False).options.door
    assert shows(new(preset="first_game")).cards == shows(new()).cards


def test_defaults_are_those_of_the_rules() -> None:
    """Nobody must choose anything but the sizes of the frames."""
    defaults = Options()
    assert (defaults.x2_target, defaults.x2_card_handling) == ("any_visited", "app_hidden")
    assert (defaults.visited_display, defaults.frame_locked) == ("during_reveal", True)
    assert (defaults.figure_order, defaults.door_scope) == ("player_choice", "single_edge")
    assert (defaults.unlock_side, defaults.unlock_same_round_for_others) == ("either", True)
    assert (defaults.door_uses, defaults.trap_where, defaults.trap_when) == (1, "any_room", "own_turn")
    assert (defaults.trap_on_occupied, defaults.illegal_max_move) == ("no_effect", "hunters_win")
    assert (defaults.x2, defaults.pause, defaults.castle) == (2, 2, "demo")


def test_all_hunters_place_first_and_then_max() -> None:
    """GJ-20, GJ-21, GJ-22, GJ-30: in any order; who has placed everything waits."""
    state = new(hunters=2, frames=dict.fromkeys(list(FRAMES)[:4], 4))
    assert GAME.to_act(state) == ("h1", "h2")
    assert refusal(state, "max", "start", room=13) is None
    state = play(state, "c 13; d 13")
    assert GAME.to_act(state) == ("h1",)
    state = play(state, "a 13; b 2")
    assert (GAME.phase(state), GAME.to_act(state)) == ("starting", ("max",))
    state = play(state, "max 14")
    assert (GAME.phase(state), GAME.to_act(state)) == ("framing", ("h1", "h2"))


def test_figures_may_share_a_room_but_not_with_max() -> None:
    """GJ-T19, GJ-21, GJ-22, GJ-Q13, GJ-Q14: next to a figure is allowed, even with no way out."""
    state = play(new(hunters=3), "a 13; b 13; c 1")
    assert options_of(state, "max", "start") == [2, 3, 12, 14, 42, 43, 44, 51, 53, 54]
    assert refusal(state, "max", "start", room=13) == "GJ-22"
    assert shows(play(state, "max 12")).max.room == 12


def test_what_cannot_be_placed_is_refused() -> None:
    """GJ-1, GJ-21: a strange room, another's figure, a figure twice, no figure, or one of Max's."""
    state = new(hunters=3)
    assert refusal(state, "h1", "start", figure="a", room=55) == "GJ-1"
    assert refusal(state, "h1", "start", figure="a", room=-1) == "GJ-1"
    assert refusal(state, "h1", "start", figure="b", room=1) == "GJ-21"
    assert refusal(state, "h1", "start", room=1) == "GJ-21"
    two = play(new(hunters=1), "a 1")
    assert refusal(two, "h1", "start", figure="a", room=2) == "GJ-21"
    placed = play(state, "a 1; b 1; c 1")
    assert refusal(placed, "max", "start", figure="a", room=2) == "GJ-22"


def test_start_of_max_is_public_and_counts_as_visited() -> None:
    """GJ-22, GJ-34."""
    state = play(new(hunters=3), "a 1; b 1; c 1; max 13; cats")
    assert shows(state).max == shows(state, "max").max
    assert (shows(state).max.room, shows(state).max.shown, shows(state).route) == (13, True, (13,))
    assert shows(state, "max").visited == (13,)


def test_first_frame_said_is_the_current_one() -> None:
    """GJ-23, GJ-Q10: any hunter chooses, out of the frames in play."""
    state = play(new(hunters=3), "a 1; b 1; c 1; max 13")
    assert options_of(state, "h3", "frame") == sorted(FRAMES)
    state = act(state, "h2", "frame", animal="owls")
    assert (shows(state).frame, GAME.phase(state), GAME.to_act(state)) == ("owls", "max", ("max",))
    four = dict.fromkeys(list(FRAMES)[:4], 4)
    without = play(new(hunters=4, frames=four), "a 1; b 1; c 1; d 1; max 13")
    assert refusal(without, "h1", "frame", animal="mice") == "GJ-23"
    full = enter(phase="framing", to_act=["h1"], frame=None, frames={
        "cats": {"size": 4, "taken": 4}, "owls": {"size": 4, "taken": 0},
    })  # fmt: skip
    assert refusal(full, "h1", "frame", animal="cats") == "GJ-60"
    assert options_of(full, "h1", "frame") == ["owls"]


def test_a_rematch_keeps_what_was_agreed() -> None:
    """GJ-73: who found Max is remembered; who plays him next is for the table to say."""
    state = enter(room=2, visited=[2], phase="hunters", to_act=["h1"])
    over = play(state, "a 1>2")
    assert shows(over).caught_by == "h1"
    options = GAME.rematch(over)
    assert read_options(GAME, options).hunters == 4
    assert options["frames"] == {"cats": 4, "hedgehogs": 6}
    begun = play(new(hunters=3, chimney=True, trap="h1", door=True), "a 1; b 1; c 1; max 2; cats; max pause")
    found = play(begun, "a 1>2")
    again = GAME.start(read_options(GAME, GAME.rematch(found)))
    assert again == new(hunters=3, chimney=True, trap="h1", door=True)
    with pytest.raises(Refusal):
        GAME.rematch(begun)
