"""A permutation test on ranks, and how small a delay it would have noticed in what was measured."""

from __future__ import annotations

from math import erfc, sqrt
from random import Random

PERMUTATIONS = 2000
ALPHA = 0.001
"""A difference that chance alone makes so seldom counts, if it is found again in a second measurement."""
DELAYS = (0.1, 0.2, 0.5, 1.0, 2.0, 5.0, 10.0, 20.0, 50.0)
"""Milliseconds."""
POWER, TRIALS = 0.95, 100


def ranks(values: list[float]) -> list[float]:
    """The place of each value among all of them; those that are the same share theirs."""
    order = sorted(range(len(values)), key=values.__getitem__)
    found, at = [0.0] * len(values), 0
    while at < len(order):
        end = at
        while end < len(order) and values[order[end]] == values[order[at]]:
            end += 1
        for each in order[at:end]:
            found[each] = (at + end - 1) / 2
        at = end
    return found


def p_value(one: list[float], other: list[float], chance: Random, permutations: int = PERMUTATIONS) -> float:
    """How often chance alone would set two samples apart as far as they are, in either direction."""
    places = ranks([*one, *other])
    middle = sum(places) * len(one) / len(places)
    apart = abs(sum(places[: len(one)]) - middle)
    as_far = sum(abs(sum(chance.sample(places, len(one))) - middle) >= apart for _ in range(permutations))
    return (1 + as_far) / (1 + permutations)


def quick_p_value(one: list[float], other: list[float]) -> float:
    """The same for many values, by the normal distribution that the sums of ranks come close to."""
    places, n = ranks([*one, *other]), len(one)
    middle, spread = n * (len(places) - 1) / 2, sqrt(n * len(other) * (len(places) + 1) / 12)
    return erfc(abs(sum(places[:n]) - middle) / spread / sqrt(2))


def noticed(sample: list[float], chance: Random) -> float | None:
    """The smallest delay, in milliseconds, that is found nearly always in so many measurements as these.

    What was measured is drawn from anew, twice, and one of the two is made later by that delay.
    """
    for delay in DELAYS:
        found = 0
        for _ in range(TRIALS):
            one, other = (chance.choices(sample, k=len(sample)) for _ in range(2))
            found += quick_p_value(one, [value + delay / 1000 for value in other]) <= ALPHA
        if found >= POWER * TRIALS:
            return delay
    return None
