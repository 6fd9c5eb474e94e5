"""What makes one page of another, line by line: what is pushed is only what is different."""

from __future__ import annotations

from bisect import bisect_left
from typing import Any

Run = tuple[int, int, list[str]]
"""From which line on how many are gone, and what is there instead."""


def changes(old: list[str], new: list[str]) -> list[Run]:
    """What makes one page of another; not the least there could be, but found in a moment."""
    runs, then, now = list[Run](), 0, 0
    kept = [] if len(old) == len(new) else _in_step(old, new)
    for until, stays in [*kept, (len(old), len(new))]:
        if until - then == stays - now:
            # Mostly a line stands in for another one.
            pairs = enumerate(zip(old[then:until], new[now:stays], strict=True), then)
            runs += [(at, 1, [fresh]) for at, (gone, fresh) in pairs if fresh != gone]
        else:
            runs.append((then, until - then, new[now:stays]))
        then, now = until + 1, stays + 1
    return runs


def _in_step(old: list[str], new: list[str]) -> list[tuple[int, int]]:
    """Where both pages have the same: the longest row, in the order of both, of what each has only once."""
    before, after = _places(old), _places(new)
    pairs = [(before.get(line, -1), at) for line, at in after.items() if at >= 0]
    ends, rows = list[int](), list[Any]()
    for pair in pairs:
        if pair[0] >= 0:
            # The row of each length that ends first on the old page, with the row that it goes on from.
            length = bisect_left(ends, pair[0])
            ends[length : length + 1] = [pair[0]]
            rows[length : length + 1] = [(pair, rows[length - 1] if length else None)]
    kept, row = list[tuple[int, int]](), rows[-1] if rows else None
    while row is not None:
        pair, row = row
        kept.append(pair)
    return kept[::-1]


def _places(lines: list[str]) -> dict[str, int]:
    """Where each line is that there is only one of; of the others -1."""
    places: dict[str, int] = {}
    for at, line in enumerate(lines):
        places[line] = -1 if line in places else at
    return places
