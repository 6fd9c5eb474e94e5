"""No secret leaves by any door: worlds are swapped under the hunters' noses, and nothing they get changes."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

from companion.contract import HOST, PUBLIC, TABLE, heard, plain, read, read_options
from companion.games.canterville import GAME
from companion.games.canterville.state import State
from companion.refusals import Refusal
from tests.games.canterville.castles import FRAMES, enter, max_room, play, random_options, tell

EVERY_TRY: list[dict[str, Any]] = [
    *(
        {"type": "walk", "figure": figure, "room": room}
        for figure in "abcd"
        for room in (1, 12, 13, 42, 53, 99)
    ),
    *({"type": kind, "figure": figure} for kind in ("stay", "unlock") for figure in "abcd"),
    *({"type": kind, "room": room} for kind in ("trap", "move", "cheat", "lock") for room in (1, 12, 54, 99)),
    {"type": "pause"},
    {"type": "frame", "animal": "cats"},
    {"type": "start", "figure": "a", "room": 1},
    {"type": "repair", "set": {"max": {"room": 12}}},
    {"type": "foul", "from": 1, "to": 12},
    {"type": "drawn", "frames": ["cats"]},
]


def onlookers(state: State) -> list[str]:
    """Every seat from which Max hides."""
    return [*state.options.hunter_seats, PUBLIC, HOST, TABLE]


def states(seed: int) -> list[State]:
    """The moments of a game in which Max is out of sight."""
    chance = Random(seed)
    options = random_options(chance, 10) if seed % 3 else {"hunters": 2, "frames": FRAMES, "trap": "h1"}
    state = GAME.start(read_options(GAME, options))
    found = []
    while GAME.result(state) is None:
        seat = chance.choice(GAME.to_act(state))
        state, _ = GAME.apply(state, seat, chance.choice(GAME.legal(state, seat)))
        if state.facts and not state.shown:
            found.append(state)
    return chance.sample(found, min(6, len(found)))


def answer(state: State, seat: str, action: Any) -> Any:
    """What a seat is told for something it tries; null where it finds Max, or the end of the game."""
    try:
        after, events = GAME.apply(state, seat, action)
    except Refusal as refusal:
        return refusal.code, refusal.message(), refusal.rule
    if after.result is not None or after.shown:
        return None
    return heard(events, seat), GAME.recorded(after, action, heard(events, PUBLIC)), GAME.view(after, seat)


def assert_same_answers(one: State, two: State, seat: str) -> None:
    for plain_action in EVERY_TRY:
        action = read(plain_action, GAME.action, "action")
        answers = answer(one, seat, action), answer(two, seat, action)
        assert None in answers or answers[0] == answers[1]


@pytest.mark.parametrize("seed", range(24))
def test_swapped_worlds_look_alike(seed: int) -> None:
    """GJ-37, GJ-41, GJ-Q19: views, lamps, map, choices and refusals do not depend on where Max is."""
    chance = Random(seed)
    for state in states(seed):
        for seat in onlookers(state):
            view = GAME.view(state, PUBLIC if seat == TABLE else seat)
            picture, odds = GAME.picture(view), GAME.odds(view)
            every = GAME.worlds(view)
            for _ in range(4):
                world = every.sample(chance)
                other = GAME.view(world, PUBLIC if seat == TABLE else seat)
                assert other == view
                assert GAME.picture(other) == picture
                assert GAME.odds(other) == odds
                assert GAME.legal(world, seat) == GAME.legal(state, seat)
                assert_same_answers(world, state, seat)


def test_whatever_max_does_sounds_alike() -> None:
    """GJ-37, GJ-41: after a move, a pause or a move in another world, hunters get the very same."""
    turns = [(seed, state) for seed in range(24) for state in states(seed) if GAME.phase(state) == "max"]
    heard_by_hunters = [told_hunters(state, Random(seed)) for seed, state in turns]
    # Now and then all he can do is cheat, or step into the trap.
    assert max(map(len, heard_by_hunters)) == 1
    assert sum(map(len, heard_by_hunters)) > len(turns) / 2


def told_hunters(state: State, chance: Random) -> set[str]:
    """All that hunters may get to hear when Max moves or pauses, in this world or in one like it."""
    told = set()
    for world in [state, *(GAME.worlds(GAME.view(state, PUBLIC)).sample(chance) for _ in range(4))]:
        for action in GAME.legal(world, "max"):
            after, events = GAME.apply(world, "max", action)
            if plain(action)["type"] in ("move", "pause") and not after.shown:
                record = GAME.recorded(after, action, heard(events, PUBLIC))
                view = GAME.view(after, "h1")
                sent = (heard(events, "h1"), record, GAME.picture(GAME.view(after, PUBLIC)))
                told.add(repr((*sent, view, GAME.odds(view))))
    return told


def test_trap_laid_on_max_changes_nothing_anywhere() -> None:
    """GJ-Q19: not the events, not the view, not the lamps, not the map."""
    hunt = {"phase": "hunters", "to_act": ["h1"], "shown": False, "holder": "h1", "visited": [13, 14]}
    on_him, beside = enter(**hunt, room=13), enter(**hunt, room=14)
    told = [tell(state, "h1", "trap", room=13) for state in (on_him, beside)]
    assert told[0][1] == told[1][1]
    views = [GAME.view(after, "h1") for after, _ in told]
    assert views[0] == views[1]
    assert GAME.picture(views[0]) == GAME.picture(views[1])


def test_what_hunters_hold_has_no_room_of_max_in_it() -> None:
    """Views are built from nothing: the hidden part of the route is in none of them."""
    state = play(enter(), "max 14; a stay; b stay; max pause; a stay; b stay; max 51")
    for seat in onlookers(state):
        known = GAME.view(state, seat).knows
        assert (known.route, known.visited, known.pause) == ((13,), 0, 2)
        assert max_room(known) != max_room(state)
