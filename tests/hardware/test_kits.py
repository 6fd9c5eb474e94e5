"""Kits are typed, and everything wrong with one is told at once, with its line and what to do."""

from __future__ import annotations

from pathlib import Path

import pytest

from companion.words import LANGUAGES
from hardware import kits
from hardware.arrangement import lamp_of_room, rooms_along
from hardware.kits import BadKit, Grid, NoSuchKit, Strip

SHIPPED = (
    "castle-expander castle-joystick castle-rows castle-sensing "
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
    with pytest.raises(NoSuchKit, match="there is no kit joystik; there are: castle-expander"):
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
        ("rows = 6", "rows = 'six'", "mine.toml, line 2: rows cannot be this: Expected `int`, got `str`"),
        ("rows = 6\n", "", "mine.toml, line 1: rows is missing in [board]: add it"),
        ("left = 13", "left = 6", "mine.toml, line 8: GPIO6 is used by down and by left: use another"),
        ("left = 13", "left = 9", "mine.toml, line 8: left is on GPIO9, which belongs to SPI"),
        ("left = 13", "left = 14", "mine.toml, line 8: left is on GPIO14, which belongs to the serial"),
        ("left = 13", "left = 1", "mine.toml, line 8: left is on GPIO1, which is kept for the chip"),
        ("left = 13", "left = 40", "mine.toml, line 8: left is on GPIO40, which the header does not have"),
        ("left = 13\n", "", "mine.toml, line 5: a joystick has four directions; missing: left"),
        ("ok = 26\n", "", "mine.toml, line 5: there is no ok button"),
        ("lamps = 36", "lamps = 35", "mine.toml, line 15: room 36 has no lamp"),
        ("lamps = 36", "lamps = 30", "line 15: 6 rooms have no lamp (31, 32, 33, 34, 35, 36)"),
        ("lamps = 96", "lamps = 90", "line 20: the strip damage ends at lamp 95, but the chain has 90"),
        ("lamps = 60", "lamps = 60\nfirst = 30", "line 20: the strips damage and board share lamps"),
        ("lamps = 96", "lamps = 166", "line 12: 166 lamps are too many for one SPI message, 165 fit"),
        ("lamps = 96", "driver = 'ws2812'", "line 13: there is no light driver ws2812; there are: neopixel,"),
        ("lamps = 96", "pin = 18", "mine.toml, line 13: SPI sends on GPIO10, not on GPIO18: set pin = 10"),
        ("lamps = 96", "driver = 'neopixel'\npin = 4", "line 14: rpi_ws281x cannot send from GPIO4"),
        ("lamps = 96", "order = 'GRX'", "mine.toml, line 13: order cannot be this"),
        ("lamps = 96", "brightness = 2", "mine.toml, line 13: brightness cannot be this"),
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
    assert sentences["fr"].startswith("mine.toml, ligne 10 : ok est sur GPIO9")
    assert sentences["de"].startswith("mine.toml, Zeile 10: ok ist an GPIO9")


@pytest.mark.parametrize(
    ("change", "expected"),
    [
        ("addresses = [0x20, 0x21]", "the chips have 32 inputs and 39 are needed: use 3 chips"),
        ("addresses = [0x20, 0x20, 0x22]", "two chips have the same address"),
        ("addresses = [0x20, 0x21, 0x48]", "an MCP23017 cannot have the address 0x48"),
    ],
)
def test_chips_must_be_enough_and_apart(tmp_path: Path, change: str, expected: str) -> None:
    text = kits.path_of("expander").read_text().replace("addresses = [0x20, 0x21, 0x22]", change)
    assert any(expected in sentence for sentence in problems(tmp_path, text))


def test_a_button_is_not_on_an_input_of_a_room(tmp_path: Path) -> None:
    text = (
        kits.path_of("expander").read_text().replace("ok = 36", "ok = 35").replace("peek = 38", "peek = 37")
    )
    found = problems(tmp_path, text)
    assert "the button ok must be on an input from 36 to 47" in found[0]
    assert "input 37 is used by back and by peek" in found[1]


def test_i2c_pins_serve_a_button_only_where_nothing_else_needs_them(tmp_path: Path) -> None:
    assert problems(tmp_path, GOOD.replace("ok = 26", "ok = 3")) == []
    text = kits.path_of("expander").read_text() + "\n[buttons]\nok = 3\n"
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
