"""How a lamp moves: pure functions of how long it has been shining. Never faster than once a second."""

from __future__ import annotations

from math import cos, pi

from companion.picture import Effect

PULSE, BLINK = 2.4, 1.0
"""Seconds of a pulse and of a blink."""
FRAME = 1 / 30
"""Seconds between two frames of something that moves smoothly."""
DIMMEST, OFF = 0.3, 0.06
"""How dark a pulse and a blink get: a lamp that means something never goes out."""


def level(effect: Effect, age: float) -> float:
    """How bright a lamp is, from 0 to 1, so many seconds after it came on. Every effect starts bright."""
    if effect == "pulse":
        return DIMMEST + (1 - DIMMEST) * (1 + cos(2 * pi * age / PULSE)) / 2
    if effect == "blink":
        return 1.0 if _halves(age) % 2 == 0 else OFF
    return 1.0


def next_change(effect: Effect, age: float) -> float | None:
    """At which age it will look different; never, for a steady lamp."""
    if effect == "pulse":
        return age + FRAME
    if effect == "blink":
        return (_halves(age) + 1) * BLINK / 2
    return None


def _halves(age: float) -> int:
    # A hair is added so that the moment of the change itself counts as after it.
    return int(age / (BLINK / 2) + 1e-6)
