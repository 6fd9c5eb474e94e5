"""The daemon as it is, with bots that are quick and lamps that fail: `python -m tests.soak.house`."""

from __future__ import annotations

import random
import sys
import time
from collections.abc import Callable
from typing import Any

from companion import cli
from companion.bots import pace
from hardware.lights.simulated import Remembered

PACE, THINKING = 0.08, 0.03
"""Seconds from one move of a bot to the next, and those in which it thinks."""
ODD_FAILURES = 0.03
EVERY, OUT = 12.0, 1.5
"""Each so many seconds the lamps are out for so long."""


def failing(show: Callable[[Remembered, Any], None]) -> Callable[[Remembered, Any], None]:
    """A driver whose wire is loose."""

    def sometimes(lights: Remembered, frame: Any) -> None:
        if random.random() < ODD_FAILURES or time.monotonic() % EVERY < OUT:
            raise OSError("the wire of the lamps is loose")
        show(lights, frame)

    return sometimes


def main() -> int:
    """Serve like `companion play`."""
    pace.thinking = lambda: THINKING
    pace.delay = lambda chance, limit=None: PACE * (0.5 + chance.random())
    Remembered.show = failing(Remembered.show)  # type: ignore[method-assign]
    return cli.main(["play", "--host", "127.0.0.1", *sys.argv[1:]])


if __name__ == "__main__":
    sys.exit(main())
