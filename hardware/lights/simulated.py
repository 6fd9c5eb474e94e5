"""Lamps that are not there: the frame goes over a wire that remembers, in the chain's own byte order."""

from __future__ import annotations

from hardware.frames import Frame
from hardware.kits import Chain
from hardware.lights.wire import Wire


class Remembered:
    """A chain of lamps of which only the wire exists."""

    def __init__(self, chain: Chain, wire: Wire) -> None:
        self._places = ["RGB".index(channel) for channel in chain.order]
        self._wire = wire

    def show(self, frame: Frame) -> None:
        """Hand a frame to the wire."""
        self._wire.write(bytes(colour[place] for colour in frame for place in self._places))

    def close(self) -> None:
        """Nothing to let go of."""


def open(chain: Chain, lamps: int, wire: Wire | None) -> Remembered:
    """The chain behind a wire that remembers."""
    return Remembered(chain, wire or Wire())
