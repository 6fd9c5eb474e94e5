"""Templates in true size: read back from the files, lamps lie where they should within 0.1 mm."""

from __future__ import annotations

import re
from pathlib import Path
from xml.etree import ElementTree

import pytest
from msgspec.structs import replace

from companion import cli
from companion.refusals import Illegal
from companion.words import LANGUAGES, say
from hardware import kits, paper
from hardware.arrangement import lamp_of_room
from hardware.kits import Kit, SecondChain
from hardware.template import EDGE, SAMPLE, template

POINT = 25.4 / 72
WIRED = kits.wired()
CIRCLE = re.compile(r"% ((?:lamp|reed|hall|magnet) \d+)\n.*\n([\d.-]+) ([\d.-]+) m (?:[\d.-]+ ){4}([\d.-]+)")


def pages(pdf: bytes) -> list[tuple[float, float, dict[str, tuple[float, float]]]]:
    """Width and height of each page in millimetres, and the centres of its named circles, from the top."""
    text = pdf.decode("cp1252")
    boxes = [tuple(map(float, box.split())) for box in re.findall(r"/MediaBox \[0 0 ([\d. ]+)\]", text)]
    streams = re.findall(r"stream\n(.*?)\nendstream", text, re.DOTALL)
    found = []
    for (width, height), stream in zip(boxes, streams, strict=True):
        centres = {}
        for name, _right, level, middle in CIRCLE.findall(stream):
            # A circle begins at its right; the curve to its top ends over its middle.
            centres[name] = (float(middle) * POINT, (height - float(level)) * POINT)
        found.append((width * POINT, height * POINT, centres))
    return found


@pytest.mark.parametrize("width", [360.0, 431.5])
@pytest.mark.parametrize("kit", WIRED, ids=lambda kit: kit.name)
def test_lamps_of_neighbouring_rooms_are_one_room_apart(kit: Kit, width: float) -> None:
    drawing = template(kit, width)
    (found,) = pages(paper.sheet(drawing))
    assert found[:2] == (pytest.approx(drawing.width, abs=0.1), pytest.approx(drawing.height, abs=0.1))
    centres = found[2]
    assert {name for name in centres if name.startswith("lamp")} == {f"lamp {n}" for n in range(kit.lamps)}
    if not kit.has_rooms:
        return
    pitch, lamps = width / kit.grid.columns, lamp_of_room(kit)
    origin = centres[f"lamp {lamps[1]}"]
    for room in kit.grid.rooms:
        row, column = divmod(room - 1, kit.grid.columns)
        x, y = centres[f"lamp {lamps[room]}"]
        assert x == pytest.approx(origin[0] + column * pitch, abs=0.1)
        assert y == pytest.approx(origin[1] + row * pitch, abs=0.1)
    assert origin[0] == pytest.approx(EDGE + pitch / 2, abs=0.1)


@pytest.mark.parametrize("kit", WIRED, ids=lambda kit: kit.name)
def test_tiles_are_a4_and_lie_on_each_other_at_their_marks(kit: Kit) -> None:
    drawing = template(kit, 360)
    (whole,) = pages(paper.sheet(drawing))
    found = pages(paper.tiles(drawing))
    assert all(page[:2] == (pytest.approx(210, abs=0.1), pytest.approx(297, abs=0.1)) for page in found)
    step = (210 - 2 * paper.MARGIN - paper.OVERLAP, 297 - 2 * paper.MARGIN - paper.OVERLAP)
    columns = paper._count(drawing.width, 190)
    seen: set[str] = set()
    for number, (_, _, centres) in enumerate(found):
        row, column = divmod(number, columns)
        for name, (x, y) in centres.items():
            assert x + column * step[0] - paper.MARGIN == pytest.approx(whole[2][name][0], abs=0.1)
            assert y + row * step[1] - paper.MARGIN == pytest.approx(whole[2][name][1], abs=0.1)
            if paper.MARGIN <= x <= 200 and paper.MARGIN <= y <= 287:
                seen.add(name)
    assert seen == set(whole[2])


def test_svg_and_pdf_tell_the_same_places() -> None:
    drawing = template(kits.load("castle-sensing"), 400)
    root = ElementTree.fromstring(paper.svg(drawing, "x"))
    assert root.attrib["width"] == f"{drawing.width:g}mm"
    assert root.attrib["viewBox"] == f"0 0 {drawing.width:g} {drawing.height:g}"
    named = {
        element.attrib["data-name"]: (float(element.attrib["cx"]), float(element.attrib["cy"]))
        for element in root.iter()
        if "data-name" in element.attrib
    }
    (found,) = pages(paper.sheet(drawing))
    assert named.keys() == found[2].keys()
    for name, place in named.items():
        assert found[2][name] == pytest.approx(place, abs=0.1)


