"""What the drawings connect, read back from their lines, is what the kit and the datasheets say."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path
from xml.etree import ElementTree

import pytest
from msgspec.structs import replace

from companion.words import LANGUAGES
from hardware import breadboard, chips, header, kits, netlist
from hardware.checks import pins
from hardware.design import Choices, Hands, design
from hardware.header import HEADER
from hardware.kits import Kit
from hardware.schematic import schematic
from hardware.wiring import BREADBOARDS, DRAWINGS

PROJECT = Path(__file__).parents[2]
SVG = "{http://www.w3.org/2000/svg}"
WIRED = kits.wired()
GROUNDS = {f"J1.{number}" for number in (6, 9, 14, 20, 25, 30, 34, 39)}

PI = [
    *("3V3", "5V", "GPIO2", "5V", "GPIO3", "GND", "GPIO4", "GPIO14", "GND", "GPIO15", "GPIO17", "GPIO18"),
    *("GPIO27", "GND", "GPIO22", "GPIO23", "3V3", "GPIO24", "GPIO10", "GND", "GPIO9", "GPIO25", "GPIO11"),
    *("GPIO8", "GND", "GPIO7", "GPIO0", "GPIO1", "GPIO5", "GND", "GPIO6", "GPIO12", "GPIO13", "GND"),
    *("GPIO19", "GPIO16", "GPIO26", "GPIO20", "GND", "GPIO21"),
]
"""The header from pin 1 to pin 40, from Raspberry Pi's documentation."""
SN74AHCT125 = [
    *("1OE", "1A", "1Y", "2OE", "2A", "2Y", "GND"),
    *("3Y", "3A", "3OE", "4Y", "4A", "4OE", "VCC"),
]
"""The legs from 1 to 14, from TI's datasheet."""
MCP23017 = [
    *("GPB0", "GPB1", "GPB2", "GPB3", "GPB4", "GPB5", "GPB6", "GPB7", "VDD", "VSS", "NC", "SCL", "SDA", "NC"),
    *("A0", "A1", "A2", "RESET", "INTB", "INTA"),
    *("GPA0", "GPA1", "GPA2", "GPA3", "GPA4", "GPA5", "GPA6", "GPA7"),
]
"""The legs of the 28-pin package from 1 to 28, from Microchip's datasheet DS20001952."""
MCP_INPUTS = [f"GP{half}{n}" for half in "AB" for n in range(7)]
"""What revision D of it (2022) leaves as inputs: A7 and B7 are outputs only."""


def leg_of(name: str) -> str:
    return str(MCP23017.index(name) + 1)


class Sets:
    """Things that turn out to be one."""

    def __init__(self) -> None:
        self._of: dict[object, object] = {}

    def find(self, thing: object) -> object:
        while (above := self._of.setdefault(thing, thing)) != thing:
            thing = above
        return thing

    def join(self, one: object, other: object) -> None:
        self._of[self.find(one)] = self.find(other)


def drawn_nets(svg: str) -> set[frozenset[str]]:
    """The legs that a drawing connects, net by net: by shared points, and by flags of one name."""
    sets, legs = Sets(), []
    for element in ElementTree.fromstring(svg).iter():
        if element.tag == f"{SVG}polyline":
            points = [tuple(map(float, point.split(","))) for point in element.attrib["points"].split()]
            for point in points[1:]:
                sets.join(points[0], point)
        elif "data-leg" in element.attrib:
            at = (float(element.attrib["cx"]), float(element.attrib["cy"]))
            legs.append((element.attrib["data-leg"], at))
        elif "data-net" in element.attrib:
            at = (float(element.attrib["data-x"]), float(element.attrib["data-y"]))
            sets.join(at, element.attrib["data-net"])
    return grouped((leg, sets.find(at)) for leg, at in legs)


def grouped(found: Iterator[tuple[str, object]]) -> set[frozenset[str]]:
    nets: dict[object, set[str]] = {}
    for leg, root in found:
        nets.setdefault(root, set()).add(leg)
    return {frozenset(legs) for legs in nets.values()}


def net_of(nets: set[frozenset[str]], leg: str) -> frozenset[str]:
    return next(net for net in nets if leg in net)


