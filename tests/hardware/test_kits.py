"""Kits are typed, and everything wrong with one is told at once, with its line and what to do."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from companion.words import LANGUAGES
from hardware import chips, kits
from hardware.arrangement import lamp_of_room, rooms_along
from hardware.kits import BadKit, Grid, NoSuchKit, Strip

SHIPPED = (
    "castle-beside castle-expander castle-joystick castle-rows castle-sensing "
    "expander joystick manor rows sensing simulated"
)

GOOD = """\
[board]
rows = 6
columns = 6

[buttons]
up = 5
down = 6
left = 13
right = 19
ok = 26

[chain]
lamps = 96

[[strips]]
name = "board"
shows = "rooms"
lamps = 36

[[strips]]
name = "damage"
shows = "gauge"
lamps = 60
"""


def problems(tmp_path: Path, text: str, language: str = "en") -> list[str]:
    file = tmp_path / "mine.toml"
    file.write_text(text)
    try:
        kits.load(str(file))
    except BadKit as bad:
        return [problem.sentence(bad.file, language) for problem in bad.problems]
    return []


def test_every_shipped_kit_is_free_of_problems() -> None:
    assert " ".join(kits.names()) == SHIPPED
    for name in kits.names():
        assert kits.load(name).name == name


def test_a_kit_in_ones_own_folder_wins(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "joystick.toml").write_text(GOOD)
    monkeypatch.setenv(kits.FOLDER, str(tmp_path))
    assert kits.load("joystick").buttons.get("back") is None
    assert kits.load("rows").line_buttons


def test_an_unknown_kit_is_refused_with_the_names_of_all() -> None:
    with pytest.raises(NoSuchKit, match="there is no kit joystik; there are: castle-beside"):
        kits.load("joystik")
    with pytest.raises(NoSuchKit, match=r"no kit file missing\.toml"):
        kits.load("missing.toml")


def test_a_good_kit_has_no_problems(tmp_path: Path) -> None:
    assert problems(tmp_path, GOOD) == []


@pytest.mark.parametrize(
    ("old", "new", "expected"),
    [
        ("ok = 26", "okay = 26", "mine.toml, line 10: there is no button okay here"),
        ("rows = 6", "rowz = 6", "mine.toml, line 2: there is no key rowz: did you mean rows?"),
        ("rows = 6", "rows = 'six'", 'mine.toml, line 2: rows cannot be "six": it goes from 1 to 16'),
        (
            "up = 5",
            'up = "GPIO5"',
            'line 6: up cannot be "GPIO5": write a whole number without quotes, such as 5',
        ),
        ("lamps = 96", "most_ma = 50_000", "line 13: most_ma cannot be 50000: it goes from 100 to 40000"),
        (
            "lamps = 96",
            "most_ma = 20_000",
            "line 13: 20000 mA (most_ma) are more than 96 lamps can draw, 5760 mA",
        ),
        ('"rooms"', '"lights"', 'shows cannot be "lights"; it is one of: rooms, gauge, seats'),
        ("lamps = 36", "lamps = 36\nserpentine = 1", "serpentine cannot be 1: write true or false"),
        ("[board]", "matrix = 4\n[board]", "line 1: matrix cannot be 4: it is a table of its own, [matrix]"),
        ("[chain]", "[matrix]\nrows = 5\ncolumns = []\n[chain]", "rows cannot be 5: write a list of numbers"),
        ("rows = 6\n", "", "mine.toml, line 1: rows is missing in [board]: add it"),
        (
            "left = 13",
            "left = 6",
            "mine.toml, line 8: GPIO6 is used by Joystick down and by Joystick left: use another",
        ),
        ("left = 13", "left = 9", "mine.toml, line 8: Joystick left is on GPIO9, which belongs to SPI"),
        (
            "left = 13",
            "left = 14",
            "mine.toml, line 8: Joystick left is on GPIO14, which belongs to the serial",
        ),
        ("left = 13", "left = 1", "mine.toml, line 8: Joystick left is on GPIO1, which is kept for the chip"),
        (
            "left = 13",
            "left = 40",
            "mine.toml, line 8: Joystick left is on GPIO40, which the header does not have",
        ),
        ("left = 13\n", "", "mine.toml, line 5: a joystick has four directions; missing: left"),
        ("ok = 26\n", "", "mine.toml, line 5: there is no ok button"),
        ("lamps = 36", "lamps = 35", "mine.toml, line 15: room 36 has no lamp"),
        ("lamps = 36", "lamps = 30", "line 15: 6 rooms have no lamp (31, 32, 33, 34, 35, 36)"),
        ("lamps = 96", "lamps = 90", "line 20: the strip damage ends at lamp 95, but the chain has 90"),
        ("lamps = 60", "lamps = 60\nfirst = 30", "line 20: the strips damage and board share lamps"),
        ("lamps = 96", "lamps = 166", "line 12: 166 lamps need 4112 bytes in one SPI message and 4096 are"),
        ("lamps = 96", "driver = 'ws2812'", "line 13: there is no light driver ws2812; there are: neopixel,"),
        ("lamps = 96", "pin = 18", "line 13: SPI sends on GPIO10, or on GPIO20 if the second"),
        (
            "lamps = 96",
            "driver = 'neopixel'\npin = 14",
            "line 14: Data of the lamps is on GPIO14, which belongs to the serial",
        ),
        ("lamps = 96", "order = 'GRX'", 'order cannot be "GRX"; it is one of: RGB, RBG, GRB, GBR, BRG, BGR'),
        ("lamps = 96", "brightness = 2", "line 13: brightness cannot be 2: it goes from 0 to 1"),
        ("[buttons]", "[buttons", "mine.toml, line 5: this is not TOML"),
        ('"rooms"', '"seats"', "line 15: no strip shows the rooms"),
        ('name = "damage"', 'name = "board"', "mine.toml, line 21: two strips are called board"),
    ],
)
def test_a_problem_names_its_line_and_the_remedy(tmp_path: Path, old: str, new: str, expected: str) -> None:
    found = problems(tmp_path, GOOD.replace(old, new, 1))
    assert any(expected in sentence for sentence in found), found


def test_all_problems_come_at_once(tmp_path: Path) -> None:
    text = (
        GOOD.replace("down = 6", "down = 5").replace("ok = 26", "ok = 9").replace("lamps = 36", "lamps = 20")
    )
    lines = [sentence.partition(":")[0] for sentence in problems(tmp_path, text)]
    assert lines == ["mine.toml, line 7", "mine.toml, line 10", "mine.toml, line 15"]


def test_problems_speak_the_readers_language(tmp_path: Path) -> None:
    text = GOOD.replace("ok = 26", "ok = 9")
    sentences = {language: problems(tmp_path, text, language)[0] for language in LANGUAGES}
    narrow = "\N{NARROW NO-BREAK SPACE}"
    assert sentences["fr"].startswith(f"mine.toml, ligne 10{narrow}: «{narrow}OK{narrow}» est sur GPIO9")
    assert sentences["de"].startswith("mine.toml, Zeile 10: „OK“ ist an GPIO9")


def test_a_kit_saved_by_an_editor_that_marks_its_files_is_read(tmp_path: Path) -> None:
    file = tmp_path / "mine.toml"
    file.write_text(GOOD, encoding="utf-8-sig")
    assert kits.load(str(file)).buttons["ok"] == 26


def test_a_longer_chain_is_taken_where_the_kernel_takes_longer_messages(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "bufsiz").write_text("32768\n")
    monkeypatch.setattr("hardware.checks.SPI_BUFFER", tmp_path / "bufsiz")
    assert problems(tmp_path, GOOD.replace("lamps = 96", "lamps = 800")) == []
    assert "enough for 1360" in problems(tmp_path, GOOD.replace("lamps = 96", "lamps = 1361"))[0]


# The driver neopixel

WS281X = "lamps = 96\ndriver = 'neopixel'\npin = "


def on_a(model: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    (tmp_path / "model").write_text(f"Raspberry Pi {model} Rev 1.0")
    monkeypatch.setattr("hardware.firmware.MODEL_FILES", (tmp_path / "model",))


@pytest.mark.parametrize(
    ("model", "told"), [("4 Model B", True), ("3 Model B Plus", True), ("5 Model B", False), ("", False)]
)
def test_neopixel_sends_from_any_pin_but_on_an_older_pi(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, model: str, told: bool
) -> None:
    on_a(model, monkeypatch, tmp_path)
    found = problems(tmp_path, GOOD.replace("lamps = 96", f"{WS281X}4"))
    assert [sentence.partition(": ")[2] for sentence in found] == [
        "rpi_ws281x cannot send from GPIO4, only a Pi 5 can: use one of 12, 18, 13, 19, 10, 21"
    ] * told


def test_neopixel_on_gpio10_takes_the_pins_of_its_spi(tmp_path: Path) -> None:
    text = GOOD.replace("lamps = 96", f"{WS281X}10")
    assert problems(tmp_path, text) == []
    for pin in (7, 8, 9, 11):
        (problem,) = problems(tmp_path, text.replace("left = 13", f"left = {pin}"))
        assert f"left is on GPIO{pin}, which belongs to SPI" in problem
    assert problems(tmp_path, text.replace("pin = 10", "pin = 18").replace("left = 13", "left = 9")) == []


def test_neopixel_on_gpio10_is_bound_by_one_spi_message(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As ws2811.c counts: three bits a bit, four colours a lamp, 55 µs of silence, steps of eight bytes."""

    def message(lamps: int) -> int:
        bits = lamps * 4 * 8 * 3 + 55 * 800_000 * 3 // 1_000_000
        return ((bits >> 3) & ~7) + 4 + 4

    assert message(339) <= 4096 < message(340)
    assert problems(tmp_path, GOOD.replace("lamps = 96", WS281X.replace("96", "339") + "10")) == []
    long = GOOD.replace("lamps = 96", WS281X.replace("96", "340") + "10")
    assert "enough for 339" in problems(tmp_path, long)[0]
    assert problems(tmp_path, long.replace("pin = 10", "pin = 18")) == []
    on_a("5 Model B", monkeypatch, tmp_path)
    assert problems(tmp_path, long) == []


