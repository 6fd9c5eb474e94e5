"""How hunters think: all of them together, since they see the same; each then does its part of the best plan.

A plan says where every figure goes that has yet to act in the round. It is worth the chance to catch Max at
once, what is left of his freedom if he is somewhere else, and the best catch of the round after: what a room
found empty tells counts by what it changes there.
"""

from __future__ import annotations

from itertools import product
from typing import NamedTuple

from companion.games.canterville.belief import Chances
from companion.games.canterville.castle import EVERY_ROOM
from companion.games.canterville.ground import Ground, Rooms

WIDEST = 128
"""So many plans are thought through at once; of more only the most promising."""
NARROW = 16
"""So many of a later round."""
FURTHER = 4
"""So many of the best plans are thought through one round further."""


class Weighing(NamedTuple):
    """What hunters make of a plan."""

    freedom: float = 0.5
    """What it costs to leave Max his freedom."""
    later: float = 0.6
    """What a catch in the next round is worth, measured by one at once."""
    stay: float = 0.15
    """How often Max is taken to stay where he is, if he has pause cards."""
    ahead: float = 0.0
    """How much the best plan of the round after counts in place of a guess at it."""


class Hunt(NamedTuple):
    """What everybody sees of a hunt, and what a hunter makes of it."""

    castle: Ground
    chances: Chances
    waiting: Rooms
    """Where the figures stand that have yet to act, in the order in which they will."""
    standing: Rooms
    """Where the others stand."""
    closed: int
    """The rooms that Max cannot enter any more, as far as his route has been shown."""
    pauses: bool
    """Whether he may have a pause card left."""
    rounds: int
    """How many rounds are left, this one included."""
    widest: int = WIDEST
    """How many plans are thought through."""

    def figures(self, rooms: Rooms) -> Rooms:
        """Where all figures stand once those that wait have gone to these rooms."""
        return tuple(sorted((*rooms, *self.standing)))


class Plan(NamedTuple):
    """Where each waiting figure goes, in their order, and what that is worth."""

    rooms: Rooms
    worth: float
    catch: float


def plans(hunt: Hunt, weighing: Weighing) -> list[Plan]:
    """Every plan that is worth a thought."""
    ways = [(here, *hunt.castle.walks[here]) for here in hunt.waiting]
    every: list[Rooms] = list(product(*ways))
    if len(every) > hunt.widest:
        every = _promising(hunt, every)
    found = [plan(hunt, rooms, weighing) for rooms in every]
    return _further(hunt, found, weighing) if weighing.ahead and hunt.rounds > 2 else found


def _further(hunt: Hunt, found: list[Plan], weighing: Weighing) -> list[Plan]:
    """The best plans, with what the best plan of the next round is worth then."""
    now = weighing._replace(ahead=0.0)
    best = sorted(found, key=lambda each: -each.worth)[:FURTHER]
    further = []
    for each in best:
        figures = hunt.figures(each.rooms)
        rest = {room: chance for room, chance in hunt.chances.items() if room not in each.rooms}
        going, stuck = prowled(hunt, rest, figures, weighing)
        then = hunt._replace(
            chances=going, waiting=figures, standing=(), rounds=hunt.rounds - 1, widest=NARROW
        )
        later = each.catch + stuck + max(next_.worth for next_ in plans(then, now))
        further.append(each._replace(worth=(1 - weighing.ahead) * each.worth + weighing.ahead * later))
    return further


def _promising(hunt: Hunt, every: list[Rooms]) -> list[Rooms]:
    """The plans that bring figures close to where Max is likely to be."""
    distance, likely = hunt.castle.distance, list(hunt.chances.items())
    ends = {room for rooms in every for room in rooms}
    pull = {
        here: sum(chance / (1 + distance[here][room]) for room, chance in likely)
        + hunt.chances.get(here, 0.0)
        for here in ends
    }
    return sorted(every, key=lambda rooms: -sum(pull[room] for room in set(rooms)))[: hunt.widest]


def plan(hunt: Hunt, rooms: Rooms, weighing: Weighing) -> Plan:
    """What it is worth if the waiting figures go to these rooms."""
    chances = hunt.chances
    catch, rest = 0.0, chances
    entered = set(rooms)
    if not entered.isdisjoint(chances):
        catch = sum(chances.get(room, 0.0) for room in entered)
        rest = {room: chance for room, chance in chances.items() if room not in entered}
    worth = catch
    if hunt.rounds > 1 and rest:
        figures = hunt.figures(rooms)
        if hunt.rounds > 2:
            roams = hunt.castle.freedom(figures, hunt.closed)
            worth -= weighing.freedom * sum(chance * roams[room] for room, chance in rest.items())
        worth += (weighing.later if hunt.rounds > 2 else 1.0) * next_catch(hunt, rest, figures, weighing)
    return Plan(rooms, worth, catch)


def next_catch(hunt: Hunt, rest: Chances, figures: Rooms, weighing: Weighing) -> float:
    """How likely Max is caught or stuck in the next round, if he is in these rooms now and moves anyhow."""
    castle = hunt.castle
    beside = 0
    for figure in figures:
        beside |= castle.within[figure][1]
    going, catch = prowled(hunt, rest, figures, weighing, beside)
    claimed: set[int] = set()
    for figure in figures:
        best, where = 0.0, 0
        for room in castle.walks[figure]:
            chance = going.get(room, 0.0)
            if chance > best and room not in claimed:
                best, where = chance, room
        if where:
            claimed.add(where)
            catch += best
    return catch


def prowled(
    hunt: Hunt, rest: Chances, figures: Rooms, weighing: Weighing, where: int = EVERY_ROOM
) -> tuple[Chances, float]:
    """Where Max is after his next turn, roughly; and the chance that he can go nowhere.

    Only the rooms of a set are looked at: it is asked thousands of times.
    """
    castle, blocked, stay = hunt.castle, hunt.closed, weighing.stay if hunt.pauses else 0.0
    for figure in figures:
        blocked |= 1 << figure
    going: Chances = {}
    stuck = 0.0
    for room, chance in rest.items():
        free = castle.haunt[room] & ~blocked
        if not free:
            if hunt.pauses:
                going[room] = going.get(room, 0.0) + chance
            else:
                stuck += chance
            continue
        if stay and where >> room & 1:
            going[room] = going.get(room, 0.0) + chance * stay
        wanted = free & where
        if wanted:
            each = chance * (1 - stay) / free.bit_count()
            for beside in castle.next[room]:
                if wanted >> beside & 1:
                    going[beside] = going.get(beside, 0.0) + each
    return going, stuck


def steps(found: list[Plan]) -> dict[tuple[int, int], Plan]:
    """For each waiting figure (by its place among them) and room, the best plan in which it goes there."""
    best: dict[tuple[int, int], Plan] = {}
    for each in found:
        for step in enumerate(each.rooms):
            if step not in best or each.worth > best[step].worth:
                best[step] = each
    return best
