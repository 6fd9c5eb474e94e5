"""What a board costs while nobody touches it: the share of one core, with buttons and while it scans.

Beside it stands the same process asleep without a board.
"""

from __future__ import annotations

import sys
from time import perf_counter, process_time, sleep

from bench.board_latency import start_hunt
from companion.clock import SystemClock
from companion.table import Table
from hardware import kits
from hardware.boards import LiveBoard
from hardware.simulated import MockWires

SECONDS = 5.0
TARGETS = {"joystick": 0.5, "rows": 0.5, "sensing": 3.0, "expander": 3.0}


def share(seconds: float) -> float:
    """The processor's time in percent of the time that passed."""
    wall, busy = perf_counter(), process_time()
    sleep(seconds)
    return 100 * (process_time() - busy) / (perf_counter() - wall)


def with_board(name: str) -> float:
    clock, kit = SystemClock(), kits.load(name)
    table, wires = Table(clock=clock), MockWires(kit)
    wires.still = False
    board = LiveBoard(kit, table, clock, wires)
    start_hunt(table, moves=False)
    if kit.senses_tiles:
        for room in kit.grid.rooms:
            board.press(f"room{room}")
    sleep(0.5)
    measured = share(SECONDS)
    board.close()
    return measured


def main() -> int:
    asleep = share(SECONDS)
    print(f"asleep without a board: {asleep:.2f} % of one core")
    missed = 0
    for name, target in TARGETS.items():
        measured = with_board(name)
        met = measured < target
        missed += not met
        print(f"{name}: {measured:.2f} % (target under {target:g} %: {'met' if met else 'MISSED'})")
    return 1 if missed else 0


if __name__ == "__main__":
    sys.exit(main())
