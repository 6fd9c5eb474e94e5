"""The doctor finds what is wrong with a board and a machine, learns how it was built, and leaves no trace."""

from __future__ import annotations

from collections.abc import Callable
from io import StringIO
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from msgspec.structs import replace

from companion import cli
from hardware import kits, machine
from hardware.arrangement import rooms_along
from hardware.commands.doctor import talk
from hardware.doctor import Visit
from hardware.kits import Kit, Strip
from hardware.learned import fitting, learned_order
from hardware.machine import Machine
from hardware.simulated import MockMatrix
from hardware.written import kit_text
from tests.games.phantom.hotel import room
from tests.hardware.evening import Evening

Answer = Callable[[Visit], str]


def laid(kit: Kit, **how: Any) -> Strip:
    """The board strip of a kit as it was really laid."""
    return replace(kit.strips[0], **how)


class Person:
    """Somebody who sees the true board and answers truly."""

    def __init__(self, strip: Strip, kit: Kit, order: str = "GRB", dark: set[int] | None = None) -> None:
        self.rooms = rooms_along(strip, kit.grid)
        self.kit = kit
        self.order = order
        self.dark = dark or set()
        self.swapped: dict[str, str] = {}
        self.contacts: dict[int, int] = {}
        self.amperes = "10"
        self.status = True

    def answer(self, visit: Visit) -> str:
        assert visit.question is not None
        key = visit.question.saying.key.removeprefix("hardware.ask_")
        facts = visit.question.saying.facts
        known = {name: fact for name, fact in facts.items() if name not in ("wire", "named")}
        return getattr(self, f"_{key}")(visit, **known)  # type: ignore[no-any-return]

    def _colour(self, visit: Visit) -> str:
        sent = {"red": "R", "green": "G"}[next(iter(visit.lit.values())).hue]
        seen = self.order[self.kit.chain.order.index(sent)]
        return {"R": "red", "G": "green", "B": "blue"}[seen]

    def _room(self, visit: Visit, lamp: int) -> str:
        return "dark" if lamp in self.dark else str(self.rooms[lamp])

    def _group(self, visit: Visit, strip: str, n: int, first: int, last: int) -> str:
        return "dark" if strip == "board" and self.dark & set(range(first, last + 1)) else "yes"

    def _lamp(self, visit: Visit, lamp: int, strip: str) -> str:
        return "dark" if lamp in self.dark else "yes"

    def _status(self, visit: Visit) -> str:
        return "yes" if visit.calling and self.status else "dark"

    def _button(self, visit: Visit, button: str) -> str:
        return self.swapped.get(button, button)

    def _contact(self, visit: Visit, room: int) -> str:
        return f"room{self.contacts.get(room, room)}"

    def _supply(self, visit: Visit) -> str:
        return self.amperes


def examined(person: Person) -> Visit:
    visit = Visit(person.kit)
    for _ in range(500):
        if visit.question is None:
            return visit
        visit.answer(person.answer(visit))
    raise AssertionError("the doctor does not come to an end")


def keys(visit: Visit) -> list[str]:
    return [finding.key.removeprefix("hardware.found_") for finding in visit.findings]


@pytest.mark.parametrize("name", [kit.name for kit in kits.wired()])
def test_a_healthy_board_has_no_findings_and_keeps_its_kit(name: str) -> None:
    kit = kits.load(name)
    visit = examined(Person(kit.strips[0], kit))
    assert visit.findings == []
    assert visit.kit == kit
    assert visit.lit == {}


