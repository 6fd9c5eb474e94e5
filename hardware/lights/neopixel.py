"""NeoPixels by PWM on a Pi 4 and older (needs root), or by the Pi 5's own library."""

from __future__ import annotations

from typing import Any

from hardware.kits import Chain
from hardware.lights.pixels import Pixels, quiet_blinka
from hardware.lights.wire import Wire


def open(chain: Chain, lamps: int, wire: Wire | None) -> Pixels:
    """The chain on a data pin, or behind a wire that remembers."""
    quiet_blinka()
    import board
    import neopixel

    kind = _on_wire(neopixel.NeoPixel, wire) if wire else neopixel.NeoPixel
    # Off a Pi Blinka knows of one data pin only; nothing is sent over it.
    pin = board.NEOPIXEL if wire else getattr(board, f"D{chain.pin}")
    pixels = kind(pin, lamps, pixel_order=chain.order, auto_write=False)
    return Pixels(pixels, pixels.pin.deinit)


def _on_wire(kind: Any, wire: Wire) -> Any:
    """The real pixel class with its last step replaced."""

    class OnWire(kind):  # type: ignore[misc]
        def _transmit(self, buffer: bytearray) -> None:
            wire.write(buffer)

    return OnWire
