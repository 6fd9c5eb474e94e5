"""The hunters' map: where ghosts can be and how likely, what the last deed told, what was told wrong."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from msgspec.structs import replace

from companion.contract import TABLE, Clue, Model, Odds
from companion.games.phantom import worlds
from companion.games.phantom.actions import Found, Pass, Remove
from companion.games.phantom.board import COLOURS, in_set
from companion.games.phantom.setup import colour_word
from companion.games.phantom.state import (
    Began,
    Fact,
    Seen,
    SeenLift,
    SeenPass,
    State,
    Turn,
    covered,
    found,
)
from companion.words import Saying

Facts = tuple[Fact, ...]
DEED = (Seen, SeenPass, SeenLift)
"""The facts that somebody's action makes by itself; a turn that comes tells something beside them."""


def odds(known: State, model: Model) -> Odds:
    """The map under a model. What is possible does not depend on the model."""
    even = worlds.odds(known, covered(known))
    if model == "uniform" or not known.facts:
        return even
    # Only a table that plays with it pays for it.
    from companion.games.phantom.belief import MODELS, Opinion, believed, values_of

    belief = believed(known.facts, values_of(known), MODELS[model])
    chances = Opinion((belief,)).only(worlds.possible(known.facts)).chances(found(known))
    rooms = dict.fromkeys(even.rooms, 0.0)
    for likely in chances:
        rooms |= _among({room: likely.get(room, 0.0) for room in likely if room in even.possible})
    return Odds(even.worlds, rooms, even.possible)


def _among(weights: dict[int, float]) -> dict[int, float]:
    total = sum(weights.values())
    return {room: weight / total for room, weight in weights.items()} if total else {}


def clue(known: State) -> Clue | None:
    """What the last action told: the rooms that some ghost could be in before it, and none can now."""
    facts = known.facts
    last = next((n for n in reversed(range(len(facts))) if isinstance(facts[n], DEED)), None)
    if last is None:
        return None
    if isinstance(facts[last - 1], Turn) and known.options.keeper == "honour":
        # By honour it is the deed that tells who plays.
        last -= 1
    before, after = _possible_rooms(facts[:last], known), _possible_rooms(facts, known)
    gone = before & ~after & covered(known)
    return Clue(worlds.count(facts[:last]), worlds.count(facts), in_set(gone))


def _possible_rooms(facts: Facts, known: State) -> int:
    """The rooms in which a ghost that is hidden now can be."""
    first = facts[0]
    assert isinstance(first, Began)
    here, sets = worlds.spots(first), worlds.possible(facts)
    rooms = 0
    for number, at in enumerate(here.at):
        if not known.ghosts[number].revealed:
            for room, bits in at.items():
                if any(placements & bits for placements in sets):
                    rooms |= 1 << room
    return rooms


# When no world is left

Correction = tuple[int, Saying, Facts]
"""Which fact may have been told wrong, how, and the facts if it was."""


def corrections(known: State, said: Any = None) -> tuple[tuple[Saying, ...], ...]:
    """The smallest sets of things told wrong that would make sense of what was seen; none if it does."""
    readings = _with(known, said)
    if any(map(_makes_sense, readings)):
        return ()
    # Whoever has just said it, sees it: it is what came before that may be wrong.
    before = len(known.facts)
    singles = [each for each in _corrected(readings[0]) if each[0] < before]
    alone = tuple((saying,) for _, saying, facts in singles if _makes_sense(facts))
    return alone or tuple(_in_pairs(singles, before))


def _in_pairs(singles: list[Correction], before: int) -> Iterator[tuple[Saying, ...]]:
    for n, one, corrected in singles:
        for later, two, facts in _corrected(corrected):
            if n < later < before and _makes_sense(facts):
                yield one, two


def _with(known: State, said: Any) -> list[Facts]:
    """The facts with what a refused action would have added: one reading, or one for each finding."""
    facts, tiles, hidden = known.facts, known.tiles, found(known)
    by = known.movers[0] if known.movers else TABLE
    match said:
        case Remove(room=room):
            tile = known.laid[room]
            own = COLOURS.index(tile.colour) if tile else None
            return [(*facts, Seen(by, room, tiles, hidden, ghost)) for ghost in (None, own)]
        case Found(ghost=ghost):
            number = None if ghost is None else COLOURS.index(ghost)
            return [(*facts, Seen(by, known.removed[-1].room, tiles, hidden, number))]
        case Pass():
            return [(*facts, SeenPass(by, tiles, hidden))]
    return [facts]


def _makes_sense(facts: Facts) -> bool:
    """Whether some world fits; not remembered, because these are worlds that nobody lives in."""
    first = facts[0]
    assert isinstance(first, Began)
    here = worlds.spots(first)
    sets: worlds.Sets = (here.everything,) * len(here.shares)
    for fact in facts[1:]:
        sets = worlds.narrowed(here, sets, fact)
        if not any(sets):
            return False
    return True


def _corrected(facts: Facts) -> Iterator[Correction]:
    """Each single thing that may have been told wrong."""
    first = facts[0]
    assert isinstance(first, Began)
    colour_of = worlds.spots(first).colour_of
    for n, fact in enumerate(facts):
        if isinstance(fact, SeenPass):
            # The beginning fits every world: in its place it says nothing.
            yield n, Saying("phantom.doubt_pass", by=fact.by), _swapped(facts, n, first)
        if not isinstance(fact, Seen):
            continue
        room = fact.room
        if fact.by in first.masters:
            mistaken = _swapped(facts, n, replace(fact, by=TABLE))
            yield n, Saying("phantom.doubt_reach", by=fact.by, room=room), mistaken
        number = colour_of.get(room)
        if fact.ghost is not None:
            nothing = _since(_swapped(facts, n, replace(fact, ghost=None)), n, fact.ghost)
            yield n, Saying("phantom.doubt_ghost", ghost=colour_word(COLOURS[fact.ghost]), room=room), nothing
        elif number is not None and not fact.found >> number & 1:
            there = _since(_swapped(facts, n, replace(fact, ghost=number)), n, number)
            yield n, Saying("phantom.doubt_found", ghost=colour_word(COLOURS[number]), room=room), there


def _swapped(facts: Facts, n: int, fact: Fact) -> Facts:
    return (*facts[:n], fact, *facts[n + 1 :])


def _since(facts: Facts, n: int, number: int) -> Facts:
    """The facts with a ghost found from one of them on, or not found: the other way round than recorded."""
    later = [
        replace(fact, found=fact.found ^ 1 << number)
        for fact in facts[n + 1 :]
        if isinstance(fact, Turn | Seen | SeenPass | SeenLift)
    ]
    return (*facts[: n + 1], *later)
