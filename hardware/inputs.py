"""Buttons on pins of their own, through gpiozero. Each goes to ground; the Pi's own resistor pulls it up."""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from typing import Any

from gpiozero import InputDevice
from gpiozero.exc import GPIOZeroError

from companion.refusals import Illegal
from hardware.kits import Kit

log = logging.getLogger(__name__)

Edge = Callable[[str, bool, float], None]
"""Told of every edge: the button, whether its contact is closed now, and how many seconds ago that was."""

ENCODER_LINES = ("encoder a", "encoder b")
"""The two lines of a rotary encoder, which are no buttons of their own."""
STALEST = 1.0
"""Seconds: a kernel's time stamp that is older, or from the future, is of another clock."""


class PinsInUse(Illegal):
    """The pins cannot be had: another program holds them, or this user may not."""


def button_pins(kit: Kit) -> Iterator[tuple[str, int]]:
    """Every button that has a pin of its own."""
    yield from kit.buttons.items()
    if kit.line_buttons:
        yield from ((f"row{n}", pin) for n, pin in enumerate(kit.line_buttons.rows, start=1))
        yield from ((f"col{n}", pin) for n, pin in enumerate(kit.line_buttons.columns, start=1))
    if kit.encoder:
        yield from zip(ENCODER_LINES, (kit.encoder.a, kit.encoder.b), strict=True)


class Buttons:
    """The buttons of a kit; every edge is told at once, in whatever thread the pins speak."""

    def __init__(self, kit: Kit, factory: Any, edge: Edge) -> None:
        self._devices: dict[str, InputDevice] = {}
        with ExitStack() as opened:
            for name, pin in button_pins(kit):
                self._devices[name] = device = claimed(InputDevice, pin, factory, pull_up=True)
                opened.callback(device.close)
            # From here on somebody else closes them.
            opened.pop_all()
        # A pin remembers whom to call only weakly, so they are kept here.
        self._tellers = [_teller(edge, name, device) for name, device in self._devices.items()]
        for device, teller in zip(self._devices.values(), self._tellers, strict=True):
            device.pin.edges = "both"
            device.pin.when_changed = teller

    def closed(self) -> dict[str, bool]:
        """Every button, and whether it is held now."""
        return {name: bool(device.is_active) for name, device in self._devices.items()}

    def close(self) -> None:
        """Let go of the pins; one that is not let go at once keeps no other."""
        for name, device in self._devices.items():
            try:
                device.close()
            except Exception as fault:
                # lgpio lets go of a pin in a thread of its own, and is asked too early on a busy Pi.
                log.warning("the pin of %s was not let go at once: %s", name, fault)


def claimed(kind: Any, pin: int, factory: Any, **how: Any) -> Any:
    """A gpiozero device on a pin, or a refusal that says which pin cannot be had and why."""
    try:
        return kind(pin, pin_factory=factory, **how)
    except (GPIOZeroError, OSError, RuntimeError) as fault:
        raise PinsInUse("hardware.pin_in_use", pin=pin, fault=str(fault)) from fault
    except Exception as fault:
        # lgpio has an exception class of its own that is no OSError.
        if type(fault).__module__.startswith("lgpio"):
            raise PinsInUse("hardware.pin_in_use", pin=pin, fault=str(fault)) from fault
        raise


def _teller(edge: Edge, name: str, device: InputDevice) -> Callable[[float, int], None]:
    factory = device.pin_factory

    def tell(ticks: float, state: int) -> None:
        # The kernel's own time stamp tells bounces from presses even where this thread was kept waiting.
        ago = factory.ticks_diff(factory.ticks(), ticks)
        edge(name, not state, ago if 0 <= ago <= STALEST else 0.0)

    return tell
