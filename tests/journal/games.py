"""Recorded games to damage: plain data, made by a real table with a real journal."""

from __future__ import annotations

from pathlib import Path
from random import Random

from companion.journal import Journal
from companion.table import Table


def play(table: Table, actions: int, chance: Random) -> None:
    """Let everybody do anything for so many actions; a game that ends is followed by another."""
    for _ in range(actions):
        if table.game is None or table.standing().result:
            table.new("phantom", {"players": 4}, seed=chance.randrange(1000))
        seat = chance.choice(table.standing().to_act)
        table.act(seat, chance.choice(table.legal(seat)))


def record(path: Path, *games: int) -> bytes:
    """The bytes of a journal with games of so many actions each."""
    table, chance = Table(Journal(path)), Random(11)
    for actions in games:
        table.new("phantom", {"players": 4}, seed=actions)
        play(table, actions, chance)
    table.close()
    return path.read_bytes()
