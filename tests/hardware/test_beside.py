"""Two boards on one Pi, each with a companion of its own: what one has is not there for the other."""

from __future__ import annotations

import fcntl
from pathlib import Path

import pytest
from msgspec.structs import replace

from companion import cli
from hardware import kits, netlist
from hardware.checks import clashes
from hardware.header import HEADER
from hardware.kits import BadKit, Kit
from hardware.lights.neopixel_spi import own
from hardware.schematic import schematic
from hardware.shopping import shopping_list, total
from hardware.wiring import sheet
from hardware.written import kit_text
from tests.hardware.test_schematic import drawn_nets, net_of

CASTLE = (kits.SHIPPED / "castle-beside.toml").read_text()


def problems(text: str) -> list[str]:
    """What is said of the castle's kit after a change."""
    try:
        kits.parse(text, "second.toml")
    except BadKit as bad:
        return [problem.sentence(bad.file) for problem in bad.problems]
    return []


def test_the_castle_beside_the_hotel_takes_nothing_of_it() -> None:
    castle, hotel = kits.load("castle-beside"), kits.load("expander")
    assert castle.beside == hotel.name
    assert not [*clashes(castle, hotel)]
    assert not [*clashes(hotel, castle)]


@pytest.mark.parametrize(
    ("line", "change", "said"),
    [
        ("ok = 5", "ok = 26", "GPIO26 is for OK, and the board expander has it for OK"),
        ("ok = 5", "ok = 9", "GPIO9 is for OK, and the board expander has it for SPI"),
        ("pin = 12", "pin = 27", "GPIO27 is for Status lamp, and the board expander has it for BACK"),
        (
            "pin = 20 ",
            "pin = 10 ",
            "the lamps need GPIO10, which the board expander has for Data of the lamps",
        ),
        ("0x23,", "0x22,", "the chip 0x22 is there on the board expander, too"),
    ],
)
def test_what_both_would_take_is_refused_with_line_and_remedy(line: str, change: str, said: str) -> None:
    text = CASTLE.replace(line, change)
    told = [sentence for sentence in problems(text) if said in sentence]
    number = next(n for n, each in enumerate(text.splitlines(), start=1) if change in each)
    assert told
    assert told[0].startswith(f"second.toml, line {number}:")


def test_the_remedy_names_a_pin_and_a_chip_that_neither_board_has() -> None:
    (pin,) = problems(CASTLE.replace("ok = 5", "ok = 26"))
    named = int(pin.rpartition("GPIO")[2])
    hotel = replace(kits.load("expander"), buttons={"ok": named})
    assert not [
        *clashes(
            replace(hotel, expander=None, status=None, chain=kits.Chain("simulated")),
            kits.load("castle-beside"),
        )
    ]
    (chip,) = problems(CASTLE.replace("0x23,", "0x22,"))
    assert chip.endswith("one of 0x23 and 0x27") or "0x23, 0x27" in chip, chip


def test_a_button_on_the_wires_of_the_others_chips_is_told_whichever_board_has_it() -> None:
    knob = replace(kits.load("castle-beside"), expander=None, buttons={"ok": 5, "power": 3})
    for one, other in ((knob, kits.load("expander")), (kits.load("expander"), knob)):
        assert [(key, facts["pin"]) for _, key, facts in clashes(one, other)] == [("beside_pin", 3)]


def test_the_driver_of_older_pis_serves_one_board(monkeypatch: pytest.MonkeyPatch) -> None:
    one, other = (
        Kit(chain=kits.Chain("neopixel", pin=pin), name=str(pin), board=kits.Grid(1, 1)) for pin in (12, 13)
    )
    monkeypatch.setattr("hardware.firmware.model_text", lambda: "Raspberry Pi 4 Model B")
    assert [key for _, key, _ in clashes(one, other)] == ["beside_driver"]
    monkeypatch.setattr("hardware.firmware.model_text", lambda: "Raspberry Pi 5 Model B")
    assert not [*clashes(one, other)]


def test_a_neighbour_that_is_not_there_or_broken_is_told(tmp_path: Path) -> None:
    (sentence,) = problems(CASTLE.replace('"expander"', '"expnader"'))
    assert "there is no kit expnader" in sentence
    (tmp_path / "odd.toml").write_text("[buttons]\nok = 99\n")
    (sentence,) = problems(CASTLE.replace('"expander"', f'"{tmp_path}/odd.toml"'))
    assert "problems of its own" in sentence


def test_boards_that_name_each_other_are_compared_and_not_followed_for_ever(tmp_path: Path) -> None:
    one, two = tmp_path / "one.toml", tmp_path / "two.toml"
    hotel = (kits.SHIPPED / "expander.toml").read_text()
    one.write_text(f'beside = "{two}"\n{hotel}')
    two.write_text(CASTLE.replace('"expander"', f'"{one}"'))
    assert kits.load(str(one)).beside == str(two)
    one.write_text(f'beside = "{one}"\n{hotel}')
    with pytest.raises(BadKit, match="the lamps need GPIO10"):
        kits.load(str(one))


def test_the_command_says_whether_two_kits_can_share_a_pi(capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["doctor", "castle-beside", "--beside", "expander", "--language", "en"]) == 0
    assert "can share a Pi" in capsys.readouterr().out
    assert cli.main(["doctor", "castle-beside", "--beside", "joystick", "--language", "en"]) == 1
    assert "GPIO19" in capsys.readouterr().out


def test_drawing_sheet_and_list_know_that_the_pi_is_there_already() -> None:
    castle = kits.load("castle-beside")
    legs = netlist.parts(castle)[0].legs
    assert legs[str(HEADER[26])] == "other: ok"
    nets = drawn_nets(schematic(castle))
    assert net_of(nets, f"J1.{HEADER[26]}") == {f"J1.{HEADER[26]}"}
    assert f"J1.{HEADER[20]}" in net_of(nets, "U1.2")
    assert "| 37 | GPIO26 | other: OK | the other board |" in sheet(castle, "x.svg")
    assert not {"part_pi", "part_card", "part_pi_supply"} & {
        item.saying.key.removeprefix("hardware.") for item in shopping_list(castle)
    }
    assert total(castle) < total(replace(castle, beside=None))


def test_a_kit_keeps_its_neighbour_when_it_is_written(tmp_path: Path) -> None:
    castle = kits.load("castle-beside")
    (tmp_path / "castle-beside.toml").write_text(kit_text(castle))
    assert kits.load(str(tmp_path / "castle-beside.toml")) == castle


def test_the_lamps_of_one_companion_are_not_lit_by_another(tmp_path: Path) -> None:
    """A device may be opened by many; the lock on it is the kernel's, and ends with its owner."""
    device = tmp_path / "spidev"
    device.touch()
    with device.open() as first:
        own(first.fileno(), "spidev")
        with device.open() as second, pytest.raises(OSError, match="another companion has the lamps"):
            own(fcntl.fcntl(second.fileno(), fcntl.F_DUPFD), "spidev")
    with device.open() as third:
        own(third.fileno(), "spidev")
