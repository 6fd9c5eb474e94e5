"""The example of docs/add-a-game.md on phones: with no page written, and with one of its own."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, expect

from tests.browser.house import LAPTOP, House, Phone
from tests.example_game.installing import environment

Phones = Callable[..., Phone]


@pytest.fixture
def attic(browser: Browser, tmp_path: Path, request: pytest.FixtureRequest) -> Iterator[Phones]:
    """A daemon where the example is installed, with its pages or without; and phones."""
    house = House(tmp_path / "state", environment(tmp_path / "installed", *request.param))
    phones: list[Phone] = []

    def taken(**kind: object) -> Phone:
        phones.append(Phone(browser, house, **kind))
        return phones[-1]

    yield taken
    for one in phones:
        one.close()
    house.stop()


def begun(phone: Phones) -> tuple[Phone, Phone, Phone]:
    """Host, ghost and seeker of a game of the attic that has begun."""
    host = phone()
    code = host.host()
    host.button("The ghost in the attic", exact=False).click()
    expect(host.page.locator(".seats").first.locator("li")).to_have_count(2)
    ghost, seeker = phone(), phone()
    for one, name, seat in ((ghost, "Ada", "ghost"), (seeker, "Hamish", "seeker")):
        one.join(code, name)
        one.sit(seat)
    host.button("Begin").click()
    ghost.heading("Your turn, Ada")
    return host, ghost, seeker


def tap(one: Phone, room: int, do: str) -> None:
    """Choose a square, and confirm."""
    one.page.locator(f"label:has(#square-{room})").click()
    one.button(do).click()


@pytest.mark.parametrize("attic", [("companion.games",)], indirect=True)
def test_a_game_without_pages_is_played_on_phones(attic: Phones, shots: Path) -> None:
    host, ghost, seeker = begun(attic)
    table, moderator = attic(viewport=LAPTOP), attic(viewport=LAPTOP)
    table.goto("/table")
    moderator.moderate(agreed=(ghost, seeker))
    (shots / "generic-hide.png").write_bytes(ghost.page.screenshot())
    tap(ghost, 5, "Hide")
    seeker.heading("Your turn, Hamish")
    # Where the ghost hides is behind the button, on its own phone and nowhere else.
    own = ghost.page.locator(".own")
    expect(own).to_be_hidden()
    ghost.page.locator(".hold").click()
    expect(own).to_contain_text("The ghost")
    expect(own).to_contain_text("5")
    (shots / "generic-secret.png").write_bytes(ghost.page.screenshot())
    expect(seeker.page.locator(".hold")).to_have_count(0)
    expect(seeker.page.locator("dl.facts")).not_to_contain_text("5")
    tap(seeker, 1, "Open a door")
    # Everybody sees it at once.
    for one in (seeker, ghost, table, moderator):
        expect(one.page.locator("[data-room='1']").first).to_have_attribute(
            "aria-label", re.compile("a cold breath")
        )
    seeker.page.locator("label:has(#square-3)").click()
    (shots / "generic-seek.png").write_bytes(seeker.page.screenshot(full_page=True))
    (shots / "generic-moderator.png").write_bytes(moderator.page.screenshot())
    (shots / "generic-table.png").write_bytes(table.page.screenshot())
    tap(seeker, 5, "Open a door")
    for one in (seeker, ghost, table):
        one.heading("The ghost is found")
    (shots / "generic-over.png").write_bytes(seeker.page.screenshot(full_page=True))
    expect(seeker.page.get_by_role("link", name="Save the story")).to_be_visible()
    assert "The ghost is found" in seeker.page.request.get("/story.html").text()
    (shots / "generic-host.png").write_bytes(host.page.screenshot())


@pytest.mark.parametrize("attic", [("companion.games", "companion.pages")], indirect=True)
def test_the_same_game_with_a_page_of_its_own(attic: Phones, shots: Path) -> None:
    _, ghost, seeker = begun(attic)
    tap(ghost, 9, "Hide")
    seeker.heading("Your turn, Hamish")
    expect(seeker.page.locator(".note")).to_have_text("4 doors are left to open.")
    tap(seeker, 1, "Open a door")
    expect(seeker.page.locator(".note")).to_have_text("3 doors are left to open.")
    (shots / "own-page.png").write_bytes(seeker.page.screenshot())
