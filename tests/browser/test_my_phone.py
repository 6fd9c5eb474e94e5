"""One person's eyes and hands: the board seen from their side of the table, in the look they chose."""

from __future__ import annotations

from collections.abc import Callable
from itertools import product
from typing import Any

import pytest
from playwright.sync_api import expect

from tests.browser.house import House, Phone
from tests.browser.test_keyboard import Partner, begin, table_for_two
from tests.browser.test_pages import CONTRAST, Axe
from web.admin.settings.look import CHOICES

Phones = Callable[..., Phone]
MIDDLES = """all => Object.fromEntries(all.map(one => {
    const { left, top, width, height } = (one.closest("label") ?? one).getBoundingClientRect();
    const board = one.closest(".board").getBoundingClientRect();
    const cell = (at, from, size) => 1 + Math.floor((at - from) / size * 6);
    return [one.dataset.room, [cell(top + height / 2, board.top, board.height),
                               cell(left + width / 2, board.left, board.width)]];
}))"""
SEEN_FROM: dict[str, Callable[[int, int], list[int]]] = {
    "bottom": lambda row, column: [row, column],
    "right": lambda row, column: [column, 7 - row],
    "top": lambda row, column: [7 - row, 7 - column],
    "left": lambda row, column: [7 - column, row],
}
"""Where a room of the printed board is seen from each of its edges, in rows and columns."""


@pytest.fixture
def evening(phone: Phones) -> tuple[Phone, Partner]:
    """A hunter whose turn it is, and a master."""
    host, zoe, code = table_for_two(phone, "p2")
    ada = phone()
    ada.join(code, "Ada")
    ada.sit("p1")
    begin(host, 30)
    zoe.hide()
    zoe.move()
    ada.heading("Your turn, Ada")
    return ada, zoe


def choose(one: Phone, *wishes: str) -> None:
    """Say on "My phone" what one likes, and come back."""
    one.page.locator(".menu > summary").click()
    one.page.get_by_role("link", name="My phone").click()
    for wish in wishes:
        one.page.get_by_label(wish, exact=True).check()
    one.button("Done").click()
    one.page.wait_for_url("**/play")


def places(one: Phone) -> dict[str, list[int]]:
    found: dict[str, list[int]] = one.page.locator(".cells [data-room]").evaluate_all(MIDDLES)
    return found


def test_my_side_of_the_table_is_down(evening: tuple[Phone, Partner], house: House) -> None:
    ada, zoe = evening
    choose(ada, "At its right edge", "Very large", "Left")
    expect(ada.page.locator("html")).to_have_attribute("data-text", "huge")
    choose(zoe.one, "At its right edge")
    for side, seen in SEEN_FROM.items():
        for one in (ada, zoe.one):
            one.page.evaluate("side => { document.documentElement.dataset.side = side }", side)
            drawn = {room: seen(*(1 + part for part in divmod(int(room) - 1, 6))) for room in places(one)}
            assert places(one) == drawn, side
        below_and_right(ada, seen)
    secrets_lie_on_their_rooms(zoe.one)
    ada.page.reload()
    expect(ada.page.locator("html")).to_have_attribute("data-side", "right")
    there_is_contrast_in_every_look(ada)


def below_and_right(one: Phone, seen: Callable[[int, int], list[int]]) -> None:
    """Arrows go where they point, and rooms keep their true names."""
    at = one.page.locator(".cells [data-room='15']")
    at.focus()
    row, column = places(one)["15"]
    for key, place in (("ArrowDown", [row + 1, column]), ("ArrowRight", [row + 1, column + 1])):
        one.page.keyboard.press(key)
        room: str = one.page.evaluate("document.activeElement.dataset.room")
        assert places(one)[room] == place, key
        label: str = one.page.evaluate("document.activeElement.ariaLabel")
        assert label.startswith(f"Room {room},")


def there_is_contrast_in_every_look(one: Phone) -> None:
    """Every palette by night and by daylight, as a program counts it."""
    one.choose(one.rooms()[0])
    for colours, scheme in product(CHOICES["colours"], ("dark", "light")):
        one.page.evaluate("name => { document.documentElement.dataset.colours = name }", colours)
        one.page.emulate_media(color_scheme=scheme)  # type: ignore[arg-type]
        found = Axe().run(one.page, options=CONTRAST).response["violations"]
        assert not found, (colours, scheme, [node["html"] for node in found[0]["nodes"]])


def secrets_lie_on_their_rooms(one: Phone) -> None:
    """Ghosts and lines over the board turn with it, and stand upright."""
    one.page.locator(".hold").click()
    for side in SEEN_FROM:
        one.page.evaluate("side => { document.documentElement.dataset.side = side }", side)
        for den in one.page.locator(".over.secret g[transform]").all():
            room = den.locator(".sec-no").text_content()
            box, tile = middle(den), middle(one.page.locator(f".cells [data-room='{room}']"))
            assert abs(box[0] - tile[0]) < 6, (side, room)
            assert abs(box[1] - tile[1]) < 6, (side, room)


def middle(one: Any) -> tuple[float, float]:
    box = one.bounding_box()
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