def without_diodes() -> Kit:
    kit = kits.load("sensing")
    assert kit.matrix is not None
    return replace(kit, name="no-diodes", matrix=replace(kit.matrix, diodes=False))


@pytest.mark.parametrize("kit", [*WIRED, without_diodes()], ids=lambda kit: kit.name)
def test_the_drawing_connects_what_the_netlist_does_and_nothing_else(kit: Kit) -> None:
    expected = {frozenset(legs) for legs in netlist.nets(kit).values()}
    drawn = {net for net in drawn_nets(schematic(kit)) if len(net) > 1 or net in expected}
    assert drawn == expected


@pytest.mark.parametrize("kit", WIRED, ids=lambda kit: kit.name)
def test_the_lamps_side_is_as_the_makers_say(kit: Kit) -> None:
    """The legs are written down here once more, from TI's datasheet of the SN74AHCT125."""
    nets = drawn_nets(schematic(kit))
    ground, lamps = net_of(nets, "U1.7"), net_of(nets, "U1.14")
    assert {"PS1.-", "C1.2", "C2.-", "R2.2", "D1.GND", "D1.GND end"} | GROUNDS <= ground
    assert {f"U1.{leg}" for leg in (1, 4, 5, 9, 10, 12, 13)} <= ground
    assert lamps == {"U1.14", "C1.1", "C2.+", "F1.2", "D1.5V", "D1.5V end"}
    assert net_of(nets, "U1.2") == {"U1.2", "R2.1", f"J1.{HEADER[kit.chain.pin]}"}
    assert net_of(nets, "U1.3") == {"U1.3", "R1.1"}
    assert net_of(nets, "D1.DIN") == {"D1.DIN", "R1.2"}
    assert net_of(nets, "F1.1") == {"F1.1", "PS1.+"}
    for free in ("U1.6", "U1.8", "U1.11", "J1.2", "J1.4"):
        assert net_of(nets, free) == {free}


@pytest.mark.parametrize("kit", WIRED, ids=lambda kit: kit.name)
def test_every_button_goes_from_its_pin_to_ground(kit: Kit) -> None:
    nets = drawn_nets(schematic(kit))
    ground = net_of(nets, "U1.7")
    other = ("lamps", "status lamp", "matrix")
    own = [pin for _, user, pin in pins(kit) if not user.startswith(other)]
    for pin in own:
        (button,) = net_of(nets, f"J1.{HEADER[pin]}") - {f"J1.{HEADER[pin]}"}
        assert button.replace(".1", ".2") in ground


@pytest.mark.parametrize("name", ["sensing", "castle-sensing"])
def test_every_crossing_leads_from_column_through_reed_and_diode_to_row(name: str) -> None:
    kit = kits.load(name)
    assert kit.matrix is not None
    nets = drawn_nets(schematic(kit))
    for room in kit.grid.rooms:
        row, column = divmod(room - 1, kit.grid.columns)
        assert f"J1.{HEADER[kit.matrix.columns[column]]}" in net_of(nets, f"K{room}.1")
        assert net_of(nets, f"K{room}.2") == {f"K{room}.2", f"D{100 + room}.A"}
        assert f"J1.{HEADER[kit.matrix.rows[row]]}" in net_of(nets, f"D{100 + room}.K")


CHIPPED = ["expander", "castle-expander", "castle-beside"]


@pytest.mark.parametrize("name", CHIPPED)
def test_every_chip_is_fed_addressed_and_decoupled(name: str) -> None:
    kit = kits.load(name)
    assert kit.expander is not None
    nets = drawn_nets(schematic(kit))
    power, ground = net_of(nets, "J1.1"), net_of(nets, "U1.7")
    for number, address in enumerate(kit.expander.chips, start=2):
        assert {f"U{number}.{leg_of('VDD')}", f"U{number}.{leg_of('RESET')}", f"C{number + 1}.1"} <= power
        assert {f"U{number}.{leg_of('VSS')}", f"C{number + 1}.2"} <= ground
        high = sum(1 << bit for bit in range(3) if f"U{number}.{leg_of(f'A{bit}')}" in power)
        low = sum(1 << bit for bit in range(3) if f"U{number}.{leg_of(f'A{bit}')}" in ground)
        assert (high, low) == (address & 7, 7 - (address & 7))
        assert f"U{number}.{leg_of('SDA')}" in net_of(nets, "J1.3")
        assert f"U{number}.{leg_of('SCL')}" in net_of(nets, "J1.5")
        for output_only in ("GPA7", "GPB7"):
            assert net_of(nets, f"U{number}.{leg_of(output_only)}") == {f"U{number}.{leg_of(output_only)}"}
    assert not power & net_of(nets, "U1.14")


