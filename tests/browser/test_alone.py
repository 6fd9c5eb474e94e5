"""One person alone hunts Max, whom the companion plays as well as it can."""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from playwright.sync_api import expect

from tests.browser.house import House, Phone
from tests.browser.test_castles import tap

Phones = Callable[..., Phone]
ANIMALS = ("bats", "cats", "hedgehogs", "mice", "owls")
MAX_THINKS = 20_000
"""Milliseconds in which the companion has moved, on a busy machine too."""


@pytest.fixture(autouse=True)
def nobody_else_is_here(house: House) -> Iterator[None]:
    """Each evening begins in an empty house."""
    yield
    house.empty()


def alone(phone: Phones, animals: int) -> Phone:
    """Zoé counts her animals, gives Max to the companion and sits down: three figures are hers."""
    zoe = phone()
    zoe.host("Zoé")
    page = zoe.page
    page.locator("button[name=game][value=canterville]").click()
    for animal in ANIMALS:
        page.locator(f"input[name={animal}]").fill(str(animals))
    zoe.button("Keep").click()
    page.get_by_text("The companion plays Max").click()
    level = page.locator("select[name=level]")
    expect(level).to_be_visible()
    level.select_option("strong")
    page.locator("input[name=players][value='2']").check(force=True)
    seat = page.locator("form[action='/seat/take']:has(input[value='h1'])")
    seat.get_by_role("button").click()
    expect(seat).to_have_count(0)
    page.locator("button[formaction='/host/start']").first.click()
    page.wait_for_url("**/play")
    return zoe


def hunt(zoe: Phone, chance: random.Random, shots: Path) -> int:
    """She walks where chance leads her, by taps, until the game is over; gives the number of her turns."""
    page = zoe.page
    for turn in range(400):
        expect(page.locator(".turn.lit, .won").first).to_be_visible(timeout=MAX_THINKS)
        if page.locator(".won").count():
            return turn
        if turn == 4:
            (shots / "bots-alone.png").write_bytes(page.screenshot(full_page=True))
        before = page.locator("#live").get_attribute("data-version")
        ways = page.locator("input:is([id^=pick-a-], [id^=pick-b-], [id^=pick-c-]):visible")
        if (frames := page.locator("main button[name=action]")).count() and not ways.count():
            frames.first.click()
        elif ways.count():
            ways.nth(chance.randrange(ways.count())).check(force=True)
            page.locator("[data-confirm] .btn.primary").click()
        else:
            page.locator(".stays button").first.click()
        expect(page.locator(f"#live[data-version='{before}']")).to_have_count(0)
    raise AssertionError("the hunt has no end")


@pytest.mark.parametrize("animals", [1, pytest.param(5, marks=pytest.mark.slow)])
def test_one_person_alone_against_strong_max(phone: Phones, shots: Path, animals: int) -> None:
    zoe = alone(phone, animals)
    for figure, room in (("a", 1), ("b", 4), ("c", 31)):
        tap(zoe, figure, room)
    expect(zoe.page.locator("input[id^=pick-]")).to_have_count(0)  # all have their places: Max is next
    assert hunt(zoe, random.Random(3), shots) > animals
    zoe.heading(re.compile("Max|hunters"))
    expect(zoe.page.locator(".characters li")).to_have_count(1)
    (shots / "bots-alone-result.png").write_bytes(zoe.page.screenshot(full_page=True))
