"""The game and a second reading of the booklet agree, move by move, and so do the worlds with brute force."""

from __future__ import annotations

import os
from collections import Counter
from random import Random
from typing import Any

import pytest

from companion.contract import MODERATOR, PUBLIC, TABLE, plain, read, read_options
from companion.games.canterville import GAME
from companion.games.canterville.state import State
from tests.games.canterville.booklet import Booklet
from tests.games.canterville.castles import random_options

GAMES = int(os.environ.get("CANTERVILLE_GAMES", "300"))
WORLD_GAMES = int(os.environ.get("CANTERVILLE_WORLD_GAMES", "200"))
BATCHES = 10
HAPPENS = {
    "trap",
    "cheat into a trap",
    "pause in a trap",
    "unlocking",
    "chimney",
    "hunters: caught",
    "hunters: stuck",
    "max: last_animal",
}
WORLDS_MEET = {
    "trap",
    "cheat into a trap",
    "pause in a trap",
    "x2",
    "pause",
    "chimney",
    "passage",
    "showing",
    "eight hidden moves",
    "hunters: stuck",
}
happened: Counter[str] = Counter()


class Pair:
    """The same game twice, with every choice left to chance but for a taste for the rare."""

    def __init__(self, seed: int, size: int, largest: int = 4) -> None:
        self.chance = Random(seed)
        self.options = random_options(self.chance, size, largest)
        self.state: State = GAME.start(read_options(GAME, self.options))
        self.booklet = Booklet(self.options)
        if GAME.to_act(self.state) == (TABLE,):
            drawn = GAME.chance(self.state, self.chance)
            self.state, _ = GAME.apply(self.state, TABLE, drawn)
        frames = {animal: [frame.size, frame.taken] for animal, frame in self.state.frames.items()}
        self.booklet.frames = frames

    def step(self) -> None:
        """One action in both."""
        seat = self.chance.choice(GAME.to_act(self.state))
        action = self.taste([plain(action) for action in GAME.legal(self.state, seat)])
        self.state, _ = GAME.apply(self.state, seat, read(action, GAME.action, "action"))
        self.booklet.act(seat, action)

    def taste(self, actions: list[dict[str, Any]]) -> dict[str, Any]:
        """Prefer what seldom happens: hunters who stay or lay traps in Max's way, Max who meets the trap."""
        beside = self.beside_max()
        rare = [
            action
            for action in actions
            if action["type"] in ("unlock", "lock", "cheat")
            or (action["type"] == "trap" and action["room"] in beside)
            or (action["type"] == "pause" and self.booklet.trap == self.room)
            or (action["type"] == "move" and action["room"] in (self.booklet.trap, 42, 53))
        ]
        if rare and self.chance.random() < 0.5:
            return self.chance.choice(rare)
        safe = [
            a for a in actions if a["type"] != "walk" or a["room"] != self.room or self.chance.random() < 0.3
        ]
        return self.chance.choice(safe or actions)

    @property
    def room(self) -> int | None:
        return self.booklet.max.room if self.booklet.max else None

    def beside_max(self) -> set[int]:
        return self.booklet.free(self.booklet.max) if self.booklet.max else set()

    @property
    def over(self) -> bool:
        return GAME.result(self.state) is not None


def same(pair: Pair) -> None:
    """Both see the same table and allow the same."""
    state, booklet = pair.state, pair.booklet
    shows = GAME.view(state, MODERATOR).shows
    assert (shows.phase, sorted(shows.to_act)) == (booklet.phase, sorted(booklet.to_act()))
    assert {f: room for f, room in shows.figures.items() if room} == booklet.figures
    assert (shows.trap, shows.locked, shows.frame) == (booklet.trap, booklet.locked, booklet.frame)
    assert shows.cards.x2 == booklet.x2
    assert shows.cards.trap == (booklet.holder or False)
    assert shows.cards.door == (booklet.locks > 0)
    assert {a: [f.size, f.taken] for a, f in shows.frames.items()} == booklet.frames
    assert (shows.result and (shows.result.winner, shows.result.reason)) == booklet.winner
    if booklet.max is not None:
        assert [0 if step == "pause" else step for step in shows.route] == booklet.max.route
        assert shows.visited == tuple(sorted(booklet.max.visited))
        assert shows.cards.pause == booklet.max.pauses
        assert shows.max.shown == (booklet.seen is not None)
    for seat in shows.to_act:
        ours = [plain(action) for action in GAME.legal(state, seat)]
        assert sorted(map(str_of, ours)) == sorted(map(str_of, booklet.legal(seat)))