@pytest.mark.parametrize("rotation", [0, 90, 180, 270])
@pytest.mark.parametrize("mirrored", [False, True])
@pytest.mark.parametrize("serpentine", [False, True])
@pytest.mark.parametrize("name", ["joystick", "castle-rows"])
def test_a_few_rooms_tell_how_the_strip_was_laid(
    name: str, rotation: int, mirrored: bool, serpentine: bool
) -> None:
    kit = kits.load(name)
    truth = laid(kit, rotation=rotation, mirrored=mirrored, serpentine=serpentine)
    asked = []
    person = Person(truth, kit)
    visit = Visit(kit)
    while visit.question is not None:
        asked.append(visit.question.saying.key)
        visit.answer(person.answer(visit))
    assert rooms_along(visit.kit.strips[0], kit.grid) == rooms_along(truth, kit.grid)
    assert asked.count("hardware.ask_room") <= 4


@pytest.mark.parametrize("order", ["RGB", "RBG", "GRB", "GBR", "BRG", "BGR"])
def test_two_colours_tell_the_order_of_all_three(order: str) -> None:
    kit = kits.load("joystick")
    assert examined(Person(kit.strips[0], kit, order)).kit.chain.order == order


def test_colours_that_make_no_order_are_asked_to_be_looked_at_again() -> None:
    assert learned_order("GRB", {"red": "red", "green": "red"}) is None


def test_dark_lamps_are_found_one_by_one() -> None:
    kit = kits.load("joystick")
    visit = examined(Person(kit.strips[0], kit, dark={14, 20}))
    assert [(f.facts["lamp"], f.facts["strip"]) for f in visit.findings] == [(14, "board"), (20, "board")]


def test_swapped_buttons_are_found_and_put_right_in_the_kit() -> None:
    kit = kits.load("rows")
    person = Person(kit.strips[0], kit)
    person.swapped = {"row2": "row3", "row3": "row2", "ok": "back", "back": "ok"}
    visit = examined(person)
    assert keys(visit) == ["swapped"] * 4
    assert kit.line_buttons is not None
    assert visit.kit.line_buttons is not None
    assert visit.kit.line_buttons.rows == [5, 13, 6, 19, 26, 21]
    assert visit.kit.buttons == {"ok": 27, "back": 17, "peek": 22, "power": 3}


def test_a_silent_button_is_found() -> None:
    kit = kits.load("joystick")
    person = Person(kit.strips[0], kit)
    person.swapped = {"peek": "skip"}
    assert keys(examined(person)) == ["silent"]


def test_swapped_rows_of_a_matrix_are_found_and_put_right_in_the_kit() -> None:
    kit = kits.load("sensing")
    person = Person(kit.strips[0], kit)
    person.contacts = {n: n + 6 for n in range(1, 7)} | {n: n - 6 for n in range(7, 13)}
    visit = examined(person)
    assert "lines_swapped" in keys(visit)
    assert visit.kit.matrix is not None
    assert visit.kit.matrix.rows == [6, 5, 13, 19, 26, 21]
    assert visit.kit.matrix.columns == [16, 20, 12, 23, 24, 25]


def test_a_contact_that_answers_for_another_room_is_found() -> None:
    kit = kits.load("expander")
    person = Person(kit.strips[0], kit)
    person.contacts = {20: 21, 21: 20}
    visit = examined(person)
    assert [(f.facts["room"], f.facts["other"]) for f in visit.findings] == [(20, 21), (21, 20)]


@pytest.mark.parametrize("name", ["sensing", "expander", "castle-sensing", "castle-expander"])
def test_every_lamp_and_every_contact_is_asked_for(name: str) -> None:
    kit = kits.load(name)
    person, visit = Person(kit.strips[0], kit), Visit(kit)
    lamps: set[int] = set()
    rooms: list[int] = []
    while visit.question is not None:
        key, facts = visit.question.saying.key, visit.question.saying.facts
        if key == "hardware.ask_group":
            lamps |= set(visit.lit)
        elif key == "hardware.ask_contact":
            rooms.append(facts["room"])  # type: ignore[arg-type]
        visit.answer(person.answer(visit))
    assert lamps == set(range(kit.lamps))
    assert rooms == list(kit.grid.rooms)
    assert not visit.sampled


