"""Frames and lamps of the table page say the same at the same moment, and it is what is true then."""

from __future__ import annotations

import json
import os
import random
from collections.abc import Iterator
from typing import Any

import pytest
from playwright.sync_api import Browser

from tests.browser.house import House
from tests.browser.people import People, Screen
from tests.browser.test_evening import NAMES, layout

PRIVACIES = ("learning", "fair", "eyes_closed")
TURNS = 3
"""A master, a hunter and the other master: what is lit is another thing after each."""
LIGHT = """() => {
    const room = (one) => Number(one.closest("[data-room]").dataset.room);
    const rooms = (found) => found.map(room).sort((a, b) => a - b);
    const tiles = [...document.querySelectorAll(".house .tile")];
    return {
        framed: rooms(tiles.filter((one) => getComputedStyle(one).filter === "none")),
        lamps: rooms(tiles.map((one) => one.querySelector(".bulb.on")).filter(Boolean)),
    };
}"""


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[House]:
    """A daemon whose wired kits are mocks."""
    opened = House(tmp_path_factory.mktemp("house"), {**os.environ, "GPIOZERO_PIN_FACTORY": "mock"})
    yield opened
    opened.stop()


@pytest.fixture
def people(house: House) -> People:
    return People(house, NAMES, game="phantom", players="4")


def true_light(people: People, privacy: str) -> list[int]:
    """The rooms on which a lamp shines now: what a master may wreck, or what a line can have come from."""
    mover, legal = next(iter(people.to_act().items()))
    rooms = sorted(action["room"] for action in legal if action["type"] == "remove")
    if privacy == "learning" and mover in ("p2", "p4"):
        return rooms
    told: dict[str, Any] = json.loads(people.phones["p1"].get("/api/v1/lamps?seat=p1").text)
    return sorted(int(room) for room, marks in told["marks"].items() if "origin" in marks)


@pytest.mark.parametrize("kit", ["simulated", "joystick", "rows", "sensing", "expander"])
def test_frames_are_lit_where_lamps_are_after_every_turn(
    browser: Browser, house: House, people: People, kit: str
) -> None:
    chance = random.Random(6)
    assert people.host.post("/welcome/kit", kit=kit).status == 200
    screen = Screen(browser, house)
    screen.page.goto("/table")
    for privacy in PRIVACIES:
        people.begin(privacy=privacy, **{"option-layout": layout(chance)})
        people.play_past(chance, "hide", "ready")
        for turn in range(TURNS):
            before = screen.page.locator("#live").get_attribute("data-turn")
            people.play(chance)
            screen.page.wait_for_function(
                "before => document.querySelector('#live').dataset.turn !== before", arg=before
            )
            at_once = screen.page.evaluate(LIGHT)
            screen.page.wait_for_timeout(250)
            later = screen.page.evaluate(LIGHT)
            light = true_light(people, privacy)
            assert at_once == later == {"framed": light, "lamps": light}, (kit, privacy, turn)
        people.host.post("/host/abandon")
    screen.close()
    house.empty()
