"""Matrix and chips as electricity has them: diodes that fail, wires that need time, chips that forget."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise

import pytest
from gpiozero.pins.mock import MockFactory
from msgspec.structs import replace

from hardware import kits
from hardware.boards import LiveBoard
from hardware.design import Choices, design
from hardware.expander import ALL, DIRECTION, PULL_UP
from hardware.kits import Kit
from hardware.matrix import MatrixScan
from hardware.simulated import LinePin, MockBus, MockMatrix, MockWires
from tests.games.phantom.hotel import room
from tests.hardware.evening import Evening

CELL = {1: (0, 0), 4: (0, 3), 13: (2, 0), 16: (2, 3)}
"""The corners of a rectangle, by room."""


def keys(evening: Evening) -> list[str]:
    return [fault.key.removeprefix("hardware.") for fault in evening.board.faults()]


def said(evening: Evening) -> str:
    return " ".join(str(fault) for fault in evening.board.faults())


# Matrix


@pytest.fixture
def sensing() -> Iterator[tuple[Evening, MockMatrix]]:
    """A hotel on the matrix, of which nothing is laid yet."""
    with Evening("sensing") as evening:
        evening.hotel()
        matrix = evening.wires._contacts
        assert isinstance(matrix, MockMatrix)
        evening.clear_tiles()
        yield evening, matrix


def believed(evening: Evening) -> set[str]:
    assert evening.board._hands.rounds is not None
    return evening.board._hands.rounds.closed


def test_a_missing_diode_is_named_and_the_corner_it_feigns_is_not_believed(
    sensing: tuple[Evening, MockMatrix],
) -> None:
    evening, matrix = sensing
    matrix.missing = {CELL[13]}
    for number in (13, 1, 16):
        evening.put(number)
    assert "no working diode at Room 13:" in said(evening)
    assert "room4" not in believed(evening)


def test_a_reversed_diode_is_named_though_its_contact_is_not_felt(
    sensing: tuple[Evening, MockMatrix],
) -> None:
    evening, matrix = sensing
    matrix.reversed = {CELL[16]}
    evening.wait(1)
    evening.put(16)
    assert "the diode at Room 16 is the wrong way round" in said(evening)
    assert believed(evening) == set()
    evening.lift(16)
    assert "diode_reversed" not in keys(evening)


def test_good_diodes_are_not_suspected_however_the_board_is_laid(
    sensing: tuple[Evening, MockMatrix],
) -> None:
    evening, _ = sensing
    for number in range(1, 37):
        evening.put(number)
        assert not {"diode_missing", "diode_reversed", "ghosting"} & set(keys(evening))
    assert len(believed(evening)) == 36


def test_at_most_one_line_is_driven_and_never_high() -> None:
    """Two rows that both drive, one high and one low, would meet through two closed contacts."""
    kit, factory = kits.load("sensing"), MockFactory(revision="c03114")
    matrix = MockMatrix(kit, factory)
    scan = MatrixScan(kit, factory, lambda seconds: check())
    lines = [pin for pin in factory.pins.values() if isinstance(pin, LinePin)]

    def check() -> None:
        driven = [pin for pin in lines if pin.function == "output"]
        assert [pin.state for pin in driven] == [0]
        assert all(pin.pull == "up" for pin in lines if pin.function == "input")

    matrix.touch("room1", True)
    assert scan.read(0.0).closed == {"room1"}
    assert [pin.function for pin in lines] == ["input"] * 12
    scan.close()
    factory.close()


@pytest.mark.parametrize(("settle", "waits"), [(None, 30e-6), (250, 250e-6)])
def test_every_line_is_given_its_time_before_it_is_read(settle: int | None, waits: float) -> None:
    kit, factory = kits.load("sensing"), MockFactory(revision="c03114")
    assert kit.matrix is not None
    if settle is not None:
        kit = replace(kit, matrix=replace(kit.matrix, settle_us=settle))
    paused: list[float] = []
    scan = MatrixScan(kit, factory, paused.append)
    scan.read(0.0)
    assert paused == [pytest.approx(waits)] * 12  # six rows, then the diodes by six columns
    scan.read(0.5)
    assert len(paused) == 18
    scan.close()
    factory.close()


# Simulated tiles


@pytest.mark.parametrize("name", ["sensing", "expander"])
def test_a_simulated_board_that_joins_a_running_game_begins_as_its_board_lies(name: str) -> None:
    """Nobody can lay tiles there, and 36 that seem lifted would be 36 faults, or moves."""
    with Evening() as evening:
        evening.hotel()
        evening.table.act("p2", {"type": "remove", "room": room("B3")})
        version, kit = evening.table.version, kits.load(name)
        joined = LiveBoard(kit, evening.table, evening.clock, MockWires(kit))
        try:
            evening.wait(10)
            assert joined._hands.closed_rooms() == {*kit.grid.rooms} - {room("B3")}
            assert joined.differing() == []
            assert joined.faults() == ()
            assert evening.table.version == version
        finally:
            joined.close()


# Chips


@pytest.fixture
def expander() -> Iterator[tuple[Evening, MockBus]]:
    """A hotel on the chips, laid."""
    with Evening("expander") as evening:
        evening.hotel()
        evening.lay_tiles()
        evening.table.act("p2", {"type": "remove", "room": room("B3")})
        evening.lift(room("B3"))
        evening.wait(1)
        bus = evening.wires._contacts
        assert isinstance(bus, MockBus)
        yield evening, bus


def test_a_silent_chip_takes_only_its_own_contacts_with_it(expander: tuple[Evening, MockBus]) -> None:
    evening, bus = expander
    bus.silent = {0x21}
    evening.lift(20)
    assert keys(evening) == ["chip_silent"]
    assert "0x21" in said(evening)
    assert len(evening.shows().removed) == 1
    evening.lift(1)
    assert evening.shows().removed[-1].room == 1
    evening.tap("ok")
    evening.board.press("back")
    evening.wait(6)
    assert evening.board._presses.resting


CHIPPED = [kits.load("expander"), kits.load("castle-expander")]
MADE = [
    kits.parse(
        design(Choices(name=f"{hands}-{rooms}", hands=hands, rooms=rooms, power_button=True)).text, "x.toml"
    )
    for hands in ("chips", "halls")
    for rooms in ("36", "54")
]


def heard(kit: Kit, silent: set[int]) -> tuple[list[str], list[str]]:
    """The buttons that are heard while some chips are silent, and the faults that are told."""
    with Evening(kit) as evening:
        bus = evening.wires._contacts
        assert isinstance(bus, MockBus)
        bus.silent = silent
        told: list[str] = []
        evening.board.examine().answer = told.append  # type: ignore[method-assign]
        for button in ("ok", "back", "peek", "power"):
            evening.board.press(button)
            evening.wait(0.1)
        return told, keys(evening)


@pytest.mark.parametrize("kit", [*CHIPPED, *MADE], ids=lambda kit: f"{kit.name}{len(kit.grid.rooms)}")
def test_no_silent_chip_takes_a_button_with_it(kit: Kit) -> None:
    """Each chip in turn, and all of them, as when the bus is unplugged."""
    assert kit.expander is not None
    for silent in ({*kit.expander.chips}, *({address} for address in kit.expander.chips)):
        assert heard(kit, silent) == (["ok", "back", "peek", "power"], ["chip_silent"] * len(silent))


def test_what_a_silent_chip_missed_is_found_when_it_is_back(expander: tuple[Evening, MockBus]) -> None:
    evening, bus = expander
    bus.silent = {0x21}
    evening.lift(20)
    bus.silent = set()
    evening.wait(2)
    evening.board.press("ok")
    evening.wait(1)
    assert keys(evening) == ["chip_reset"]
    assert "0x21" in said(evening)
    assert evening.shows().removed[-1].room == 20
    evening.board.release("ok")
    evening.wait(61)
    assert keys(evening) == []


def test_a_chip_that_was_reset_is_set_up_again_and_no_tile_seems_lifted(
    expander: tuple[Evening, MockBus],
) -> None:
    evening, bus = expander
    version = evening.table.version
    bus.reset(0x20)
    evening.board.press("peek")
    evening.wait(1)
    assert bus.pulled_up[0x20] == ALL
    assert keys(evening) == ["chip_reset"]
    assert "0x20" in said(evening)
    assert evening.table.version == version
    evening.wait(61)
    assert "chip_reset" not in keys(evening)


def test_the_two_legs_that_are_outputs_only_are_made_outputs() -> None:
    written: list[tuple[int, int, int]] = []

    class Listening(MockBus):
        def write_word_data(self, address: int, register: int, value: int) -> None:
            written.append((address, register, value))
            super().write_word_data(address, register, value)

    from hardware.expander import ExpanderScan

    kit = kits.load("castle-expander")
    ExpanderScan(kit, Listening(kit)).read(0.0)
    assert {address for address, _, _ in written} == {0x20, 0x21, 0x22, 0x23}
    for (_, register, value), (_, then, pulled) in list(pairwise(written))[::2]:
        assert (register, value, then, pulled) == (DIRECTION, 0x7F7F, PULL_UP, 0x7F7F)
