"""Other hands: a keyboard alone, and a browser without scripts."""

from __future__ import annotations

import json
import random
from collections.abc import Callable

from playwright.sync_api import expect

from tests.browser.house import House, Phone
from tests.browser.test_evening import begin, hide_the_ghosts, layout, seated

Phones = Callable[..., Phone]


def test_a_hunter_plays_by_keyboard_and_the_board_is_spoken(phone: Phones, house: House) -> None:
    chance = random.Random(9)
    board = json.loads(layout(chance))
    host, phones = seated(phone, 2)
    begin(host, **{"option-layout": json.dumps(board)})
    hide_the_ghosts([phones["p2"]], chance, 4)
    phones["p2"].heading("Your turn, Hamish")
    phones["p2"].take(phones["p2"].in_reach()[0], "Wreck it")
    ada = phones["p1"]
    ada.heading("Your turn, Ada")
    grid = ada.page.get_by_role("grid", name="The board")
    expect(grid.get_by_role("gridcell")).to_have_count(36)
    names = {"blue": "bedroom", "red": "library", "green": "smoking room", "white": "laundry"}
    room = next(room for room in ada.rooms() if room not in (1, 2, 7, 8))
    colour, value = board[room - 1]
    spoken = f"Room {room}, {colour} {names[colour]}, {value},000 pounds"
    expect(grid.get_by_role("radio", name=spoken, exact=True)).to_have_count(1)

    ada.page.locator("#room-1").focus()
    row, column = divmod(room - 1, 6)
    for key in ["ArrowDown"] * row + ["ArrowRight"] * column:
        ada.page.keyboard.press(key)
    expect(ada.page.locator(f"#room-{room}")).to_be_focused()
    expect(ada.page.locator("[data-confirm]")).to_be_hidden()
    ada.page.keyboard.press("Space")
    expect(ada.page.locator(".confirm [data-what]")).to_have_text(f"Room {room}, {colour} {names[colour]}")
    ada.page.get_by_role("button", name="Lift it").focus()
    ada.page.keyboard.press("Enter")
    expect(ada.page.locator(f"#room-{room}.gone")).to_have_count(1)


def test_an_evening_without_scripts(phone: Phones, house: House) -> None:
    house.empty()
    chance = random.Random(10)
    host = phone()
    code = host.host()
    host.page.locator("#plan input[name=players][value='2']").check(force=True)
    expect(host.page.locator(".seats").first.locator("li")).to_have_count(2)
    ada, hamish = phone(java_script_enabled=False), phone(java_script_enabled=False)
    for one, name, seat in ((ada, "Ada", "p1"), (hamish, "Hamish", "p2")):
        one.join(code, name)
        one.sit(seat)
    host.button("Begin").click()
    for number, one in enumerate((ada, hamish, ada)):
        one.goto("/play")
        one.lay(3, number + 1)
    host.page.get_by_text("End this game").click()
    host.button("End it now").click()
    host.heading("Who plays tonight?")
    begin(host, **{"option-layout": layout(chance)})
    for colour in ("blue", "red", "green", "white"):
        hamish.goto("/play")
        hamish.page.locator(f".tile.w-{colour} input").nth(4).check(force=True)
        hamish.confirm("Hide it")
    hamish.goto("/play")
    far = next(room for room in hamish.rooms() if room not in hamish.in_reach())
    hamish.choose(far)
    hamish.confirm("Wreck it")
    expect(hamish.page.get_by_role("alert")).to_be_visible()
    hamish.take(hamish.in_reach()[0], "Wreck it")
    ada.goto("/play")
    ada.take(ada.rooms()[0], "Lift it")
    expect(ada.page.locator("h1")).to_have_text("Hamish haunts")
