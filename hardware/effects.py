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
        # In steps, so that a frame made between two of them, for whatever reason, looks like the first.
        passed = _steps(age, FRAME) * FRAME
        return DIMMEST + (1 - DIMMEST) * (1 + cos(2 * pi * passed / PULSE)) / 2
    if effect == "blink":
        return 1.0 if _steps(age, BLINK / 2) % 2 == 0 else OFF
    return 1.0


def next_change(effect: Effect, age: float) -> float | None:
    """At which age it will look different; never, for a steady lamp."""
    step = {"pulse": FRAME, "blink": BLINK / 2}.get(effect)
    return None if step is None else (_steps(age, step) + 1) * step


def _steps(age: float, step: float) -> int:
    # A hair is added so that the moment of a change itself counts as after it.
    return int(age / step + 1e-6)
