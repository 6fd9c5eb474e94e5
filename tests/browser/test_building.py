"""The real board in a real browser: 36 tiles by number pad, a dealt one built, differences put right."""

from __future__ import annotations

import json
import random
import re
from collections.abc import Callable
from pathlib import Path

from playwright.sync_api import expect

from tests.browser.house import LAPTOP, Phone, forge
from tests.browser.test_pages import Looker

Phones = Callable[..., Phone]
COLOURS = ("blue", "red", "green", "white")
LETTERS = {"blue": "b", "red": "r", "green": "g", "white": "w"}
MOST_TAPS = 36 * 2
"""A colour and a number for each square would be the worst: at a tap and a half a second, under a minute."""
VALUES = (1, 1, 2, 2, 3, 3, 4, 5, 6)


def shuffled(seed: int) -> list[tuple[str, int]]:
    """A whole box in a random order."""
    tiles = [(colour, value) for colour in COLOURS for value in VALUES]
    random.Random(seed).shuffle(tiles)
    return tiles


def begun(phone: Phones, touch: bool = True, **options: str) -> Phone:
    """A host whose game for two has begun."""
    host = phone(has_touch=touch)
    host.host()
    forge(host.page, "/host/abandon", "form")
    host.goto("/host")
    status, answer = forge(host.page, "/host/start", "#plan", players="2", **options)
    assert status == 200, answer[:300]
    return host


def lying(page: Phone) -> list[str]:
    """What a board on a page shows, square by square."""
    tiles = page.page.locator(".cells [role=row] .tile")
    papers = tiles.evaluate_all("all => all.map(tile => tile.className.match(/w-(\\w+)/)[1])")
    values = tiles.locator(".val").all_text_contents()
    return [f"{paper}{value}" for paper, value in zip(papers, values, strict=True)]


def test_a_board_of_36_tiles_is_entered_by_grid(phone: Phones, shots: Path) -> None:
    host, looker, tiles = begun(phone), Looker(shots), shuffled(4)
    host.page.get_by_role("link", name="Enter or deal the whole board").click()
    host.heading("What lies on 1?")
    # What somebody else does meanwhile changes nothing about the square that is chosen here.
    host.page.locator("#square-9").tap()
    host.heading("What lies on 9?")
    shown = host.page.locator("#live").get_attribute("data-version") or ""
    assert forge(host.page, "/host/new-code", "#grid")[0] == 200
    expect(host.page.locator("#live")).not_to_have_attribute("data-version", shown)
    host.heading("What lies on 9?")
    host.page.locator("#square-1").tap()
    taps, last = 0, "blue"
    for number, (colour, value) in enumerate(tiles, start=1):
        if colour != last:
            host.page.locator(f".paper.w-{colour} input").tap()
            taps, last = taps + 1, colour
        # Nobody waits: the next square is asked for while the last one is still on its way.
        host.page.locator(f"#grid .pad button[value='{value}']").tap()
        taps += 1
        if number == 22:
            host.heading("What lies on 23?")
            expect(host.page.get_by_text("22 of 36")).to_be_visible()
            looker.look(host, "lay-midway")
            # A slip: the last one goes back, and its square asks again.
            host.button("Erase 22").last.tap()
            host.heading("What lies on 22?")
            host.page.locator(f"#grid .pad button[value='{value}']").tap()
            taps += 2
    assert taps <= MOST_TAPS
    host.heading("Is your board like this?")
    expect(host.page.get_by_text("36 of 36")).to_be_visible()
    assert lying(host) == [f"{colour}{value}" for colour, value in tiles]
    looker.shoot(host, "lay-whole", full_page=True)
    host.button("Yes, it lies like this").tap()
    host.page.wait_for_url("**/host")
    table = phone(viewport=LAPTOP)
    table.goto("/table")
    assert lying(table) == [f"{colour}{value}" for colour, value in tiles]


def test_a_board_is_entered_by_keyboard_alone_and_a_tenth_blue_tile_is_seen(
    phone: Phones, shots: Path
) -> None:
    host, tiles = begun(phone, touch=False), shuffled(5)
    host.goto("/lay")
    expect(host.page.locator("#square-1")).to_be_focused()
    wrong = next(number for number, (colour, _) in enumerate(tiles, start=1) if colour != "blue")
    for number, (colour, value) in enumerate(tiles, start=1):
        host.page.keyboard.press("b" if number == wrong else LETTERS[colour])
        host.page.keyboard.press(str(value))
    host.heading("Something cannot be right")
    expect(host.page.locator(".note.wrong")).to_contain_text("Blue: 10 tiles, but there are 9.")
    expect(host.page.locator(".tile.doubtful")).to_have_count(10)
    Looker(shots).shoot(host, "lay-wrong", full_page=True)
    host.page.locator(f"#square-{wrong}").focus()
    host.page.keyboard.press("ArrowDown")
    host.page.keyboard.press("ArrowUp")
    expect(host.page.locator(f"#square-{wrong}")).to_be_checked()
    colour, value = tiles[wrong - 1]
    host.page.keyboard.press(LETTERS[colour])
    host.page.keyboard.press(str(value))
    host.heading("Is your board like this?")
    assert lying(host) == [f"{colour}{value}" for colour, value in tiles]


