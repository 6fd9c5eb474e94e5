"""Light drivers: what takes a frame to the lamps. They are found by name, as entry points `companion.lights`.

A driver is a callable `(chain, lamps, wire) -> Lights`. On a Pi `wire` is null and the driver opens its own;
a simulated board gives it a wire that remembers, so that everything but the last step is the real thing.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from importlib.metadata import EntryPoint, entry_points
from typing import Protocol

from hardware.frames import Frame
from hardware.kits import Chain
from hardware.lights.wire import Wire

GROUP = "companion.lights"


class Lights(Protocol):
    """A chain of lamps that can be lit."""

    def show(self, frame: Frame) -> None:
        """Hand a frame to the wire. May raise whatever the hardware raises."""
        ...

    def close(self) -> None:
        """Let go of the wire; the lamps stay as they are."""
        ...


Driver = Callable[[Chain, int, Wire | None], Lights]


@cache
def drivers() -> dict[str, EntryPoint]:
    """Every installed driver by name."""
    return {point.name: point for point in sorted(entry_points(group=GROUP), key=lambda point: point.name)}


def find(name: str) -> Driver:
    """The driver of a name; kits are checked for it when they are read."""
    driver: Driver = drivers()[name].load()
    return driver
