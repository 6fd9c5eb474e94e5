"""What the two NeoPixel drivers share: a frame goes into the pixel buffer, only what changed, then out."""

from __future__ import annotations

import os
from collections.abc import Callable
from typing import Any

from hardware.frames import Frame


def quiet_blinka() -> None:
    """Set before Blinka is imported: it neither asks questions at a terminal nor fails off a Pi."""
    from hardware.machine import is_pi

    os.environ.setdefault("BLINKA_SKIP_DEPENDENCY_CHECK", "1")
    if not is_pi():
        os.environ.setdefault("BLINKA_OS_AGNOSTIC", "1")


class Pixels:
    """A pixel buffer of the makers' own library."""

    def __init__(self, pixels: Any, release: Callable[[], None]) -> None:
        self._pixels = pixels
        self._release = release
        self._shown: Frame = ()

    def show(self, frame: Frame) -> None:
        """Hand a frame to the wire."""
        for lamp, colour in enumerate(frame):
            if lamp >= len(self._shown) or self._shown[lamp] != colour:
                self._pixels[lamp] = colour
        # The buffer has it now, whether or not the wire takes it.
        self._shown = frame
        self._pixels.show()

    def close(self) -> None:
        """Let go of the wire."""
        self._release()