# Chips


@pytest.mark.parametrize(
    ("change", "expected"),
    [
        ("chips = [0x20, 0x21]", "the chips have 28 inputs and 36 are needed: use 3 chips"),
        ("chips = [0x20, 0x20, 0x22]", "two chips have the same address"),
        ("chips = [0x20, 0x21, 0x48]", "an MCP23017 cannot have the address 0x48"),
    ],
)
def test_chips_must_be_enough_and_apart(tmp_path: Path, change: str, expected: str) -> None:
    text = kits.path_of("expander").read_text().replace("chips = [0x20, 0x21, 0x22]", change)
    assert any(expected in sentence for sentence in problems(tmp_path, text))


@pytest.mark.parametrize(
    ("place", "expected"),
    [
        ("0x22 B0", 'input 0x22 B0 is used by room36 and by ok: use another, for example "0x22 B1"'),
        ("0x22 B2", "input 0x22 B2 is used by ok and by back"),
        ("0x22 A7", "ok is on 0x22 A7: A7 and B7 of an MCP23017 are outputs only"),
        ("0x23 A0", "ok is on 0x23 A0, which is no input of these chips"),
        ("36", "ok is on 36, which is no input of these chips"),
    ],
)
def test_a_button_has_an_input_of_its_own(tmp_path: Path, place: str, expected: str) -> None:
    on_chips = f'[expander.buttons]\nok = "{place}"\nback = "0x22 B2"\n\n[buttons]'
    text = kits.path_of("expander").read_text().replace("ok = 26\nback = 27\n", "")
    text = re.sub(r"\[buttons\].*", on_chips, text)
    assert any(expected in sentence for sentence in problems(tmp_path, text))