@pytest.mark.parametrize("name", CHIPPED)
def test_every_room_is_on_an_input_of_its_own_fourteen_a_chip(name: str) -> None:
    kit = kits.load(name)
    nets = drawn_nets(schematic(kit))
    ground = net_of(nets, "U1.7")
    for room in kit.grid.rooms:
        chip, place = divmod(room - 1, len(MCP_INPUTS))
        leg = f"U{2 + chip}.{leg_of(MCP_INPUTS[place])}"
        assert net_of(nets, leg) == {leg, f"K{room}.1"}
        assert f"K{room}.2" in ground


def test_header_and_legs_are_called_as_their_makers_call_them() -> None:
    assert [header.NAMES[number] for number in range(1, 41)] == PI
    assert [*netlist.SHIFTER_LEGS.items()] == [*enumerate(SN74AHCT125, start=1)]
    named = {number: name for name, number in chips.LEGS.items()}
    assert [named.get(number, "NC") for number in range(1, 29)] == MCP23017
    assert netlist.HALL_LEGS == {1: "VCC", 2: "GND", 3: "OUT"}  # TI, SLVSDC7


@pytest.mark.parametrize("kit", WIRED, ids=lambda kit: kit.name)
def test_the_two_rails_of_5_v_and_those_of_3_3_v_are_apart(kit: Kit) -> None:
    """The lamps' 5 V comes to nothing of the Pi, and no chip on 3.3 V to any 5 V."""
    nets = drawn_nets(schematic(kit))
    lamps = net_of(nets, "U1.14") | net_of(nets, "PS1.+") | net_of(nets, "U1.3") | net_of(nets, "D1.DIN")
    assert not [leg for leg in lamps if leg.startswith("J1.")]
    expanders = {part.ref for part in netlist.parts(kit) if part.kind == "expander"}
    assert not [leg for leg in lamps if leg.split(".")[0] in expanders]


Box = tuple[float, float, float, float]


def texts_and_lines(
    svg: str,
) -> tuple[list[tuple[str, Box]], list[tuple[tuple[float, ...], tuple[float, ...]]]]:
    """Where letters stand, about six tenths as wide as they are high, and the pieces of every wire."""
    texts, lines = [], []
    for element in ElementTree.fromstring(svg).iter():
        if element.tag == f"{SVG}text" and element.text:
            kinds = element.attrib.get("class", "").split()
            high = 10 if "s" in kinds else 13
            wide = 0.6 * high * len(element.text)
            x, y = float(element.attrib["x"]), float(element.attrib["y"])
            x -= wide if "e" in kinds else wide / 2 if "m" in kinds else 0
            texts.append((element.text, (x, y - 0.7 * high, x + wide, y)))
        elif element.tag == f"{SVG}polyline":
            points = [tuple(map(float, point.split(","))) for point in element.attrib["points"].split()]
            lines += pairwise(points)
    return texts, lines


def apart(one: Box, other: Box) -> bool:
    return one[2] <= other[0] or other[2] <= one[0] or one[3] <= other[1] or other[3] <= one[1]


def own(hands: Hands, two_chains: bool) -> Kit:
    """A kit as it is made on the phone, with all that can be added."""
    wished = Choices(hands, hands=hands, two_chains=two_chains, power_button=True, status_lamp=True)
    return kits.parse(design(wished).text, "own.toml")


OWN = [own("halls", False), own("encoder", True), own("chips", True)]


