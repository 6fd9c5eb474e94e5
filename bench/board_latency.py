"""From the edge of a press to the frame handed to the wire, through rules and durable journal.

A board runs in its thread on the real clock with mock pins and the real pixel encoder. Beside the times
stands what the wire itself needs for 96 lamps: no light can change faster than that. The journal is a real
file, so a slow disk shows; `--journal DIR` puts it elsewhere.
"""

from __future__ import annotations

import argparse
import statistics
import sys
import tempfile
import threading
from collections.abc import Callable
from pathlib import Path
from time import perf_counter, sleep
from typing import Any

from companion.clock import SystemClock
from companion.journal import Journal
from companion.table import Table
from hardware import kits
from hardware.arrangement import lamp_of_room
from hardware.boards import LiveBoard
from hardware.lights.wire import SPI_HERTZ, Wire, from_spi
from hardware.simulated import MockWires

WIRE_MS = 1000 * 2432 * 8 / SPI_HERTZ
PRESSES = 31
BUTTON_TARGET, MATRIX_TARGET = 2 * WIRE_MS, 60.0
LAYOUT = [[colour, 1 + n % 6] for n, colour in enumerate(["blue", "red", "green", "white"] * 9)]
HOMES = {"blue": 33, "red": 34, "green": 35, "white": 36}


class StampedWire(Wire):
    """A wire that keeps every message with the time at which it arrived."""

    def __init__(self) -> None:
        super().__init__()
        self.messages_at: list[tuple[float, bytes]] = []
        self.arrived = threading.Event()

    def write(self, buffer: Any, start: int = 0, end: int | None = None) -> None:
        """Take one message, and note the time."""
        super().write(buffer, start, end)
        self.messages_at.append((perf_counter(), self.sent))
        self.arrived.set()


def times(kit_name: str, folder: Path) -> list[float]:
    """Milliseconds from the edge that acts to the first frame after it, over many removals by a hunter."""
    clock, kit = SystemClock(), kits.load(kit_name)
    table = Table(Journal(folder / f"{kit_name}.journal"), clock)
    wires = MockWires(kit)
    wires.wire = wire = StampedWire()
    wires.still = False
    board = LiveBoard(kit, table, clock, wires)
    measured = []
    # Each removal is the hunter's first: the table begins anew, so that nothing else changes the lamps.
    for room in range(1, PRESSES + 1):
        start_hunt(table)
        measured.append(1000 * (lifted if kit.senses_tiles else pressed)(board, wire, room))
    board.close()
    table.close()
    return measured


def start_hunt(table: Table, moves: bool = True) -> None:
    """A game at its first turn, or after it: then the lamps of the last removal pulse."""
    table.new("phantom", {"players": 2, "layout": LAYOUT, "owners": dict.fromkeys(HOMES, "p2")}, seed=1)
    for ghost, room in HOMES.items():
        table.act("p2", {"type": "hide", "ghost": ghost, "room": room})
    if moves:
        table.act("p2", {"type": "remove", "room": 32})


def pressed(board: LiveBoard, wire: StampedWire, room: int) -> float:
    """Point, choose, and time the second OK."""
    row, column = divmod(room - 1, 6)
    if board.kit.line_buttons:
        buttons = [f"row{row + 1}", f"col{column + 1}"]
    else:
        buttons = ["up", *["down"] * row, *["right"] * column]
    for button in buttons:
        tap(board, button)
    tap(board, "ok")
    seconds = timed(board, wire, room, lambda: board.press("ok"))
    sleep(0.05)
    board.release("ok")
    sleep(0.05)
    return seconds


def tap(board: LiveBoard, button: str) -> None:
    board.press(button)
    sleep(0.025)
    board.release(button)
    sleep(0.025)


def lifted(board: LiveBoard, wire: StampedWire, room: int) -> float:
    """Lay the board, and time the lifting of a tile."""
    for number in range(1, 37):
        board.press(f"room{number}")
    sleep(0.3)
    return timed(board, wire, room, lambda: board.release(f"room{room}"))


def timed(board: LiveBoard, wire: StampedWire, room: int, act: Callable[[], object]) -> float:
    """Seconds until the first frame is on the wire in which the emptied room pulses white."""
    lamp = lamp_of_room(board.kit)[room]
    wire.messages_at.clear()
    start = perf_counter()
    act()
    while perf_counter() < start + 5:
        for arrived, message in list(wire.messages_at):
            red, _, blue = from_spi(message, board.kit.chain.order)[lamp]
            if blue > red:
                return arrived - start
        wire.arrived.clear()
        wire.arrived.wait(0.05)
    raise AssertionError(f"no light came of room {room}")


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--journal", type=Path, help="the folder of the journal")
    folder = parser.parse_args().journal
    print(f"the wire itself, 96 lamps: {WIRE_MS:.2f} ms")
    missed = 0
    for name, target in (("joystick", BUTTON_TARGET), ("rows", BUTTON_TARGET), ("sensing", MATRIX_TARGET),
                         ("expander", MATRIX_TARGET)):  # fmt: skip
        with tempfile.TemporaryDirectory(dir=folder) as temporary:
            took = sorted(times(name, Path(temporary)))
        median, worst = statistics.median(took), took[int(len(took) * 0.99)]
        met = median <= target
        missed += not met
        print(
            f"{name}: median {median:.2f} ms = {median / WIRE_MS:.1f}× the wire, 99th {worst:.2f} ms"
            f" (target {target:.2f} ms at the median: {'met' if met else 'MISSED'})"
        )
    return 1 if missed else 0


if __name__ == "__main__":
    sys.exit(main())
