"""Light drivers: what takes a frame to the lamps. They are found by name, as entry points `companion.lights`.

A driver is a callable `(chain, lamps, wire) -> Lights`. On a Pi `wire` is null and the driver opens its own;
a simulated board gives it a wire that remembers, so that everything but the last step is the real thing.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache
from importlib.metadata import EntryPoint, entry_points
from typing import Protocol

from msgspec.structs import replace

from hardware.frames import Frame
from hardware.kits import Chain, Kit
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


class Both:
    """Two chains as one: the first lamps on the first, the rest on the second."""

    def __init__(self, first: Lights, second: Lights, lamps: int) -> None:
        self._first, self._second, self._lamps = first, second, lamps

    def show(self, frame: Frame) -> None:
        """Hand each chain its part."""
        self._first.show(frame[: self._lamps])
        self._second.show(frame[self._lamps :])

    def close(self) -> None:
        """Let go of both wires."""
        self._first.close()
        self._second.close()


def opened(kit: Kit, wires: Sequence[Wire | None] = (None, None)) -> Lights:
    """The lamps of a kit, on one data line or two."""
    driver, chain, second = find(kit.chain.driver), kit.chain, kit.second_chain
    if second is None:
        return driver(chain, kit.lamps, wires[0])
    first = driver(chain, second.first, wires[0])
    try:
        rest = driver(replace(chain, pin=second.pin), kit.lamps - second.first, wires[1])
    except BaseException:
        first.close()
        raise
    return Both(first, rest, second.first)


def find(name: str) -> Driver:
    """The driver of a name; kits are checked for it when they are read."""
    driver: Driver = drivers()[name].load()
    return driver