def test_a_dealt_board_is_built_while_the_lamp_of_the_next_square_pulses(phone: Phones, shots: Path) -> None:
    box = json.dumps(dict.fromkeys(COLOURS, VALUES))
    host, looker = begun(phone, **{"option-tiles": box}), Looker(shots)
    table = phone(viewport=LAPTOP)
    table.goto("/table")
    host.goto("/lay")
    host.button("Deal for us").tap()
    for number in range(1, 4):
        host.heading(re.compile(f"^Room {number}: "))
        expect(table.page.locator(f"#room-{number}.next .led.pulse .bulb.on")).to_have_count(1)
        expect(table.page.locator(".led.pulse")).to_have_count(1)
        host.button("Laid, next").tap()
    host.heading(re.compile("^Room 4: "))
    looker.shoot(host, "build", full_page=True)
    table.heading(re.compile("^Room 4: "))
    looker.shoot(table, "build-table")
    host.button("One step back").tap()
    host.heading(re.compile("^Room 3: "))


def test_three_differences_are_put_right_in_both_directions_with_their_lamps(
    phone: Phones, shots: Path
) -> None:
    layout = json.dumps([(colour, value) for colour in COLOURS for value in VALUES])
    host, looker = begun(phone, **{"option-layout": layout}), Looker(shots)
    moderator, table = phone(), phone(viewport=LAPTOP)
    moderator.moderate()
    table.goto("/table")
    act = [
        ("p2", {"type": "hide", "ghost": c, "room": r}) for c, r in zip(COLOURS, (1, 12, 25, 36), strict=True)
    ]
    act += [("p2", {"type": "remove", "room": 2}), ("p1", {"type": "remove", "room": 20})]
    for seat, action in act:
        fields = {"seat": "moderator", "as": seat, "action": json.dumps(action)}
        assert forge(moderator.page, "/act", "form", **fields)[0] == 200

    def blinks(room: int) -> None:
        """One lamp blinks, and it is that of this room; its pixel is lit on the wire."""
        expect(table.page.locator(f"#room-{room} .led.blink .bulb.on")).to_have_count(1)
        expect(table.page.locator(".led.blink")).to_have_count(1)

    host.goto("/check")
    host.heading("Is your board like this?")
    looker.look(host, "check-look")
    for room in (5, 9, 20):
        host.page.locator(f"#differs-{room}").tap()
    host.button("The marked ones differ").tap()
    host.heading(re.compile("^Room 5 should hold a tile: blue bedroom, £3,000"))
    blinks(5)
    looker.shoot(host, "check-what", full_page=True)
    host.button("Nothing lies there").tap()
    host.heading(re.compile("^Room 5: the record has a tile, the board has none"))
    looker.everywhere(host, "check-gone")
    host.button("Done, now they agree").tap()
    blinks(9)
    host.button("Nothing lies there").tap()
    host.button("Correct the record").tap()
    expect(table.page.locator("#room-9.gone")).to_have_count(1)
    blinks(20)
    looker.shoot(table, "check-table")
    host.heading(re.compile("^Room 20: empty in the record"))
    host.button("Correct the record").tap()
    expect(table.page.locator("#room-20.tile")).to_have_count(1)
    host.heading("Board and record agree")
    expect(host.page.get_by_text("3 differences were put right.")).to_be_visible()
    expect(table.page.locator(".led.blink")).to_have_count(0)
    expect(
        table.page.get_by_text(
            re.compile(r"Mrs Kerr.* corrected the record: the tile of room 9 is gone")
        ).first
    ).to_be_visible()


def test_colours_are_painted_by_dragging_and_only_the_numbers_are_tapped(phone: Phones) -> None:
    """A row a colour, as on a board that was sorted; a drag counts as a tap."""
    host = begun(phone, touch=False, **{"option-layout": ""})
    host.goto("/lay")
    host.heading("What lies on 1?")
    page = host.page

    def drawn(colour: str, first: int, last: int) -> None:
        page.locator(f".paper.w-{colour} input").check(force=True)
        ends = [page.locator(f"label:has(#square-{room})").bounding_box() for room in (first, last)]
        (x, y), (to_x, to_y) = [
            (box["x"] + box["width"] / 2, box["y"] + box["height"] / 2) for box in ends if box
        ]
        page.mouse.move(x, y)
        page.mouse.down()
        page.mouse.move(to_x, to_y, steps=12)
        page.mouse.up()

    drawn("blue", 1, 6)
    drawn("white", 7, 9)
    assert page.locator("#grid [data-wash=blue]").count() == 6
    page.locator("#square-1").check(force=True)
    for value in "123456123":
        page.locator(f"#grid .pad button[value='{value}']").click()
    host.heading("What lies on 10?")
    expect(page.locator("#grid .sending, #grid [data-wash]")).to_have_count(0)
    assert lying(host) == [*(f"blue{n}" for n in range(1, 7)), "white1", "white2", "white3"]
