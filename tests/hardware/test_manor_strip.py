"""The status strip of a manor that has no fixed board: sections of one chain, and two buttons."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Any

import pytest

from companion.contract import plain
from hardware import kits
from hardware.frames import HUES, glows
from tests.games.artefacts.house import enter, ghost, shows
from tests.hardware.evening import Evening

DIM = (0, 0, 0)


@pytest.fixture
def evening() -> Iterator[Evening]:
    """A table with the strip; the lamps go through the makers' own encoder for SPI."""
    with Evening("manor") as opened:
        yield opened
        assert opened.wires.driver == "neopixel_spi"
        assert opened.shown == opened.board.shine.frame


def lie(evening: Evening, **changes: Any) -> None:
    """A game that is already under way, blue to act."""
    state = enter(**changes)
    options = {"box": plain(state.options.box), "decks": state.options.decks}
    evening.table.new("artefacts", options, plain(shows(state, "moderator")), seed=5)
    evening.wait(0.1)


def test_every_section_shows_its_gauge(evening: Evening) -> None:
    ghosts = [ghost("red", (4, 0), 5), ghost("green", (0, 0)), ghost("green", (-3, 0), 1, n=2)]
    home = {"yellow": {"home": True}}
    lie(evening, ghosts=ghosts, life={"green": 0, "red": 1}, points=2, artefacts=home)
    counted = {strip: len(evening.lit(strip)) for strip in evening.board.strips()}
    # The last lamp of a section that is not full is a dim flag: so much there can be.
    flag = 1
    assert counted == {
        "turn": 3,
        "points": 2 + flag,
        "life.blue": 3,
        "life.red": 1 + flag,
        "life.yellow": 3,
        "life.green": 0 + flag,
        "escaped": 1 + flag,
        "home": 1 + flag,
        "power.blue1": 0,
        "power.blue2": 0,
        "power.red1": 5 + flag,
        "power.red2": 0,
        "power.yellow1": 0,
        "power.yellow2": 0,
        "power.green1": 2 + flag,
        "power.green2": 1 + flag,
    }


def test_a_colour_has_its_own_light_and_its_own_place(evening: Evening) -> None:
    lie(evening, ghosts=[ghost("red", (4, 0), 3)], life={"blue": 2})
    first = {strip.name: strip.first for strip in evening.kit.strips}
    for name, hue in (("life.blue", "blue"), ("power.red1", "red"), ("points", "warm")):
        red, green, blue = evening.board.shine.frame[first[name] or 0]
        brightest = max(red, green, blue)
        assert (red, green, blue).index(brightest) == HUES[hue].index(max(HUES[hue]))  # type: ignore[index]


def test_the_leader_is_bright_and_whoever_acts_pulses(evening: Evening) -> None:
    lie(evening, leader="red", to_act=["yellow"])
    frames = []
    for _ in range(4):
        evening.wait(0.6)
        frames.append([sum(colour) for colour in evening.shown[:4]])
    blue, red, yellow, green = zip(*frames, strict=True)
    assert len(set(yellow)) > 1
    assert {len(set(lamp)) for lamp in (blue, red, green)} == {1}
    assert red[0] > 3 * max(blue[0], green[0])


def test_ok_goes_through_the_ghosts_steps_and_back_shows_the_last_one_again(evening: Evening) -> None:
    """CFA-23: the ghost that is moved now pulses; nothing else waits for it."""
    lie(evening, ghosts=[ghost("blue", (0, 4), 2), ghost("yellow", (0, -4), 6)])
    for seat in ("blue", "red", "yellow", "green"):
        evening.table.act(seat, {"type": "end"})
    cues, done = evening.table.copying()
    steps = [(plain(cue.event)["type"], cue.gauge) for cue in cues]
    assert done == 0
    assert steps == [
        ("moved", "power.blue1"),
        ("moved", "power.yellow1"),
        ("moved", "power.yellow1"),
        ("grew", "power.blue1"),
        ("round", None),
    ]
    assert pulsing(evening) == {"power.blue1"}
    evening.tap("ok")
    assert pulsing(evening) == {"power.yellow1"}
    evening.tap("back")
    assert pulsing(evening) == {"power.blue1"}
    for _ in range(7):
        evening.tap("ok")
    assert evening.table.copying()[1] == len(cues)
    assert pulsing(evening) == set()
    assert evening.table.standing().to_act == ("table",)


def pulsing(evening: Evening) -> set[str]:
    """The sections in which a lamp moves within a second."""
    frames = []
    for _ in range(4):
        evening.wait(0.3)
        frames.append(evening.shown)
    return {
        strip.name
        for strip in evening.kit.strips
        if len({frame[strip.first or 0 : strip.end] for frame in frames}) > 1
    }


def test_a_whole_game_and_the_strip_is_the_public_picture_all_along(evening: Evening) -> None:
    chance = Random(2)
    evening.table.new("artefacts", {"decks": "virtual"}, seed=2)
    copied = 0
    while waiting := evening.table.standing().to_act:
        evening.table.act(waiting[0], chance.choice(evening.table.legal(waiting[0])))
        if evening.table.copying()[1] < len(evening.table.copying()[0]):
            evening.tap("ok")
            copied += 1
        evening.wait(0.2)
        lit = glows(evening.board._fitted, evening.table.picture())
        shine = {lamp for lamp, colour in enumerate(evening.shown) if colour != DIM}
        assert shine == {lamp for lamp, glow in lit.items() if glow.level}
    assert copied
    assert evening.board.faults() == ()


def test_the_strip_alone_does_for_no_game_with_rooms(evening: Evening) -> None:
    evening.hotel()
    evening.wait(0.1)
    assert "the kit manor has 0 rooms and phantom has 36" in str(evening.board.faults()[0])
    assert not any(map(any, evening.board.shine.frame))


def test_ok_does_nothing_where_nothing_is_to_be_copied() -> None:
    with Evening("joystick") as evening:
        evening.hotel()
        version = evening.table.version
        evening.tap("ok")
        evening.tap("back")
        assert evening.table.version == version


@pytest.mark.parametrize("buttons", ["", "[buttons]\nok = 26\n"])
def test_a_kit_without_rooms_needs_no_more_than_a_strip(tmp_path: Path, buttons: str) -> None:
    file = tmp_path / "mine.toml"
    file.write_text(f'{buttons}[[strips]]\nname = "points"\nshows = "gauge"\nlamps = 3\n')
    assert kits.load(str(file)).fitted(kits.Grid(6, 6)).lamps == 3


def test_whatever_points_at_rooms_needs_lamps_under_them(tmp_path: Path) -> None:
    file = tmp_path / "mine.toml"
    joystick = "[buttons]\nup = 5\ndown = 6\nleft = 13\nright = 19\nok = 26\n"
    file.write_text(f'{joystick}[[strips]]\nname = "points"\nshows = "gauge"\nlamps = 3\n')
    with pytest.raises(kits.BadKit, match="no strip shows the rooms"):
        kits.load(str(file))
