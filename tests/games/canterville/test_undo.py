"""Taking back: who may, what everybody has seen, and what stays known."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

from companion.contract import plain
from companion.games.canterville import GAME
from companion.refusals import Forbidden
from companion.table import Table
from tests.games.canterville.castles import SMALL, position, random_options


def table(**fields: Any) -> Table:
    options = {"castle": SMALL, "hunters": 4, **fields.pop("options", {})}
    running = Table()
    running.new("canterville", options, position(**fields))
    return running


def do(running: Table, script: str) -> None:
    """Actions like `max move 14; h1 walk a 2; h2 stay b; max pause`."""
    for line in script.split(";"):
        seat, type_, *rest = line.split()
        fields: dict[str, Any] = {"type": type_}
        for word in rest:
            if word.isdecimal():
                fields["room"] = int(word)
            else:
                fields["animal" if len(word) > 1 else "figure"] = word
        running.act(seat, fields)


def rooms(running: Table) -> set[int]:
    return {room for room, share in running.odds().rooms.items() if share}


def test_first_rooms_and_frames_are_taken_back_freely() -> None:
    """They tell their own seat nothing."""
    running = Table()
    frames = dict.fromkeys(("bats", "cats", "hedgehogs", "mice", "owls"), 4)
    running.new("canterville", {"castle": SMALL, "hunters": 3, "frames": frames})
    do(running, "h1 start a 1")
    running.undo("h1")
    do(running, "h1 start a 2; h2 start b 2; h3 start c 2; max start 13")
    running.undo("max")
    do(running, "max start 14; h2 frame cats")
    running.undo("h2")
    assert running.standing().phase == "framing"


@pytest.mark.parametrize("script", ["max move 14", "max pause", "max lock 12", "max move 14; h1 walk a 2"])
def test_everything_else_needs_the_other_side(script: str) -> None:
    """Max's moves and the hunters' walks told somebody something."""
    running = table(door=True)
    do(running, script)
    seat, other = ("h1", "max") if "walk" in script else ("max", "h3")
    with pytest.raises(Forbidden):
        running.undo(seat)
    running.undo(seat, [other])
    assert running.history()[-1].undone


def test_room_found_empty_stays_empty() -> None:
    """The view goes back, the knowledge does not."""
    running = table()
    do(running, "max move 14")
    before = running.view("h1").shows
    do(running, "h1 walk a 2")
    running.undo("moderator")
    assert running.view("h1").shows == before
    assert rooms(running) == {12, 13, 14, 43}
    do(running, "h1 walk a 12")
    assert rooms(running) == {13, 14, 43}


def test_move_of_max_taken_back_leaves_what_it_told() -> None:
    """An x2 that was announced told that there was a visited room beside him."""
    running = table()
    do(running, "max move 14; h1 stay a; h2 stay b; max cheat 13")
    running.undo("moderator")
    assert rooms(running) == {2, 12, 14, 43}
    assert running.view("h1").shows.cards.x2 == 2


def test_trap_that_snapped_stays_known() -> None:
    """He was next to it, whatever he does instead."""
    running = table(trap=3, figures={"a": 54, "b": 53})
    do(running, "max move 14; h1 stay a; h2 stay b; max move 3")
    running.undo("moderator")
    assert rooms(running) == {2, 14}


def test_showing_taken_back_stays_seen() -> None:
    """Everybody saw the whole route; the board is as before, the map is not."""
    frames = {"cats": {"size": 4, "taken": 2}, "owls": {"size": 4, "taken": 0}}
    running = table(frames=frames, options={"visited_display": "always"})
    do(running, "max move 14; h1 stay a; h2 stay b; max pause; h1 stay a")
    before = running.view("h1").shows
    do(running, "h2 stay b")
    assert running.view("h1").shows.max.shown
    running.undo("moderator")
    assert running.view("h1").shows == before
    assert (running.odds().worlds, rooms(running)) == (1, {14})
    running.redo("moderator")
    assert running.view("h1").shows.route == (13, 14, "pause")
    running.undo("moderator")
    running.undo("moderator")
    running.undo("moderator")
    assert (running.odds().worlds, rooms(running)) == (1, {14})


def test_catch_taken_back_leaves_no_secret() -> None:
    """They know where he is, and he may know that they do."""
    running = table()
    do(running, "max move 2; h1 walk a 2")
    assert running.standing().result is not None
    running.undo("moderator")
    assert (running.standing().result, rooms(running)) == (None, {2})


@pytest.mark.parametrize("seed", range(30))
def test_truth_is_among_the_worlds_whatever_is_taken_back(seed: int) -> None:
    """And no step back makes the hunters know less."""
    chance, running = Random(seed), Table()
    running.new("canterville", random_options(chance, 9), seed=seed)
    while to_act := running.standing().to_act:
        seat = chance.choice(to_act)
        running.act(seat, chance.choice(running.legal(seat)))
        for _ in range(chance.choice((0, 0, 0, 1, 1, 2, 3))):
            standing = [line.seat for line in running.history() if not line.undone and line.seat != "table"]
            known = running.odds().worlds
            if standing:
                running.undo("moderator")
                assert standing[-1] == "max" or running.odds().worlds <= known
        check_worlds(running, chance)


def check_worlds(running: Table, chance: Random) -> None:
    view, truth = running.view("h1"), running.view("moderator").knows
    worlds = GAME.worlds(view)
    if len(worlds) <= 300:
        assert truth in worlds
    for _ in range(3):
        assert GAME.view(worlds.sample(chance), "h1") == view


def test_record_tells_a_move_and_a_pause_alike() -> None:
    """And of a cheat only that it was one; a repair of Max's things tells nothing of them."""
    running = table()
    do(running, "max move 14; h1 stay a; h2 stay b; max pause; h1 stay a; h2 stay b; max cheat 13")
    mine = [line for line in running.history() if line.seat == "max"]
    assert [line.action for line in mine] == [{"type": "move"}, {"type": "move"}, {"type": "cheat"}]
    assert plain(mine[0].events) == plain(mine[1].events) == ({"type": "prowled"},)
    running.act("moderator", {"type": "repair", "set": {"max": {"room": 14}, "locked": 12}})
    assert running.history()[-1].action == {"type": "repair", "set": {"locked": 12}}


def test_record_forgets_the_shown_route_with_the_table() -> None:
    """Where the table plays by memory, the record is no crib."""
    frames = {"cats": {"size": 4, "taken": 3}, "owls": {"size": 4, "taken": 0}}
    for display, route in (("during_reveal", ()), ("always", (14,))):
        running = table(frames=frames, options={"visited_display": display})
        do(running, "max move 14; h1 stay a; h2 stay b; h1 frame owls; max move 3")
        shown = [e for line in running.history() for e in line.events if e["type"] == "shown"]
        assert [tuple(event["route"]) for event in shown] == [route]
