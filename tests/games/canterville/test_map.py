"""The hunters' map against brute force, what the last action told, and records that contradict themselves."""

from __future__ import annotations

from random import Random

import pytest
from msgspec.structs import replace

from companion.contract import PUBLIC, Model
from companion.games.canterville import GAME
from companion.games.canterville.belief import HABITS, Habits, chances
from companion.games.canterville.state import Empty
from tests.games.canterville.brute import Onlooker, positions
from tests.games.canterville.castles import enter, max_room, new, play

MODELS: tuple[Model, ...] = ("uniform", "careful", "human")


def test_the_map_equals_brute_force_in_200_positions() -> None:
    """Every route by the rules, one by one: which rooms it ends in, how many, and how likely for people."""
    for state, onlooker in positions(200, HABITS["human"]):
        view = GAME.view(state, PUBLIC)
        likely = onlooker.shares()
        assert GAME.odds(view, "human").rooms == pytest.approx(dict.fromkeys(view_rooms(state), 0.0) | likely)
        counted = Onlooker(None)
        counted.routes = onlooker.routes
        even = GAME.odds(view)
        assert even.worlds == len(onlooker.routes)
        assert even.rooms == pytest.approx(dict.fromkeys(view_rooms(state), 0.0) | counted.shares())
        for model in MODELS:
            odds = GAME.odds(view, model)
            assert (odds.worlds, odds.possible) == (even.worlds, tuple(sorted(likely)))
            assert sum(odds.rooms.values()) == pytest.approx(1)
            assert all(odds.rooms[room] > 0 for room in odds.possible)


def view_rooms(state: object) -> list[int]:
    return [room for room in range(1, 55) if state.options.ways.has(room)]  # type: ignore[attr-defined]


def test_every_seat_gets_the_same_map_under_every_model() -> None:
    state = play(enter(), "max 14; a 1>2; b 53>44; max 51")
    for model in MODELS:
        maps = [GAME.odds(GAME.view(state, seat), model) for seat in (PUBLIC, "h1", "max", "moderator")]
        assert all(each == maps[0] for each in maps)


def test_people_run_from_the_figures_and_keep_their_cards() -> None:
    """From 13 with a figure on 1 (beside 2 and 12): 14 and 43 are likelier, and to stay is less likely."""
    view = GAME.view(play(enter(), "max 14"), PUBLIC)
    even, human = GAME.odds(view).rooms, GAME.odds(view, "human").rooms
    assert even[14] == even[13]
    assert human[14] > human[2]
    assert human[14] > human[13]


def test_a_careful_max_is_less_often_where_most_would_look() -> None:
    """`care` alone: the room where he is most often expected becomes less likely."""
    state = play(enter(), "max 14; a stay; b stay; max 51")
    known = GAME.view(state, PUBLIC).knows
    plain = chances(known, known.facts, Habits())
    careful = chances(known, known.facts, Habits(care=1.0))
    most = max(plain, key=plain.__getitem__)
    assert careful[most] < plain[most]
    assert set(careful) == set(plain)


def test_the_last_action_told_which_rooms_are_out() -> None:
    assert GAME.clue(GAME.view(enter(), PUBLIC)) is None
    state = play(enter(), "max 14")
    clue = GAME.clue(GAME.view(state, PUBLIC))
    assert clue is not None
    assert (clue.before, clue.after, clue.ruled_out) == (1, 5, ())
    clue = GAME.clue(GAME.view(play(state, "a 1>2"), PUBLIC))
    assert clue is not None
    assert (clue.before, clue.after, clue.ruled_out) == (5, 4, (2,))


def test_a_game_that_has_not_begun_tells_nothing() -> None:
    view = GAME.view(new(), PUBLIC)
    assert GAME.clue(view) is None
    assert GAME.corrections(view) == ()


def test_a_record_that_contradicts_itself_says_so_and_names_the_smallest_corrections() -> None:
    """Every room he can be in was found empty: one of them was not."""
    state = play(enter(), "max 14")
    rooms = GAME.odds(GAME.view(state, PUBLIC)).possible
    assert GAME.corrections(GAME.view(state, PUBLIC)) == ()
    broken = replace(state, facts=(*state.facts, *map(Empty, rooms)))
    view = GAME.view(broken, PUBLIC)
    assert (GAME.odds(view).worlds, GAME.odds(view).possible) == (0, ())
    for model in MODELS:
        assert set(GAME.odds(view, model).rooms.values()) == {0.0}
    corrections = GAME.corrections(view)
    # Besides the rooms: had the figures stood elsewhere, he could have gone to one more.
    assert {"turn 1: no figure went into room 14"} in [{each.said() for each in way} for way in corrections]
    assert len(corrections) >= len(rooms)
    assert all(len(way) == 1 for way in corrections)
    said = {way[0].said(language) for way in corrections for language in ("en", "fr", "de")}
    assert len(said) == 3 * len(corrections)


def test_two_mistakes_are_found_where_one_does_not_explain_it() -> None:
    state = play(enter(figures={"a": 54, "b": 53}), "max 14")
    rooms = GAME.odds(GAME.view(state, PUBLIC)).possible
    twice = (*map(Empty, rooms), *map(Empty, rooms))
    corrections = GAME.corrections(GAME.view(replace(state, facts=(*state.facts, *twice)), PUBLIC))
    assert corrections
    assert {len(way) for way in corrections} == {2}


def test_the_lamps_show_the_map_only_where_the_table_agreed_to_it() -> None:
    script = "max 14; a 1>2; b 53>44; max 51"
    off = GAME.picture(GAME.view(play(enter(), script), PUBLIC))
    assert not [marks for marks in off.marks.values() if "possible" in marks]
    for agreed in ("possible", "likely"):
        view = GAME.view(play(enter({"map": agreed}), script), PUBLIC)
        picture = GAME.picture(view)
        shown = tuple(room for room, marks in picture.marks.items() if "possible" in marks)
        assert shown == GAME.odds(view).possible
        assert picture.gauges == off.gauges


def test_lamps_of_the_map_are_brighter_where_max_is_likelier() -> None:
    script = "max 14; a 1>2; b 53>44; max 51"
    view = GAME.view(play(enter({"map": "likely"}), script), PUBLIC)
    odds, picture = GAME.odds(view, "careful"), GAME.picture(view)
    lit = {room: picture.rooms[room].level for room in odds.possible if picture.rooms[room].hue == "ecto"}
    ranked = sorted(lit, key=lambda room: odds.rooms[room])
    assert lit[ranked[0]] < lit[ranked[-1]]
    assert [lit[room] for room in ranked] == sorted(lit.values())


def test_where_max_is_changes_no_lamp_of_the_map() -> None:
    state = play(enter({"map": "likely"}), "max 14; a 1>2; b 53>44; max 51")
    view = GAME.view(state, PUBLIC)
    picture, chance = GAME.picture(view), Random(1)
    others = [GAME.worlds(view).sample(chance) for _ in range(20)]
    assert {max_room(other) for other in others} - {51}
    assert all(GAME.picture(GAME.view(other, PUBLIC)) == picture for other in others)
