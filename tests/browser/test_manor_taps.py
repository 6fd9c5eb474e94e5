"""How many taps a turn of Chasseurs Fantômes Artéfacts takes two people who draw from real piles."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import count
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Locator, Page, expect

from companion.contract import MODERATOR, plain
from companion.journal import Journal
from companion.table import Table
from tests.browser.house import House, Phone
from tests.browser.test_manor import PEOPLE, mover_of
from tests.games.artefacts.house import WIDE, corridors, enter, ghost, shows, tile

Phones = Callable[..., Phone]
TAPS = BUDGET = 30
"""Taps of both people together in one late turn, and what they may never become; `docs/play.md` says both."""
SMALL = {"width": 360, "height": 640}
LATE: dict[str, Any] = {
    "phase": "laying",
    "round": 7,
    "to_act": ["table"],
    "pending": {"what": "reveal", "n": 4},
    "manor": corridors(
        (1, 2),
        (2, 2),
        (-1, 2),
        (-2, 2),
        (1, -2),
        (-1, -2),
        tile((-1, 3), "trap"),
        tile((3, 2), "teleporter"),
        tile((2, -2), "artefact", colour="red"),
        tile((0, 4), "ghost"),
        tile((4, 0), "ghost"),
    ),
    "pawns": {"blue": (0, 3), "red": (3, 0), "yellow": (0, -3), "green": (-3, 0)},
    "ghosts": [ghost("blue", (0, 4), 3), ghost("red", (4, 0), 5), ghost("green", (-4, 0), 4)],
    "hands": {"blue": ["vacuum"], "yellow": ["kit", "vacuum"]},
    "artefacts": {"red": {"at": (2, -2)}},
}
"""The seventh turn: four tiles are turned up next, and three ghosts are on their way."""


@pytest.fixture
def house(tmp_path: Path) -> Iterator[House]:
    """A house in which a game was left late."""
    table = Table(Journal(tmp_path / "journal"))
    table.new("artefacts", {"box": WIDE}, plain(shows(enter(**LATE), MODERATOR)))
    table.close()
    opened = House(tmp_path)
    yield opened
    opened.stop()


class Thumb:
    """Whoever holds the phone, and every tap they make: where a finger really hits, nowhere else."""

    taps = 0

    def tap(self, what: Locator) -> None:
        Thumb.taps += 1
        what.click()

    def twice(self, what: Locator) -> None:
        """Choose it, and tap the same place again."""
        self.tap(what)
        expect(what).to_be_checked()
        self.does(what)

    def does(self, what: Locator) -> None:
        """A tap that is sent, and answered."""
        page, version = what.page, what.page.locator("#live").get_attribute("data-version")
        page.wait_for_timeout(350)  # one that comes at once is a nervous finger's, and does nothing
        self.tap(what)
        expect(page.locator(f"#live[data-version='{version}']")).to_have_count(0)


def test_a_late_turn_of_two_people_with_real_decks_takes_thirty_taps(phone: Phones, shots: Path) -> None:
    """CFA-20 to CFA-23: four tiles told and laid, four hunters walk, two draw, the ghosts' steps copied."""
    host = phone(viewport=SMALL)
    host.host()
    code = host.page.locator(".bigcode").first.text_content() or ""
    people = []
    for name, colours in PEOPLE.items():
        one = phone(viewport=SMALL, has_touch=True)
        one.join(code, name)
        people.append(one)
        host.goto("/host")
        for colour in colours:
            form = host.page.locator(
                f"form[action='/host/seat']:has([value={colour}])", has_text=f"to {name}"
            )
            host.page.evaluate("form => form.requestSubmit()", form.element_handle())
            expect(form).to_have_count(0)
    for one in people:
        one.goto("/play")
        # Who sits where was told to everybody before this turn.
        one.button("Got it").click()
        expect(one.page.locator(".moments")).to_have_count(0)
    thumb, numbers = Thumb(), count(1)

    def look(page: Page, name: str) -> None:
        (shots / f"manor-taps-{next(numbers):02}-{name}.png").write_bytes(page.screenshot())

    def mover(name: str) -> Page:
        found = mover_of(people)
        assert found is not None
        look(found.page, name)
        return found.page

    page = mover("tell")
    forms = page.locator(".g-reveal .choice")
    assert forms.count() <= 24
    for cell in range(4):
        thumb.tap(forms.nth(cell))
    thumb.does(page.locator("[data-told] .primary"))
    for n in range(4):
        page = mover("lay")
        hand = min(1, 3 - n)
        if hand:
            thumb.tap(page.locator(f"#tile-{hand}"))
        turns = ":not(:only-child)" if n == 0 else ""
        spot = page.locator(f".spots .lies-{hand}>span{turns}>input").first
        thumb.tap(spot)
        if turns:
            thumb.tap(page.locator("[data-turn-tile]"))
            spot = page.locator(".spots input:checked")
        look(page, "laid")
        thumb.does(spot)
    for n in range(4):
        page = mover("act")
        if n < 2:
            thumb.twice(page.locator(".g-draw input").nth(n))
            page = mover("drawn")
        far = page.locator(".spot input[data-note='2 steps.'], .spot input[data-note='3 steps.']").last
        thumb.tap(far)
        look(page, "walk")
        thumb.does(page.locator("[data-confirm] .ending"))
    for one in people:
        expect(one.page.locator(".cue small")).to_contain_text("Step 1 of")
    look(people[0].page, "copy")
    thumb.does(people[0].page.get_by_role("button", name="Done: all steps"))
    expect(people[1].page.locator(".cue")).to_contain_text("Table and companion agree.")
    assert Thumb.taps == TAPS <= BUDGET, f"{Thumb.taps} taps"
