"""A kit made of choices: complete from the first on, checked as one goes, read again as it was made."""

from __future__ import annotations

from itertools import product
from typing import Any

import msgspec
import pytest
from msgspec.structs import replace

from hardware import kits
from hardware.checks import pins
from hardware.design import Choices, Hands, built, design
from hardware.kits import SecondChain
from hardware.maker import named
from tests.hardware.evening import Evening

HANDS = ("joystick", "rows", "encoder", "matrix", "chips", "halls")


def test_without_any_choice_there_is_a_kit_that_can_be_built() -> None:
    made = design(Choices())
    assert made.problems == ()
    assert "[[strips]]" in made.text
    assert "## mine" in made.sheet
    assert made.drawing.startswith("<svg")
    assert (made.supply_amperes, made.worst_amperes) == (8, 5.8)
    assert made.template == ""


@pytest.mark.parametrize(("rooms", "hands"), [*product(("36", "54"), HANDS)])
def test_every_way_to_build_is_free_of_problems_and_reads_as_it_was_made(rooms: Any, hands: Any) -> None:
    choices = Choices(rooms=rooms, hands=hands, power_button=True, width_mm=360)
    made = design(choices)
    assert [str(problem) for problem in made.problems] == []
    kit = kits.parse(made.text, "mine.toml")
    assert kit == built(choices)
    assert "<circle" in made.template
    used = [pin for _, _, pin in pins(kit)]
    assert len(used) == len(set(used))


@pytest.mark.parametrize(
    ("rooms", "hands"),
    [*product(("36",), HANDS), ("54", "joystick"), ("54", "encoder"), ("54", "chips")],
)
def test_a_gauge_may_have_a_chain_of_its_own(rooms: Any, hands: Any) -> None:
    choices = Choices(rooms=rooms, hands=hands, two_chains=True)
    made = design(choices)
    assert [str(problem) for problem in made.problems] == []
    kit = kits.parse(made.text, "mine.toml")
    assert kit.second_chain == SecondChain(first=len(kit.grid.rooms), pin=20)


@pytest.mark.parametrize("hands", HANDS)
def test_what_was_chosen_can_be_played_with(hands: Any) -> None:
    with Evening(built(Choices(hands=hands))) as evening:
        evening.hotel()
        evening.lay_tiles()
        evening.table.act("p2", {"type": "remove", "room": 9})
        if evening.kit.senses_tiles:
            evening.lift(9)
        if hands == "encoder":
            evening.tap("next")
            evening.tap("ok")
            evening.tap("ok")
        else:
            evening.remove(1)
        assert [removal.room for removal in evening.shows().removed] == [9, 1]


@pytest.mark.parametrize(
    ("choices", "expected"),
    [
        (
            Choices(pins={"ok": 5, "up": 5}),
            "GPIO5 is used by Joystick up and by OK: use another, for example GPIO27",
        ),
        (Choices(pins={"ok": 9}), "OK is on GPIO9, which belongs to SPI"),
        (Choices(gauge_lamps=200), "236 lamps need 5792 bytes in one SPI message"),
        (Choices(most_ma=30_000), "30000 mA (most_ma) are more than 96 lamps can draw"),
        (Choices(buttons=("back",)), "there is no ok button"),
        (Choices(two_chains=True, driver="neopixel"), "only the driver neopixel_spi has two chains"),
        (Choices(two_chains=True, gauge_lamps=0), "second chain"),
        (Choices(rooms="54", hands="rows", two_chains=True), "by OK and by BACK: no pin is left; leave out"),
        (Choices(lamp_pin=4), "SPI sends on GPIO10"),
        (Choices(width_mm=120), "20 mm a room are too little"),
        (Choices(rooms="54", hands="matrix", status_lamp=True, power_button=True), "no pin is left"),
    ],
)
def test_what_does_not_go_is_told_as_it_is_chosen(choices: Choices, expected: str) -> None:
    made = design(choices)
    assert any(expected in str(problem) for problem in made.problems), made.problems
    assert made.sheet == made.drawing == made.template == ""
    assert made.text


@pytest.mark.parametrize("hands", ["joystick", "encoder", "rows", "matrix"])
def test_a_power_button_is_where_it_wakes_the_pi_unless_chips_or_a_wish_are_there(hands: Hands) -> None:
    button = Choices(hands=hands, power_button=True)
    assert built(button).buttons["power"] == 3
    assert built(replace(button, hands="chips")).buttons["power"] not in (2, 3)
    assert built(replace(button, pins={"power": 12})).buttons["power"] == 12
    assert built(replace(button, pins={"ok": 3})).buttons["power"] != 3


def test_problems_speak_the_readers_language() -> None:
    (problem,) = design(Choices(pins={"ok": 9}), "de").problems
    assert problem.said("de").startswith("„OK“ ist an GPIO9")


def test_choices_are_read_from_what_a_form_sends() -> None:
    sent = {"rooms": "54", "hands": "matrix", "gauge_lamps": 40, "buttons": ["ok", "back"]}
    assert msgspec.convert(sent, Choices).hands == "matrix"
    for wrong in ({"hands": "feet"}, {"name": "../../etc/passwd"}, {"most_ma": 10}, {"lamps": 3}):
        with pytest.raises(msgspec.ValidationError):
            msgspec.convert(wrong, Choices)


def test_a_name_with_accents_keeps_its_letters() -> None:
    assert named("Château d’Été") == "chateau-d-ete"
