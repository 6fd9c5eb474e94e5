"""Every route of Max's that looks like the one he took, played out one by one by the rules."""

from __future__ import annotations

import math
from random import Random
from typing import Any

from companion.contract import PUBLIC, heard, read_options
from companion.games.canterville import GAME
from companion.games.canterville.belief import FARTHEST, Habits
from companion.games.canterville.castle import in_set
from companion.games.canterville.options import MAX
from companion.games.canterville.state import State, occupied, room_of
from tests.games.canterville.castles import random_options

Weighed = list[tuple[State, float]]


def look(state: State, events: tuple[Any, ...]) -> Any:
    """All that the table sees of a state and of what led there."""
    return GAME.view(state, PUBLIC).shows, heard(events, PUBLIC)


class Onlooker:
    """Follows a game from outside, with every route that is still possible and how likely it is."""

    def __init__(self, habits: Habits | None) -> None:
        self.habits = habits
        self.routes: Weighed = []

    def see(self, before: State, seat: str, action: Any) -> State:
        """The true state after an action; the routes that do not look like it are forgotten."""
        after, events = GAME.apply(before, seat, action)
        seen = look(after, events)
        if after.shown == "showing":
            self.routes = [(after, 1.0)]
        elif seat == MAX:
            self.routes = [
                (world, weight)
                for earlier, before_ in self.routes
                for world, weight, told in self._choices(earlier, before_)
                if look(world, told) == seen
            ]
        else:
            worlds = [(*GAME.apply(world, seat, action), weight) for world, weight in self.routes]
            self.routes = [(world, weight) for world, told, weight in worlds if look(world, told) == seen]
        return after

    def _choices(self, state: State, weight: float) -> list[tuple[State, float, Any]]:
        actions = GAME.legal(state, MAX)
        likes = {action: self._like(state, action) for action in actions}
        total = sum(likes.values())
        return [
            (*_swap(GAME.apply(state, MAX, action), weight * likes[action] / total),)
            for action in actions
            if likes[action]
        ]

    def _like(self, state: State, action: Any) -> float:
        """How much a choice appeals to somebody with the habits. Closing a door is no choice of a way."""
        kind = action.__struct_config__.tag
        if kind == "lock":
            return 0.0
        if self.habits is None:
            return 1.0
        room = room_of(state.route) if kind == "pause" else action.room
        card = {"move": 0.0, "pause": self.habits.pause, "cheat": self.habits.cheat}[kind]
        return math.exp(card) * self._likes(state, room)

    def _likes(self, state: State, room: int | None) -> float:
        assert self.habits is not None
        assert room is not None
        figures = occupied(state)
        steps = min(FARTHEST, steps_to(state, room))
        shown = state.route[: state.open]
        ways = state.options.ways.haunt[room] & ~figures & ~sum(1 << r for r in set(shown) if r)
        habits = self.habits
        return math.exp(
            habits.near * (steps <= 1) + habits.far * steps + habits.open * min(ways.bit_count(), 3)
        )

    def shares(self) -> dict[int, float]:
        """How likely each room is."""
        total = sum(weight if self.habits else 1.0 for _, weight in self.routes)
        rooms: dict[int, float] = {}
        for world, weight in self.routes:
            room = room_of(world.route)
            assert room is not None
            rooms[room] = rooms.get(room, 0.0) + (weight if self.habits else 1.0) / total
        return rooms


def _swap(applied: tuple[State, Any], weight: float) -> tuple[State, float, Any]:
    return applied[0], weight, applied[1]


def steps_to(state: State, room: int) -> int:
    """How far the nearest figure has to walk, all doors open."""
    edge, seen, steps = {room}, {room}, 0
    while edge and not any(occupied(state) >> r & 1 for r in edge):
        edge = {beside for r in edge for beside in in_set(state.options.ways.walk[r])} - seen
        seen |= edge
        steps += 1
    return steps if edge else FARTHEST


def positions(number: int, habits: Habits | None, seed: int = 5) -> list[tuple[State, Onlooker]]:
    """Random moments of random hunts, at tables of every kind, each with somebody who followed it."""
    found: list[tuple[State, Onlooker]] = []
    chance = Random(seed)
    while len(found) < number:
        options = random_options(chance, 10) | {"x2_card_handling": "app_hidden", "door": False}
        state, onlooker, wanted = GAME.start(read_options(GAME, options)), Onlooker(habits), []
        while GAME.result(state) is None and len(onlooker.routes) < 3000:
            seat = chance.choice(GAME.to_act(state))
            state = onlooker.see(state, seat, chance.choice(GAME.legal(state, seat)))
            if GAME.result(state) is None and not state.shown and onlooker.routes:
                wanted.append((state, list(onlooker.routes)))
        for state_, routes in chance.sample(wanted, min(3, len(wanted))):
            then = Onlooker(habits)
            then.routes = routes
            found.append((state_, then))
    return found[:number]
