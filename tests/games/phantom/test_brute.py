"""The engine against a second implementation of the rules that shares no code with it."""

from __future__ import annotations

import json
from collections import Counter
from random import Random
from typing import Any

import pytest

from companion.contract import PUBLIC, plain, read, read_options
from companion.games.phantom import GAME
from companion.games.phantom.actions import Found
from companion.games.phantom.state import State
from tests.conformance.tables import PHANTOM
from tests.conformance.walks import key
from tests.games.phantom import brute
from tests.games.phantom.perft import counted

PLAIN = [
    options for options in PHANTOM if options.get("keeper") != "honour" and options.get("preset") is None
]
"""Tables of every kind where the companion knows the ghosts; presets are only names for options."""


def as_brute(options: dict[str, Any]) -> brute.Game:
    known = {name: value for name, value in options.items() if name in brute.DEFAULTS}
    return brute.start(known)


def choices(state: State) -> dict[str, set[bytes]]:
    return {seat: {key(action) for action in GAME.legal(state, seat)} for seat in GAME.to_act(state)}


def brute_choices(game: brute.Game) -> dict[str, set[bytes]]:
    typed = {
        seat: [read(action, GAME.action, "action") for action in actions]
        for seat, actions in brute.moves(game).items()
    }
    return {seat: set(map(key, actions)) for seat, actions in typed.items()}


def assert_alike(state: State, game: brute.Game) -> None:
    assert GAME.phase(state) == brute.phase(game)
    assert choices(state) == brute_choices(game)
    assert (state.damage, state.objective) == (game["damage"], game["objective"])
    assert (state.result.winner if state.result else None) == game["winner"]


@pytest.mark.parametrize("number", range(len(PLAIN)))
def test_both_allow_the_same_in_every_state_of_random_games(number: int) -> None:
    """PS-22, PS-24, PS-40, PS-50, PS-52, PS-57, PS-58, PS-60, PS-102: from laying to the end."""
    for seed in range(2):
        chance = Random(f"{number} {seed}")
        state = GAME.start(read_options(GAME, PLAIN[number]))
        game = as_brute(PLAIN[number])
        assert_alike(state, game)
        while GAME.to_act(state):
            seat = chance.choice(GAME.to_act(state))
            action = chance.choice(GAME.legal(state, seat))
            state, _ = GAME.apply(state, seat, action)
            game = brute.play(game, seat, plain(action))
            assert_alike(state, game)


# Counted positions


@pytest.mark.parametrize("position", counted.positions(), ids=lambda position: str(position["name"]))
def test_the_engine_counts_what_the_second_implementation_counted(position: dict[str, Any]) -> None:
    """PS-40, PS-50, PS-52, PS-60: the number of action sequences of each length."""
    state = GAME.enter(
        read_options(GAME, position["options"]), read(position["position"], GAME.position, "position")
    )
    assert [count(state, depth) for depth in range(1, len(position["counts"]) + 1)] == position["counts"]


def count(state: State, depth: int) -> int:
    allowed = [(seat, GAME.legal(state, seat)) for seat in GAME.to_act(state)]
    if depth == 1:
        return sum(len(actions) for _, actions in allowed)
    return sum(
        count(GAME.apply(state, seat, action)[0], depth - 1)
        for seat, actions in allowed
        for action in actions
    )


@pytest.mark.parametrize("position", counted.positions(), ids=lambda position: str(position["name"]))
def test_the_counts_are_those_of_the_second_implementation(position: dict[str, Any]) -> None:
    """The data files were made by it, and nobody has changed either since."""
    game = brute.enter(position["position"], position["options"])
    assert [brute.perft(game, depth) for depth in (1, 2)] == position["counts"][:2]


def test_there_are_positions_of_every_kind() -> None:
    """PS-57, PS-58, PS-91, PS-92: all player counts, passes, masters without ghosts, early and late."""
    found = counted.positions()
    assert {position["position"]["players"] for position in found} == {2, 3, 4}
    assert len(found) >= 15
    assert any(json.dumps(position["options"]) != "{}" for position in found)


# Worlds

WORLD_TABLES: list[dict[str, Any]] = [
    {},
    {"players": 2},
    {"players": 3},
    {"master_without_ghosts": "skip_turn"},
    {"blocked_master": "partner_plays"},
    {"blocked_master": "partner_plays", "friendly_fire": "forbidden"},
    {"blocked_master": "partner_plays", "pass_if_only_allied_tiles": True, "players": 3},
    {"pass_if_only_allied_tiles": True},
    {"masters_see_all_ghosts": "own_only", "friendly_fire": "forbidden"},
    {"masters_see_all_ghosts": "own_only", "pass_if_only_allied_tiles": True},
    {"reach": "flood_fill", "players": 3, "hunter_may_pass": True},
    {"players": 3, "first_master": "chosen", "first_seat": "p3", "master_without_ghosts": "skip_turn"},
]