@pytest.mark.parametrize("name", ["sensing", "castle-expander"])
def test_a_magnet_lies_over_one_end_of_its_reed_and_clear_of_the_lamp(name: str) -> None:
    kit = kits.load(name)
    (found,) = pages(paper.sheet(template(kit, 30.0 * kit.grid.columns)))
    lamps = lamp_of_room(kit)
    for room in kit.grid.rooms:
        magnet, reed = found[2][f"magnet {room}"], found[2][f"reed {room}"]
        assert reed[0] - magnet[0] == pytest.approx(7, abs=0.1)
        assert reed[1] == pytest.approx(magnet[1], abs=0.1)
        assert found[2][f"lamp {lamps[room]}"][1] - magnet[1] > 4 + 5


@pytest.mark.parametrize("kit", WIRED, ids=lambda kit: kit.name)
def test_every_lamp_has_a_cross_at_its_centre_and_no_number_over_it(kit: Kit) -> None:
    shapes = template(kit, 360).shapes
    lines = {(each.x, each.y, each.to_x, each.to_y) for each in shapes if isinstance(each, paper.Line)}
    words = {(each.x, each.y) for each in shapes if isinstance(each, paper.Words)}
    lamps = [(each.x, each.y) for each in shapes if isinstance(each, paper.Circle) and each.pen == "lamp"]
    assert len(lamps) == kit.lamps + 1  # and the legend's
    for x, y in lamps:
        assert {(x - 2, y, x + 2, y), (x, y - 2, x, y + 2)} <= lines
        assert (x, y) not in words


def test_strips_without_a_board_need_one_page_in_width() -> None:
    tiles = pages(paper.tiles(template(kits.load("manor"), 360)))
    assert all(any(name.startswith("lamp") for name in page[2]) for page in tiles[:-1])
    assert len(tiles) == 2


SIGNS = {
    "joystick": ["lamp", "data", "chain", "cut", "fold"],
    "sensing": ["lamp", "data", "chain", "cut", "fold", "magnet", "reed"],
    "manor": ["lamp", "data"],
}


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("name", SIGNS)
def test_a_legend_tells_what_each_sign_is(name: str, language: str) -> None:
    drawing = template(kits.load(name), 200, language)
    words = [shape for shape in drawing.shapes if isinstance(shape, paper.Words)]
    told = [each.text for each in words if each.begins and each.x > EDGE + SAMPLE]
    assert told == [say(f"hardware.legend_{sign}", language) for sign in SIGNS[name]]
    for each in words:
        # Helvetica is about half as wide as it is high.
        half = 0.26 * each.size * len(each.text)
        assert (each.x if each.begins else each.x - half) >= 0, each
        assert each.x + (2 * half if each.begins else half) <= drawing.width, each
        assert each.y < drawing.height
    pdf = paper.sheet(drawing).decode("cp1252")
    assert "?" not in "".join(re.findall(r"\((.*)\) Tj", pdf))


@pytest.mark.parametrize("kit", WIRED, ids=lambda kit: kit.name)
def test_an_arrow_shows_where_the_data_comes_in(kit: Kit) -> None:
    """One for each chain, to the edge of its first lamp, from a side on which the chain does not go on."""
    for each in (kit, replace(kit, second_chain=SecondChain(4))):
        shapes = template(each, 360).shapes
        centres = {shape.name: (shape.x, shape.y) for shape in shapes if isinstance(shape, paper.Circle)}
        ends = {(line.to_x, line.to_y): line for line in shapes if isinstance(line, paper.Line)}
        firsts = [0, 4] if each.second_chain else [0]
        for first in firsts:
            x, y = centres[f"lamp {first}"]
            arrows = [ends[x + side * 5, y] for side in (-1, 1) if (x + side * 5, y) in ends]
            assert [line for line in arrows if abs(line.x - line.to_x) == pytest.approx(6)]
        said = [shape for shape in shapes if isinstance(shape, paper.Words) and shape.text == "data in"]
        assert len(said) == len(firsts) + 1


def test_rooms_that_are_too_small_are_refused() -> None:
    with pytest.raises(Illegal, match=r"29\.8 mm a room are too little"):
        template(kits.load("sensing"), 179)


def test_the_command_writes_three_files(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["wiring", "rows", "--template", "360", "--into", str(tmp_path), "--language", "fr"]) == 0
    assert sorted(path.name for path in tmp_path.iterdir()) == [
        "rows-template-a4.pdf", "rows-template.pdf", "rows-template.svg",
    ]  # fmt: skip
    assert "360 mm de large" in (tmp_path / "rows-template.svg").read_text(encoding="utf-8")
    assert cli.main(["wiring", "rows", "--template", "12"]) == 1
    assert "too little" in capsys.readouterr().err
