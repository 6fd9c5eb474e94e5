"""The wiring sheets in the project are what the kits say today."""

from __future__ import annotations

import csv
import re
from pathlib import Path

import pytest
from msgspec.structs import replace

from companion import cli
from companion.words import LANGUAGES
from hardware import kits
from hardware.checks import HEADER_PINS, check
from hardware.header import GROUND_PINS, HEADER, POWER_PINS
from hardware.kits import Chain, SecondChain, Strip
from hardware.power import WIRES, branches, fuse_amperes, supply_amperes, wire
from hardware.shopping import shopping_list
from hardware.wiring import DRAWINGS, document, notes, sheet

PROJECT = Path(__file__).parents[2]


def test_the_page_in_the_project_is_up_to_date() -> None:
    """If this fails, run `companion wiring` in the project's folder."""
    assert (PROJECT / "wiring.md").read_text(encoding="utf-8") == document(kits.wired())


def test_the_header_has_forty_pins_each_once() -> None:
    assert sorted(HEADER) == list(HEADER_PINS)
    assert sorted([*HEADER.values(), *GROUND_PINS, *POWER_PINS]) == list(range(1, 41))


def counted(name: str) -> dict[str, int]:
    return {
        item.saying.key.removeprefix("hardware.part_"): item.count for item in shopping_list(kits.load(name))
    }


def test_parts_are_counted_from_the_kit() -> None:
    sensing = counted("sensing")
    assert sensing["diodes"] == sensing["reeds"] == sensing["magnets"] == 36
    assert (sensing["buttons"], sensing["pixels"], sensing["strip"]) == (4, 36, 60)
    assert sensing["ceramic"] == 1
    rows = counted("castle-rows")
    assert rows["buttons"] == 18
    assert "reeds" not in rows
    castle = counted("castle-expander")
    assert (castle["chips"], castle["ceramic"], castle["buttons"]) == (4, 5, 4)
    assert (counted("joystick")["joystick"], counted("joystick")["buttons"]) == (1, 4)


@pytest.mark.parametrize("kit", kits.wired(), ids=lambda kit: kit.name)
def test_supply_fuse_and_wire_stand_the_worst_case(kit: kits.Kit) -> None:
    """All lamps full white: the supply gives it, the fuse carries it, and the wire outlasts the fuse."""
    worst = kit.lamps * 0.060
    assert worst <= fuse_amperes(kit) <= supply_amperes(kit)
    carried = {0.5: 3, 0.75: 7.5, 1.0: 10}[wire(kit)[0]]
    assert fuse_amperes(kit) <= carried


@pytest.mark.parametrize(("language", "fuse", "area"), [("en", "7.5 A", "0.75"), ("fr", "7,5 A", "0,75")])
def test_numbers_are_written_as_the_reader_writes_them(language: str, fuse: str, area: str) -> None:
    said = sheet(kits.load("joystick"), "x.svg", language).replace("\xa0", " ")
    assert fuse in said
    assert f"{area} mm²" in said
    assert not re.search(r"\d\.\d" if language == "fr" else r"\d,\d", said)


