"""What was measured, judged: whether a hunter can tell that Max stayed from that he went."""

from __future__ import annotations

import statistics
from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import NamedTuple

from tests.timing.judging import ALPHA, noticed, p_value
from tests.timing.measuring import KINDS, Measured, castle, measured

SECRET = ("move", "pause")
"""These two nobody may tell apart. That he cheats is laid open on the table; where to, is not."""
TIMES = ("answer", "push")


class Verdict(NamedTuple):
    """One way to tell two kinds of turns apart, tried."""

    time: str
    one: str
    other: str
    p: float
    power: float | None
    """The delay in milliseconds that would have been found."""

    def __str__(self) -> str:
        seen = f"{self.power} ms would be seen" if self.power else "too few to see anything"
        return f"{self.time}: {self.one} or {self.other}: p = {self.p:.4f}; {seen}"


def judged(turns: list[Measured], chance: Random) -> Iterator[Verdict]:
    """Each time of each pair of kinds."""
    for time in TIMES:
        by_kind = {kind: [getattr(turn, time) for turn in turns if turn.kind == kind] for kind in KINDS}
        power = noticed(by_kind[KINDS[0]], chance)
        for one, other in (SECRET, ("move", "cheat"), ("pause", "cheat")):
            yield Verdict(time, one, other, p_value(by_kind[one], by_kind[other], chance), power)


def told_apart(verdicts: list[Verdict]) -> set[str]:
    """The times by which what is secret was told apart."""
    return {v.time for v in verdicts if (v.one, v.other) == SECRET and v.p <= ALPHA}


def table(turns: list[Measured]) -> str:
    """Medians of what was measured, side by side."""
    lines = []
    for kind in KINDS:
        theirs = [turn for turn in turns if turn.kind == kind]
        times = [statistics.median(getattr(turn, time) for turn in theirs) * 1000 for time in TIMES]
        written = sorted({turn.written for turn in theirs})
        lines.append(
            f"{kind:6} {len(theirs)} turns: answer {times[0]:.2f} ms, first byte at a hunter's stream "
            f"{times[1]:.2f} ms, {written[0]} to {written[-1]} bytes in the journal"
        )
    return "\n".join(lines)


class Trial(NamedTuple):
    """One measurement, or two of them."""

    turns: list[Measured]
    verdicts: list[Verdict]
    found: set[str]
    """The times that told the secret, in the first measurement and, measured anew, in a second one."""


def tried(folder: Path, each: int, seed: int = 1) -> Trial:
    """Measure; what seems to tell something is measured again, for chance does that now and then."""
    with castle(folder / "first", seed) as place:
        turns = measured(place, each)
    verdicts = list(judged(turns, Random(seed)))
    found = told_apart(verdicts)
    if found:
        with castle(folder / "second", seed + 1) as place:
            found &= told_apart(list(judged(measured(place, each), Random(seed))))
    return Trial(turns, verdicts, found)
