"""Runs in the virtual Pi: the board on the kernel's own GPIO, SPI and I²C, with the pin factory it was given.

Fingers are written into gpio-sim, tiles into its contacts, and what the lamps got is read from the kernel's
SPI. Nothing here is a mock.
"""

from __future__ import annotations

import os
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from msgspec.structs import replace

from companion.clock import SystemClock
from companion.journal import Journal
from companion.table import Table
from hardware import boards, kits
from hardware.boards import LiveBoard
from hardware.chips import inputs
from hardware.expander import ALL, LEVELS, PULL_UP
from hardware.lights.neopixel_spi import KernelSPI
from hardware.lights.wire import from_spi
from hardware.matrix import MatrixScan
from hardware.wires import PiWires
from tests.games.phantom.hotel import GHOSTS, LAYOUT, OWNERS, room

FACTORY = os.environ["GPIOZERO_PIN_FACTORY"]
PINS = Path("/sys/devices/platform/gpio-sim.0") / next(
    path.name for path in Path("/sys/devices/platform/gpio-sim.0").glob("gpiochip*")
)
SPI = Path("/sys/kernel/debug/spi-capture")
CLOSED, MISSING, REVERSED = (
    Path(f"/sys/kernel/debug/board-{name}") for name in ("closed", "missing", "reversed")
)
PATIENCE = 30.0
"""Seconds that anything may take here."""


def pull(pin: int, up: bool) -> None:
    """What the outside does to a line."""
    (PINS / f"sim_gpio{pin}" / "pull").write_text("pull-up" if up else "pull-down")


def tap(board: LiveBoard, button: str) -> None:
    """A clean press, held until the board has noticed it, however slow this machine is."""
    for up in (False, True):
        pull(board.kit.buttons[button], up)
        until(lambda up=up: (button in board._hands.held()) is not up, f"{button} was not noticed")  # type: ignore[misc]
        time.sleep(0.1)


def bounce(pin: int) -> None:
    """Fifteen edges as close together as this machine can make them; the line ends low."""
    start = time.monotonic()
    with (PINS / f"sim_gpio{pin}" / "pull").open("w", buffering=1) as line:
        for number in range(15):
            line.seek(0)
            line.write("pull-up\n" if number % 2 else "pull-down\n")
            line.flush()
    print(f"  {FACTORY}: 15 edges in {1000 * (time.monotonic() - start):.1f} ms", flush=True)


def until(happens: Callable[[], Any], what: str) -> None:
    """Wait for something that another thread does."""
    end = time.monotonic() + PATIENCE
    while not happens():
        assert time.monotonic() < end, what
        time.sleep(0.05)


def messages() -> int:
    """How many messages the kernel's SPI has had."""
    return int((SPI / "messages").read_text(), 0)


def evening(kit: str | kits.Kit) -> tuple[Table, LiveBoard]:
    """A durable table with the board of a kit; it is a hunter's turn."""
    clock = SystemClock()
    journal = (
        Path("/run") / f"journal-{FACTORY}-{kit if isinstance(kit, str) else kit.name}-{time.monotonic_ns()}"
    )
    table = Table(Journal(journal), clock)
    board = (
        boards.open(kit, table, clock) if isinstance(kit, str) else LiveBoard(kit, table, clock, PiWires())
    )
    table.new("phantom", {"players": 4, "layout": LAYOUT, "owners": OWNERS}, seed=7)
    for ghost, where in GHOSTS.items():
        table.act(OWNERS[ghost], {"type": "hide", "ghost": ghost, "room": room(where)})
    table.act("p2", {"type": "remove", "room": room("B3")})
    return table, board


def removed(table: Table) -> list[int]:
    """The rooms that have been emptied."""
    return [removal.room for removal in table.view("public").shows.removed]


def test_a_bouncing_press_is_one_action() -> None:
    kit = kits.load("joystick")
    table, board = evening("joystick")
    assert FACTORY in type(board.wires.factory).__name__.lower(), type(board.wires.factory)
    bounce(kit.buttons["right"])
    until(lambda: board.pointer is not None, "the press was not noticed")
    # Time for a second step that must not come.
    time.sleep(0.5)
    assert board.pointer is not None
    assert board.pointer.room == 2, board.pointer
    pull(kit.buttons["right"], True)
    until(lambda: "right" not in board._hands.held(), "the release was not noticed")
    tap(board, "ok")
    assert board.pointer is not None
    assert board.pointer.chosen
    tap(board, "ok")
    until(lambda: removed(table) == [room("B3"), 2], "the second OK did not remove the tile")
    in_use_by_a_second_daemon()
    one_message_with_the_right_colours(board)
    board.close()
    table.close()


def one_message_with_the_right_colours(board: LiveBoard) -> None:
    """A change of the lamps is one message at the kernel, and it decodes to the frame that was meant."""
    sent = board.shine.keep_record()
    before = messages()
    time.sleep(1.0)
    board.night = True
    board.wake()
    time.sleep(1.0)
    assert len(sent) > 1
    assert abs(messages() - before - len(sent)) <= 1, (messages() - before, len(sent))
    board._life.stop()
    assert from_spi((SPI / "last").read_bytes(), "GRB") == board.shine.frame
    assert any(map(any, board.shine.frame))
    assert int((SPI / "speed_hz").read_text(), 0) == 6_400_000


def in_use_by_a_second_daemon() -> None:
    """Another process asks for the same pins and is told why it cannot have them."""
    code = (
        "from companion.clock import SystemClock; from companion.table import Table; import hardware.boards\n"
        "clock = SystemClock(); hardware.boards.open('joystick', Table(clock=clock), clock)"
    )
    second = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert second.returncode != 0
    assert "is another companion running" in second.stderr, second.stderr


