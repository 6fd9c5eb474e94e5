"""How a hunter thinks: which tile to lift, so that the damage until all ghosts are found stays small.

Each promising room is thought through: a ghost lies there or not and, for who looks ahead, the next master
moves as his kind does. What hunters then know is worth what it saves them in searching.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import NamedTuple

from companion.contract import Seat
from companion.games.phantom.belief import Opinion, Values
from companion.games.phantom.board import in_set
from companion.games.phantom.bots.search import a_turn, cost, hunters_win
from companion.games.phantom.state import Seen

ALL_FOUND = 15
WIDEST = 10
"""So many rooms are thought through at most, those that promise most."""


class Hunt(NamedTuple):
    """What everybody sees of a hunt: tiles, ghosts found, what is left to wreck, values, who moves next."""

    tiles: int
    found: int
    left: int
    values: Values
    next: Seat | None


def rate(hunt: Hunt, opinion: Opinion, effort: int, in_time: Iterator[bool]) -> dict[int, float]:
    """For each room worth lifting how likely the hunters win if they lift it now.

    `effort` is how many table entries may be gone through in looking ahead: the more is known, the further
    it reaches. With none, nobody looks ahead.
    """
    chances = room_chances(hunt, opinion)
    turn = a_turn(hunt.values, hunt.tiles)
    promise = {r: (p + 0.001) / (turn + (1 - p) * hunt.values[r]) for r, p in chances.items()}
    first = sorted(promise, key=lambda room: -promise[room])
    thoughts = effort // max(1, opinion.size())
    width = min(WIDEST, max(3, math.isqrt(thoughts // 3))) if effort else WIDEST
    replies = min(12, thoughts // (2 * width))
    rates: dict[int, float] = {}
    for room in first[:width]:
        if rates and not next(in_time):
            break
        rates[room] = _lifted(hunt, opinion, room, chances[room], turn, replies)
    return rates


def room_chances(hunt: Hunt, opinion: Opinion) -> dict[int, float]:
    """How likely each tile hides a ghost."""
    by_colour, colour_of = opinion.chances(hunt.found), opinion.here.colour_of
    return {
        room: by_colour[colour_of[room]].get(room, 0.0) if room in colour_of else 0.0
        for room in in_set(hunt.tiles)
    }


def _lifted(hunt: Hunt, opinion: Opinion, room: int, chance: float, turn: float, replies: int) -> float:
    """How likely the hunters win after lifting a tile."""
    tiles, number = hunt.tiles & ~(1 << room), opinion.here.colour_of.get(room)
    won = 0.0
    if chance > 0 and number is not None:
        there = hunt._replace(tiles=tiles, found=hunt.found | 1 << number)
        won += chance * _then(there, opinion.found_out(number, room, True), turn, replies)
    if chance < 1:
        missed = hunt._replace(tiles=tiles, left=hunt.left - hunt.values[room])
        learned = opinion.found_out(number, room, False) if chance > 0 and number is not None else opinion
        won += (1 - chance) * _then(missed, learned, turn, replies)
    return won


def _then(hunt: Hunt, opinion: Opinion, turn: float, replies: int) -> float:
    """How likely the hunters win, seen from before the next ghost turn."""
    if hunt.found == ALL_FOUND or hunt.left <= 0:
        return float(hunt.left > 0)
    foresees = hunt.next is not None and replies > 1
    moves = opinion.moves(hunt.next or "", hunt.tiles, hunt.found, hunt.values) if foresees else {}
    if not moves:
        return _now(hunt, opinion, turn)
    won = weight = 0.0
    for room in sorted(moves, key=lambda room: -moves[room])[:replies]:
        weight += moves[room]
        left = hunt.left - hunt.values[room]
        if left > 0:
            told = opinion.after(Seen(hunt.next or "", room, hunt.tiles, hunt.found, None), hunt.values)
            won += moves[room] * _now(hunt._replace(left=left), told, turn)
    return won / weight


def _now(hunt: Hunt, opinion: Opinion, turn: float) -> float:
    """How likely the hunters win, if nothing more were told than what each lift tells."""
    wrecked = sum(cost(each, hunt.values, turn) for each in opinion.chances(hunt.found))
    return hunters_win(hunt.left, wrecked)
