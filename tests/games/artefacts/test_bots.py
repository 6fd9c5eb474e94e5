"""Bots of Chasseurs Fantômes Artéfacts: they answer whatever is asked, from their view alone."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

from companion import bots, league
from companion.bots import Moment
from companion.contract import TABLE, read_options
from companion.games.artefacts import GAME
from companion.games.artefacts.actions import End, Fight, Lay, Pick, Step, Use
from companion.games.artefacts.bots import EASY, NORMAL, STRONG, personas
from companion.games.artefacts.bots.player import Player
from companion.games.artefacts.state import State
from companion.words import LANGUAGES, sentences
from tests.games.artefacts.house import COLOURS, corridors, enter, ghost, tile

LEVELS = {"easy": EASY, "normal": NORMAL, "strong": STRONG}
TABLES: dict[str, dict[str, Any]] = {
    "virtual": {"decks": "virtual"},
    "real": {},
    "family": {"preset": "family"},
    "expert": {"preset": "expert"},
    "odd": {
        "decks": "virtual",
        "rotation": False,
        "ghost_no_route": "use_nearest_door",
        "ghost_tiebreak": "leader",
        "ghost_order": "leader",
        "artefact_tile_blocks_ghosts": True,
        "delivery_cell": "own_arm",
        "fights_per_turn": "per_ghost",
        "object_uses_per_turn": "unlimited",
        "max_life": 1,
    },
}


def moment(state: State, seat: str, seed: Any = 0, fate: int = 5, until: float | None = None) -> Moment:
    return Moment(GAME, GAME.view(state, seat), GAME.legal(state, seat), Random(f"{seed}"), fate, until)


def chosen(bot: Player, state: State, seat: str, seed: Any = 0) -> Any:
    return bot.choose(moment(state, seat, seed))


def played(bot: Player, options: dict[str, Any], seed: int, most: int = 130) -> list[tuple[State, str, Any]]:
    """A game by one level, move by move, as far as it goes with so many of them."""
    state, chance = GAME.start(read_options(GAME, GAME.resolve(options))), Random(seed)
    moves: list[tuple[State, str, Any]] = []
    while (seats := GAME.to_act(state)) and len(moves) < most:
        seat = chance.choice(seats)
        if seat == TABLE:
            action = GAME.chance(state, chance) or chance.choice(GAME.legal(state, seat))
        else:
            action = chosen(bot, state, seat, chance.random())
            assert action in GAME.legal(state, seat)
            moves.append((state, seat, action))
        state, _ = GAME.apply(state, seat, action)
    return moves


@pytest.mark.parametrize(
    ("level", "table"), [*(("strong", t) for t in TABLES), ("easy", "odd"), ("normal", "expert")]
)
def test_a_bot_answers_whatever_is_asked_at_every_kind_of_table(level: str, table: str) -> None:
    phases = {state.phase for state, _, _ in played(LEVELS[level], TABLES[table], 3)}
    assert {"drafting", "building", "laying", "acting"} <= phases


def test_every_level_is_offered() -> None:
    assert bots.levels("artefacts") == ("random", "easy", "normal", "strong")
    assert bots.load("artefacts", "strong") is STRONG


def test_a_bot_without_time_chooses_all_the_same() -> None:
    state = enter(ghosts=[ghost("blue", (0, 2))], hands={"blue": ["vacuum", "vacuum"]})
    assert STRONG.choose(moment(state, "blue", until=bots.deadline(0))) in GAME.legal(state, "blue")


# What they do


@pytest.mark.parametrize("level", LEVELS)
def test_who_carries_an_artefact_past_the_cross_goes_home(level: str) -> None:
    """CFA-70: two steps away, three points."""
    state = enter(pawns={"blue": (0, 3)}, artefacts={"blue": {"by": "blue", "picked": True}}, spent=["draw"])
    assert chosen(LEVELS[level], state, "blue") == Step((0, 2))


@pytest.mark.parametrize("level", LEVELS)
def test_who_stands_on_its_artefact_picks_it_up_and_brings_the_last_one_home(level: str) -> None:
    """CFA-44, CFA-70."""
    manor = corridors(tile((1, 2), "artefact", colour="blue"))
    at_home = {"home": True, "picked": True}
    others = {colour: at_home for colour in COLOURS if colour != "blue"}
    state = enter(manor=manor, pawns={"blue": (1, 2)}, artefacts={"blue": {"at": (1, 2)}, **others})
    assert chosen(LEVELS[level], state, "blue") == Pick()


@pytest.mark.parametrize("level", ["normal", "strong"])
def test_a_ghost_that_would_be_the_third_to_escape_is_fought_with_whatever_there_is(level: str) -> None:
    """CFA-60, CFA-71: vacuums before life."""
    out = [ghost("red", (0, 0), n=1), ghost("red", (0, 0), n=2)]
    state = enter(
        ghosts=[ghost("blue", (0, 1), 3), *out],
        hands={"blue": ["vacuum"]},
        pawns={"blue": (0, 1)},
        spent=["draw"],
    )
    assert chosen(LEVELS[level], state, "blue") == Fight("blue1", vacuums=1, life=2)


@pytest.mark.parametrize("level", ["normal", "strong"])
def test_a_ghost_is_laid_where_no_tiles_lead_to_its_own_door(level: str) -> None:
    """CFA-40, CFA-50, CFA-Q5: blue lays it in a corridor that is not its own, and touches no other."""
    open_tile = {"id": "ghost-NESW-1", "kind": "ghost", "exits": "NESW"}
    state = enter(phase="laying", open=[open_tile])
    for seed in range(5):
        lay = chosen(LEVELS[level], state, "blue", seed)
        assert isinstance(lay, Lay)
        after, _ = GAME.apply(state, "blue", lay)
        (new,) = after.ghosts
        assert new.colour == "blue"
        assert GAME.ahead(GAME.view(after, "blue")).routes[new.id] == ()


def test_a_chalice_brings_back_who_still_has_an_artefact_to_fetch() -> None:
    """CFA-62, CFA-Q34."""
    state = enter(life={"red": 0}, hands={"blue": ["chalice"]}, points=1, spent=["draw"])
    assert chosen(STRONG, state, "blue") == Use("chalice", "red")


def test_nobody_gives_up_the_last_point_of_life() -> None:
    state = enter(ghosts=[ghost("blue", (0, 1), 2)], pawns={"blue": (0, 1)}, life={"blue": 1})
    for bot in LEVELS.values():
        assert not isinstance(chosen(bot, state, "blue"), Fight)


def test_an_easy_player_overlooks_a_ghost_now_and_then_and_others_none() -> None:
    state = enter(ghosts=[ghost(colour, (0, 3)) for colour in COLOURS])
    seen = {len(EASY.overlooked(moment(state, "blue", fate=fate))) for fate in range(50)}
    assert len(seen) > 2
    assert not STRONG.overlooked(moment(state, "blue"))


# Character and hints


def test_each_hunter_has_a_character_for_the_whole_game() -> None:
    view = GAME.view(enter(), "blue")
    drawn = {STRONG.persona(view, fate) for fate in range(40)}
    assert len(drawn) == len(personas.LEANINGS)
    for name in personas.LEANINGS:
        for language in LANGUAGES:
            assert {f"persona_{name}", f"persona_{name}_line"} <= set(sentences("artefacts", language))


def test_a_hint_says_why_in_three_languages_in_every_phase() -> None:
    keys = set()
    for seed in (1, 2):
        for state, seat, _ in played(NORMAL, TABLES["virtual"], seed, 300)[::2]:
            hint = NORMAL.hint(moment(state, seat))
            assert hint.action in GAME.legal(state, seat)
            said = {hint.because.said(language) for language in LANGUAGES}
            assert len(said) == 3
            assert not any("{" in each or "artefacts." in each for each in said)
            keys.add(hint.because.key)
    assert len(keys) > 12


def test_a_hint_names_the_ghost_and_its_power() -> None:
    state = enter(
        ghosts=[ghost("blue", (0, 1), 2)],
        pawns={"blue": (0, 1)},
        hands={"blue": ["vacuum", "vacuum"]},
        spent=["draw"],
    )
    hint = STRONG.hint(moment(state, "blue"))
    assert hint.action == Fight("blue1", vacuums=2)
    assert "blue 1 has power 2" in hint.because.said("en")
    assert STRONG.hint(moment(enter(phase="acting", points=0), "blue")).action == End()


# Strength


def test_levels_stand_in_order_on_a_small_seeded_sample() -> None:
    """The full figures are printed by `companion league`."""
    options = league.options_of("artefacts", {})
    won = {}
    for level in ("easy", "strong"):
        jobs = [league.Job("artefacts", options, {"players": level}, 77, n) for n in range(6)]
        won[level] = sum(each.winner == "players" for each in league.played(jobs, 1))
    assert won["strong"] >= 2 * won["easy"]
    assert won["strong"] >= 3
