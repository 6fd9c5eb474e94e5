"""What a forgetful player still knows of what the whole table has seen.

Forgetting only ever makes more possible: a room found empty may hold Max again, a figure no longer bars his
way, a room of his shown route is free to enter once more. GJ-53.
"""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

from msgspec.structs import replace

from companion.games.canterville.castle import in_set
from companion.games.canterville.routes import house, possible
from companion.games.canterville.state import CanMove, Empty, Fact, Known, Prowl, State


def remembered(known: State, fate: int, forgets: float) -> tuple[Fact, ...]:
    """The clues of a game that somebody with this fate has not forgotten."""
    if not forgets:
        return known.facts
    facts = tuple(_kept(known.facts, fate, forgets))
    # An x2 may make sense only with a room that has been forgotten: then it comes back to mind.
    return facts if possible(house(known.options), facts) else known.facts


def _kept(facts: tuple[Fact, ...], fate: int, forgets: float) -> Iterator[Fact]:
    first = facts[0]
    assert isinstance(first, Known)
    for n, fact in enumerate(facts):
        chance = Random(f"{fate} clue {len(first.route)} {n}")
        lost = chance.random() < forgets
        match fact:
            case Known():
                gone = sum(1 << room for room in in_set(fact.visited) if chance.random() < forgets)
                yield replace(fact, visited=fact.visited & ~gone | sum(1 << room for room in fact.rooms))
            case Empty() | CanMove() if lost:
                continue
            case Prowl(cheat=False) if lost:
                yield replace(fact, figures=0)
            case _:
                yield fact
