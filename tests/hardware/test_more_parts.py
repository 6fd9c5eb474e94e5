"""A knob in place of a joystick, a power button, a status lamp, a second SPI: parts that any kit may have."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from companion.clock import VirtualClock
from companion.table import Table
from hardware import checks, kits, netlist, paper
from hardware.boards import LiveBoard
from hardware.design import Choices, design
from hardware.encoder import NEXT, PREVIOUS, TURN, Quadrature
from hardware.kits import Kit
from hardware.lights.wire import from_spi
from hardware.schematic import schematic
from hardware.shopping import shopping_list
from hardware.simulated import MockWires
from hardware.template import template
from hardware.wiring import sheet
from hardware.written import kit_text
from tests.games.phantom.hotel import GHOSTS, LAYOUT, OWNERS, room
from tests.hardware.evening import Evening
from tests.hardware.test_doctor import Person
from tests.hardware.test_schematic import drawn_nets, net_of
from tests.hardware.test_template import pages

KNOB = """\
[board]
rows = 6
columns = 6

[encoder]
a = 5
b = 6

[buttons]
ok = 26
power = 3

[status]
pin = 4

[[strips]]
name = "board"
shows = "rooms"
"""


@pytest.fixture
def kit(tmp_path: Path) -> Kit:
    file = tmp_path / "knob.toml"
    file.write_text(KNOB)
    return kits.load(str(file))


def turned(knob: Quadrature, states: list[tuple[bool, bool]]) -> list[str]:
    """What a knob tells while its lines go through states, one line at a time."""
    lines, told = [False, False], []
    for state in states:
        for line in (0, 1):
            if lines[line] != state[line]:
                lines[line] = state[line]
                told.append(knob.edge(line, state[line]))
    return [step for step in told if step]


def test_a_step_is_told_when_it_is_complete_and_by_its_direction() -> None:
    right = [*TURN[1:], TURN[0]]
    assert turned(Quadrature(), right) == [NEXT]
    assert turned(Quadrature(), [*TURN[:0:-1], TURN[0]]) == [PREVIOUS]
    assert turned(Quadrature(), right * 3) == [NEXT] * 3


def test_a_bouncing_or_wavering_knob_counts_no_step_too_many() -> None:
    chance = random.Random(5)
    for _ in range(200):
        states, place = [], 0
        while place < 4:
            place = max(0, place + chance.choice((1, 1, -1)))
            states.append(TURN[place % 4])
        assert turned(Quadrature(), states) == [NEXT]
    there_and_back = [TURN[1], TURN[2], TURN[1], TURN[0]]
    assert turned(Quadrature(), there_and_back) == []


def test_a_game_is_played_with_a_knob(kit: Kit) -> None:
    with Evening(kit) as evening:
        evening.hotel()
        evening.table.act("p2", {"type": "remove", "room": room("B3")})
        evening.tap("next")
        assert evening.board.pointer is not None
        assert evening.board.pointer.room == 1
        evening.tap("previous")
        assert evening.board.pointer.room == 36
        for _ in range(3):
            evening.tap("next")
        assert evening.board.pointer.room == 3
        evening.tap("ok")
        evening.tap("ok")
        assert [removal.room for removal in evening.shows().removed] == [room("B3"), 3]


def test_power_held_for_two_seconds_brings_the_companion_to_rest(kit: Kit) -> None:
    with Evening(kit) as evening:
        rested: list[bool] = []
        evening.board.on_rest = lambda: rested.append(True)
        evening.board.press("power")
        evening.wait(1.9)
        evening.board.release("power")
        evening.wait(1)
        assert rested == []
        evening.board.press("power")
        evening.wait(2.1)
        assert rested == [True]


def test_the_status_lamp_is_on_while_all_is_well_and_blinks_while_somebody_is_needed(kit: Kit) -> None:
    with Evening(kit) as evening:
        lamp = evening.wires.factory.pin(4)
        evening.hotel()
        evening.wait(1)
        assert lamp.state == 1
        evening.board.sign = "no_network"
        evening.wait(0.01)
        seen = []
        for _ in range(8):
            seen.append(lamp.state)
            evening.wait(0.25)
        assert seen in ([1, 1, 0, 0, 1, 1, 0, 0], [1, 0, 0, 1, 1, 0, 0, 1])
        evening.board.sign = "ready"
        evening.wait(1)
        assert lamp.state == 1
        evening.board.press("power")
        evening.wait(3)
        assert lamp.state == 0


@pytest.mark.parametrize("kit", kits.wired(), ids=lambda kit: kit.name)
def test_every_kit_has_a_status_lamp_and_a_way_to_switch_off_and_on(kit: Kit) -> None:
    """A button of its own, on GPIO3 where I²C leaves it; where no pin is left OK wakes and BACK rests."""
    assert kit.status is not None
    if kit.name in ("castle-rows", "castle-sensing"):
        assert len([*checks.pins(kit)]) == 20  # nineteen that a kit may have, and the lamps' own
        assert kit.buttons["ok"] == 3
        assert "back" in kit.buttons
    else:
        assert kit.buttons["power"] == (16 if kit.beside else 17 if kit.expander else 3)
    assert "led" in [item.saying.key.removeprefix("hardware.part_") for item in shopping_list(kit)]


def test_a_status_lamp_on_a_pulled_up_pin_hangs_on_3v3_and_is_dark_until_it_is_driven() -> None:
    kit = kits.load("castle-sensing")
    nets = drawn_nets(schematic(kit))
    assert net_of(nets, "D2.A") == {"D2.A", "J1.1"}
    assert net_of(nets, "D2.K") == {"D2.K", "R3.2"}
    assert net_of(nets, "R3.1") == {"R3.1", "J1.3"}
    assert "| 3 | GPIO2 | Status lamp | 330 Ω and an LED to 3.3 V" in sheet(kit, "x.svg")
    with Evening(kit) as evening:
        pin = evening.wires.factory.pin(2)
        evening.wait(0.1)
        assert pin.state == 0
        evening.board.press("back")
        evening.wait(6)
        assert pin.state == 1


def test_knob_and_lamp_are_drawn_listed_and_bought(kit: Kit) -> None:
    nets = drawn_nets(schematic(kit))
    assert {frozenset(legs) for legs in netlist.nets(kit).values()} <= nets
    assert net_of(nets, "J1.7") == {"J1.7", "R3.1"}
    assert net_of(nets, "R3.2") == {"R3.2", "D2.A"}
    assert "D2.K" in net_of(nets, "U1.7")
    page = sheet(kit, "x.svg")
    assert "| 29 | GPIO5 | Knob, contact A | a contact to ground |" in page
    assert "| 7 | GPIO4 | Status lamp | 330 Ω and an LED to ground |" in page
    bought = {item.saying.key.removeprefix("hardware.part_"): item.count for item in shopping_list(kit)}
    assert (bought["encoder"], bought["led"], bought["buttons"]) == (1, 1, 2)


def test_the_doctor_notices_a_knob_that_counts_backwards(kit: Kit) -> None:
    with Evening(kit) as evening:
        visit = evening.board.examine()
        person = Person(kit.strips[0], kit)
        while visit.question is not None:
            if visit.question.saying.key == "hardware.ask_turn":
                evening.tap("previous")
            else:
                evening.board.answer(person.answer(visit))
        assert [finding.key for finding in visit.findings] == ["hardware.found_swapped"]
        assert visit.kit.encoder == kits.Encoder(6, 5)
        assert "[encoder]\na = 6\nb = 5" in visit.written()


TWO = (
    KNOB
    + """
