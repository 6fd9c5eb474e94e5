"""How many taps it takes to draw a castle of 54 rooms. The numbers are those of docs/play.md."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from playwright.sync_api import Locator, Page, expect

from companion.games.canterville.castle import Castle, Room, demo
from tests.browser.house import House, Phone
from web.games.canterville.drafts import Castles

Phones = Callable[..., Phone]
TAPS, BUDGET = 124, 220
"""So many it takes, and so many it may never take."""


def rooms() -> list[Room]:
    """The demo castle, whose rooms are squares, but those of the middle column are two squares wide."""
    placed = [room for room in demo().rooms if isinstance(room, Room)]
    middle = sorted({room.x for room in placed})[3]
    return [Room(room.room, room.x + (room.x > middle), room.y, 1 + (room.x == middle), 1) for room in placed]


class Finger:
    """Taps and drags on the sheet, one each."""

    def __init__(self, page: Page) -> None:
        self.page, self.taps = page, 0

    def tap(self, what: Locator) -> None:
        self.taps += 1
        what.click()

    def at(self, x: float, y: float) -> tuple[float, float]:
        """Where a point of the sheet, in squares, is on the screen."""
        found = self.page.evaluate(
            """([x, y]) => {
                const sheet = document.querySelector(".drawbox .sheet");
                const to = () => new DOMPoint(x * 28, y * 28).matrixTransform(sheet.getScreenCTM());
                sheet.parentElement.scrollLeft += to().x - innerWidth / 2;
                scrollBy(0, to().y - innerHeight / 2);
                return [to().x, to().y];
            }""",
            [x, y],
        )
        return found[0], found[1]

    def draw(self, room: Room) -> None:
        """A tap, or a drag from its first square to its last."""
        self.taps += 1
        self.page.mouse.move(*self.at(room.x + 0.5, room.y + 0.5))
        self.page.mouse.down()
        if room.w > 1:
            self.page.mouse.move(*self.at(room.x + room.w - 0.5, room.y + 0.5))
        self.page.mouse.up()

    def wall(self, one: Room, two: Room) -> None:
        """A tap near the middle of what two rooms share."""
        self.taps += 1
        x = (max(one.x, two.x) + min(one.x + one.w, two.x + two.w)) / 2
        y = (max(one.y, two.y) + min(one.y + one.h, two.y + two.h)) / 2
        self.page.mouse.click(*self.at(x + 0.1, y - 0.1))


def ways(castle: Castle) -> tuple[set[tuple[int, int]], set[tuple[int, int]], dict[str, int]]:
    """Who gets where, whatever the order."""
    walks, walls = ({(min(way), max(way)) for way in each} for each in (castle.walks, castle.walls))
    return walks, walls, castle.doors


def test_a_castle_of_54_rooms_is_drawn_within_the_budget_of_taps(
    phone: Phones, house: House, shots: Path
) -> None:
    """GJ-1: every room, every way and the eight red doors; what touches is proposed from the drawing."""
    host = phone()
    host.host()
    host.goto("/castles")
    finger = Finger(host.page)
    finger.tap(host.page.get_by_label("Name of a new castle"))
    host.page.keyboard.type("Ours")
    finger.tap(host.button("Begin"))
    expect(host.page.get_by_text("0 of 54 rooms")).to_be_visible()
    drawn = {room.room: room for room in rooms()}
    for number in sorted(drawn):
        finger.draw(drawn[number])
        if number == 20:
            (shots / "castle-draw-rooms.png").write_bytes(host.page.screenshot())
    expect(host.page.get_by_text("54 of 54 rooms")).to_be_visible()
    finger.tap(host.button("2. Ways"))
    told = demo()
    for one, two in told.walks:
        finger.wall(drawn[one], drawn[two])
        if {(one, two), (two, one)} & {(int(room), beyond) for room, beyond in told.doors.items()}:
            finger.wall(drawn[one], drawn[two])
    (shots / "castle-draw-ways.png").write_bytes(host.page.screenshot(full_page=True))
    finger.tap(host.button("Done: check the castle"))
    expect(host.page.get_by_text("It can be played in.")).to_be_visible()
    (shots / "castle-drawn.png").write_bytes(host.page.screenshot(full_page=True))
    kept = Castles(house.state / "castles").find("ours")
    assert ways(kept.castle) == ways(told)
    assert {(room.room, room.x, room.y, room.w, room.h) for room in kept.rooms.values()} == {
        (room.room, room.x, room.y, room.w, room.h) for room in drawn.values()
    }
    assert finger.taps == TAPS <= BUDGET, finger.taps


def test_what_is_drawn_is_kept_at_once_and_can_be_mended(phone: Phones, house: House) -> None:
    """A room is drawn anew or erased; a wall is turned on and on, by finger or keyboard."""
    host = phone()
    host.host()
    host.goto("/castles")
    host.page.get_by_label("Name of a new castle").fill("Mended")
    host.button("Begin").click()
    finger = Finger(host.page)
    kept, page = Castles(house.state / "castles"), host.page
    expect(page.get_by_text("0 of 54 rooms")).to_be_visible()

    def now(words: str) -> Castle:
        expect(page.locator("[data-say]")).to_contain_text(words)
        expect(page.locator("[data-kept]")).to_have_text("Kept.")
        page.wait_for_load_state("networkidle")
        page.evaluate("document.querySelector('[data-kept]').textContent = ''")
        return kept.find("mended").castle

    first, second, over = Room(1, 0, 0, 2, 1), Room(2, 2, 0, 1, 1), Room(3, 1, 0, 2, 1)
    finger.draw(first)
    assert len(now("Room 2: tap").rooms) == 1
    finger.draw(second)
    assert now("Room 3: tap").walls == ((1, 2),)
    finger.draw(over)
    expect(page.locator("[data-say]")).to_contain_text("is there already")
    page.locator("summary", has_text="Another number").click()
    page.locator("[data-numbers] button", has_text="12").click()
    finger.draw(Room(12, 0, 1, 1, 1))
    assert now("Room 13: tap").walls == ((1, 2), (1, 12))
    host.button("2. Ways").click()
    finger.wall(first, Room(12, 0, 1, 1, 1))
    assert now("hunters pass").walks == ((1, 12),)
    page.keyboard.press("Enter")
    assert now("red door of room 12").doors == {"12": 1}
    page.keyboard.press(" ")
    castle = now("nobody passes")
    assert (castle.walls, castle.walks, castle.doors) == (((1, 2),), (), {})
    host.button("1. Rooms").click()
    finger.draw(Room(2, 2, 0, 1, 1))
    host.button("Erase room 2").click()
    assert now("Room 2: tap").walls == ()
    page.reload()
    expect(page.locator("[data-count]")).to_have_text("2 of 54 rooms")