def test_a_quick_look_asks_for_less_and_says_so(capsys: pytest.CaptureFixture[str]) -> None:
    kit = kits.load("sensing")
    person, visit = Person(kit.strips[0], kit), Visit(kit, quick=True)
    asked = []
    while visit.question is not None:
        asked.append(visit.question.saying.key)
        visit.answer(person.answer(visit))
    assert asked.count("hardware.ask_contact") == 11
    assert asked.count("hardware.ask_group") == 2
    with Evening("sensing") as evening:
        talk(evening.board, "en", StringIO("skip\n" * 60), None, quick=True)
    assert "this was a quick look" in capsys.readouterr().out


@pytest.mark.parametrize(("said", "dark"), [("no", True), ("dark", True), ("yes", False)])
def test_no_is_no(said: str, dark: bool) -> None:
    visit = Visit(kits.load("joystick"))
    while visit.question is not None and "ask_group" not in visit.question.saying.key:
        visit.answer("skip")
    visit.answer(said)
    assert visit.question is not None
    assert visit.question.saying.key == ("hardware.ask_lamp" if dark else "hardware.ask_group")


def test_what_is_neither_yes_nor_no_is_asked_again() -> None:
    visit = Visit(kits.load("joystick"))
    while visit.question is not None and "ask_group" not in visit.question.saying.key:
        visit.answer("skip")
    before = visit.question
    visit.answer("perhaps")
    assert visit.question == before


@pytest.mark.parametrize("damage", ["missing", "reversed"])
def test_a_diode_is_examined_while_a_tile_lies_on_its_contact(damage: str) -> None:
    with Evening("sensing") as evening:
        matrix = evening.wires._contacts
        assert isinstance(matrix, MockMatrix)
        setattr(matrix, damage, {(2, 1)})
        visit = evening.board.examine()
        while visit.question is not None:
            saying = visit.question.saying
            if saying.key != "hardware.ask_contact":
                evening.board.answer("skip")
                continue
            evening.wait(1)
            evening.put(int(str(saying.facts["room"])))
            if visit.question and visit.question.saying == saying:
                evening.board.answer("skip")
            evening.lift(int(str(saying.facts["room"])))
        assert f"diode_{damage}" in [finding.key.removeprefix("hardware.") for finding in visit.findings]
        assert "Room 14" in str(next(f for f in visit.findings if "diode" in f.key))


def test_a_supply_that_is_too_small_lowers_the_limit() -> None:
    kit = kits.load("joystick")
    person = Person(kit.strips[0], kit)
    person.amperes = "2"
    visit = examined(person)
    assert keys(visit) == ["supply"]
    assert visit.kit.chain.most_ma == 1600


def test_a_button_held_at_the_start_is_found() -> None:
    assert keys(Visit(kits.load("joystick"), ["ok"])) == ["stuck"]


def test_a_wrong_answer_leaves_the_question() -> None:
    visit = Visit(kits.load("joystick"))
    question = visit.question
    visit.answer("perhaps")
    assert visit.question == question


def test_what_is_skipped_is_told_as_not_looked_at_and_not_as_broken() -> None:
    visit = Visit(kits.load("sensing"))
    while visit.question is not None:
        visit.answer("skip")
    looked_past = {"skipped_colours", "skipped_laid", "skipped_lamps", "skipped_status", "skipped_supply"}
    assert set(keys(visit)) == looked_past | {"silent", "contact_silent"}
    lamps = [str(finding) for finding in visit.findings if finding.key.endswith("skipped_lamps")]
    assert lamps == [
        "not looked at: 36 lamps of board (0…35)",
        "not looked at: 60 lamps of damage (0…59)",
    ]
    assert visit.kit == kits.load("sensing")