@pytest.mark.parametrize("kit", OWN, ids=lambda kit: kit.name)
def test_the_drawing_of_a_kit_made_on_the_phone_connects_the_same(kit: Kit) -> None:
    expected = {frozenset(legs) for legs in netlist.nets(kit).values()}
    assert {net for net in drawn_nets(schematic(kit)) if len(net) > 1 or net in expected} == expected


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("kit", [*WIRED, *OWN, without_diodes()], ids=lambda kit: kit.name)
def test_no_words_lie_on_other_words_or_on_a_wire(kit: Kit, language: str) -> None:
    texts, lines = texts_and_lines(schematic(kit, language))
    for number, (text, box) in enumerate(texts):
        assert box[0] >= 0, text
        for other, there in texts[number + 1 :]:
            assert apart(box, there), (text, other)
        for (x, y), (to_x, to_y) in lines:
            assert apart(box, (min(x, to_x), min(y, to_y), max(x, to_x), max(y, to_y))), text


@pytest.mark.parametrize("language", ["fr", "de"])
@pytest.mark.parametrize("name", ["castle-sensing", "castle-beside"])
def test_a_drawing_speaks_the_readers_language_and_connects_the_same(name: str, language: str) -> None:
    kit = kits.load(name)
    drawing = schematic(kit, language)
    assert drawn_nets(drawing) == drawn_nets(schematic(kit))
    words = " ".join("".join(each.itertext()) for each in ElementTree.fromstring(drawing))
    english = "buttons lamps? close never feed under crossing rooms? row column power other data board"
    assert not re.search(rf"\b({'|'.join(english.split())})\b", words, re.IGNORECASE), words


@pytest.mark.parametrize("kit", WIRED, ids=lambda kit: kit.name)
def test_the_drawing_in_the_project_is_up_to_date(kit: Kit) -> None:
    """If this fails, run `companion wiring` in the project's folder."""
    assert (PROJECT / DRAWINGS / f"{kit.name}.svg").read_text(encoding="utf-8") == schematic(kit)


# Breadboard


def plugged_nets(svg: str) -> set[frozenset[str]]:
    """The legs that a breadboard connects: by its strips and rails, and by its wires."""
    sets, legs = Sets(), []
    for element in ElementTree.fromstring(svg).iter():
        if "data-hole" in element.attrib:
            leg = element.attrib["data-leg"]
            sets.join(leg, breadboard.strip_of(element.attrib["data-hole"]))
            legs.append(leg)
        elif "data-from" in element.attrib:
            ends = [element.attrib["data-from"], element.attrib["data-to"]]
            sets.join(*(end if "." in end else breadboard.strip_of(end) for end in ends))
            legs += [end for end in ends if "." in end]
    return grouped((leg, sets.find(leg)) for leg in legs)


@pytest.mark.parametrize("name", BREADBOARDS)
def test_the_breadboard_connects_what_the_schematic_does(name: str) -> None:
    kit = kits.load(name)
    svg = breadboard.breadboard(kit)
    plugged = plugged_nets(svg)
    on_it = frozenset().union(*plugged)
    expected = {frozenset(legs) & on_it for legs in netlist.nets(kit).values()} - {frozenset()}
    assert {net for net in plugged if len(net) > 1} == {net for net in expected if len(net) > 1}
    assert {"U1.14", "C1.1", "R1.2", "R2.1", "D1.DIN", "J1.19"} <= on_it
    assert (PROJECT / DRAWINGS / f"{name}-breadboard.svg").read_text(encoding="utf-8") == svg


def test_the_chip_sits_as_its_legs_are_counted() -> None:
    """From above, notch left, legs count from the lower left to the right and back along the top."""
    legs = breadboard.placed(kits.load("joystick"))
    lower = [breadboard.hole(legs[f"U1.{leg}"]) for leg in range(1, 8)]
    upper = [breadboard.hole(legs[f"U1.{leg}"]) for leg in range(14, 7, -1)]
    assert [x for x, _ in lower] == [x for x, _ in upper] == sorted(x for x, _ in lower)
    assert all(low > high for (_, low), (_, high) in zip(lower, upper, strict=True))


def test_no_two_legs_share_a_hole_and_no_wire_takes_a_legs() -> None:
    kit = kits.load("joystick")
    taken = [*breadboard.placed(kit).values()]
    taken += [end for wire in breadboard.jumpers(kit) for end in wire if "." not in end]
    assert len(taken) == len(set(taken))
