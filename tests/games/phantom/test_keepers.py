"""Who keeps the secret: the companion, the companion and tokens, or tokens alone."""

from __future__ import annotations

from typing import Any

import pytest

from companion.contract import MODERATOR, PUBLIC, Result
from companion.games.phantom import GAME
from companion.games.phantom.actions import (
    Found,
    Hide,
    Lifted,
    Over,
    Pass,
    PutBack,
    Ready,
    Remove,
    Removed,
    Repaired,
    Revealed,
    Token,
)
from companion.games.phantom.state import State
from companion.refusals import Forbidden, Illegal, NotYourTurn
from companion.table import Table
from tests.games.phantom.hotel import (
    LAYOUT,
    after,
    aims,
    all_but,
    enter,
    hunt,
    new,
    play,
    position,
    room,
    told,
)


def refused(state: State, seat: str, action: Any) -> str | None:
    with pytest.raises(Illegal) as refusal:
        GAME.apply(state, seat, action)
    return refusal.value.rule


# Tokens alone


def honour(**options: Any) -> State:
    """The first ghost turn of a game in which only tokens know where the ghosts are."""
    state = new(keeper="honour", **options)
    for master in state.masters:
        state = after(state, master, Ready())
    return state


def test_by_honour_masters_only_say_that_they_are_ready() -> None:
    """PS-23, PS-26: no room is entered anywhere."""
    state = new(keeper="honour")
    assert GAME.legal(state, "p2") == [Ready()]
    with pytest.raises(Illegal):
        GAME.apply(state, "p2", Hide("blue", 8))
    state = after(state, "p4", Ready())
    assert (state.phase, state.movers) == ("hiding", ("p2",))
    with pytest.raises(NotYourTurn):
        GAME.apply(state, "p4", Ready())
    state = after(state, "p2", Ready())
    assert (state.phase, state.movers) == ("playing", ("p2",))


def test_ready_is_for_honour_alone() -> None:
    """PS-26."""
    with pytest.raises(Illegal):
        GAME.apply(new(), "p2", Ready())
    with pytest.raises(Illegal):
        GAME.apply(hunt(), "p2", Found(None))


def test_by_honour_the_remover_is_asked_after_each_removal() -> None:
    """PS-70, PS-71: which ghost lay there, or none."""
    state = play(honour(), "p2 B3")
    assert (state.movers, state.asking) == (("p2",), True)
    assert GAME.legal(state, "p2") == [Found(None), Found("blue")]
    assert GAME.view(state, PUBLIC).shows.asking == room("B3")
    assert GAME.view(state, PUBLIC).shows.rooms[room("B3") - 1] is None
    assert GAME.view(state, PUBLIC).shows.damage == 0
    for action in (Remove(room("A1")), Pass()):
        with pytest.raises(Illegal):
            GAME.apply(state, "p2", action)
    with pytest.raises(NotYourTurn):
        GAME.apply(state, "p3", Found(None))


def test_by_honour_nothing_found_counts() -> None:
    """PS-71."""
    state = play(honour(), "p2 B3 none")
    assert (state.damage, state.movers, state.asking) == (6, ("p3",), False)
    assert told(play(honour(), "p2 B3"), "p2", Found(None)) == [Removed("p2", 9, "blue", 6, 6, 6)]


def test_by_honour_a_found_ghost_is_revealed() -> None:
    """PS-70."""
    state = play(honour(), "p2 B3 none", "p3 E5 white")
    assert (state.damage, state.ghosts[3].revealed, state.ghosts[3].room) == (6, True, room("E5"))


def test_by_honour_only_the_ghost_of_the_tiles_colour_can_lie_there() -> None:
    """PS-24, PS-72."""
    state = play(honour(), "p2 B3")
    assert refused(state, "p2", Found("red")) == "PS-72"
    cleared = play(honour(), "p2 B3 blue", "p3 A1")
    assert GAME.legal(cleared, "p3") == [Found(None)]
    assert refused(cleared, "p3", Found("blue")) == "PS-72"


def test_by_honour_the_last_room_of_a_ghost_must_hide_it() -> None:
    """PS-72: what has been seen leaves only one answer."""
    empty = "A1 A2 A3 B1 B2 B3 C1 C2"
    unknown = {"room": None, "owner": None, "revealed": False}
    state = enter(
        position(empty, dict.fromkeys(("blue", "red", "green", "white"), unknown), to_act=["p3"]),
        keeper="honour",
    )
    state = play(state, "p3 C3")
    assert GAME.legal(state, "p3") == [Found("blue")]
    assert refused(state, "p3", Found(None)) == "PS-72"


def test_by_honour_a_removal_is_refused_only_if_no_world_allows_it() -> None:
    """PS-50, PS-52: on a full board every tile has a neighbour that may hide somebody."""
    assert len(GAME.legal(honour(), "p2")) == 36
    unknown = {"room": None, "owner": None, "revealed": False}
    ghosts = dict.fromkeys(("blue", "red", "green", "white"), unknown)
    lonely = enter(position(all_but("B2 C4 D3 E6"), ghosts), keeper="honour")
    assert refused(lonely, "p2", Remove(room("B2"))) == "PS-52"


