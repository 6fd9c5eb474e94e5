"""Seats that have no secrets from each other see the same: a phone that both share is not handed over."""

from __future__ import annotations

from itertools import combinations
from typing import Any

import pytest
from msgspec.structs import replace

from companion import games
from companion.contract import PUBLIC, Game, read_options
from tests.conformance.tables import TABLES, Seating
from tests.conformance.walks import Walk


def together(game: Game[Any], state: Any) -> list[tuple[str, str]]:
    """The pairs of seats without secrets from each other."""
    pairs = combinations([chair.seat for chair in game.chairs(state)], 2)
    return [pair for pair in pairs if not game.apart(state, *pair)]


def seen(game: Game[Any], state: Any, seat: str) -> Any:
    shows = game.view(state, seat).shows
    return replace(shows, seat=PUBLIC) if hasattr(shows, "seat") else shows


@pytest.mark.parametrize("table", TABLES, ids=repr)
def test_who_is_not_apart_sees_the_same(table: Seating) -> None:
    walk = Walk(*table, seed=7)
    for state in [*walk.some(12), walk.moments[-1].state]:
        for one, other in together(walk.game, state):
            assert seen(walk.game, state, one) == seen(walk.game, state, other)


@pytest.mark.parametrize("table", TABLES, ids=repr)
def test_at_the_end_nobody_has_secrets(table: Seating) -> None:
    walk = Walk(*table, seed=7)
    state = walk.moments[-1].state
    assert len(together(walk.game, state)) == len(list(combinations(walk.game.chairs(state), 2)))


def start(name: str, **options: Any) -> tuple[Game[Any], Any]:
    game = games.find(name)
    return game, game.start(read_options(game, options))


def test_hunters_have_no_secrets_from_each_other_but_max_has_from_all() -> None:
    game, state = start("canterville", hunters=2, frames={"bats": 2, "cats": 2, "mice": 1, "owls": 2})
    assert together(game, state) == [("h1", "h2")]


def test_colours_of_one_person_are_never_apart() -> None:
    """CFA-61: hands may be private, but not from oneself."""
    game, state = start("artefacts", players=2, hands="private", decks="virtual")
    people = state.options.people()
    assert together(game, state)
    assert all(people[one] == people[other] for one, other in together(game, state))
    assert len(together(*start("artefacts", players=2))) == 6


def test_laying_the_board_is_open_and_hiding_is_not() -> None:
    layout = [
        (colour, value)
        for colour in ("blue", "red", "green", "white")
        for value in (1, 1, 2, 2, 3, 3, 4, 5, 6)
    ]
    assert together(*start("phantom", players=2)) == [("p1", "p2")]
    assert together(*start("phantom", players=2, layout=layout)) == []
    assert together(*start("phantom", players=4, layout=layout)) == [("p1", "p3"), ("p2", "p4")]
    shy = start("phantom", players=4, layout=layout, masters_see_all_ghosts="own_only")
    assert together(*shy) == [("p1", "p3")]


def test_bids_are_sealed_from_the_other_team() -> None:
    """PS-102."""
    layout = [
        (colour, value)
        for colour in ("blue", "red", "green", "white")
        for value in (1, 1, 2, 2, 3, 3, 4, 5, 6)
    ]
    assert together(*start("phantom", players=4, layout=layout, master_game=True)) == [
        ("p1", "p3"),
        ("p2", "p4"),
    ]
