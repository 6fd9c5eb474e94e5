"""Bots of Gespensterjagd: they answer whatever is asked, from their view alone."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest
from msgspec.structs import replace

from companion import bots, league
from companion.bots import Moment
from companion.contract import PUBLIC, TABLE, read_options
from companion.games.canterville import GAME
from companion.games.canterville.actions import Doubt, Foul, Move, Pause, Stands, Stay, Unlock, Walk
from companion.games.canterville.bots import STRONG, personas
from companion.games.canterville.bots.memory import remembered
from companion.games.canterville.bots.player import WARMTH, warmly
from companion.games.canterville.options import MAX, MEASURED_FRAMES
from companion.games.canterville.routes import house, possible
from companion.games.canterville.state import Empty, State, room_of
from companion.table import Table
from companion.words import LANGUAGES, sentences
from tests.games.canterville.castles import FRAMES, SMALL, act, enter, play, random_options

LEVELS = ("easy", "normal", "strong")
SHORT = dict.fromkeys(FRAMES, 2)
"""Ten rounds at most."""
EVERYTHING = {"chimney": True, "door": True, "trap": "h1", "frames": SHORT}
TABLES: dict[str, dict[str, Any]] = {
    "demo": {"castle": "demo", "frames": SHORT},
    "alone": {"castle": "demo", "hunters": 1, **EVERYTHING},
    "four": {"castle": "demo", "hunters": 4, **EVERYTHING, "unlock_same_round_for_others": False},
    "no map": {"castle": "none", "frames": SHORT},
    "no map, all cards": {"castle": "none", "hunters": 2, **EVERYTHING},
    "small": {"castle": SMALL, "hunters": 2, **EVERYTHING, "trap_when": "any_time_between_turns"},
    "free": {"castle": SMALL, "frames": SHORT, "frame_locked": False, "x2_card_handling": "take_from_row"},
}


def chosen(level: str, state: State, seat: str, seed: Any = 0, fate: int = 5) -> Any:
    moment = Moment(GAME, GAME.view(state, seat), GAME.legal(state, seat), Random(f"{seed}"), fate)
    return bots.load("canterville", level).choose(moment)


def played(level: str, options: dict[str, Any], seed: int) -> list[tuple[State, str, Any]]:
    """A whole game by one level, move by move."""
    state, chance = GAME.start(read_options(GAME, options)), Random(seed)
    moves = []
    while seats := GAME.to_act(state):
        seat = seats[0] if len(seats) == 2 else chance.choice(seats)
        if seat == TABLE:
            action: Any = GAME.chance(state, chance)
        else:
            action = chosen(level, state, seat, chance.random())
            assert action in GAME.legal(state, seat)
            moves.append((state, seat, action))
        state, _ = GAME.apply(state, seat, action)
    return moves


@pytest.mark.parametrize("level", LEVELS)
@pytest.mark.parametrize("table", TABLES)
def test_a_bot_answers_whatever_is_asked_at_every_kind_of_table(level: str, table: str) -> None:
    phases = {state.phase for state, _, _ in played(level, TABLES[table], 3)}
    assert phases == {"starting", "framing", "max", "hunters"}


def test_random_tables_of_every_kind_are_played_to_the_end() -> None:
    for seed in range(12):
        level, chance = LEVELS[seed % 3], Random(seed)
        assert played(level, random_options(chance, 12, 2), seed)


@pytest.mark.parametrize("level", ["normal", "strong"])
def test_a_hunter_walks_into_the_only_room_where_max_can_be(level: str) -> None:
    """GJ-70: he was shown on 13 without a pause card, and of the rooms beside it three were found empty."""
    state = play(enter(pause=0, figures={"a": 3, "b": 53}), "max 14")
    seen = (*state.facts, *(Empty(room) for room in (2, 12, 43)))
    state = replace(state, facts=seen)
    assert chosen(level, state, "h1") == Walk("a", 14)


def test_strong_hunters_keep_to_their_common_plan_and_max_mixes_what_is_nearly_as_good() -> None:
    rates = [(Stay("a"), 0.5), (Walk("a", 2), 0.48)]
    kept = {warmly(rates, Random(n), STRONG.wavers) for n in range(60)}
    mixed = {warmly(rates, Random(n), WARMTH) for n in range(60)}
    assert kept == {Stay("a")}
    assert mixed == {Stay("a"), Walk("a", 2)}
    assert STRONG.feared.freedom < STRONG.weighing.freedom, "Max takes them to be a little less sure"


@pytest.mark.parametrize("level", LEVELS)
def test_max_does_not_stay_beside_a_figure_that_knows_where_he_is(level: str) -> None:
    """Shown on 13 with figures on 12 and 14: wherever they look, it is where they saw him."""
    state = enter(figures={"a": 12, "b": 14}, visited=[13])
    for seed in range(10):
        assert chosen(level, state, MAX, seed) != Pause()


@pytest.mark.parametrize("level", ["normal", "strong"])
def test_max_does_not_run_into_a_dead_end(level: str) -> None:
    """GJ-72: 42 leads nowhere if 12 and 43 have been visited; the other way leads on."""
    state = enter(room=13, visited=[13, 12, 43, 42], pause=0, x2=0, figures={"a": 1, "b": 1})
    assert chosen(level, state, MAX) in (Move(14), Move(2))


def test_max_keeps_his_cards_while_he_has_a_way() -> None:
    state = enter(figures={"a": 54, "b": 54})
    assert all(isinstance(chosen("normal", state, MAX, seed), Move) for seed in range(10))


def test_a_figure_opens_the_door_rather_than_wait_beside_it() -> None:
    """GJ-44: if it does not walk away it may as well open it."""
    state = enter(phase="hunters", to_act=["h1"], figures={"a": 13, "b": 13}, room=51, locked=51, shown=True)
    state = play(replace(state, figures={"a": 14, "b": 14}), "a unlock")
    assert state.locked is None
    closed = enter(phase="hunters", to_act=["h1"], figures={"a": 14, "b": 14}, room=51, locked=51, shown=True)
    assert chosen("strong", closed, "h1") == Unlock("a")


# Without a map


def doubted() -> State:
    """Max has shown a step that no map could check, and h1 doubts it. GJ-Q22."""
    options = {"castle": "none", "hunters": 3, "frames": dict.fromkeys(FRAMES, 1)}
    state = GAME.start(read_options(GAME, options))
    state = play(state, "a 20; b 21; c 22; max 5; cats; max 40; a stay; b stay; c stay")
    return act(state, "h1", "doubt", **{"from": 5, "to": 40})


@pytest.mark.parametrize("level", LEVELS)
def test_max_owns_up_to_a_step_that_he_could_not_see(level: str) -> None:
    state = doubted()
    asked = GAME.asked(state, MAX)
    assert asked == (Foul(5, 40), Stands())
    moment = Moment(GAME, GAME.view(state, MAX), asked, Random(1))
    assert bots.load("canterville", level).choose(moment) == Foul(5, 40)


def test_a_bot_at_a_table_answers_a_doubt() -> None:
    table = Table()
    table.new("canterville", {"castle": "none", "hunters": 1, "frames": dict.fromkeys(FRAMES, 1)}, seed=1)
    moves: list[tuple[str, dict[str, Any]]] = [
        *(("h1", {"type": "start", "figure": figure, "room": 20}) for figure in "abc"),
        (MAX, {"type": "start", "room": 5}),
        ("h1", {"type": "frame", "animal": "cats"}),
        (MAX, {"type": "move", "room": 40}),
        *(("h1", {"type": "stay", "figure": figure}) for figure in "abc"),
        ("h1", {"type": "doubt", "from": 5, "to": 40}),
    ]
    for seat, action in moves:
        table.act(seat, action)
    assert table.bot(MAX, "strong") == Foul(5, 40)
    assert table.hint(MAX).action == Foul(5, 40)


@pytest.mark.parametrize("level", LEVELS)
def test_a_bot_without_time_chooses_all_the_same(level: str) -> None:
    state = enter()
    past = bots.deadline(0)
    moment = Moment(GAME, GAME.view(state, MAX), GAME.legal(state, MAX), Random(1), 5, past)
    assert bots.load("canterville", level).choose(moment) in GAME.legal(state, MAX)


def test_nobody_but_max_is_asked_and_only_about_a_doubt() -> None:
    state = doubted()
    assert GAME.asked(state, "h1") == ()
    assert GAME.asked(act(state, MAX, "stands"), MAX) == ()


@pytest.mark.parametrize("level", LEVELS)
def test_without_a_map_max_goes_to_the_next_number_or_a_way_that_the_rules_name(level: str) -> None:
    """GJ-36, GJ-38."""
    for state, seat, action in played(level, TABLES["no map"], 8):
        if seat == MAX and isinstance(action, Move) and state.phase == "max":
            here = room_of(state.route)
            assert here is not None
            free = [room for room in (here - 1, here + 1) if Move(room) in GAME.legal(state, MAX)]
            named = not state.options.ways.unchecked(here, action.room)
            assert abs(action.room - here) == 1 or named or not free


def test_no_bot_doubts_what_it_cannot_see() -> None:
    assert not any(isinstance(action, Doubt) for _, _, action in played("strong", TABLES["no map"], 2))


# Memory, character, hints


def test_an_easy_player_forgets_a_clue_now_and_then_and_never_rules_out_the_truth() -> None:
    state = play(enter(visited=[13, 51, 54, 3]), "max 14; a 1>2; b 53>44; max pause; a stay; b 44>43")
    here = house(state.options)
    assert remembered(state, 1, 0.0) == state.facts
    kept = [remembered(state, fate, 0.4) for fate in range(100)]
    assert len({len(facts) for facts in kept}) > 2
    assert kept[3] == remembered(state, 3, 0.4)
    for facts in kept:
        rooms = {spot[0] for spot in possible(here, facts)}
        assert {spot[0] for spot in possible(here, state.facts)} <= rooms


def test_max_has_a_character_for_the_whole_game_and_hunters_have_none() -> None:
    state = enter()
    bot = bots.load("canterville", "strong")
    drawn = {bot.persona(GAME.view(state, MAX), fate) for fate in range(40)}
    assert len(drawn) == len(personas.TASTES)
    assert bot.persona(GAME.view(state, "h1"), 1) is None
    for name in personas.TASTES:
        for language in LANGUAGES:
            assert {f"persona_{name}", f"persona_{name}_line"} <= set(sentences("canterville", language))


def hints(state: State) -> list[tuple[Any, set[str]]]:
    """What the adviser says to everybody who is to act, in three languages."""
    found = []
    for seat in GAME.to_act(state):
        moment = Moment(GAME, GAME.view(state, seat), GAME.legal(state, seat), Random(1))
        hint = bots.adviser("canterville").hint(moment)
        assert hint.action in GAME.legal(state, seat)
        found.append((hint.action, {hint.because.said(language) for language in LANGUAGES}))
    return found


@pytest.mark.parametrize("table", ["alone", "no map"])
def test_a_hint_says_why_in_three_languages_in_every_phase(table: str) -> None:
    phases = set()
    for state, _, _ in played("normal", TABLES[table], 4):
        phases.add(state.phase)
        for _, said in hints(state):
            assert len(said) == 3
            assert not any("{" in each or "canterville." in each for each in said)
    assert phases == {"starting", "framing", "max", "hunters"}


def test_a_hint_names_the_room_and_how_likely_max_is_there() -> None:
    state = play(enter(pause=0, figures={"a": 3, "b": 53}), "max 14")
    [(action, said)] = hints(replace(state, facts=(*state.facts, *map(Empty, (2, 12, 43)))))
    assert action == Walk("a", 14)
    assert "room 14: Max can be nowhere else" in said


# Strength


def test_levels_stand_in_order_on_a_small_seeded_sample() -> None:
    """The full figures are printed by `companion league`."""
    options = league.options_of("canterville", {})
    assert options["frames"] == MEASURED_FRAMES
    won = {}
    for hunters in ("random", "strong"):
        pair = {"max": "normal", "hunters": hunters}
        jobs = [league.Job("canterville", options, pair, 77, n) for n in range(8)]
        won[hunters] = league.score(pair, list(league.played(jobs, 1))).wins["hunters"]
    assert won["random"] < won["strong"]


def test_public_seat_needs_no_bot() -> None:
    assert GAME.legal(enter(), PUBLIC) == []