TWO_FOUND = ("p2 B3 none", "p3 B2 blue", "p4 D4 none", "p1 E5 white")
"""p2 may have led both, or not."""


def test_by_honour_either_master_may_play_once_two_ghosts_are_found() -> None:
    """PS-58: only the deed itself tells whether the partner plays on."""
    state = play(honour(), *TWO_FOUND)
    assert state.movers == ("p2", "p4")
    later = play(state, "p4 D5 none")
    assert (later.removed[-1].by, later.movers) == ("p4", ("p3",))
    assert play(later, "p3 A2 none", "p4 C3 none", "p1 A3 none").movers == ("p4",)
    assert play(state, "p2 A4 none", "p3 A2 none", "p4 C3 none", "p1 A3 none").movers == ("p2",)


def test_by_honour_a_master_whose_deed_proves_a_ghost_left_is_not_replaced() -> None:
    """PS-58: p2 found blue beside a red tile, so red is his."""
    assert play(honour(), "p2 B3 blue", "p3 E5 white", "p4 D3 none", "p1 A1 none").movers == ("p2",)


def test_by_honour_turns_may_be_skipped() -> None:
    """PS-58, PS-Q2: a master without ghosts passes; nobody else can know."""
    state = play(honour(master_without_ghosts="skip_turn"), *TWO_FOUND)
    assert state.movers == ("p2",)
    assert Pass() in GAME.legal(state, "p2")
    assert play(state, "p2 pass").movers == ("p3",)


def test_by_honour_the_game_ends_as_usual() -> None:
    """PS-80, PS-81."""
    state = play(honour(), *TWO_FOUND, "p4 D5 none", "p3 C4 red", "p4 C3 none", "p1 D3 green")
    assert (state.damage, state.result) == (10, Result("hunters", "all_revealed"))
    state = play(honour(objective=6), "p2 B3 none")
    assert state.result == Result("ghosts", "damage")


def table_by_honour() -> Table:
    table = Table()
    table.new("phantom", {"keeper": "honour", "layout": LAYOUT})
    table.act("p2", Ready())
    table.act("p4", Ready())
    return table


def test_by_honour_a_wrong_answer_can_be_taken_back_and_given_right() -> None:
    """PS-70, PS-72: what was told by mistake was not seen."""
    table = table_by_honour()
    table.act("p2", Remove(9))
    table.act("p2", Found(None))
    table.undo("p2", ["p1"])
    assert list(table.legal("p2")) == [Found(None), Found("blue")]
    table.act("p2", Found("blue"))
    assert table.view(PUBLIC).shows.ghosts["blue"].revealed


# Tokens and a record


def test_a_token_found_where_the_record_has_none_is_revealed() -> None:
    """PS-70: keeper `both`; the board is right, and the value does not count."""
    state = play(hunt(keeper="both"), "p2 B3", "p3 A1")
    after_, events = GAME.apply(state, MODERATOR, Token("blue"))
    assert (after_.damage, after_.ghosts[0].room, after_.ghosts[0].revealed) == (6, room("A1"), True)
    assert after_.ghosts[0].owner == "p2"
    assert after_.removed[-1].ghost == "blue"
    assert after_.movers == state.movers
    assert events == (Repaired(), Revealed("blue", room("A1")))


def test_a_token_missing_where_the_record_has_one_hides_elsewhere() -> None:
    """PS-24, PS-71: the tile counts after all, and the ghost is where the masters say."""
    state = play(hunt(keeper="both"), "p2 B3", "p3 B2")
    after_ = after(state, MODERATOR, Token(None, room("A1")))
    assert (after_.damage, after_.ghosts[0].room, after_.ghosts[0].revealed) == (11, room("A1"), False)
    assert after_.removed[-1].ghost is None


@pytest.mark.parametrize(
    ("turn", "token", "rule"),
    [
        ("p3 A1", Token("red"), "PS-24"),
        ("p3 A1", Token(None), "PS-70"),
        ("p3 B2", Token("blue"), "PS-70"),
        ("p3 B2", Token(None), "PS-24"),
        ("p3 B2", Token(None, 36), None),
        ("p3 B2", Token(None, 99), None),
        ("p3 B2", Token("red"), "PS-24"),
    ],
)
def test_tokens_that_cannot_be_are_refused(turn: str, token: Token, rule: str | None) -> None:
    """PS-24, PS-70."""
    assert refused(play(hunt(keeper="both"), "p2 B3", turn), MODERATOR, token) == rule


def test_tokens_need_keeper_both_and_a_removal() -> None:
    """PS-70."""
    assert refused(play(hunt(), "p2 B3"), MODERATOR, Token("blue")) == "PS-70"
    assert refused(hunt(keeper="both"), MODERATOR, Token("blue")) == "PS-70"
    with pytest.raises(Forbidden):
        GAME.apply(play(hunt(keeper="both"), "p2 B3"), "p3", Token("blue"))


