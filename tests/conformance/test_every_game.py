"""What every game keeps, whatever it is about. A game passes by being installed."""

from __future__ import annotations

import tempfile
from collections.abc import Callable
from pathlib import Path
from random import Random
from typing import Any

import msgspec
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from companion import games
from companion.contract import HOST, MODERATOR, PUBLIC, TABLE, Game, plain, read, read_options, replay
from companion.journal import Journal
from companion.refusals import Illegal, Refusal
from companion.table import Table
from tests.conformance.tables import TABLES, Seating, options_to_try
from tests.conformance.walks import Walk, actors_of, key, order, seats_of, whole_range

Test = Callable[..., None]


def played(examples: int) -> Callable[[Test], Test]:
    """Run a test on so many games, at tables of every kind."""
    quiet = settings(
        max_examples=examples, deadline=None, suppress_health_check=list(HealthCheck), database=None
    )

    def wrap(test: Test) -> Test:
        return quiet(given(table=st.sampled_from(TABLES), seed=st.integers(0, 2**32))(test))

    return wrap


def test_every_table_is_tried() -> None:
    """Hypothesis may leave one out; each is played to its end at least here."""
    for number, (name, options) in enumerate(TABLES):
        walk = Walk(name, options, number)
        assert walk.game.result(walk.moments[-1].state) is not None


@played(500)
def test_a_game_is_consistent_from_beginning_to_end(table: Seating, seed: int) -> None:
    """Who may act has something to do, nobody else has, and it is over when nobody may act."""
    walk = Walk(*table, seed)
    game = walk.game
    for moment in walk.moments:
        waiting = game.to_act(moment.state)
        over = game.result(moment.state) is not None
        assert over == (not waiting) == (game.phase(moment.state) == "over")
        assert len(set(waiting)) == len(waiting)
        assert set(waiting) <= set(actors_of(game, moment.state))
        for seat in actors_of(game, moment.state):
            assert (len(game.legal(moment.state, seat)) > 0) == (seat in waiting)
        if moment.action is not None:
            assert msgspec.json.decode(key(moment.action), type=game.action) == moment.action
            assert read(plain(moment.action), game.action, "action") == moment.action


@played(60)
def test_every_legal_action_applies_and_every_other_is_refused(table: Seating, seed: int) -> None:
    """At three moments: the whole range of every type of action, for every seat."""
    walk = Walk(*table, seed)
    game = walk.game
    for state in walk.some():
        everything = whole_range(walk, state)
        for seat in actors_of(game, state):
            legal = list(game.legal(state, seat))
            allowed = set(map(key, legal))
            assert len(allowed) == len(legal)
            assert [key(action) for action in sorted(legal, key=order)] == [key(action) for action in legal]
            for action in legal:
                game.apply(state, seat, action)
            for action in everything:
                if not isinstance(action, game.asides) and key(game.as_listed(state, action)) not in allowed:
                    assert_refused(game, state, seat, action)


def assert_refused(game: Game[Any], state: Any, seat: str, action: Any) -> None:
    try:
        game.apply(state, seat, action)
    except Illegal as fault:
        refusal = fault
    else:
        raise AssertionError(f"{seat} may {action} though it is not legal")
    assert refusal.message()
    if seat not in game.to_act(state) and game.to_act(state):
        assert refusal.code in ("not_your_turn", "forbidden")


@played(40)
def test_views_and_states_survive_json(table: Seating, seed: int) -> None:
    """What a seat sees, the options and the state itself are plain data."""
    walk = Walk(*table, seed)
    game = walk.game
    options = read_options(game, walk.options)
    assert msgspec.json.decode(msgspec.json.encode(options), type=game.options) == options
    for state in walk.some():
        assert msgspec.json.decode(msgspec.json.encode(state), type=type(state)) == state
        for seat in seats_of(game, state):
            shows = game.view(state, seat).shows
            assert msgspec.json.decode(msgspec.json.encode(shows), type=game.shows) == shows


@played(30)
def test_every_seat_sees_the_same_fields(table: Seating, seed: int) -> None:
    """Null where it may not know, never a field more or less."""
    walk = Walk(*table, seed)
    for state in walk.some():
        shown = [plain(walk.game.view(state, seat).shows) for seat in seats_of(walk.game, state)]
        assert {tuple(fields) for fields in shown} == {tuple(shown[0])}


@played(40)
def test_each_world_of_a_view_gives_that_very_view(table: Seating, seed: int) -> None:
    """And the truth is one of them: twenty of them at three moments, for every seat."""
    walk = Walk(*table, seed)
    game = walk.game
    for state in walk.some():
        for seat in seats_of(game, state):
            view = game.view(state, seat)
            worlds = game.worlds(view)
            if len(worlds) <= 3000:
                assert state in worlds
            for _ in range(20):
                world = worlds.sample(walk.chance)
                assert game.view(world, seat) == view
                assert game.to_act(world) == game.to_act(state)


