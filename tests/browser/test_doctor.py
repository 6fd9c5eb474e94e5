"""The doctor's page as a host uses it: by taps, with a live line to the board."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

from playwright.sync_api import expect

from tests.browser.house import House, Phone
from tests.browser.test_pages import Looker, speak
from web.render.lamps import seen

Phones = Callable[..., Phone]


def test_doctor_walks_the_host_through_the_board(phone: Phones, house: House, shots: Path) -> None:
    looker, host = Looker(shots), phone()
    host.host()
    host.page.locator("details.menu > summary").click()
    host.page.get_by_role("link", name="Examine the board").click()
    host.heading("Shall we look at the board?")
    looker.everywhere(host, "doctor-hello")
    speak(host, "en")
    host.button("Begin").click()
    host.heading("The first lamp is lit: which colour do you see?")
    expect(host.page.get_by_text("board, lit: 1")).to_be_visible()
    looker.everywhere(host, "doctor-colour")
    speak(host, "en")
    host.button("Red").click()
    expect(host.page.locator("circle[r='8']")).to_have_attribute("fill", seen("14c81e"))
    host.button("Green").click()
    looker.look(host, "doctor-room")
    for lamp, room in ((0, 1), (1, 2), (6, 7)):
        host.heading(re.compile(f"^Lamp {lamp} is lit"))
        host.page.get_by_label("Number").fill(str(room))
        host.button("Say it").click()
    host.heading(re.compile("^6 lamps of board are lit, numbers 0 to 5"))
    while host.page.locator("h1", has_text="Press Joystick up").count() == 0:
        asked = host.page.locator("h1").inner_text()
        host.button("Yes" if "do you see" in asked else "Skip").click()
        expect(host.page.locator("h1")).not_to_have_text(asked)
    for button in ("Up", "Down", "Left", "Right", "OK", "Back"):
        host.button(button).click()
    host.heading("Press PEEK, or say skip if nothing happens")
    host.button("Skip").click()
    host.page.get_by_label("Number").fill("2.5")
    host.button("Say it").click()
    host.heading("The visit is over: there is something to mend")
    host.button("Write the kit").click()
    expect(host.page.get_by_role("status").filter(has_text="board.toml")).to_be_visible()
    looker.everywhere(host, "doctor-over")