[[strips]]
name = "damage"
shows = "gauge"
lamps = 60

[second_chain]
first = 36
"""
)


def test_two_chains_show_one_picture_each_on_its_own_wire(tmp_path: Path) -> None:
    (tmp_path / "two.toml").write_text(TWO)
    kit = kits.load(str(tmp_path / "two.toml"))
    with Evening(kit) as evening:
        evening.hotel()
        evening.tap("next")
        evening.table.act("p2", {"type": "remove", "room": room("B3")})
        evening.wait(0.1)
        assert evening.shown == evening.board.shine.frame
        assert len(evening.shown) == 96
        lamps = [len(from_spi(wire.sent, "GRB")) for wire in (evening.wires.wire, evening.wires.second_wire)]
        assert lamps == [36, 60]
    nets = drawn_nets(schematic(kit))
    assert net_of(nets, "U1.5") == {"U1.5", "R4.1", "J1.38"}
    assert net_of(nets, "U1.6") == {"U1.6", "R5.1"}
    assert net_of(nets, "D3.DIN") == {"D3.DIN", "R5.2"}
    assert {"D3.5V", "D3.5V end"} <= net_of(nets, "U1.14")
    assert kits.parse(kit_text(kit), "two.toml") == kit


@pytest.mark.parametrize(
    ("change", "expected"),
    [
        ("first = 96", "the second chain begins at lamp 96 on GPIO20"),
        ("first = 36\npin = 4", "the second chain begins at lamp 36 on GPIO4"),
        ("first = 36\npin = 10", "GPIO10 is used by Data of the lamps and by Data of the second chain"),
        ("first = 36\n[chain]\ndriver = 'neopixel'\npin = 18", "only the driver neopixel_spi has two chains"),
        ("first = 200\n[chain]\nlamps = 400", "200 lamps need 4928 bytes"),
    ],
)
def test_a_second_chain_that_cannot_be_is_refused(tmp_path: Path, change: str, expected: str) -> None:
    (tmp_path / "two.toml").write_text(TWO.replace("first = 36", change))
    with pytest.raises(kits.BadKit, match=expected):
        kits.load(str(tmp_path / "two.toml"))


def test_lamps_on_the_second_spi_leave_the_first_one_free(tmp_path: Path) -> None:
    """So two companions with two boards share one Pi: each has its own kit, its own pins and its own SPI."""
    file = tmp_path / "second.toml"
    file.write_text(KNOB + "\n[chain]\npin = 20\n")
    assert kits.load(str(file)).chain.pin == 20
    file.write_text(KNOB.replace("ok = 26", "ok = 19") + "\n[chain]\npin = 20\n")
    with pytest.raises(kits.BadKit, match="OK is on GPIO19, which belongs to SPI"):
        kits.load(str(file))


# Hall switches


@pytest.fixture
def halls() -> Kit:
    return kits.parse(design(Choices(name="halls", hands="halls")).text, "halls.toml")


def test_a_lifted_tile_is_felt_by_a_hall_switch(halls: Kit) -> None:
    with Evening(halls) as evening:
        evening.hotel()
        evening.table.act("p2", {"type": "remove", "room": room("B3")})
        evening.board.release(f"room{room('B3')}")
        evening.wait(2)
        evening.board.release("room1")
        evening.wait(2)
        assert [removal.room for removal in evening.shows().removed] == [room("B3"), 1]


def test_hall_switches_are_fed_drawn_and_bought_in_place_of_reeds(halls: Kit) -> None:
    """The legs are written down once more, from TI's datasheet of the DRV5032: supply, ground, output."""
    nets = drawn_nets(schematic(halls))
    assert {frozenset(legs) for legs in netlist.nets(halls).values()} <= nets
    supply, ground = net_of(nets, "J1.1"), net_of(nets, "U1.7")
    for number in range(1, 37):
        assert {f"K{number}.1", f"C{100 + number}.1"} <= supply
        assert {f"K{number}.2", f"C{100 + number}.2"} <= ground
        (chip,) = net_of(nets, f"K{number}.3") - {f"K{number}.3"}
        assert chip.startswith("U")
    bought = {item.saying.key.removeprefix("hardware.part_"): item.count for item in shopping_list(halls)}
    assert (bought["halls"], bought["magnets"], bought["ceramic"]) == (36, 36, 1 + 3 + 36)
    assert "reeds" not in bought
    page = sheet(halls, "x.svg")
    assert "a hall switch’s output for each room" in page
    assert "DRV5032" in page
    assert kits.parse(kit_text(halls), "halls.toml") == halls


