"""NeoPixels on the SPI data line (GPIO10): no root, every model of Pi, sound stays usable."""

from __future__ import annotations

from typing import Any

from hardware.kits import Chain
from hardware.lights.pixels import Pixels, quiet_blinka
from hardware.lights.wire import SPI_HERTZ, Wire


def open(chain: Chain, lamps: int, wire: Wire | None) -> Pixels:
    """The chain behind `/dev/spidev0.0`, or behind a wire that remembers."""
    quiet_blinka()
    import neopixel_spi

    bus: Any = wire or KernelSPI()
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
    """The kernel's SPI through lgpio, with the few methods that a pixel buffer asks of a bus."""

    frequency = SPI_HERTZ

    def __init__(self, device: int = 0, channel: int = 0) -> None:
        import lgpio

        self._write = lgpio.spi_write
        self._close = lgpio.spi_close
        self._handle = lgpio.spi_open(device, channel, self.frequency, 0)

    def write(self, buffer: Any, start: int = 0, end: int | None = None) -> None:
        """Send one message."""
        self._write(self._handle, bytes(buffer[start:end]))

    def try_lock(self) -> bool:
        """Nobody else in this process uses it."""
        return True

    def unlock(self) -> None:
        """See `try_lock`."""

    def configure(self, **how: Any) -> None:
        """Speed and mode were set when it was opened."""

    def close(self) -> None:
        """Let go of the device."""
        self._close(self._handle)


def _nothing() -> None:
    return
