"""The hunters' map: where Max can be, how likely, what the last action told, and what a contradiction means.

Everybody's knowledge alone goes into it, whoever asks.
"""

from __future__ import annotations

from collections import Counter
from itertools import combinations
from typing import TYPE_CHECKING

from msgspec.structs import replace

from companion.contract import Clue, Model, Odds, Worlds
from companion.games.canterville.castle import in_set
from companion.games.canterville.ground import ground
from companion.games.canterville.routes import house, possible
from companion.games.canterville.state import At, CanMove, Empty, Fact, Once, Prowl, State, room_of
from companion.games.canterville.worlds import Counted, worlds
from companion.refusals import Illegal
from companion.words import Saying

if TYPE_CHECKING:
    from companion.games.canterville.belief import Chances

MOST_CORRECTIONS = 2
"""A record that would have to be wrong in more places is left to people."""


def odds(known: State, model: Model = "uniform") -> Odds:
    """How many hidden routes there are, and how likely each room is under a model."""
    ways = known.options.ways
    if not known.facts:
        return Odds(1, dict.fromkeys(in_set(ways.rooms), 0.0))
    if not ways.mapped:
        raise Illegal("canterville.no_map_no_odds", rule="GJ-31")
    ends = _ends(worlds(known, hidden=True))
    chances = _scaled(dict(ends)) if model == "uniform" else _likely(known, ends, model)
    rooms = {room: chances.get(room, 0.0) for room in in_set(ways.rooms)}
    return Odds(sum(ends.values()), rooms, tuple(sorted(ends)))


def _ends(every: Worlds[State]) -> Counter[int]:
    """How many worlds have Max in each room."""
    ends: Counter[int] = Counter()
    if isinstance(every, Counted):
        for (room, _, _), sets in every.counts.items():
            ends[room] += sum(sets.values())
        return ends
    for world in every:
        end = room_of(world.route)
        assert end is not None
        ends[end] += 1
    return ends


def _likely(known: State, ends: Counter[int], model: Model) -> Chances:
    """The shares of a model. An x2 card seen taken from the row may rule out rooms that it leaves. GJ-Q6."""
    if known.phase == "over":
        return _scaled(dict(ends))
    # Only a table that plays with it pays for it.
    from companion.games.canterville.belief import HABITS, believed, shares

    weights = shares(believed(house(known.options), ground(known), known.facts, HABITS[model]))
    return _scaled({room: weights[room] for room in ends})


def _scaled(weights: dict[int, int] | Chances) -> Chances:
    total = sum(weights.values())
    return {room: weight / total for room, weight in weights.items()}


def drawn(known: State) -> bool:
    """Whether there is a hunt under way, in a castle that is known."""
    return bool(known.facts) and known.options.ways.mapped and known.phase != "over"


# What the last action told


def clue(known: State) -> Clue | None:
    """What the last action told that told anything: Max's move, or a room found empty."""
    if not drawn(known):
        return None
    facts = known.facts
    # Whether Max can move is judged when his turn begins, along with what happened just before.
    end = next((n for n in range(len(facts), 1, -1) if not isinstance(facts[n - 1], CanMove)), 0)
    if not end:
        return None
    before = odds(replace(known, facts=facts[: end - 1]))
    after = odds(known)
    ruled_out = sorted(set(before.possible) - set(after.possible))
    return Clue(before.worlds, after.worlds, tuple(ruled_out))


# If no world is left


def corrections(known: State) -> tuple[tuple[Saying, ...], ...]:
    """If nothing fits what was seen: the smallest sets of corrections that make sense of it."""
    if not drawn(known):
        return ()
    here = house(known.options)
    if possible(here, known.facts):
        return ()
    doubtful = [n for n, fact in enumerate(known.facts) if n and not isinstance(fact, CanMove)]
    for number in range(1, MOST_CORRECTIONS + 1):
        found = [
            tuple(_said(known.facts, n) for n in wrong)
            for wrong in combinations(doubtful, number)
            if possible(here, _without(known.facts, wrong))
        ]
        if found:
            return tuple(found)
    return ()


def _without(facts: tuple[Fact, ...], wrong: tuple[int, ...]) -> tuple[Fact, ...]:
    """The facts, with some of them not as they were told."""
    changed: list[Fact] = []
    for n, fact in enumerate(facts):
        match fact:
            case Prowl() if n in wrong:
                changed.append(_otherwise(fact))
            case CanMove() if n - 1 in wrong:
                # Judged from the same table that was told wrongly.
                continue
            case _ if n not in wrong:
                changed.append(fact)
    return tuple(changed)


def _otherwise(fact: Prowl) -> Prowl:
    """A move of Max's that was told wrongly: an x2 that was none, or figures that stood elsewhere."""
    if fact.cheat:
        return replace(fact, cheat=False, turn=None)
    return replace(fact, figures=0, trap=None, trapped=False)


def _said(facts: tuple[Fact, ...], n: int) -> Saying:
    turn = sum(isinstance(fact, Prowl) for fact in facts[: n + 1])
    match facts[n]:
        case Prowl(cheat=True):
            return Saying("canterville.fix_cheat", turn=turn)
        case Prowl():
            return Saying("canterville.fix_prowl", turn=turn)
        case Empty(room=room):
            return Saying("canterville.fix_empty", turn=turn, room=room)
        case At(room=room):
            return Saying("canterville.fix_at", turn=turn, room=room)
        case Once():
            return Saying("canterville.fix_once", turn=turn)
    raise AssertionError(facts[n])
