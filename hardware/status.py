"""The status lamp: one plain LED that is on while all is well and blinks while something needs a person."""

from __future__ import annotations

from typing import Any, Literal

from gpiozero import OutputDevice

from hardware.inputs import claimed
from hardware.kits import Status

Mood = Literal["off", "well", "calls"]
BLINK = 0.5
"""Seconds on, seconds off."""


class StatusLamp:
    """The lamp on its pin, through its resistor."""

    def __init__(self, status: Status, factory: Any) -> None:
        self._lamp = claimed(OutputDevice, status.pin, factory, active_high=not status.lit_by_low)
        self._mood: Mood = "off"
        self._since = 0.0

    def show(self, mood: Mood, now: float) -> None:
        """Shine like this from now on."""
        if mood != self._mood:
            self._mood, self._since = mood, now
        lit = mood == "well" or (mood == "calls" and int((now - self._since) / BLINK + 1e-6) % 2 == 0)
        if bool(self._lamp.value) != lit:
            self._lamp.value = lit

    def due(self, now: float) -> float | None:
        """When it changes by itself."""
        if self._mood != "calls":
            return None
        return self._since + BLINK * (int((now - self._since) / BLINK + 1e-6) + 1)

    def close(self) -> None:
        """Dark, and the pin free."""
        self._lamp.close()
