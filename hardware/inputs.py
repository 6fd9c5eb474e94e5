"""Buttons on pins of their own, through gpiozero. Each goes to ground; the Pi's own resistor pulls it up."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import ExitStack
from typing import Any

from gpiozero import DigitalInputDevice
from gpiozero.exc import GPIOZeroError

from companion.refusals import Illegal
from hardware.kits import Kit

Edge = Callable[[str, bool], None]


class PinsInUse(Illegal):
    """The pins cannot be had: another program holds them, or this user may not."""


def button_pins(kit: Kit) -> Iterator[tuple[str, int]]:
    """Every button that has a pin of its own."""
    yield from kit.buttons.items()
    if kit.line_buttons:
        yield from ((f"row{n}", pin) for n, pin in enumerate(kit.line_buttons.rows, start=1))
        yield from ((f"col{n}", pin) for n, pin in enumerate(kit.line_buttons.columns, start=1))


class Buttons:
    """The buttons of a kit; every edge is told at once, in whatever thread the pins speak."""

    def __init__(self, kit: Kit, factory: Any, edge: Edge) -> None:
        self._devices: dict[str, DigitalInputDevice] = {}
        with ExitStack() as opened:
            for name, pin in button_pins(kit):
                self._devices[name] = device = claimed(DigitalInputDevice, pin, factory, pull_up=True)
                opened.callback(device.close)
            # From here on somebody else closes them.
            opened.pop_all()
        for name, device in self._devices.items():
            device.when_activated = _teller(edge, name, True)
            device.when_deactivated = _teller(edge, name, False)

    def closed(self) -> dict[str, bool]:
        """Every button, and whether it is held now."""
        return {name: bool(device.is_active) for name, device in self._devices.items()}

    def close(self) -> None:
        """Let go of the pins."""
        for device in self._devices.values():
            device.close()


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


def _teller(edge: Edge, name: str, closed: bool) -> Callable[[], None]:
    def tell() -> None:
        edge(name, closed)

    return tell