@pytest.mark.parametrize("name", ["expander", "castle-expander"])
def test_nothing_is_on_an_output_of_a_chip(name: str) -> None:
    kit = kits.load(name)
    places = list(chips.inputs(kit).values())
    assert len(set(places)) == len(kit.grid.rooms)
    assert not {place.name for place in places} & {"A7", "B7"}


def test_a_kit_with_sixteen_inputs_a_chip_is_refused_with_the_new_arrangement(tmp_path: Path) -> None:
    text = kits.path_of("expander").read_text()
    old = text.replace("chips =", "addresses =").replace(
        "[status]", "[expander.buttons]\nok = 36\n\n[status]"
    )
    found = problems(tmp_path, old)
    assert "A7 and B7 are outputs only" in found[0]
    assert "15 to 28 on the second" in found[0]
    assert "chips = [0x20" in found[0]
    assert "a pin of its own under [buttons]" in found[0]
    assert 'ok cannot be 36: write it in quotes, such as "0x22 B1"' in found[1]
    assert len(found) == 2


def test_i2c_pins_serve_a_button_only_where_nothing_else_needs_them(tmp_path: Path) -> None:
    assert problems(tmp_path, GOOD.replace("ok = 26", "ok = 3")) == []
    text = kits.path_of("expander").read_text().replace("power = 17", "power = 3")
    assert any("belongs to I²C" in sentence for sentence in problems(tmp_path, text))


# Where the lamps are


def test_a_strip_runs_as_it_is_laid() -> None:
    grid = Grid(2, 3)
    runs = {
        (0, False, False): [1, 2, 3, 4, 5, 6],
        (0, False, True): [1, 2, 3, 6, 5, 4],
        (0, True, False): [3, 2, 1, 6, 5, 4],
        (90, False, False): [3, 6, 2, 5, 1, 4],
        (90, False, True): [3, 6, 5, 2, 1, 4],
        (180, False, False): [6, 5, 4, 3, 2, 1],
        (270, False, False): [4, 1, 5, 2, 6, 3],
        (270, True, False): [1, 4, 2, 5, 3, 6],
    }
    for (rotation, mirrored, serpentine), rooms in runs.items():
        strip = Strip("b", "rooms", rotation=rotation, mirrored=mirrored, serpentine=serpentine)  # type: ignore[arg-type]
        assert rooms_along(strip, grid) == rooms, strip


@pytest.mark.parametrize("name", [name for name in kits.names() if kits.load(name).has_rooms])
def test_every_room_of_a_shipped_kit_has_a_lamp_of_its_own(name: str) -> None:
    kit = kits.load(name)
    kit = kit.fitted(kit.grid)
    lamps = lamp_of_room(kit)
    assert sorted(lamps) == list(kit.grid.rooms)
    assert len(set(lamps.values())) == len(lamps)
