"""The hunters' map: every hidden route that fits what the table has seen."""

from __future__ import annotations

from random import Random
from time import perf_counter

import pytest

from companion.contract import PUBLIC, read_options
from companion.games.canterville import GAME
from companion.games.canterville.state import Prowl, State
from companion.refusals import Illegal
from tests.games.canterville.castles import enter, max_room, new, play, possible_rooms


def worlds(state: State) -> int:
    return GAME.odds(GAME.view(state, PUBLIC)).worlds


def test_rooms_where_max_can_be() -> None:
    """GJ-T10: moves, pauses, rooms found empty, an x2 announced."""
    state = play(enter(), "max 14")
    assert possible_rooms(state) == {2, 12, 13, 14, 43}
    state = play(state, "a 1>2; b 53>44")
    assert possible_rooms(state) == {12, 13, 14, 43}
    state = play(state, "max 51")
    assert possible_rooms(state) == {1, 3, 12, 13, 14, 42, 43, 51}
    state = play(state, "a 2>1; b 44>43")
    assert possible_rooms(state) == {3, 12, 13, 14, 42, 51}
    assert possible_rooms(play(state, "max cheat 14")) == {12, 13, 14}


def test_no_pause_card_no_pause() -> None:
    """GJ-T10, GJ-41."""
    assert possible_rooms(play(enter(pause=0), "max 14")) == {2, 12, 14, 43}


def test_routes_that_differ_in_when_he_paused_count_apart() -> None:
    """GJ-41: to 2 and then a pause, or a pause and then to 2."""
    state = play(enter(), "max 2; a stay; b stay; max pause")
    routes = [world.route for world in GAME.worlds(GAME.view(state, PUBLIC))]
    assert {(13, 2, 0), (13, 0, 2), (13, 0, 0)} <= set(routes)
    assert len(routes) == len(set(routes)) == worlds(state)


def test_silent_and_snapping_trap_both_tell() -> None:
    """GJ-52, GJ-Q19: a trap is no showing, so routes are still counted; a pause in it stays possible."""
    start = {"phase": "hunters", "to_act": ["h1"], "shown": True, "holder": "h1"}
    state = play(enter(**start), "trap 14; a stay; b stay")
    assert possible_rooms(play(state, "max 2")) == {2, 12, 13, 43}
    snapped = play(state, "max 14")
    assert (possible_rooms(snapped), worlds(snapped)) == ({14}, 1)
    assert 14 in possible_rooms(play(snapped, "a stay; b stay; max pause"))


def test_locked_door_does_not_hinder_max() -> None:
    """GJ-44."""
    plain_start, locked = enter(door=True), play(enter(door=True), "max lock 12")
    assert possible_rooms(play(locked, "max 12")) == possible_rooms(play(plain_start, "max 12"))


def test_routes_on_which_he_would_be_stuck_are_out() -> None:
    """GJ-72: from the start of his turn."""
    state = enter(room=44, visited=[44, 14, 51, 43], pause=0, x2=0, figures={"a": 13, "b": 54})
    assert possible_rooms(play(state, "max 53")) == {53}
    room_to_spare = enter(room=44, visited=[44, 14, 51], pause=0, x2=0, figures={"a": 1, "b": 54})
    state = play(room_to_spare, "max 43")
    assert possible_rooms(state) == {43, 53}
    assert possible_rooms(play(state, "a stay; b stay")) == {43}


def test_showing_starts_a_new_count() -> None:
    """GJ-60: one world, and what was visited then counts from there on."""
    frames = {"cats": {"size": 4, "taken": 3}, "owls": {"size": 4, "taken": 0}}
    state = play(enter(frames=frames, visited=[13, 3]), "max 14; a stay; b stay")
    assert (worlds(state), possible_rooms(state)) == (1, {14})
    assert possible_rooms(play(state, "owls; max 51")) == {14, 44, 51}


def test_before_max_begins_there_is_nothing_to_guess() -> None:
    """GJ-22."""
    odds = GAME.odds(GAME.view(new(hunters=3), PUBLIC))
    assert (odds.worlds, set(odds.rooms.values())) == (1, {0.0})
    assert len(odds.rooms) == 12


def test_map_lists_every_room_and_adds_up() -> None:
    """Rooms where he cannot be are in it too, with 0."""
    odds = GAME.odds(GAME.view(play(enter(), "max 14; a stay; b stay; max 51"), PUBLIC))
    assert len(odds.rooms) == 12
    assert sum(odds.rooms.values()) == pytest.approx(1)
    assert 0.0 in odds.rooms.values()


def test_map_is_the_same_whoever_asks() -> None:
    """It uses what everybody knows, even when Max asks."""
    state = play(enter(), "max 14; a 1>2")
    answers = [GAME.odds(GAME.view(state, seat)) for seat in ("max", "h1", "public", "moderator")]
    assert all(answer == answers[0] for answer in answers)


def test_worlds_are_found_by_number() -> None:
    """From either end, and never beyond."""
    every = GAME.worlds(GAME.view(play(enter(), "max 14; a stay; b stay; max 51"), PUBLIC))
    assert every[-1] == every[len(every) - 1]
    assert len({world.route for world in every}) == len(every)
    for beyond in (len(every), -len(every) - 1):
        with pytest.raises(IndexError):
            every[beyond]


def test_nothing_is_hidden_from_max_and_the_moderator() -> None:
    """Their only world is the truth."""
    state = play(enter(), "max 14; a stay; b stay; max pause")
    for seat in ("max", "moderator"):
        assert list(GAME.worlds(GAME.view(state, seat))) == [state]


def test_without_a_map_worlds_are_guesses_and_there_are_no_odds() -> None:
    """GJ-T21: he can be nearly everywhere, and nobody pretends to know better."""
    state = enter({"castle": "none"}, holder="h1", phase="hunters", to_act=["h1"], pause=1)
    state = play(
        state, "trap 30; a 1>2; b 53>9; max 14; a 2>50; b 9>8; max cheat 13; a 50>3; b 8>7; max pause"
    )
    view = GAME.view(state, PUBLIC)
    guesses = GAME.worlds(view)
    assert len(guesses) > 20
    assert all(GAME.view(world, PUBLIC) == view for world in guesses)
    assert all(max_room(world) not in (3, 7, 30) for world in guesses)
    assert list(guesses) == list(GAME.worlds(view))
    with pytest.raises(Illegal):
        GAME.odds(view)


@pytest.mark.parametrize("seed", range(3))
def test_frames_of_eight_still_work(seed: int) -> None:
    """In the castle of 54 rooms: an update stays a matter of milliseconds, eight hidden moves included."""
    chance = Random(seed)
    frames = dict.fromkeys(("cats", "hedgehogs", "owls", "bats"), 8)
    state = GAME.start(read_options(GAME, {"hunters": 4, "frames": frames, "chimney": True}))
    hidden, spent = 0, []
    while GAME.result(state) is None and hidden < 8:
        seat = chance.choice(GAME.to_act(state))
        state, _ = GAME.apply(state, seat, chance.choice(GAME.legal(state, seat)))
        begin = perf_counter()
        view = GAME.view(state, PUBLIC)
        odds = GAME.odds(view)
        spent.append(perf_counter() - begin)
        hidden = sum(isinstance(fact, Prowl) for fact in state.facts)
        assert odds.worlds == len(GAME.worlds(view))
    world = GAME.worlds(view).sample(chance)
    assert GAME.view(world, PUBLIC) == view
    assert sum(spent) / len(spent) < 0.02