@pytest.mark.parametrize("question", ["colour", "room", "group", "status", "supply"])
def test_one_question_that_is_skipped_is_not_all_is_well(question: str) -> None:
    kit = kits.load("joystick")
    person, visit = Person(kit.strips[0], kit), Visit(kit)
    while visit.question is not None:
        skipped = visit.question.saying.key == f"hardware.ask_{question}"
        visit.answer("skip" if skipped else person.answer(visit))
    name = {"colour": "colours", "room": "laid", "group": "lamps"}.get(question, question)
    assert set(keys(visit)) == {f"skipped_{name}"}


def test_single_lamps_that_are_skipped_are_told_by_their_numbers() -> None:
    kit = kits.load("joystick")
    person, visit = Person(kit.strips[0], kit, dark={8}), Visit(kit)
    while visit.question is not None:
        saying = visit.question.saying
        one = saying.key == "hardware.ask_lamp" and saying.facts["lamp"] in (6, 7, 10)
        visit.answer("skip" if one else person.answer(visit))
    assert [str(finding) for finding in visit.findings] == [
        "lamp 8 of board stays dark: replace it, or look at the joint before it",
        "not looked at: 3 lamps of board (6…7, 10)",
    ]


@pytest.mark.parametrize("name", [kit.name for kit in kits.wired()])
def test_the_status_lamp_is_asked_for(name: str) -> None:
    kit = kits.load(name)
    person = Person(kit.strips[0], kit)
    person.status = False
    assert keys(examined(person)) == ["dark_status"]


def test_the_status_lamp_blinks_while_it_is_asked_for_and_only_then() -> None:
    with Evening("joystick") as evening:
        lamp = evening.wires.factory.pin(4)
        visit = evening.board.examine()
        person = Person(evening.kit.strips[0], evening.kit)
        blinked: dict[str, bool] = {}
        while visit.question is not None:
            seen = set()
            for _ in range(8):
                evening.wait(0.25)
                seen.add(lamp.state)
            blinked.setdefault(visit.question.saying.key.removeprefix("hardware.ask_"), len(seen) == 2)
            evening.board.answer(person.answer(visit))
        assert [asked for asked, blinking in blinked.items() if blinking] == ["status"]


def test_without_answers_every_way_to_lay_a_strip_is_open() -> None:
    kit = kits.load("joystick")
    assert len(fitting(kit.strips[0], kit, {})) == 16


@pytest.mark.parametrize("name", [kit.name for kit in kits.wired()])
def test_a_written_kit_reads_as_the_same_kit(name: str, tmp_path: Path) -> None:
    kit = kits.load(name)
    file = tmp_path / f"{name}.toml"
    file.write_text(kit_text(kit), encoding="utf-8")
    assert kits.load(str(file)) == kit


# On the board


def test_contacts_answer_and_the_game_is_as_it_was_after_the_visit() -> None:
    with Evening("rows") as evening:
        evening.hotel()
        evening.table.act("p2", {"type": "remove", "room": room("B3")})
        version, lit = evening.table.version, evening.lit()
        visit = evening.board.examine()
        assert evening.lit() == {1}
        for said in ("red", "green"):
            evening.board.answer(said)
        evening.tap("row1")
        evening.tap("col1")
        assert visit.question is not None
        assert visit.question.saying.facts == {"lamp": 1}
        evening.board.dismiss()
        assert evening.table.version == version
        assert evening.lit() == lit
        assert evening.board.pointer is None


