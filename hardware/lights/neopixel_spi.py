"""NeoPixels on the SPI data line (GPIO10): no root, every model of Pi, sound stays usable."""

from __future__ import annotations

from typing import Any

from hardware.checks import SPI_DEVICES, spi_buffer
from hardware.kits import Chain
from hardware.lights.pixels import Pixels, quiet_blinka
from hardware.lights.wire import SPI_HERTZ, Wire


def open(chain: Chain, lamps: int, wire: Wire | None) -> Pixels:
    """The chain behind the SPI of its pin, or behind a wire that remembers."""
    quiet_blinka()
    import neopixel_spi

    bus: Any = wire or KernelSPI(*SPI_DEVICES[chain.pin])
    release = getattr(bus, "close", _nothing)
    try:
        pixels = neopixel_spi.NeoPixel_SPI(
            bus, lamps, pixel_order=chain.order, auto_write=False, frequency=SPI_HERTZ
        )
    except BaseException:
        release()
        raise
    return Pixels(pixels, release)


class KernelSPI:
    """The kernel's SPI through Adafruit_PureIO, with the few methods that a pixel buffer asks of a bus."""

    frequency = SPI_HERTZ

    def __init__(self, bus: int, device: int) -> None:
        from Adafruit_PureIO.spi import SPI

        self._spi = SPI((bus, device), max_speed_hz=self.frequency, bits_per_word=8, phase=0, polarity=0)
        # The kernel lets any number of programs send here; two companions would light each other's lamps.
        own(self._spi.handle, f"/dev/spidev{bus}.{device}")
        # A frame that is split has a gap, which ends it; the kit was checked against the same number.
        self._spi.chunk_size = spi_buffer()

    def write(self, buffer: Any, start: int = 0, end: int | None = None) -> None:
        """Send one message."""
        self._spi.writebytes(bytes(buffer[start:end]))

    def try_lock(self) -> bool:
        """Nobody else in this process uses it."""
        return True

    def unlock(self) -> None:
        """See `try_lock`."""

    def configure(self, **how: Any) -> None:
        """Speed and mode were set when it was opened."""

    def close(self) -> None:
        """Let go of the device."""
        import os

        os.close(self._spi.handle)


def own(handle: int, name: str) -> None:
    """Have a device for ourselves until it is closed, or close it and say that it is taken."""
    import errno
    import fcntl
    import os

    try:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        os.close(handle)
        raise OSError(errno.EBUSY, "another companion has the lamps", name) from None


def _nothing() -> None:
    return