def test_a_token_can_reopen_a_game_that_seemed_won() -> None:
    """PS-70, PS-80: the value did not count, so the next player goes on."""
    state = play(hunt(keeper="both", objective=7), "p2 B3")
    state = play(state, "p3 A1")
    assert state.result == Result("ghosts", "damage")
    state = after(state, MODERATOR, Token("blue"))
    assert (state.result, state.damage, state.phase) == (None, 6, "playing")
    assert state.movers == ("p4",)


def test_a_token_can_end_a_game() -> None:
    """PS-81."""
    found = {"blue": "B2 p2", "red": "C4 p4 found", "green": "D3 p4 found", "white": "E5 p2 found"}
    state = play(enter(position("C4 D3 E5", found, to_act=["p3"]), keeper="both"), "p3 A1")
    _, events = GAME.apply(state, MODERATOR, Token("blue"))
    assert events[-1] == Over("hunters", "all_revealed")


# A tile lifted by mistake


def test_a_tile_lifted_by_mistake_is_put_back() -> None:
    """PS-Q18: `illegal_removal=undo`: it hid no ghost, the master plays again."""
    state = hunt()
    after_, events = GAME.apply(state, MODERATOR, Lifted(room("A5")))
    assert events == (PutBack("p2", room("A5")),)
    assert (after_.tiles, after_.movers, after_.damage) == (state.tiles, ("p2",), 0)


@pytest.mark.parametrize("keeper", ["companion", "both"])
@pytest.mark.parametrize("option", ["undo", "stands", "forfeit"])
def test_a_ghost_uncovered_by_mistake_stays_uncovered(option: str, keeper: str) -> None:
    """PS-Q18: it cannot be unseen, and the turn is over."""
    state = hunt(illegal_removal=option, keeper=keeper)
    after_ = after(state, MODERATOR, Lifted(room("C4")))
    assert (after_.ghosts[1].revealed, after_.damage, after_.movers) == (True, 0, ("p3",))


def test_a_lifted_tile_may_stand() -> None:
    """PS-Q18: `illegal_removal=stands`."""
    state = after(hunt(illegal_removal="stands"), MODERATOR, Lifted(room("A5")))
    assert (state.damage, state.movers, state.removed[-1].by) == (2, ("p3",), "p2")


def test_a_lifted_tile_may_cost_the_turn() -> None:
    """PS-Q18: `illegal_removal=forfeit`: it is put back, the turn is over."""
    state = after(hunt(illegal_removal="forfeit"), MODERATOR, Lifted(room("A5")))
    assert (state.tiles.bit_count(), state.damage, state.movers) == (36, 0, ("p3",))


def test_what_a_lift_showed_stays_known() -> None:
    """PS-Q18: nobody hides there, and no ghost of p2 reaches it."""
    state = after(hunt(), MODERATOR, Lifted(room("A5")))
    odds = GAME.odds(GAME.view(state, PUBLIC))
    assert odds.rooms[room("A5")] == 0
    assert odds.worlds < 39366


def test_a_lift_needs_a_master_to_play_and_a_tile_out_of_reach() -> None:
    """PS-Q18."""
    assert refused(hunt(), MODERATOR, Lifted(room("B3"))) == "PS-Q18"
    assert refused(play(hunt(), "p2 B3"), MODERATOR, Lifted(room("A5"))) == "PS-Q18"
    assert refused(play(hunt(), "p2 B3", "p3 A1"), MODERATOR, Lifted(room("B3"))) == "PS-Q18"
    assert refused(honour(), MODERATOR, Lifted(room("B3"))) == "PS-Q18"
    assert refused(hunt(), MODERATOR, Lifted(99)) == "PS-Q18"
    with pytest.raises(Forbidden):
        GAME.apply(hunt(), "p2", Lifted(room("A5")))
    assert aims(hunt(), "p2").split()[0] == "A1"


def test_own_only_an_allied_tile_is_refused_like_any_other_out_of_reach() -> None:
    """PS-Q6, PS-Q16: the refusal must not tell a master where his partner hides."""
    state = hunt(friendly_fire="forbidden", masters_see_all_ghosts="own_only")
    allied, empty = room("C4"), room("C5")
    for where in (allied, empty):
        with pytest.raises(Illegal) as caught:
            GAME.apply(state, "p2", Remove(where))
        assert (caught.value.rule, str(where) in caught.value.message()) == ("PS-52", True)
    open_masters = hunt(friendly_fire="forbidden")
    with pytest.raises(Illegal) as caught:
        GAME.apply(open_masters, "p2", Remove(allied))
    assert caught.value.rule == "PS-Q6"


def test_the_history_does_not_tell_where_a_misplaced_token_hides() -> None:
    """PS-Q17: the moderator says where the ghost really is; the open record keeps that to itself."""
    state = hunt(keeper="both")
    told, events = GAME.recorded(state, Token(None, room("A1")), ())
    assert (told, events) == ({"type": "token", "ghost": None}, ())
