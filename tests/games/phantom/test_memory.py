"""What was seen stays known: an undo takes a move back, never what it showed."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

from companion.contract import MODERATOR, PUBLIC
from companion.games.phantom import GAME
from companion.table import Table
from tests.conformance.tables import LAYOUT, QUARTERS

TABLES: list[dict[str, Any]] = [
    {"layout": LAYOUT, "objective": 216},
    {"layout": QUARTERS, "objective": 216, "blocked_master": "partner_plays"},
    {"layout": QUARTERS, "players": 3, "objective": 216, "friendly_fire": "forbidden"},
    {"layout": LAYOUT, "players": 2},
    {"layout": QUARTERS, "objective": 216, "master_without_ghosts": "skip_turn"},
]


@pytest.mark.parametrize("number", range(len(TABLES)))
def test_no_world_comes_back_and_the_truth_never_leaves(number: int) -> None:
    """PS-72, PS-T20: played, taken back and played otherwise, again and again."""
    chance, table = Random(number), Table()
    table.new("phantom", TABLES[number], seed=number)
    act(table, chance, until="playing")
    known = table.odds().worlds
    for _ in range(120):
        if not table.standing().to_act or chance.random() < 0.3:
            undo_in_the_hunt(table)
        else:
            act(table, chance)
        now = table.odds().worlds
        assert 0 < now <= known
        known = now
        if known <= 2000 and table.standing().result is None:
            truth = table.view(MODERATOR).knows
            worlds = GAME.worlds(table.view(PUBLIC))
            assert truth.ghosts in [world.ghosts for world in worlds]
    assert known < 6561


def act(table: Table, chance: Random, until: str | None = None) -> None:
    """One action by chance, or as many as it takes to reach a phase."""
    while table.standing().phase != until:
        seat = chance.choice(table.standing().to_act)
        table.act(seat, chance.choice(table.legal(seat)))
        if until is None:
            return


def undo_in_the_hunt(table: Table) -> None:
    standing = [line for line in table.history() if not line.undone]
    if standing[-1].action["type"] != "hide":
        table.undo(MODERATOR)