def test_a_hall_switch_lies_right_below_its_magnet(halls: Kit) -> None:
    (found,) = pages(paper.sheet(template(halls, 360)))
    for number in halls.grid.rooms:
        assert found[2][f"hall {number}"] == pytest.approx(found[2][f"magnet {number}"], abs=0.1)


def test_no_other_sensor_is_known(tmp_path: Path) -> None:
    text = kits.path_of("expander").read_text().replace("bus = 1", 'bus = 1\nsensor = "eye"')
    (tmp_path / "eye.toml").write_text(text)
    with pytest.raises(kits.BadKit, match='line 9: sensor cannot be "eye"; it is one of: reed, hall'):
        kits.load(str(tmp_path / "eye.toml"))


STICK = """\
[board]
rows = 6
columns = 6

[buttons]
up = 12
down = 13
left = 16
right = 17
ok = 22

[status]
pin = 27

[chain]
pin = 20

[[strips]]
name = "board"
shows = "rooms"
"""


def test_two_boards_on_the_pins_of_one_pi_play_two_games(kit: Kit) -> None:
    other = kits.parse(STICK, "stick.toml")
    clock, wires = VirtualClock(), (MockWires(kit), MockWires(other))
    wires[1].factory = wires[0].factory
    tables = [Table(clock=clock) for _ in wires]
    boards = [
        LiveBoard(each, table, clock, own)
        for each, table, own in zip((kit, other), tables, wires, strict=True)
    ]
    for table in tables:
        table.new("phantom", {"players": 4, "layout": LAYOUT, "owners": OWNERS}, seed=7)
        for ghost, where in GHOSTS.items():
            table.act(OWNERS[ghost], {"type": "hide", "ghost": ghost, "room": room(where)})
        table.act("p2", {"type": "remove", "room": room("B3")})
    for board, button in zip(boards, ("next", "right"), strict=True):
        assert board.faults() == ()
        board.press(button)
        clock.tick(0.1)
        board.release(button)
        clock.tick(0.1)
    assert [board.pointer is not None for board in boards] == [True, True]
    assert [len(from_spi(each.wire.sent, "GRB")) for each in wires] == [36, 36]
    assert [wires[0].factory.pin(pin).state for pin in (4, 27)] == [1, 1]
    for board, table in zip(reversed(boards), reversed(tables), strict=True):
        board.close()
        table.close()
