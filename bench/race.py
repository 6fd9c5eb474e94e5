"""Two ways to do the same, timed in turn in one run, in processor time: a busy machine slows both alike."""

from __future__ import annotations

from collections.abc import Callable
from statistics import median
from time import process_time

ROUNDS = 41
SECONDS = 0.1


def race(what: str, ours: Callable[[], object], theirs: Callable[[], object], target: float) -> bool:
    """Print how often a second each does it, and the median of the rounds' ratios; whether it is enough."""
    paces = [(pace(ours), pace(theirs)) for _ in range(ROUNDS)]
    ratio = median(mine / yours for mine, yours in paces)
    mine, yours = (max(column) for column in zip(*paces, strict=True))
    met = ratio >= target
    print(f"{what}: {mine:,.0f}/s against {yours:,.0f}/s", end="")
    print(f" = {ratio:.2f}× (target {target}×: {'met' if met else 'MISSED'})")
    return met


def pace(work: Callable[[], object]) -> float:
    """How often a second this can be done."""
    times, start = 0, process_time()
    while (passed := process_time() - start) < SECONDS:
        for _ in range(10):
            work()
        times += 10
    return times / passed
