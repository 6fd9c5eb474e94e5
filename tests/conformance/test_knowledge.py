"""What a seat is told follows from what it saw: two games that look alike to it are told alike.

The generic suite draws its worlds from the view it judges. Here the other games come from the rules' own
account of who sees what, so that a view which knows too much is found out.
"""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

from companion import games
from companion.contract import HOST, PUBLIC, Game, heard, plain, read
from companion.refusals import Refusal
from tests.conformance.accounts import Data, Played, account, encoded, others, played
from tests.conformance.tables import FRAMES, LAYOUT, QUARTERS
from tests.conformance.walks import Walk, seats_of

CROWD = {"bats": 8, "cats": 8, "hedgehogs": 8, "mice": 8, "owls": 8}
TABLES: list[tuple[str, Data]] = [
    ("phantom", {"layout": LAYOUT, "objective": 216}),
    ("phantom", {"layout": QUARTERS, "objective": 216, "players": 3}),
    ("phantom", {"layout": QUARTERS, "objective": 216, "players": 2}),
    ("phantom", {"layout": LAYOUT, "objective": 216, "masters_see_all_ghosts": "own_only"}),
    (
        "phantom",
        {
            "layout": QUARTERS,
            "objective": 216,
            "masters_see_all_ghosts": "own_only",
            "friendly_fire": "forbidden",
            "owners": {"blue": "p2", "red": "p4", "green": "p4", "white": "p2"},
        },
    ),
    ("phantom", {"layout": LAYOUT, "show_removal_log": "hidden_until_end", "keeper": "both"}),
    ("phantom", {"layout": LAYOUT, "master_game": True, "packs": {"p1": "A"}}),
    ("canterville", {"hunters": 2, "frames": CROWD, "trap": "h1", "door": True}),
    ("canterville", {"hunters": 4, "frames": FRAMES, "visited_display": "always"}),
    (
        "canterville",
        {"hunters": 1, "frames": CROWD, "chimney": True, "trap": "h1", "visited_display": "never"},
    ),
    ("artefacts", {"decks": "virtual", "hands": "private", "draw_at_limit": "draw_then_discard"}),
    ("artefacts", {"decks": "virtual", "hands": "private", "players": 2}),
]
PAIRS = 60
"""So many pairs of games that look alike to somebody must be found at each table."""


def said_to(game: Game[Any], truth: Played, seat: str, attempts: list[Any]) -> list[bytes]:
    """Everything that the companion tells a seat until now, and answers to what it tries."""
    state, view = truth.states[-1], game.view(truth.states[-1], seat)
    said: list[Any] = [view.shows, view.knows, game.legal(state, seat), game.to_act(state), game.phase(state)]
    said += [game.picture(view), game.chairs(state), game.result(state)]
    for before, (mover, action) in zip(truth.states, truth.moves, strict=False):
        typed = read(action, game.action, "action")
        _, told = game.apply(before, mover, typed)
        said += [heard(told, seat), game.recorded(state, typed, heard(told, PUBLIC))]
    for action in attempts:
        try:
            game.apply(state, seat, action)
        except Refusal as refusal:
            said.append((refusal.code, refusal.rule, refusal.message()))
        else:
            said.append("taken")
    return [encoded(plain(each)) for each in said]


def onlookers(game: Game[Any], state: Any) -> list[str]:
    """Every seat from which something may be hidden."""
    return [seat for seat in seats_of(game, state) if seat != "moderator"]


@pytest.mark.parametrize(
    ("name", "options"), TABLES, ids=lambda value: value if isinstance(value, str) else ""
)
def test_games_that_look_alike_to_a_seat_are_told_alike(name: str, options: Data) -> None:
    """PS-Q16, PS-121, GJ-37, CFA-61: at some moment of many games, for every seat but the moderator's."""
    game, chance, pairs = games.find(name), Random(7), 0
    for seed in range(400):
        if pairs >= PAIRS:
            break
        pairs += compare(game, options, Walk(name, options, seed), chance)
    assert pairs >= PAIRS


def compare(game: Game[Any], options: Data, walk: Walk, chance: Random) -> int:
    """Cut a game off somewhere, look for one that looks the same to a seat, and compare what it is told."""
    length = chance.randint(2, min(len(walk.moves), 40 if game.name != "artefacts" else len(walk.moves)))
    truth = played(game, options, [(seat, plain(action)) for seat, action in walk.moves[:length]])
    assert truth is not None
    if game.result(truth.states[-1]) is not None:
        return 0
    pairs = 0
    for other in others(game.name, game, options, truth, chance, 12):
        if game.result(other.states[-1]) is not None or other.states[-1] == truth.states[-1]:
            continue
        for seat in onlookers(game, truth.states[-1]):
            if account(game.name, seat, truth) == account(game.name, seat, other):
                attempts = tried(game, truth.states[-1], chance)
                one, two = (said_to(game, each, seat, attempts) for each in (truth, other))
                assert one == two, f"{seat} can tell these games apart"
                pairs += 1
    return pairs


def tried(game: Game[Any], state: Any, chance: Random) -> list[Any]:
    """Some of what anybody may do now; and in a hunt every room, for a refusal may tell much."""
    legal = [action for seat in game.to_act(state) for action in game.legal(state, seat)]
    rooms = range(1, 37) if game.name == "phantom" and state.phase == "playing" else ()
    removals = [read({"type": "remove", "room": room}, game.action, "action") for room in rooms]
    return [*chance.sample(legal, min(20, len(legal))), *removals]


def hidden_elsewhere(options: Data) -> tuple[Played, Played]:
    """Two hotels in which blue, master p2's, hides under another blue tile."""
    game, rooms = games.find("phantom"), (1, 2, 3, 4)
    seats = ("p2", "p4", "p2", "p4")
    colours = ("blue", "red", "green", "white")
    moves = [
        (seat, {"type": "hide", "ghost": colour, "room": room})
        for seat, colour, room in zip(seats, colours, rooms, strict=True)
    ]
    elsewhere = [(moves[0][0], {**moves[0][1], "room": 5}), *moves[1:]]
    one, two = (played(game, options, each) for each in (moves, elsewhere))
    assert one is not None
    assert two is not None
    return one, two


@pytest.mark.parametrize(
    ("sees", "apart"), [(True, ["p2", "p4"]), ("own_only", ["p2"])], ids=["all ghosts", "own only"]
)
def test_an_account_tells_apart_what_a_seat_may_know(sees: Any, apart: list[str]) -> None:
    """PS-Q16: or everything would look alike, and the suite above would find nothing."""
    one, two = hidden_elsewhere({"layout": LAYOUT, "masters_see_all_ghosts": sees})
    every = ("p1", "p2", "p3", "p4", PUBLIC, HOST)
    assert [s for s in every if account("phantom", s, one) != account("phantom", s, two)] == apart
