"""Two tables that differ in secrets alone: nobody who may not know them can tell one from the other.

Both are driven by the same open actions, from before the first turn to the last. Whoever may not know is
shown, byte for byte, the same answers: views, lamps, events, errors, history, odds, what a bot would do.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from random import Random
from typing import Any

import pytest

from companion.clock import VirtualClock
from companion.contract import Event, heard, read
from companion.games.phantom.state import State
from companion.headless import Headless
from companion.table import Change, Table
from tests.conformance.tables import LAYOUT, QUARTERS

OPEN_ATTEMPTS: list[dict[str, Any]] = [
    *({"type": "remove", "room": number} for number in range(0, 38)),
    {"type": "pass"},
    {"type": "hide", "ghost": "blue", "room": 8},
    {"type": "ready"},
    {"type": "found", "ghost": "red"},
    {"type": "bid", "thousands": 40},
    {"type": "place", "room": 1, "colour": "blue", "value": 1},
    {"type": "repair", "set": {}},
    {"type": "lifted", "room": 3},
    {"type": "token", "ghost": "blue"},
    {"type": "correct", "room": 3, "tile": None},
    {"type": "drawn", "packs": {"p1": "A"}},
    {"type": "fly"},
]


class Side:
    """One of the two tables, behind the line protocol, and all that was said aloud at it."""

    def __init__(self, options: dict[str, Any], seed: int) -> None:
        clock = VirtualClock()
        self.table = Table(clock=clock)
        self.door = Headless(self.table, clock)
        self.changes: list[Change] = []
        self.table.subscribe(self.changes.append)
        self.ask(cmd="new", game="phantom", options=options, seed=seed)

    def ask(self, **request: Any) -> bytes:
        return self.door.answer(json.dumps(request).encode())

    def act(self, seat: str, action: Any) -> None:
        answer = json.loads(self.ask(cmd="act", seat=seat, action=action))
        assert answer["ok"], answer

    def legal(self, seat: str) -> list[Any]:
        return json.loads(self.ask(cmd="legal", seat=seat))["actions"]  # type: ignore[no-any-return]

    @property
    def state(self) -> State:
        """The whole truth, by which the test chooses what to do."""
        return self.table.view("moderator").knows  # type: ignore[no-any-return]

    def heard_by(self, seat: str) -> list[tuple[int, tuple[Event, ...]]]:
        return [(change.version, heard(change.told, seat)) for change in self.changes]

    def seen_by(self, seat: str, attempts: list[Any]) -> Iterator[Any]:
        """Every answer that a seat can get without changing anything."""
        yield self.ask(cmd="view", seat=seat)
        yield self.ask(cmd="legal", seat=seat)
        yield self.ask(cmd="bot", seat=seat)
        yield self.ask(cmd="lamps")
        yield self.ask(cmd="lamps", peek=seat)
        yield self.ask(cmd="odds")
        yield self.ask(cmd="history")
        yield self.ask(cmd="status")
        yield self.heard_by(seat)
        yield self.table.view(seat)
        yield self.table.version
        if seat not in self.table.standing().to_act:
            for action in attempts:
                yield self.ask(cmd="act", seat=seat, action=action)
        yield self.ask(cmd="undo", seat=seat)
        yield self.ask(cmd="redo", seat=seat)


class Twins:
    """Both tables, the seats that may not know, and what may differ at the first step of each."""

    def __init__(self, options: dict[str, Any], unaware: tuple[str, ...], seed: int) -> None:
        self.one, self.two = Side(options, seed), Side(options, seed)
        self.unaware = unaware
        self.chance = Random(seed)
        self.compared = 0

    def compare(self) -> None:
        for seat in self.unaware:
            tries = self.chance.sample(OPEN_ATTEMPTS, 6)
            for one, two in zip(self.one.seen_by(seat, tries), self.two.seen_by(seat, tries), strict=True):
                assert one == two
                self.compared += 1

    def both(self, seat: str, action: Any) -> None:
        """The same open action at both."""
        self.one.act(seat, action)
        self.two.act(seat, action)
        self.compare()

    def refused_at_one(self, seat: str) -> None:
        """A master tries something he may not, at one table only: it leaves no trace."""
        legal = self.one.legal(seat)
        for action in self.chance.sample(OPEN_ATTEMPTS, 12):
            if action not in legal:
                self.one.ask(cmd="act", seat=seat, action=action)
        self.compare()

    def undo_at_both(self) -> None:
        """Taken back by the moderator, and done again."""
        for side in (self.one, self.two):
            side.ask(cmd="undo", seat="moderator")
        self.compare()
        for side in (self.one, self.two):
            side.ask(cmd="redo", seat="moderator")
        self.compare()


def hide_apart(twins: Twins, keep: str | None = None) -> None:
    """The masters hide in the same order, but not the same; one of them may do the same at both."""
    while twins.one.table.standing().phase == "hiding":
        assert twins.one.table.standing() == twins.two.table.standing()
        seat = twins.chance.choice(twins.one.table.standing().to_act)
        one = twins.chance.choice(fresh(twins.one, seat))
        two = one if seat == keep else twins.chance.choice(fresh(twins.two, seat))
        if keep is not None and seat != keep:
            same_colour = [action for action in fresh(twins.two, seat) if action["ghost"] == one["ghost"]]
            two = twins.chance.choice(same_colour)
        twins.one.act(seat, one)
        twins.two.act(seat, two)
        twins.compare()


def fresh(side: Side, seat: str) -> list[Any]:
    """Ghosts that are not hidden yet."""
    hidden = [colour for colour, ghost in zip(COLOURS, side.state.ghosts, strict=True) if ghost.room]
    return [action for action in side.legal(seat) if action["ghost"] not in hidden]


COLOURS = ("blue", "red", "green", "white")


def same_find(twins: Twins, action: Any) -> bool:
    """Whether a removal uncovers the same at both tables: only that may tell them apart."""
    one, two = (
        [n for n, g in enumerate(side.state.ghosts) if g.room == action.get("room") and not g.revealed]
        for side in (twins.one, twins.two)
    )
    return one == two


def hunt_together(twins: Twins) -> int:
    """The same turns at both, until the rules themselves tell them apart; how many there were."""
    turns = 0
    while True:
        one, two = twins.one.table.standing(), twins.two.table.standing()
        if one.phase == "over" or one.to_act != two.to_act:
            return turns
        (seat,) = one.to_act
        twins.refused_at_one(seat)
        theirs = twins.two.legal(seat)
        shared = [action for action in twins.one.legal(seat) if action in theirs and same_find(twins, action)]
        # At the end everything is shown, and who plays on for a master without ghosts shows itself (PS-58).
        quiet = [action for action in shared if not tells_apart(twins, action)]
        if not quiet:
            return turns
        twins.both(seat, twins.chance.choice(quiet))
        turns += 1
        if twins.chance.random() < 0.2:
            twins.undo_at_both()


def tells_apart(twins: Twins, action: Any) -> bool:
    one, two = after(twins.one, action), after(twins.two, action)
    return one.phase == "over" or one.movers != two.movers


def after(side: Side, action: Any) -> State:
    """The truth after an action by the seat to act, without doing it."""
    assert side.table.game is not None
    typed = read(action, side.table.game.action, "action")
    return side.table.game.apply(side.state, side.state.movers[0], typed)[0]  # type: ignore[no-any-return]


HUNTERS = ("p1", "p3", "public", "host")
TABLES: list[tuple[dict[str, Any], tuple[str, ...], str | None]] = [
    ({"layout": LAYOUT}, HUNTERS, None),
    ({"layout": QUARTERS, "objective": 200}, HUNTERS, None),
    ({"layout": LAYOUT, "objective": 200, "privacy": "eyes_closed"}, HUNTERS, None),
    ({"layout": LAYOUT, "players": 2, "objective": 200}, ("p1", "public", "host"), None),
    ({"layout": QUARTERS, "players": 3, "objective": 200}, ("p1", "public", "host"), None),
    ({"layout": LAYOUT, "friendly_fire": "forbidden", "objective": 200}, HUNTERS, None),
    ({"layout": LAYOUT, "show_removal_log": "hidden_until_end", "objective": 200}, HUNTERS, None),
    ({"layout": LAYOUT, "keeper": "both", "show_ghosts_to_masters": "never_after_setup"}, HUNTERS, None),
    ({"layout": LAYOUT, "masters_see_all_ghosts": "own_only", "objective": 200}, (*HUNTERS, "p2"), "p2"),
    ({"layout": QUARTERS, "masters_see_all_ghosts": "own_only", "objective": 200}, (*HUNTERS, "p4"), "p4"),
]


@pytest.mark.parametrize("number", range(len(TABLES)))
def test_who_may_not_know_cannot_tell_where_the_ghosts_are(number: int) -> None:
    """PS-23, PS-24, PS-50, PS-Q6, PS-Q9, PS-Q16, PS-Q22, PS-Q23: other rooms and other owners."""
    options, unaware, keep = TABLES[number]
    turns = 0
    for seed in range(2):
        twins = Twins(options, unaware, 100 * number + seed)
        twins.compare()
        hide_apart(twins, keep)
        assert twins.one.state.ghosts != twins.two.state.ghosts
        turns += hunt_together(twins)
        assert twins.compared > 200
    assert turns >= 4


def test_a_ghost_hidden_again_leaves_no_trace() -> None:
    """PS-24: taken back or simply hidden elsewhere, at one table to where it was and at the other not."""
    twins = Twins({"layout": LAYOUT}, HUNTERS, 1)
    for first, second in ((1, 5), (9, 13)):
        for side, number in ((twins.one, first), (twins.two, second)):
            side.act("p2", {"type": "hide", "ghost": "blue", "room": number})
        twins.compare()
    for side in (twins.one, twins.two):
        side.ask(cmd="undo", seat="p2")
    twins.compare()


@pytest.mark.parametrize("seed", range(3))
def test_a_sealed_bid_cannot_be_told_from_another(seed: int) -> None:
    """PS-102: until both are in, by the other team or anybody else."""
    twins = Twins({"layout": LAYOUT, "master_game": True}, ("p2", "p4", "public", "host"), seed)
    one, two = twins.chance.sample(twins.one.legal("p1"), 2)
    twins.one.act("p1", one)
    twins.two.act("p1", two)
    twins.compare()
    for side in (twins.one, twins.two):
        side.ask(cmd="undo", seat="p1")
    twins.compare()


def test_the_last_find_tells_only_what_it_uncovers() -> None:
    """PS-Q23: owners stay hidden though both of a master's ghosts are found, until his turn comes."""
    options = {"layout": QUARTERS, "objective": 200}
    twins = Twins(options, HUNTERS, 5)
    rooms = {"blue": 1, "red": 4, "green": 19, "white": 22}
    owners = ({"blue": "p2", "red": "p2", "green": "p4", "white": "p4"},
              {"blue": "p2", "green": "p2", "red": "p4", "white": "p4"})  # fmt: skip
    for colours in (("blue", "blue"), ("red", "green")):
        for side, colour in zip((twins.one, twins.two), colours, strict=True):
            side.act("p2", {"type": "hide", "ghost": colour, "room": rooms[colour]})
    for colours in (("green", "red"), ("white", "white")):
        for side, colour in zip((twins.one, twins.two), colours, strict=True):
            side.act("p4", {"type": "hide", "ghost": colour, "room": rooms[colour]})
    twins.compare()
    for side, owned in zip((twins.one, twins.two), owners, strict=True):
        assert [ghost.owner for ghost in side.state.ghosts] == [owned[colour] for colour in COLOURS]
    twins.both("p2", {"type": "remove", "room": 2})
    twins.both("p3", {"type": "remove", "room": 1})
    twins.both("p4", {"type": "remove", "room": 23})
    twins.one.act("p1", {"type": "remove", "room": 4})
    twins.two.act("p1", {"type": "remove", "room": 4})
    assert twins.one.table.standing().to_act == ("p4",)
    assert twins.two.table.standing().to_act == ("p2",)