def str_of(action: dict[str, Any]) -> str:
    return str(sorted(action.items()))


@pytest.mark.parametrize("batch", range(BATCHES))
def test_every_move_agrees_with_the_booklet(batch: int) -> None:
    """All options of the rules, all cards, castles nobody has thought of. GJ-30 to GJ-72."""
    for seed in range(batch, GAMES, BATCHES):
        pair = Pair(seed, 6 + seed % 9)
        same(pair)
        while not pair.over:
            pair.step()
            same(pair)
        happened.update(pair.booklet.counts)


def test_everything_rare_has_happened() -> None:
    """The games above are worth something: each rare thing occurred in them."""
    if not happened:
        for batch in range(BATCHES):
            test_every_move_agrees_with_the_booklet(batch)
    assert set(happened) >= HAPPENS, HAPPENS - set(happened)


def test_worlds_are_what_brute_force_finds() -> None:
    """After every action of 200 games: the same routes, each once, and the same map.

    GJ-34, GJ-36, GJ-40 to GJ-42, GJ-52, GJ-60, GJ-72; frames of up to eight animals in castles of up to 14
    rooms, where every route can be listed.
    """
    met: Counter[str] = Counter()
    for seed in range(WORLD_GAMES):
        pair = Pair(10_000 + seed, 6 + 2 * (seed % 5), largest=8)
        while not pair.over:
            pair.step()
            if pair.booklet.max is not None:
                compare_worlds(pair)
        met.update(pair.booklet.counts)
    assert set(met) >= WORLDS_MEET, WORLDS_MEET - set(met)


def test_worlds_stay_right_after_a_repair() -> None:
    """What the moderator sets straight in the middle of a game is known, or forgotten, from there on."""
    mended: Counter[str] = Counter()
    for seed in range(60):
        pair = Pair(20_000 + seed, 8 + 2 * (seed % 3), largest=8)
        while not pair.over:
            pair.step()
            if not pair.over and pair.state.phase in ("max", "hunters") and pair.chance.random() < 0.1:
                mended[repair(pair)] += 1
            if pair.booklet.max is not None:
                same(pair)
                compare_worlds(pair)
    assert min(mended["figure"], mended["max"]) > 20, mended


def repair(pair: Pair) -> str:
    """A figure or Max is put elsewhere, in both."""
    free = sorted(pair.booklet.rooms - {pair.room} - set(pair.booklet.figures.values()))
    room, figure = pair.chance.choice(free), pair.chance.choice(sorted(pair.booklet.figures))
    if pair.chance.random() < 0.5:
        fixes: dict[str, Any] = {"figures": {figure: room}}
        pair.booklet.put(figure, room)
    else:
        fixes = {"max": {"room": room}}
        pair.booklet.put_max(room)
    action = read({"type": "repair", "set": fixes}, GAME.action, "action")
    pair.state, _ = GAME.apply(pair.state, MODERATOR, action)
    return "figure" if "figures" in fixes else "max"


def compare_worlds(pair: Pair) -> None:
    view = GAME.view(pair.state, PUBLIC)
    odds = GAME.odds(view)
    theories = pair.booklet.theories
    assert odds.worlds == len(theories)
    ends = Counter(theory.room for theory in theories)
    assert {room: round(share * odds.worlds) for room, share in odds.rooms.items() if share} == ends
    routes = [world.route for world in GAME.worlds(view)]
    assert sorted(routes) == sorted(tuple(theory.route) for theory in theories)
