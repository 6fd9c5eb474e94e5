"""The makers' own encoders run; only the last wire is ours, and what it got decodes back to the frame."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from hardware import kits
from hardware.frames import Frame
from hardware.kits import Chain, Kit
from hardware.lights import find
from hardware.lights.wire import SPI_HERTZ, Wire, from_data, from_spi
from tests.games.phantom.hotel import room
from tests.hardware.evening import Evening

DECODE = {"neopixel_spi": from_spi, "neopixel": from_data, "simulated": from_data}
FRAMES = st.lists(st.tuples(*[st.integers(0, 255)] * 3), min_size=96, max_size=96).map(tuple)


@pytest.mark.parametrize("order", ["GRB", "RGB", "BRG"])
@pytest.mark.parametrize("driver", DECODE)
def test_the_bytes_on_the_wire_decode_back_to_the_frame(driver: str, order: str) -> None:
    wire = Wire()
    lights = find(driver)(Chain(driver, order=order), 96, wire)  # type: ignore[arg-type]

    @settings(max_examples=25, deadline=None)
    @given(FRAMES)
    def check(frame: Frame) -> None:
        lights.show(frame)
        assert DECODE[driver](wire.sent, order) == frame

    check()
    lights.close()


def test_ninety_six_lamps_are_one_message_of_three_milliseconds() -> None:
    wire = Wire()
    find("neopixel_spi")(Chain(), 96, wire).show(((1, 2, 3),) * 96)
    assert wire.messages == 1
    assert len(wire.sent) == 2432
    assert len(wire.sent) * 8 / SPI_HERTZ == pytest.approx(0.00304)


def test_the_longest_chain_a_kit_may_have_fits_one_spi_message() -> None:
    wire = Wire()
    find("neopixel_spi")(Chain(), 165, wire).show(((0, 0, 0),) * 165)
    assert len(wire.sent) <= 4096
    find("neopixel_spi")(Chain(), 166, wire).show(((0, 0, 0),) * 166)
    assert len(wire.sent) > 4096


def with_driver(driver: str) -> Kit:
    kit = kits.load("joystick")
    return replace(kit, chain=replace(kit.chain, driver=driver, pin=18 if driver == "neopixel" else 10))


@pytest.mark.parametrize("driver", ["neopixel_spi", "neopixel"])
def test_what_the_board_shows_is_what_the_lamps_understand(driver: str) -> None:
    with Evening(with_driver(driver)) as evening:
        evening.hotel()
        evening.tap("right")
        evening.table.act("p2", {"type": "remove", "room": room("B3")})
        evening.wait(1.2)
        assert evening.wires.driver == driver
        assert evening.shown == evening.board.shine.frame
        assert any(map(any, evening.shown))


def test_a_kit_can_be_simulated_without_the_makers_library(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("hardware.simulated.find_spec", lambda name: None)
    with Evening("joystick") as evening:
        evening.hotel()
        evening.tap("right")
        assert evening.wires.driver == "simulated"
        assert evening.shown == evening.board.shine.frame
