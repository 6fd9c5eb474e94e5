"""The buttons of a simulated board on the table page: however many there are, they wrap at every width."""

from __future__ import annotations

import os
import random
from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser

from tests.browser.house import House
from tests.browser.people import People, Screen
from tests.browser.test_evening import NAMES, layout

WIDTHS = (320, 390, 600, 768, 1024, 1366, 1920)
OUTSIDE = """() => [...document.querySelectorAll(".kit .btn")].filter(button => {
  const box = button.getBoundingClientRect();
  return box.left < 0 || box.right > innerWidth || box.width < 1;
}).map(button => button.value)"""
OVERLAP = """() => {
  const boxes = [...document.querySelectorAll(".kit .btn")].map(button => button.getBoundingClientRect());
  return boxes.some((a, i) => boxes.some((b, j) => i < j && a.left < b.right - 1 && b.left < a.right - 1
    && a.top < b.bottom - 1 && b.top < a.bottom - 1));
}"""


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[House]:
    """A daemon whose wired kits are mocks."""
    opened = House(tmp_path_factory.mktemp("house"), {**os.environ, "GPIOZERO_PIN_FACTORY": "mock"})
    yield opened
    opened.stop()


@pytest.mark.parametrize(("kit", "least"), [("rows", 16), ("sensing", 40)])
def test_they_wrap_before_and_in_a_game(browser: Browser, house: House, kit: str, least: int) -> None:
    people = People(house, NAMES, game="phantom", players="4")
    assert people.host.post("/welcome/kit", kit=kit).status == 200
    screen = Screen(browser, house, people.host, locale="fr")
    screen.page.goto("/table")
    for playing in (False, True):
        if playing:
            people.begin(privacy="fair", **{"option-layout": layout(random.Random(6))})
            screen.page.goto("/table")
        assert screen.page.locator(".kit .btn").count() >= least
        words = screen.page.locator(".kit .btn").all_inner_texts()
        assert "Marche-arrêt" in words
        assert {"rows": "Colonne 6", "sensing": "Pièce 36"}[kit] in words
        for width in WIDTHS:
            screen.page.set_viewport_size({"width": width, "height": 900})
            assert screen.page.evaluate(OUTSIDE) == [], (kit, width, playing)
            assert not screen.page.evaluate(OVERLAP), (kit, width, playing)
    people.host.post("/host/abandon")
    screen.close()
    house.empty()
