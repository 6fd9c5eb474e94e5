"""The wiring sheets in the project are what the kits say today."""

from __future__ import annotations

from pathlib import Path
from xml.etree import ElementTree

import pytest

from companion import cli
from companion.words import LANGUAGES
from hardware import kits
from hardware.checks import HEADER_PINS
from hardware.drawing import GROUND_PINS, HEADER, POWER_PINS, drawing
from hardware.wiring import DRAWINGS, document, parts, sheet, wires

PROJECT = Path(__file__).parents[2]


def test_the_page_in_the_project_is_up_to_date() -> None:
    """If this fails, run `companion wiring` in the project's folder."""
    assert (PROJECT / "wiring.md").read_text(encoding="utf-8") == document(kits.wired())


@pytest.mark.parametrize("kit", kits.wired(), ids=lambda kit: kit.name)
def test_the_drawing_in_the_project_is_up_to_date(kit: kits.Kit) -> None:
    svg = (PROJECT / DRAWINGS / f"{kit.name}.svg").read_text(encoding="utf-8")
    assert svg == drawing(kit)
    root = ElementTree.fromstring(svg)
    labels = " ".join(element.text or "" for element in root.iter("{http://www.w3.org/2000/svg}text"))
    for pin, user in wires(kit):
        assert f"{user} · GPIO{pin}" in labels
    assert "74AHCT125" in labels


def test_the_header_has_forty_pins_each_once() -> None:
    assert sorted(HEADER) == list(HEADER_PINS)
    assert sorted([*HEADER.values(), *GROUND_PINS, *POWER_PINS]) == list(range(1, 41))


def test_parts_are_counted_from_the_kit() -> None:
    counted = {saying.key.removeprefix("hardware.part_"): n for n, saying in parts(kits.load("sensing"))}
    assert counted["diodes"] == counted["reeds"] == counted["magnets"] == 36
    assert counted["buttons"] == 3
    assert counted["lamps"] == 96
    rows = {saying.key.removeprefix("hardware.part_"): n for n, saying in parts(kits.load("castle-rows"))}
    assert rows["buttons"] == 18
    assert "reeds" not in rows


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
