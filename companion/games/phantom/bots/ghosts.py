"""How a master thinks: which tile to devastate, so that it is dear and tells the hunters little.

He knows where the ghosts are and what hunters can think, so he asks how long they would search for them.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from companion.contract import Seat
from companion.games.phantom.belief import Chances, Opinion, Values
from companion.games.phantom.bots.hunters import Hunt
from companion.games.phantom.bots.search import a_turn, hunters_win
from companion.games.phantom.state import Seen

SHARPNESS = 3
"""How much more often hunters lift what promises more."""

Ghosts = Mapping[int, int]
"""The rooms of the hidden ghosts that a master knows, by the number of their colour."""


def rate(
    hunt: Hunt,
    seat: Seat,
    targets: Sequence[int],
    ghosts: Ghosts,
    risk: Mapping[int, float],
    opinions: Sequence[Opinion],
    replies: int,
    in_time: Iterator[bool],
) -> dict[int, float]:
    """For each tile in reach how likely the ghosts win if it goes now.

    `risk` is the chance of a tile to hide a ghost of his partner that he does not know of; `opinions` are
    what hunters may think by now, and each counts the same; `replies` how many of their answers are tried.
    """
    rates: dict[int, float] = {}
    for room in sorted(targets, key=lambda room: -hunt.values[room]):
        if rates and not next(in_time):
            break
        left = hunt.left - hunt.values[room]
        if room in ghosts.values():
            rates[room] = 0.0
        elif left <= 0:
            # It ends here and now: nothing is better.
            rates[room] = 2.0 * (1 - risk.get(room, 0.0))
        else:
            fact = Seen(seat, room, hunt.tiles, hunt.found, None)
            after = hunt._replace(tiles=hunt.tiles & ~(1 << room), left=left)
            told = [opinion.after(fact, hunt.values) for opinion in opinions]
            won = sum(_answered(after, ghosts, each, replies) for each in told) / len(told)
            rates[room] = won * (1 - risk.get(room, 0.0))
    return rates


def _answered(hunt: Hunt, ghosts: Ghosts, opinion: Opinion, replies: int) -> float:
    """How likely the ghosts win, seen from before the hunters' answer."""
    values, turn = hunt.values, a_turn(hunt.values, hunt.tiles)
    chances = opinion.chances(hunt.found)
    promise = {
        room: chance / (turn + (1 - chance) * values[room])
        for each in chances
        for room, chance in each.items()
        if chance > 0
    }
    if not promise or not replies:
        return _hidden(hunt, ghosts, chances, turn)
    likely = sorted(promise, key=lambda room: -promise[room])[:replies]
    won = weight = 0.0
    for room in likely:
        often = (promise[room] / promise[likely[0]]) ** SHARPNESS
        weight += often
        won += often * _lifted(hunt, ghosts, opinion, room, turn)
    return won / weight


def _lifted(hunt: Hunt, ghosts: Ghosts, opinion: Opinion, room: int, turn: float) -> float:
    """How likely the ghosts win after hunters lifted a tile."""
    number = opinion.here.colour_of[room]
    there = ghosts.get(number) == room
    learned = opinion.found_out(number, room, there)
    if there:
        left = {n: where for n, where in ghosts.items() if n != number}
        after = hunt._replace(found=hunt.found | 1 << number)
        return _hidden(after, left, learned.chances(after.found), turn) if left else 0.0
    missed = hunt._replace(left=hunt.left - hunt.values[room])
    return _hidden(missed, ghosts, learned.chances(hunt.found), turn)


def _hidden(hunt: Hunt, ghosts: Ghosts, chances: Chances, turn: float) -> float:
    """How likely the ghosts win, if hunters search by what they think now."""
    wrecked = sum(search_for(chances[number], where, hunt.values, turn) for number, where in ghosts.items())
    if ghosts and (unknown := 4 - hunt.found.bit_count() - len(ghosts)) > 0:
        wrecked *= 1 + unknown / len(ghosts)
    return 1 - hunters_win(hunt.left, wrecked)


def search_for(chances: Mapping[int, float], where: int, values: Values, turn: float) -> float:
    """The damage until hunters who think so find a ghost that is really there."""
    promise = {room: chance / (turn + values[room]) for room, chance in chances.items()}
    mine = promise.get(where)
    if not mine:
        return turn
    spent = turn
    for room, theirs in promise.items():
        if room != where:
            # The nearer two rooms are to each other, the less it is certain which one comes first.
            before = theirs * theirs / (theirs * theirs + mine * mine)
            spent += before * (turn + values[room])
    return spent
