"""When a bot acts. People would read thoughts in it, so it depends on nothing but chance."""

from __future__ import annotations

import time
from functools import cache
from random import Random

QUICK, SLOW = 1.0, 3.0
"""Seconds that a bot may think: on most machines, and on one as slow as the smallest Pi."""
SLOW_COUNT = 0.025
"""Seconds of processor time in which a machine counts to a hundred thousand, if it is not slow."""
LONGEST = 2.5
"""Seconds at most between the end of its thinking time and its action."""
GRACE = 0.25
"""What a bot may take to come to an end when its time is up, as a share of that time."""


def counted() -> float:
    """How long this machine takes to count to a hundred thousand, whatever else runs on it."""
    began, n = time.process_time(), 0
    while n < 100_000:
        n += 1
    return time.process_time() - began


def allowed(counting: float) -> float:
    """Seconds that a bot may think on a machine that takes so long to count."""
    return SLOW if counting > SLOW_COUNT else QUICK


@cache
def thinking() -> float:
    """Seconds that a bot may think here: it is asked with this limit. Counted when one first sits down."""
    return allowed(counted())


def delay(chance: Random, limit: float | None = None) -> float:
    """Seconds from the moment a bot is to act until it acts.

    Never less than the time it may think: whoever waits so long from that moment on, however soon the choice
    was found, tells neither how hard it was nor anything else. Mostly short, now and then long.
    """
    limit = thinking() if limit is None else limit
    return limit * (1 + GRACE) + LONGEST * chance.betavariate(1.5, 4)
