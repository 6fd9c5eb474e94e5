"""My side of the table is down: castle and manor are turned, and what is read on them stands upright."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from playwright.sync_api import expect

from tests.browser import test_castles as castles
from tests.browser import test_manor as manors
from tests.browser.house import LAPTOP, House, Phone

Phones = Callable[..., Phone]
Place = tuple[float, float]
WIDTH = 390
HAND: dict[str, Any] = {"viewport": {"width": WIDTH, "height": 844}}
THUMB = 24
"""Pixels that a finger needs at least."""
SEEN_FROM: dict[str, Callable[[float, float], Place]] = {
    "bottom": lambda x, y: (x, y),
    "right": lambda x, y: (1 - y, x),
    "top": lambda x, y: (1 - x, 1 - y),
    "left": lambda x, y: (y, 1 - x),
}
"""Where a place on the board is seen from each of its edges, in parts of its width and height."""
PLACES = """all => Object.fromEntries(all.map((one) => {
    const here = one.getBoundingClientRect();
    const board = one.closest(".turns").getBoundingClientRect();
    return [one.id, [(here.left + here.width / 2 - board.left) / board.width,
                     (here.top + here.height / 2 - board.top) / board.height]];
}))"""
TURNED = """all => all.map((one) => {
    let turn = 0;
    for (; one; one = one.parentElement) turn += parseFloat(getComputedStyle(one).rotate) || 0;
    return (turn % 360 + 360) % 360;
})"""
REACH = """([x, y]) => {
    const board = document.querySelector(".turns").getBoundingClientRect();
    scrollBy(0, board.top + board.height * y - 300);
    const there = document.querySelector(".turns").getBoundingClientRect();
    return [there.left + there.width * x, there.top + there.height * y];
}"""
BOXES = """all => all.map((one) => {
    const { left, top, right, bottom } = one.getBoundingClientRect();
    return [left, top, right, bottom].map(Math.round);
})"""


@pytest.fixture(autouse=True)
def nobody_else_is_here(house: House) -> Iterator[None]:
    """Each evening begins in an empty house."""
    yield
    house.empty()


def sit_at(one: Phone, side: str) -> None:
    """The same page, for somebody at this edge of the table."""
    look = f"phone.normal.standard.right.{side}"
    one.context.add_cookies([{"name": "look", "value": look, "url": one.house.url}])
    one.page.reload()
    expect(one.page.locator(f"html[data-side={side}]")).to_have_count(int(side != "bottom"))


def places(one: Phone, what: str) -> dict[str, Place]:
    found: dict[str, Place] = one.page.locator(what).evaluate_all(PLACES)
    return found


def upright(one: Phone, what: str) -> None:
    assert set(one.page.locator(what).evaluate_all(TURNED)) == {0}, what


def turned_by(one: Phone, what: str, side: str) -> None:
    quarters = list(SEEN_FROM).index(side)
    assert set(one.page.locator(what).evaluate_all(TURNED)) == {90 * quarters}, (what, side)


def boxes(one: Phone, what: str) -> list[list[int]]:
    found: list[list[int]] = one.page.locator(what).evaluate_all(BOXES)
    return found


def within(one: Phone, inner: str, outer: str, slack: int = 2) -> None:
    """Each stands in the one it belongs to."""
    things, rooms = boxes(one, inner), boxes(one, outer)
    assert len(things) == len(rooms) > 0
    for (left, top, right, bottom), room in zip(things, rooms, strict=True):
        out = max(room[0] - left, room[1] - top, right - room[2], bottom - room[3])
        assert out <= slack, (inner, outer, room)


def tap(one: Phone, place: Place) -> str:
    """A finger at that place of the board; gives what is chosen then."""
    one.page.mouse.click(*one.page.evaluate(REACH, place))
    chosen: str = one.page.evaluate("document.querySelector('[name=action]:checked')?.id ?? ''")
    return chosen


def fits(one: Phone) -> None:
    assert one.page.evaluate("document.documentElement.scrollWidth") <= WIDTH
    board = one.page.locator(".turns").bounding_box()
    assert board
    assert board["x"] >= 0
    assert board["x"] + board["width"] <= WIDTH


def same_place(here: Place, there: Place) -> bool:
    return all(abs(a - b) < 0.01 for a, b in zip(here, there, strict=True))


def hunt(phone: Phones, castle: str) -> Phone:
    """A hunter whose turn it is: his figure alone in a room, the two others together."""
    _, phones = castles.seated(lambda: phone(**HAND), castle)
    castles.placed(phones, {"h1": ("a", 1), "h2": ("b", 2), "h3": ("c", 2)}, start=13)
    castles.tap(phones["max"], "go", 13)
    castles.turn(phones["h1"], "hunters")
    return phones["h1"]


@pytest.mark.parametrize(
    "castle",
    [
        pytest.param(castles.c1(), id="low"),
        pytest.param("demo", id="high", marks=pytest.mark.slow),
        pytest.param("none", id="unmapped", marks=pytest.mark.slow),
    ],
)
def test_the_castle_is_seen_from_my_side(phone: Phones, castle: str) -> None:
    ada = hunt(phone, castle)
    drawn = places(ada, ".pickroom:visible")
    assert len(drawn) > 1
    for side, seen in SEEN_FROM.items():
        sit_at(ada, side)
        fits(ada)
        turned_by(ada, ".castle .wall", side)
        for what in (".castle .numbers text", ".castle .pawn text", ".castle .gh use", ".beneath"):
            if ada.page.locator(what).count():
                upright(ada, what)
        within(ada, ".castle .numbers text", ".castle .wall")
        shown = places(ada, ".pickroom:visible")
        for room, place in drawn.items():
            assert same_place(shown[room], seen(*place)), (side, room)
        assert min(right - left for left, _, right, _ in boxes(ada, ".pickroom:visible")) >= THUMB
        room = list(drawn)[-1]
        assert tap(ada, seen(*drawn[room])) == room, side
        feet_on_the_ground(ada)


def feet_on_the_ground(one: Phone) -> None:
    """Figures stand at the bottom of their rooms, as it is seen."""
    for figure, room in (("a", "1"), ("b", "2"), ("c", "2")):
        foot = one.page.locator(f".castle .f-{figure} path").bounding_box()
        number = one.page.locator(".castle .numbers text").get_by_text(room, exact=True).bounding_box()
        assert foot
        assert number
        assert foot["y"] > number["y"] + 4, figure
        assert abs(foot["x"] - number["x"]) < 60, figure


@pytest.mark.slow
def test_what_max_sees_is_turned_too(phone: Phones) -> None:
    _, phones = castles.seated(lambda: phone(**HAND), castles.c1(), preset="family")
    castles.placed(phones, {"h1": ("a", 1), "h2": ("b", 53), "h3": ("c", 53)}, start=13)
    ghost = phones["max"]
    for side in SEEN_FROM:
        sit_at(ghost, side)
        ghost.page.locator(".hold").click()
        expect(ghost.page.locator(".castle .secret")).to_be_visible()
        upright(ghost, ".castle .secret text, .castle .secret .gh")
        within(ghost, ".castle .here-no", ".castle .max-spot")
        within(ghost, ".castle .secret .gh", ".castle .max-spot")


def test_the_manor_is_seen_from_my_side(phone: Phones) -> None:
    _, people = manors.seated(lambda: phone(**HAND))
    manors.play_on(people, random.Random(4), 26)
    ada = manors.mover_of(people)
    assert ada
    drawn = places(ada, ".spot input")
    assert drawn
    for side, seen in SEEN_FROM.items():
        sit_at(ada, side)
        fits(ada)
        turned_by(ada, ".manor .stone", side)
        turned_by(ada, ".tiles .mtile", side)
        for what in (".manor .at", ".manor .kind", ".manor .cell .shape", ".manor .mpawn", ".pan"):
            upright(ada, what)
        within(ada, ".manor .at", ".manor .cell .stone")
        shown = places(ada, ".spot input")
        for spot, place in drawn.items():
            assert same_place(shown[spot], seen(*place)), (side, spot)
        for spot, place in drawn.items():
            chosen = tap(ada, seen(*place))
            assert same_place(shown[chosen], shown[spot]), (side, spot, chosen)
        for zoom in ("near", "close"):
            ada.page.locator(f"#zoom-{zoom}").check(force=True)
            within(ada, ".turns", ".ground", 1)
            within(ada, ".ground", ".turns", 1)


DRAWN = ".castle :is(rect,text,path)"


@pytest.mark.slow
def test_the_table_and_the_editor_lie_as_they_are(phone: Phones) -> None:
    host, _ = castles.seated(lambda: phone(**HAND), castles.c1())
    table = phone(viewport=LAPTOP)
    table.goto("/table")
    host.goto("/castles")
    host.page.get_by_text("Bring a castle").click()
    host.page.locator("#bring-text").fill(castles.c1())
    host.page.locator("form[action='/castles/import'] button").click()
    for one in (table, host):
        one.page.locator(".castle").wait_for()
        sit_at(one, "bottom")
        drawn = boxes(one, DRAWN)
        assert drawn
        for side in SEEN_FROM:
            sit_at(one, side)
            assert boxes(one, DRAWN) == drawn, side