def test_the_terminal_asks_answers_and_writes_the_kit(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    answers = ["grün", "Rot", *["weiter"] * 60]
    with Evening("joystick") as evening:
        findings = talk(evening.board, "de", StringIO("\n".join(answers)), tmp_path / "mine.toml")
    said = capsys.readouterr().out
    assert "Welche Farbe siehst du? [rot, grün, blau, dunkel, weiter]" in said
    assert "in der Reihenfolge RGB" in said
    assert findings
    assert kits.load(str(tmp_path / "mine.toml")).chain.order == "RGB"


@pytest.mark.parametrize("said", ["", "rouge\nvert\n"])
def test_end_of_input_is_not_all_is_well(said: str, capsys: pytest.CaptureFixture[str]) -> None:
    with Evening("joystick") as evening:
        assert talk(evening.board, "en", StringIO(said), None)
    told = capsys.readouterr().out
    assert "the visit was not finished" in told
    assert "all is well" not in told


def test_no_is_no_in_every_language(capsys: pytest.CaptureFixture[str]) -> None:
    said = ["weiter", "nein", *["weiter"] * 200]
    with Evening("manor") as evening:
        talk(evening.board, "de", StringIO("\n".join(said)), None)
    assert "Lampe 0 von „Zug“ leuchtet" in capsys.readouterr().out


def test_the_command_checks_kit_and_machine(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["doctor", "joystick", "--check"]) == 0
    (tmp_path / "bad.toml").write_text("[buttons]\nok = 10\n")
    assert cli.main(["doctor", str(tmp_path / "bad.toml"), "--check"]) == 1
    assert "bad.toml, line 1: no strip shows the rooms" in capsys.readouterr().err


# The machine

STEADY = "[pi4]\ncore_freq=500\ncore_freq_min=500\n"


def pi(**how: Any) -> Machine:
    good = {
        "model": "Raspberry Pi 4 Model B Rev 1.4",
        "exists": lambda path: True,
        "groups": frozenset({"gpio", "spi", "i2c"}),
        "packages": frozenset({"rpi-lgpio", "lgpio", "rpi-ws281x"}),
        "module": lambda name: SimpleNamespace(gpiochip_open=None),
        "config": STEADY,
    }
    return Machine(**{**good, **how})


def missing(name: str) -> Any:
    raise ImportError(name)


def told(kit: Kit, **how: Any) -> list[str]:
    return [saying.key.removeprefix("hardware.doctor_") for saying in machine.problems(kit, pi(**how))]


@pytest.mark.parametrize(
    ("kit", "how", "expected"),
    [
        ("joystick", {}, []),
        ("joystick", {"exists": lambda path: False}, ["no_spi"]),
        ("expander", {"exists": lambda path: "spi" in path}, ["no_i2c"]),
        ("joystick", {"groups": frozenset({"gpio"})}, ["group"]),
        ("expander", {"groups": frozenset()}, ["group", "group", "group"]),
        ("expander", {"groups": frozenset({"root"})}, []),
        ("joystick", {"module": missing}, ["no_gpiod"]),
        ("joystick", {"factory": "lgpio", "module": lambda name: SimpleNamespace()}, ["empty_lgpio"]),
        ("joystick", {"factory": "lgpio", "module": missing}, ["no_lgpio"]),
        (
            "joystick",
            {"factory": "rpigpio", "packages": frozenset({"rpi.gpio", "rpi-lgpio"})},
            ["two_rpigpio"],
        ),
        ("joystick", {"config": "dtparam=spi=on\n"}, ["clock"]),
        ("joystick", {"config": "", "model": "Raspberry Pi Zero 2 W Rev 1.0"}, ["clock"]),
        ("joystick", {"config": "", "model": "Raspberry Pi 5 Model B Rev 1.0"}, []),
        ("expander", {"chip_answers": lambda bus, address: address in (0x20, 0x22)}, ["chip_silent"]),
        ("castle-expander", {"chip_answers": lambda bus, address: False}, ["chip_silent"] * 4),
        (
            "expander",
            {"chip_answers": lambda bus, address: address in (0x20, 0x21, 0x24)},
            ["chip_elsewhere"],
        ),
        ("expander", {"chip_answers": lambda bus, address: address in range(0x20, 0x28)}, []),
        ("joystick", {"model": "a laptop", "exists": lambda path: False}, []),
    ],
)
def test_a_machine_that_is_not_set_up_is_told_how(kit: str, how: Any, expected: list[str]) -> None:
    assert told(kits.load(kit), **how) == expected


def test_a_kit_with_a_speaker_needs_its_group() -> None:
    loud = replace(kits.load("joystick"), sound=kits.Sound())
    (problem,) = machine.problems(loud, pi())
    assert problem.facts == {"group": "audio"}
    assert told(loud, groups=frozenset({"gpio", "spi", "audio"})) == []


def test_an_unsteady_clock_is_told_with_what_it_can_do() -> None:
    (problem,) = machine.problems(kits.load("joystick"), pi(config=""))
    assert "not held at 500 MHz" in str(problem)
    assert "5.8 A" in str(problem)


def test_a_chip_with_wrong_address_pins_is_told_where_it_is() -> None:
    (problem,) = machine.problems(
        kits.load("expander"), pi(chip_answers=lambda bus, address: address in (0x20, 0x21, 0x24))
    )
    assert "no chip answers at 0x22 on I²C bus 1, but one is found at 0x24" in str(problem)


PI_5 = "Raspberry Pi 5 Model B Rev 1.0"
PI_5_LIBRARY = frozenset({"adafruit-blinka-raspberry-pi5-neopixel"})


@pytest.mark.parametrize(
    ("pin", "how", "expected"),
    [
        (18, {"groups": frozenset({"gpio"})}, ["needs_root"]),
        (18, {"groups": frozenset({"root"})}, []),
        (10, {}, []),
        (10, {"groups": frozenset({"gpio"})}, ["group"]),
        (10, {"config": ""}, ["clock"]),
        (10, {"exists": lambda path: path != "/dev/gpiomem"}, ["no_device"]),
        (10, {"packages": frozenset()}, ["no_neopixel"]),
        (18, {"model": PI_5, "packages": PI_5_LIBRARY, "groups": frozenset({"gpio"})}, []),
        (10, {"model": PI_5, "packages": PI_5_LIBRARY, "groups": frozenset({"gpio"}), "config": ""}, []),
        (18, {"model": PI_5, "packages": PI_5_LIBRARY, "exists": lambda path: False}, ["no_device"]),
        (18, {"model": PI_5}, ["no_neopixel"]),
    ],
)
def test_what_the_driver_neopixel_demands_depends_on_pin_and_pi(
    pin: int, how: Any, expected: list[str]
) -> None:
    kit = kits.load("joystick")
    assert told(replace(kit, chain=replace(kit.chain, driver="neopixel", pin=pin)), **how) == expected


def test_the_second_spi_is_asked_for_where_the_lamps_are_on_it() -> None:
    kit = kits.load("manor")
    second = replace(kit, chain=replace(kit.chain, pin=20))
    assert told(second, exists=lambda path: path == "/dev/spidev0.0", model=PI_5) == ["no_spi1"]
    assert told(second, exists=lambda path: path == "/dev/spidev1.0", model=PI_5) == []
    (problem,) = machine.problems(second, pi(exists=lambda path: "spidev1" not in path, model=PI_5))
    assert "add dtoverlay=spi1-1cs to config.txt" in str(problem)


@pytest.mark.parametrize(("model", "expected"), [("Raspberry Pi 4 Model B", ["no_dma"]), (PI_5, [])])
def test_the_second_spi_of_an_older_pi_is_told_to_be_no_good_for_lamps(
    model: str, expected: list[str]
) -> None:
    kit = kits.load("joystick")
    two = replace(kit, second_chain=kits.SecondChain(first=36))
    moved = replace(kit, chain=replace(kit.chain, pin=20))
    assert told(two, model=model) == told(moved, model=model) == expected


def test_a_data_pin_that_only_a_pi_5_has_is_told_on_another() -> None:
    kit = kits.load("joystick")
    by_pio = replace(kit, chain=replace(kit.chain, driver="neopixel", pin=4))
    (problem,) = machine.problems(by_pio, pi(groups=frozenset({"root"})))
    assert problem.key == "hardware.pwm_pin"
    assert told(by_pio, model=PI_5, packages=PI_5_LIBRARY) == []
