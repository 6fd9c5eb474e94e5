"""A wire that remembers what was sent over it, and how to read the lamps' colours back from its bytes."""

from __future__ import annotations

from typing import Any

from hardware.frames import Colour, Frame

SPI_HERTZ = 6_400_000
_BITS = bytes.maketrans(b"\xc0\xf0", b"01")


class Wire:
    """Stands in for an SPI bus or a data pin. `cut` makes it fail like a pulled cable."""

    frequency = SPI_HERTZ

    def __init__(self) -> None:
        self.sent = b""
        """The last message."""
        self.messages = 0
        self.cut = False

    def write(self, buffer: Any, start: int = 0, end: int | None = None) -> None:
        """Take one message."""
        if self.cut:
            raise OSError("the cable is pulled")
        self.sent = bytes(buffer[start:end])
        self.messages += 1

    def try_lock(self) -> bool:
        """As an SPI bus: it is free."""
        return True

    def unlock(self) -> None:
        """As an SPI bus: nothing to do."""

    def configure(self, **how: Any) -> None:
        """As an SPI bus: any speed will do."""


def from_spi(message: bytes, order: str) -> Frame:
    """The colours in a message of `neopixel_spi`: each bit is a byte, 0xC0 for 0 and 0xF0 for 1."""
    bits = message.strip(b"\0").translate(_BITS)
    return from_data(int(bits or b"0", 2).to_bytes(len(bits) // 8, "big"), order)


def from_data(data: bytes, order: str) -> Frame:
    """The colours in a lamp's own data: three bytes each, in the chain's colour order."""
    places = [order.index(channel) for channel in "RGB"]
    lamps = (data[start : start + 3] for start in range(0, len(data), 3))
    return tuple(_colour(lamp, places) for lamp in lamps)


def _colour(lamp: bytes, places: list[int]) -> Colour:
    red, green, blue = (lamp[place] for place in places)
    return red, green, blue
