"""How many taps it takes from the first page to the first move. The numbers are those of docs/play.md."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable
from pathlib import Path

from playwright.sync_api import Locator, expect

from tests.browser import test_castle_taps, test_manor_taps
from tests.browser.house import House, Phone

Phones = Callable[..., Phone]
IN_ALL, HOST, GUEST = 24, 5, 3
"""Taps until the first tile is removed; of the host's, and of a guest's until they sit."""
BUDGET = {"all": 30, "host": 12, "guest": 3}
"""More than this they may never become."""


class Fingers:
    """Taps things as people do, and counts: a field that is filled in is tapped first."""

    def __init__(self) -> None:
        self.taps = Counter[str]()

    def tap(self, one: Phone, what: Locator) -> None:
        self.taps[one.name] += 1
        what.click()

    def write(self, one: Phone, label: str, text: str) -> None:
        self.tap(one, one.page.get_by_label(label))
        one.page.keyboard.type(text)


def joined(fingers: Fingers, one: Phone, link: str, name: str, do: str) -> None:
    """Scan a code, say one's name, come in."""
    one.name = name
    one.goto(link)
    fingers.write(one, "Your name", name)
    fingers.tap(one, one.button(do))


def test_four_people_play_within_the_budget_of_taps(phone: Phones, house: House, shots: Path) -> None:
    fingers, screen = Fingers(), phone(viewport={"width": 1280, "height": 800})
    screen.goto("/table")
    scanned = screen.page.get_by_role("img", name=re.compile("QR code"))
    (shots / "start-table.png").write_bytes(screen.page.screenshot())

    def link(number: int) -> str:
        return "/j/" + (scanned.nth(number).get_attribute("aria-label") or "").rsplit("/", 1)[1]

    host, first = phone(), link(0)
    joined(fingers, host, first, "Anna", "Be the host")
    host.heading("Who plays tonight?")
    (shots / "start-desk.png").write_bytes(host.page.screenshot(full_page=True))
    # The host's code was good once.
    late = phone()
    joined(Fingers(), late, first, "Zed", "Be the host")
    expect(late.page.get_by_role("alert")).to_contain_text("not good")
    fingers.tap(host, host.button("Sit here").first)
    guests = [phone() for _ in range(3)]
    for guest, name in zip(guests, ("Ben", "Clara", "Dieter"), strict=True):
        joined(fingers, guest, link(0), name, "Come in")
        guest.heading("Where will you sit?")
        (shots / f"start-seats-{name}.png").write_bytes(guest.page.screenshot())
        fingers.tap(guest, guest.button("Take this seat"))
        guest.heading("Take your seats")
        assert fingers.taps[name] == GUEST <= BUDGET["guest"]
    host.page.mouse.wheel(0, 4000)
    fingers.tap(host, host.button("Begin"))
    # Whoever runs the evening and plays is on their own seat, at its top.
    host.page.wait_for_url("**/play")
    host.heading("Your turn, Anna")
    assert host.page.evaluate("scrollY") == 0
    (shots / "start-lay.png").write_bytes(host.page.screenshot())
    # The desk says the same, and one tap leads back.
    host.goto("/host")
    host.heading("Your turn, Anna")
    (shots / "start-desk-my-turn.png").write_bytes(host.page.screenshot())
    host.page.get_by_role("link", name="My seat").first.click()
    host.page.wait_for_url("**/play")
    host.heading("Your turn, Anna")
    fingers.tap(host, host.button("Deal everything now"))
    for master, colours in ((guests[0], ("white", "green")), (guests[2], ("red", "blue"))):
        for colour in colours:
            two_taps(fingers, master, master.page.locator(f"#act .tile.w-{colour}").first, "Hide it")
    two_taps(fingers, guests[0], guests[0].page.locator("#act .tile.reach").first, "Wreck it")
    host.heading("Clara hunts")
    assert fingers.taps["Anna"] == HOST <= BUDGET["host"], fingers.taps
    assert fingers.taps.total() == IN_ALL <= BUDGET["all"], fingers.taps


def two_taps(fingers: Fingers, one: Phone, room: Locator, do: str) -> None:
    """Choose a room, confirm, and the house has answered."""
    fingers.tap(one, room)
    with one.page.expect_response(lambda answer: answer.request.method == "POST"):
        fingers.tap(one, one.page.locator("[data-confirm]").get_by_role("button", name=do))
    expect(one.page.locator("#act input:checked")).to_have_count(0)


def test_the_page_of_the_players_says_the_same_numbers() -> None:
    page = (Path(__file__).parents[2] / "docs" / "play.md").read_text(encoding="utf-8")
    table = page.split("| taps | at most |")[1].split("\n\n")[0]
    told = re.findall(r"\| (\d+)(?:, and a name)? \| (\d+) \|$", table, re.MULTILINE)
    counted = [
        (GUEST, BUDGET["guest"]),
        (HOST, BUDGET["host"]),
        (IN_ALL, BUDGET["all"]),
        (test_manor_taps.TAPS, test_manor_taps.BUDGET),
        (test_castle_taps.TAPS, test_castle_taps.BUDGET),
    ]
    assert [tuple(map(int, row)) for row in told] == counted
