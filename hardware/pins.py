"""gpiozero's pins over gpiod, the library of the kernel's own GPIO maintainers: the pin factory `gpiod`.

gpiozero chooses lgpio by itself, which no longer builds on new systems and whose maker is silent. One thread
waits for the edges of all pins; the kernel stamps each with its time.
"""

from __future__ import annotations

import select
import threading
from datetime import timedelta
from pathlib import Path
from typing import Any

import gpiod
from gpiod.line import Bias, Direction, Edge, Value
from gpiozero.exc import PinFixedPull, PinInvalidFunction, PinInvalidPull, PinPWMUnsupported, PinSetInput
from gpiozero.pins.local import LocalPiFactory, LocalPiPin

CONSUMER = "ghost-companion"
LONGEST_WAIT = 1.0
"""Seconds after which the thread looks whether it is to end."""
BIASES = {"up": Bias.PULL_UP, "down": Bias.PULL_DOWN, "floating": Bias.DISABLED}
DIRECTIONS = {"input": Direction.INPUT, "output": Direction.OUTPUT}
EDGES = {"both": Edge.BOTH, "rising": Edge.RISING, "falling": Edge.FALLING}


def header_chip() -> str:
    """The device behind the 40-pin header; its number differs from model to model and kernel to kernel."""
    chips = sorted(Path("/dev").glob("gpiochip*"))
    for path in chips:
        with gpiod.Chip(str(path)) as chip:
            if chip.get_info().label.startswith("pinctrl-"):
                return str(path)
    if not chips:
        raise OSError("there is no /dev/gpiochip")
    return str(chips[0])


class GpiodFactory(LocalPiFactory):  # type: ignore[misc]
    """The pins of this Pi."""

    def __init__(self) -> None:
        super().__init__()
        self.chip = header_chip()
        self.pin_class = GpiodPin
        self.edges = Edges()

    def close(self) -> None:
        """Let go of every pin."""
        super().close()
        self.edges.stop()


class GpiodPin(LocalPiPin):  # type: ignore[misc]
    """One line of the chip, held by a request of its own."""

    def __init__(self, factory: GpiodFactory, info: Any) -> None:
        super().__init__(factory, info)
        self._how: dict[str, Any] = {"direction": Direction.INPUT}
        self._edge, self._wanted = Edge.BOTH, False
        self._bounce: float | None = None
        self._line: Any = gpiod.request_lines(factory.chip, {self._number: self._settings()}, CONSUMER)

    def _settings(self) -> Any:
        edges = self._wanted and self._how["direction"] is Direction.INPUT
        if edges and self._bounce:
            return gpiod.LineSettings(
                **self._how, edge_detection=self._edge, debounce_period=timedelta(seconds=self._bounce)
            )
        return gpiod.LineSettings(**self._how, edge_detection=self._edge if edges else Edge.NONE)

    def _set(self, **how: Any) -> None:
        self._how = how
        self._line.reconfigure_lines({self._number: self._settings()})

    def close(self) -> None:
        """Let go of the line: an input again, as lines are when nobody holds them."""
        if self._line is not None:
            self.when_changed = None
            self._set(direction=Direction.INPUT)
            self._line.release()
            self._line = None
            # The next one that wants this pin gets a fresh one.
            self.factory.pins.pop(self.info, None)

    def output_with_state(self, state: Any) -> None:
        """Drive the line, from its first moment with this level."""
        self._set(direction=Direction.OUTPUT, output_value=Value(bool(state)))

    def input_with_pull(self, pull: str) -> None:
        """Feel the line, pulled from its first moment."""
        if self.info.pull not in (pull, ""):
            raise PinFixedPull(f"{self!r} has a physical pull-{self.info.pull} resistor")
        if pull not in BIASES:
            raise PinInvalidPull(f'invalid pull "{pull}" for pin {self!r}')
        self._set(direction=Direction.INPUT, bias=BIASES[pull])

    def _get_function(self) -> str:
        return "output" if self._how["direction"] is Direction.OUTPUT else "input"

    def _set_function(self, value: str) -> None:
        if value not in DIRECTIONS:
            raise PinInvalidFunction(f'invalid function "{value}" for pin {self!r}')
        self._set(direction=DIRECTIONS[value])

    def _get_state(self) -> int:
        return int(self._line.get_value(self._number) is Value.ACTIVE)

    def _set_state(self, value: Any) -> None:
        if self._get_function() == "input":
            raise PinSetInput(f"cannot set state of pin {self!r}")
        self._line.set_value(self._number, Value(bool(value)))

    def _get_pull(self) -> str:
        bias = self._how.get("bias")
        return next((name for name, each in BIASES.items() if each is bias), "floating")

    def _set_pull(self, value: str) -> None:
        if self._get_function() != "input":
            raise PinFixedPull(f"cannot set pull on non-input pin {self!r}")
        self.input_with_pull(value)

    def _get_frequency(self) -> None:
        return None

    def _set_frequency(self, value: float | None) -> None:
        if value:
            raise PinPWMUnsupported(f"PWM is not supported on pin {self!r}")

    def _get_bounce(self) -> float | None:
        return self._bounce

    def _set_bounce(self, value: float | None) -> None:
        self._bounce = value
        self._set(**self._how)

    def _get_edges(self) -> str:
        return next(name for name, edge in EDGES.items() if edge is self._edge)

    def _set_edges(self, value: str) -> None:
        self._edge = EDGES[value]
        self._set(**self._how)

    def _enable_event_detect(self) -> None:
        self._wanted = True
        self._set(**self._how)
        self.factory.edges.watch(self._line, self._edge_seen)

    def _disable_event_detect(self) -> None:
        self._wanted = False
        self.factory.edges.forget(self._line)
        self._set(**self._how)

    def _edge_seen(self, event: Any) -> None:
        rising = event.event_type is event.Type.RISING_EDGE
        self._call_when_changed(event.timestamp_ns / 1e9, int(rising))


class Edges:
    """One thread that waits for the edges of all watched lines."""

    def __init__(self) -> None:
        self._lines: dict[int, tuple[Any, Any]] = {}
        self._poll = select.epoll()
        self._thread: threading.Thread | None = None
        self._stopped = False

    def watch(self, line: Any, seen: Any) -> None:
        """Tell of every edge of a line from now on."""
        self._lines[line.fd] = (line, seen)
        self._poll.register(line.fd, select.EPOLLIN)
        if self._thread is None:
            self._thread = threading.Thread(target=self._run, name="edges", daemon=True)
            self._thread.start()

    def forget(self, line: Any) -> None:
        """Tell no more."""
        if self._lines.pop(line.fd, None):
            self._poll.unregister(line.fd)

    def _run(self) -> None:
        while not self._stopped:
            for number, _ in self._poll.poll(LONGEST_WAIT):
                line, seen = self._lines.get(number, (None, None))
                if line is not None:
                    for event in line.read_edge_events():
                        seen(event)

    def stop(self) -> None:
        """End the thread."""
        self._stopped = True
        if self._thread is not None:
            self._thread.join(2 * LONGEST_WAIT)