@played(30)
def test_the_same_actions_lead_to_the_same_states(table: Seating, seed: int) -> None:
    """No clock, no chance, no memory inside: a game is the list of its actions."""
    walk = Walk(*table, seed)
    assert list(replay(walk.game, walk.moments[0].state, walk.moves)) == [m.state for m in walk.moments[1:]]


# Through the table


def snapshot(table: Table) -> Any:
    """Everything that anybody can see of a table now, what was seen before aside."""
    assert table.game is not None
    chairs = table.chairs()
    seats = seats_at(table)
    return (
        table.standing(),
        chairs,
        [table.view(seat).shows for seat in seats],
        [list(table.legal(seat)) for seat in (*seats, TABLE)],
        table.picture(),
    )


def act_by_chance(table: Table, chance: Random) -> bool:
    """One action by somebody; false when the game is over."""
    waiting = table.standing().to_act
    if not waiting:
        return False
    seat = chance.choice(waiting)
    table.act(seat, chance.choice(table.legal(seat)))
    return True


def undone(table: Table) -> bool:
    """Whether the moderator could take something back; what chance alone did cannot be."""
    try:
        table.undo(MODERATOR)
    except Refusal:
        return False
    return True


def standing_deeds(table: Table) -> int:
    return sum(not line.undone for line in table.history())


@played(40)
def test_undo_and_redo_lead_back_and_forth(table: Seating, seed: int) -> None:
    """Every step back shows what was shown before it, every step forward what was shown after it."""
    name, options = table
    chance, running = Random(seed), Table()
    running.new(name, options, seed=seed)
    shown = {standing_deeds(running): snapshot(running)}
    while act_by_chance(running, chance):
        shown[standing_deeds(running)] = snapshot(running)
        if chance.random() < 0.1 and undone(running):
            assert snapshot(running) == shown[standing_deeds(running)]
            running.redo(MODERATOR)
            assert snapshot(running) == shown[standing_deeds(running)]
    steps = 0
    while undone(running):
        steps += 1
        assert snapshot(running) == shown[standing_deeds(running)]
    assert steps > 0
    for _ in range(steps):
        running.redo(MODERATOR)
        assert snapshot(running) == shown[standing_deeds(running)]
    assert not any(line.undone for line in running.history())


@played(25)
def test_worlds_fit_the_view_whatever_was_taken_back_and_played_instead(table: Seating, seed: int) -> None:
    """What was seen in turns that were undone is part of what a seat knows."""
    name, options = table
    chance, running = Random(seed), Table()
    running.new(name, options, seed=seed)
    game = games.find(name)
    while act_by_chance(running, chance):
        if chance.random() > 0.15:
            continue
        for _ in range(chance.randint(1, 3)):
            undone(running)
        for seat in seats_at(running):
            view = running.view(seat)
            worlds = game.worlds(view)
            for _ in range(3):
                assert game.view(worlds.sample(chance), seat) == view
        if len(running.history()) > 400:
            return


def seats_at(table: Table) -> list[str]:
    return [*(chair.seat for chair in table.chairs()), PUBLIC, HOST, MODERATOR]


@played(25)
def test_a_record_played_again_gives_the_same_table(table: Seating, seed: int) -> None:
    """With undo and redo in it: the same views, knowledge included, and the same history."""
    name, options = table
    chance = Random(seed)
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "journal"
        running = Table(Journal(path))
        running.new(name, options, seed=seed)
        for _ in range(chance.randrange(120)):
            if not act_by_chance(running, chance):
                break
            if chance.random() < 0.1 and undone(running) and chance.random() < 0.5:
                running.redo(MODERATOR)
        expected = everything(running)
        running.close()
        again = Table(Journal(path))
        assert again.status() == ()
        assert everything(again) == expected
        again.close()


def everything(table: Table) -> Any:
    views = [table.view(chair.seat) for chair in table.chairs()]
    return snapshot(table), views, table.view(MODERATOR), table.history()


@pytest.mark.parametrize("name", games.names())
def test_a_refused_beginning_changes_nothing(name: str) -> None:
    """The game before it goes on."""
    table = Table()
    table.new(name, options_to_try(name)[0], seed=1)
    before = snapshot(table)
    for options in ({"no_such_option": 1}, {"players": 99}, {"players": "4"}):
        with pytest.raises(Refusal):
            table.new(name, options)
    with pytest.raises(Refusal):
        table.new(name, options_to_try(name)[0], position={})
    assert snapshot(table) == before


@pytest.mark.parametrize("name", games.names())
def test_every_preset_is_a_table_to_play_at(name: str) -> None:
    """Beside the options that a game needs anyhow, a preset is enough."""
    game = games.find(name)
    needed = options_to_try(name)[0]
    for preset in game.presets:
        assert Walk(name, {**needed, "preset": preset}, 1).moments[-1].seat is None