@pytest.mark.parametrize("driver", ["neopixel_spi", "neopixel"])
def test_whatever_the_number_of_lamps_the_fuse_is_below_the_supply_or_the_kit_is_refused(
    driver: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("hardware.checks.spi_buffer", lambda: 32_768)
    pin, known = 18 if driver == "neopixel" else 10, set()
    for lamps in range(1, 1361):
        chain = Chain(driver, pin, lamps=lamps, most_ma=max(100, min(2000, lamps * 60)))
        kit = kits.Kit(name="long", chain=chain, strips=[Strip("gauge", "gauge", first=0, lamps=lamps)])
        refused = {problem.saying.key for problem in check(kit, {(): 1})}
        known |= refused
        if not refused:
            worst, fuse, supply = lamps * 0.06, fuse_amperes(kit), supply_amperes(kit)
            assert worst - 1e-9 <= fuse < supply, lamps
            assert supply >= worst * 1.25 - 1e-9, lamps
            assert any(fuse <= most for most, *_ in WIRES), lamps
            assert worst / branches(kit) <= 7.5 + 1e-9, lamps
            assert (branches(kit) > 1) == (lamps > 125), lamps
        assert bool(refused) == (lamps > 800), (lamps, refused)
    assert known == {"hardware.too_many_lamps"}


def test_a_long_chain_is_parted_into_stretches_with_fuses_of_their_own() -> None:
    """What one strip bears: at most 125 lamps at full white."""
    for lamps, feeds, each in ((125, 1, 125), (126, 2, 63), (436, 4, 109)):
        strip = Strip("gauge", "gauge", first=0, lamps=lamps)
        kit = kits.Kit(name="long", chain=Chain(lamps=lamps), strips=[strip])
        said = sheet(kit, "x.svg")
        bought = {item.saying.key: item.count for item in shopping_list(kit)}
        assert bought.get("hardware.part_branch_fuse", 1) == feeds
        assert (f"into {feeds} stretches of at most {each} lamps" in said) == (feeds > 1)


def test_every_document_that_a_text_names_is_among_the_sources() -> None:
    sources = (PROJECT / "docs/build.md").read_text(encoding="utf-8").partition("## Sources")[2]
    texts = (PROJECT / "hardware/words/en.toml").read_text(encoding="utf-8")
    named = set(re.findall(r"\b(?:DS|SLVS)\w{3,}", texts))
    for numbers in re.findall(r"(?:issues?|pull request) (\d+(?: and \d+)?)", texts):
        named |= set(numbers.split(" and "))
    assert {"DS20001952", "SLVSDC7", "381", "499"} <= named
    assert {name for name in named if name not in sources} == set()


def with_data(driver: str, pin: int, second: bool = False) -> set[str]:
    kit = kits.load("joystick")
    kit = replace(kit, chain=replace(kit.chain, driver=driver, pin=pin))
    kit = replace(kit, second_chain=SecondChain(36)) if second else kit
    names = {saying.key.removeprefix("hardware.note_") for saying in notes(kit)}
    return names & {"spi", "clock", "spi1", "pwm", "pio", "ws281x"}


@pytest.mark.parametrize(
    ("driver", "pin", "second", "expected"),
    [
        ("neopixel_spi", 10, False, {"spi", "clock"}),
        ("neopixel_spi", 10, True, {"spi", "clock", "spi1"}),
        ("neopixel_spi", 20, False, {"spi", "clock", "spi1"}),
        ("neopixel", 10, False, {"spi", "clock", "ws281x"}),
        ("neopixel", 18, False, {"pwm"}),
        ("neopixel", 13, False, {"pwm"}),
        ("neopixel", 21, False, set()),
        ("neopixel", 4, False, {"pio"}),
    ],
)
def test_the_notes_are_those_of_driver_and_pin(
    driver: str, pin: int, second: bool, expected: set[str]
) -> None:
    assert with_data(driver, pin, second) == expected


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_shopping_list_is_a_table(language: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["wiring", "expander", "rows", "--parts", "csv", "--language", language]) == 0
    head, *lines = csv.reader(capsys.readouterr().out.splitlines())
    assert len(head) == 5
    assert {line[0] for line in lines} == {"expander", "rows"}
    for line in lines:
        assert float(line[4]) == pytest.approx(int(line[1]) * float(line[3]), abs=0.01)
        assert "hardware." not in line[2]


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_sheet_has_every_section_in_every_language(language: str) -> None:
    page = sheet(kits.load("expander"), "x.svg", language)
    assert page.count("\n### ") == 4
    assert "hardware." not in page
    assert "{" not in page


def test_the_command_writes_page_and_drawing(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["wiring", "rows", "--into", str(tmp_path)]) == 0
    assert (tmp_path / "wiring.md").read_text(encoding="utf-8").count("\n## ") == 1
    assert (tmp_path / DRAWINGS / "rows.svg").exists()
    assert cli.main(["wiring", "nothing", "--into", str(tmp_path)]) == 1
    assert "there is no kit nothing" in capsys.readouterr().err
