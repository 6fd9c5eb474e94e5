"""The README's pictures, taken of the real pages in a game under way: `make pictures`."""

from __future__ import annotations

import random
import shutil
import tempfile
from pathlib import Path
from typing import Any

from playwright.sync_api import Browser, sync_playwright

from tests.browser.conftest import FLAGS, NAMES
from tests.browser.house import LAPTOP, House, Phone
from tests.browser.test_evening import begin, hide_the_ghosts, layout, next_to_act, seated

SHOTS = Path(__file__).parents[2] / "docs/shots"


def shoot(one: Phone, name: str) -> None:
    """A small picture of what the screen shows now."""
    one.page.wait_for_timeout(500)
    one.page.screenshot(path=SHOTS / f"{name}.jpg", type="jpeg", quality=72)


def play(browser: Browser, house: House) -> None:
    """A learning game after six moves: the table page, and a master's phone with his secrets open."""

    def phone(**kind: Any) -> Phone:
        return Phone(browser, house, **kind)

    chance = random.Random(3)
    host, phones = seated(phone, 4)
    table = phone(viewport=LAPTOP)
    table.goto("/table")
    begin(host, privacy="learning", **{"option-layout": layout(chance)})
    masters = [phones["p2"], phones["p4"]]
    hide_the_ghosts(masters, chance, 2)
    for _ in range(6):
        mover = next_to_act(phones)
        rooms = mover.in_reach() if mover in masters else mover.rooms()
        mover.take(chance.choice(rooms), "Wreck it" if mover in masters else "Lift it")
    mover = next_to_act(phones)
    shoot(table, "table")
    mover.page.locator(".hold").dispatch_event("pointerdown")
    shoot(mover, "master")


def main() -> None:
    """Open a house, play, and close it again."""
    chromium = next(filter(None, map(shutil.which, NAMES)))
    with tempfile.TemporaryDirectory() as state, sync_playwright() as playwright:
        house = House(Path(state))
        browser = playwright.chromium.launch(executable_path=chromium, args=list(FLAGS))
        try:
            play(browser, house)
        finally:
            browser.close()
            house.stop()


if __name__ == "__main__":
    main()