def test_the_matrix_finds_a_lifted_tile() -> None:
    every = (1 << 36) - 1 & ~(1 << room("B3") - 1)
    CLOSED.write_text(hex(every))
    table, board = evening("sensing")
    time.sleep(1.0)
    assert removed(table) == [room("B3")]
    CLOSED.write_text(hex(every & ~(1 << room("F5") - 1)))
    until(lambda: removed(table) == [room("B3"), room("F5")], "the scan did not find the lifted tile")
    until(lambda: board.faults() == (), str(board.faults()))
    board.close()
    table.close()
    CLOSED.write_text("0")


def faults(board: LiveBoard) -> list[str]:
    """The keys of what seems broken."""
    return [fault.key.removeprefix("hardware.") for fault in board.faults()]


def test_diodes_that_are_missing_or_reversed_are_noticed() -> None:
    every = (1 << 36) - 1 & ~(1 << room("B3") - 1)
    CLOSED.write_text(hex(every))
    table, board = evening("sensing")
    time.sleep(1.0)
    assert faults(board) == []
    MISSING.write_text(hex(1 << 19))
    until(lambda: "diode_missing" in faults(board), str(faults(board)))
    assert "room20" in str(board.faults()), board.faults()
    MISSING.write_text("0")
    until(lambda: faults(board) == [], str(faults(board)))
    CLOSED.write_text("0x1")
    REVERSED.write_text("0x1")
    until(lambda: "diode_reversed" in faults(board), str(faults(board)))
    board.close()
    table.close()
    for file in (CLOSED, REVERSED):
        file.write_text("0")


def stub_bus() -> int:
    """The number of the kernel's stub of an I²C bus, which has chips at 0x20 to 0x22."""
    names = Path("/sys/class/i2c-dev").glob("*/name")
    return next(int(name.parent.name[4:]) for name in names if "stub" in name.read_text())


def on_the_stub(**how: Any) -> kits.Kit:
    """The kit `expander` on the stub."""
    kit = kits.load("expander")
    assert kit.expander is not None
    return replace(kit, expander=replace(kit.expander, bus=stub_bus(), **how))


def lay(chips: Any, kit: kits.Kit, rooms: set[int]) -> None:
    """Let tiles lie on these rooms: their inputs read low."""
    levels: dict[int, int] = {}
    for name, place in inputs(kit).items():
        closed = name.startswith("room") and int(name[4:]) in rooms
        levels[place.address] = levels.get(place.address, 0) | (0 if closed else 1 << place.bit)
    for address, bits in levels.items():
        if address <= 0x22:
            chips.write_word_data(address, LEVELS, bits)


def test_the_expander_finds_a_lifted_tile_and_a_reset_chip_is_set_up_again() -> None:
    import smbus2

    kit = on_the_stub()
    chips = smbus2.SMBus(stub_bus())
    lying = set(range(1, 37)) - {room("B3")}
    lay(chips, kit, lying)
    table, board = evening(kit)
    time.sleep(1.0)
    assert removed(table) == [room("B3")]
    lay(chips, kit, lying - {18})
    until(lambda: removed(table) == [room("B3"), 18], "the chips did not find the lifted tile")
    chips.write_word_data(0x21, PULL_UP, 0)
    until(lambda: chips.read_word_data(0x21, PULL_UP) == ALL, "the chip was not set up again")
    until(lambda: "chip_reset" in faults(board), str(faults(board)))
    board.close()
    table.close()
    chips.close()


def test_one_chip_that_is_not_there_does_not_stop_the_others() -> None:
    import smbus2

    kit = on_the_stub(chips=[0x20, 0x21, 0x27])
    chips = smbus2.SMBus(stub_bus())
    lying = set(range(1, 37)) - {room("B3")}
    lay(chips, kit, lying)
    table, board = evening(kit)
    until(lambda: "chip_silent" in faults(board), str(faults(board)))
    lay(chips, kit, lying - {18})
    until(lambda: removed(table) == [room("B3"), 18], "the silent chip stopped the others")
    board.close()
    table.close()
    chips.close()


def test_times() -> None:
    """What a scan and a message cost here; an emulated processor is slow, only ratios mean anything."""
    scan = MatrixScan(kits.load("sensing"), PiWires().factory)
    scan.read(0.0)
    took = [_timed(lambda: scan.read(0.5)) for _ in range(50)]
    print(f"  {FACTORY}: a scan of 36 contacts {1000 * sorted(took)[25]:.2f} ms", flush=True)
    scan.close()
    if FACTORY != "rpigpio":
        message = bytes(2432)
        spi = KernelSPI(0, 0)
        took = sorted(_timed(lambda: spi.write(message)) for _ in range(50))
        print(f"  SPI by PureIO {1000 * took[25]:.2f} ms", flush=True)
        spi.close()
        import lgpio

        handle = lgpio.spi_open(0, 0, 6_400_000, 0)
        took = sorted(_timed(lambda: lgpio.spi_write(handle, message)) for _ in range(50))
        print(f"  SPI by lgpio {1000 * took[25]:.2f} ms", flush=True)
        lgpio.spi_close(handle)


def _timed(act: Callable[[], Any]) -> float:
    start = time.perf_counter()
    act()
    return time.perf_counter() - start


def main() -> int:
    """Every test, in order; the first that fails ends it."""
    for name, test in list(globals().items()):
        if name.startswith("test_"):
            start = time.monotonic()
            test()
            print(f"  {FACTORY}: {name} ({time.monotonic() - start:.1f} s)", flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