def sparse(chance: Random, players: int, tiles: int) -> dict[str, Any]:
    """A board on which so many tiles of each colour are left and nobody has been found yet."""
    rooms = chance.sample(range(1, 37), 4 * tiles)
    colour_of = {number: brute.COLOURS[place // tiles] for place, number in enumerate(rooms)}
    _, masters = brute.teams(players)
    owners = chance.sample(masters * (4 // len(masters)), 4)
    return {
        "rooms": [
            {"colour": colour_of[number], "value": chance.randint(1, 6)} if number in colour_of else None
            for number in range(1, 37)
        ],
        "ghosts": {
            colour: {"room": chance.choice(rooms[tiles * n :][:tiles]), "owner": owners[n], "revealed": False}
            for n, colour in enumerate(brute.COLOURS)
        },
        "damage": 0,
        "objective": 216,
        "players": players,
        "to_act": [masters[0]],
    }  # fmt: skip


def compare_worlds(position: dict[str, Any], options: dict[str, Any], chance: Random) -> Counter[str]:
    """Play a game to its end with both; what the table can know must be the same at every turn."""
    state = GAME.enter(read_options(GAME, options), read(position, GAME.position, "position"))
    game = brute.enter(position, {name: value for name, value in options.items() if name in brute.DEFAULTS})
    worlds = brute.those_who_give_the_turn(brute.all_worlds(game), game)
    happened: Counter[str] = Counter()
    while state.result is None:
        assert engine_worlds(state) == as_set(worlds)
        assert GAME.odds(GAME.view(state, PUBLIC)).worlds == len(worlds)
        assert choices(state) == brute_choices(game)
        (seat,) = state.movers
        happened["replaced"] += seat != state.due
        action = chance.choice(GAME.legal(state, seat))
        happened[plain(action)["type"]] += 1
        turn = state.turn
        state, _ = GAME.apply(state, seat, action)
        happened["skipped"] += state.turn - turn > 1
        after = brute.play(game, seat, plain(action))
        worlds = brute.still_possible(worlds, game, seat, plain(action), after)
        game = after
    return happened


@pytest.mark.parametrize("number", range(len(WORLD_TABLES)))
def test_the_worlds_are_exactly_those_that_fit_all_that_was_seen(number: int) -> None:
    """PS-57, PS-58, PS-72, PS-Q6, PS-Q7: every placement and split, played through, at every turn."""
    options = WORLD_TABLES[number]
    happened: Counter[str] = Counter()
    for seed in range(12):
        chance = Random(f"{number} {seed}")
        position = sparse(chance, options.get("players", 4), 2 + seed % 3)
        happened += compare_worlds(position, options, chance)
    if options.get("blocked_master") != "partner_plays":
        assert happened["pass"] > 0
    if options.get("players") != 2:
        partner_plays = options.get("master_without_ghosts") != "skip_turn"
        assert happened["replaced" if partner_plays else "skipped"] > 0


@pytest.mark.parametrize("players", [2, 3, 4])
def test_the_worlds_of_a_whole_game_are_exact(players: int) -> None:
    """PS-72, PS-T20: from all 6,561 placements on."""
    compare_worlds(sparse(Random(players), players, 9), {"players": players}, Random(players))


def engine_worlds(state: State) -> set[tuple[Any, ...]]:
    return {
        tuple((ghost.room, ghost.owner) for ghost in world.ghosts)
        for world in GAME.worlds(GAME.view(state, PUBLIC))
    }


def as_set(worlds: list[brute.World]) -> set[tuple[Any, ...]]:
    return {
        tuple((brute.number(world[colour][0]), world[colour][1]) for colour in brute.COLOURS)
        for world in worlds
    }


# Keeper `honour`: real tokens lie under the tiles, and the companion only hears what the table says

HONOUR_TABLES: list[dict[str, Any]] = [
    {},
    {"players": 2},
    {"players": 3},
    {"blocked_master": "partner_plays"},
    {"friendly_fire": "forbidden"},
    {"pass_if_only_allied_tiles": True, "reach": "flood_fill"},
]


@pytest.mark.parametrize("number", range(len(HONOUR_TABLES)))
def test_by_honour_just_that_is_allowed_which_some_world_allows(number: int) -> None:
    """PS-50, PS-57, PS-58, PS-70, PS-72: who may play, what he may do, and what he may have found."""
    options = HONOUR_TABLES[number]
    for seed in range(4):
        chance = Random(f"honour {number} {seed}")
        tokens = sparse(chance, options.get("players", 4), 2 + seed % 2)
        unknown = {"room": None, "owner": None, "revealed": False}
        told = {**tokens, "ghosts": dict.fromkeys(brute.COLOURS, unknown)}
        state = GAME.enter(
            read_options(GAME, {**options, "keeper": "honour"}), read(told, GAME.position, "position")
        )
        play_by_honour(state, brute.enter(tokens, options), chance)


def play_by_honour(state: State, game: brute.Game, chance: Random) -> None:
    worlds = brute.all_worlds(game)
    while state.result is None:
        possible = [(world, brute.in_world(game, world)) for world in worlds]
        movers = {brute.mover(table, game["turn"]) for _, table in possible}
        assert set(state.movers) == movers
        for seat in state.movers:
            allowed = [move for _, table in possible for move in brute.moves(table).get(seat, [])]
            assert {key(action) for action in GAME.legal(state, seat)} == set(map(as_key, allowed))
        ((seat, moves),) = brute.moves(game).items()
        action = chance.choice(moves)
        worlds = [world for world, table in possible if action in brute.moves(table).get(seat, [])]
        state, _ = GAME.apply(state, seat, read(action, GAME.action, "action"))
        after = brute.play(game, seat, action)
        if action["type"] == "remove":
            place = brute.room(action["room"])
            finds = {found_at(game, world, place) for world in worlds}
            assert {found.ghost for found in GAME.legal(state, seat)} == finds
            truth = found_at(game, {c: (g["room"], "") for c, g in game["ghosts"].items()}, place)
            state, _ = GAME.apply(state, seat, Found(truth))  # type: ignore[arg-type]
            worlds = [world for world in worlds if found_at(game, world, place) == truth]
        game = after
    assert state.result.winner == game["winner"]


def as_key(action: brute.Action) -> bytes:
    return key(read(action, GAME.action, "action"))


def found_at(game: brute.Game, world: Any, place: brute.Room) -> str | None:
    """The ghost that lies under a tile in a world, or none."""
    hidden = [colour for colour in brute.COLOURS if not game["ghosts"][colour]["found"]]
    return next((colour for colour in hidden if world[colour][0] == place), None)
