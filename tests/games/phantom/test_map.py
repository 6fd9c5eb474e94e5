"""The hunters' map against brute force, what the last action told, and records that contradict themselves."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest
from msgspec.structs import replace

from companion.contract import PUBLIC, Model, wander
from companion.games.phantom import GAME
from companion.games.phantom.actions import Found
from companion.games.phantom.state import Seen, State
from tests.games.phantom.hotel import LAYOUT, hunt, new, play, room

VARIANTS: list[dict[str, Any]] = [
    {},
    {"players": 3},
    {"players": 2},
    {"friendly_fire": "forbidden"},
    {"pass_if_only_allied_tiles": True, "masters_see_all_ghosts": "own_only"},
    {"blocked_master": "partner_plays", "reach": "flood_fill"},
]


def positions(number: int) -> list[State]:
    """Random moments of random hunts, at tables of every kind."""
    found: list[State] = []
    chance = Random(17)
    while len(found) < number:
        options = {"objective": 216, **VARIANTS[len(found) % len(VARIANTS)]}
        states = [s for s in wander(GAME, new(**options), chance) if s.phase == "playing"]
        # From the third removal on: then brute force lists few enough worlds.
        found.append(chance.choice(states[3:]))
    return found


MODELS: tuple[Model, ...] = ("uniform", "careful", "human")


def test_the_map_equals_brute_force_in_200_positions() -> None:
    """Every world of the public view, one by one: which rooms hide somebody in one of them, and how many."""
    for state in positions(200):
        view = GAME.view(state, PUBLIC)
        hiding: dict[int, int] = {}
        worlds = GAME.worlds(view)
        for world in worlds:
            for ghost in world.ghosts:
                if not ghost.revealed:
                    assert ghost.room is not None
                    hiding[ghost.room] = hiding.get(ghost.room, 0) + 1
        for model in MODELS:
            odds = GAME.odds(view, model)
            assert odds.worlds == len(worlds)
            assert odds.possible == tuple(sorted(hiding))
            assert all(share == 0 for r, share in odds.rooms.items() if r not in hiding)
            hidden = sum(not ghost.revealed for ghost in state.ghosts)
            assert sum(odds.rooms.values()) == pytest.approx(hidden)
        even = GAME.odds(view).rooms
        assert all(even[r] == pytest.approx(n / len(worlds)) for r, n in hiding.items())


def test_every_seat_gets_the_same_map_under_every_model() -> None:
    state = play(hunt(), "p2 B3", "p3 B4", "p4 E3")
    for model in MODELS:
        maps = [GAME.odds(GAME.view(state, seat), model) for seat in (PUBLIC, "p1", "p2", "p4", "moderator")]
        assert all(each == maps[0] for each in maps)


def test_careful_ghosts_are_more_likely_where_a_move_tells_little() -> None:
    view = GAME.view(play(hunt(), "p2 B3"), PUBLIC)
    even, careful = GAME.odds(view).rooms, GAME.odds(view, "careful").rooms
    assert careful != even
    assert set(careful) == set(even)


def test_the_last_action_told_which_rooms_are_out() -> None:
    """PS-T19: after B3 on the full board a ghost of the mover lies around it, and no room is ruled out."""
    assert GAME.clue(GAME.view(hunt(), PUBLIC)) is None
    first = GAME.clue(GAME.view(play(hunt(), "p2 B3"), PUBLIC))
    assert first is not None
    assert (first.before, first.after, first.ruled_out) == (39366, 15552, ())
    found_white = play(hunt(), "p2 B3", "p3 B4", "p4 E3", "p1 E2", "p2 E6", "p3 E5")
    clue = GAME.clue(GAME.view(found_white, PUBLIC))
    assert clue is not None
    assert (clue.before, clue.after) == (1120, 224)
    assert set(clue.ruled_out) <= set(range(1, 37))
    assert room("E4") not in clue.ruled_out


def test_a_record_that_contradicts_itself_says_so_and_names_the_smallest_corrections() -> None:
    """Nothing under eight blue tiles, and then nothing under the ninth: one of them was overlooked."""
    state = new(keeper="honour", objective=216)
    for master in state.masters:
        state = GAME.apply(state, master, GAME.legal(state, master)[0])[0]
    blue = [number for number, (colour, _) in enumerate(LAYOUT, start=1) if colour == "blue"]
    facts = state.facts
    tiles = state.tiles
    for number in blue:
        facts = (*facts, Seen("p1", number, tiles, 0, None))
        tiles &= ~(1 << number)
    broken = replace(state, facts=facts, tiles=tiles)
    view = GAME.view(broken, PUBLIC)
    odds = GAME.odds(view)
    assert (odds.worlds, odds.possible) == (0, ())
    assert set(odds.rooms.values()) == {0.0}
    corrections = GAME.corrections(view)
    assert len(corrections) == len(blue)
    assert all(len(each) == 1 for each in corrections)
    said = {each[0].said(language) for each in corrections for language in ("en", "fr", "de")}
    assert len(said) == 3 * len(blue)
    assert "the blue ghost lay in room 1 and was overlooked" in said


def test_a_refused_finding_leads_to_what_may_have_been_wrong_before() -> None:
    state = new(keeper="honour", objective=216)
    for master in state.masters:
        state = GAME.apply(state, master, GAME.legal(state, master)[0])[0]
    assert GAME.corrections(GAME.view(state, PUBLIC)) == ()
    blue = [number for number, (colour, _) in enumerate(LAYOUT, start=1) if colour == "blue"]
    facts, tiles = state.facts, state.tiles
    for number in blue[:-1]:
        facts = (*facts, Seen("p1", number, tiles, 0, None))
        tiles &= ~(1 << number)
    before = replace(state, facts=facts, tiles=tiles, turn=1, movers=("p3",))
    asking = GAME.apply(before, "p3", {"remove": blue[-1]} and _remove(blue[-1]))[0]
    assert GAME.legal(asking, "p3") == [Found("blue")]
    corrections = GAME.corrections(GAME.view(asking, "p3"), Found(None))
    assert corrections
    assert GAME.corrections(GAME.view(asking, "p3"), Found("blue")) == ()


def _remove(number: int) -> Any:
    from companion.games.phantom.actions import Remove

    return Remove(number)


def test_the_lamps_show_the_map_only_where_the_table_agreed_to_it() -> None:
    moves = ("p2 B3", "p3 B4", "p4 E3")
    off = GAME.picture(GAME.view(play(hunt(), *moves), PUBLIC))
    assert not [marks for marks in off.marks.values() if "possible" in marks]
    for agreed in ("possible", "likely"):
        view = GAME.view(play(hunt(map=agreed), *moves), PUBLIC)
        picture = GAME.picture(view)
        shown = tuple(number for number, marks in picture.marks.items() if "possible" in marks)
        assert shown == GAME.odds(view).possible
        assert picture.gauges == off.gauges
