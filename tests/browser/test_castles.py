"""Gespensterjagd in a real browser: a whole hunt on four phones, and a castle entered from nothing."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from itertools import pairwise
from pathlib import Path

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import expect

from tests.browser.house import House, Phone, forge

Phones = Callable[..., Phone]
NAMES = {"max": "Hamish", "h1": "Inès", "h2": "Ada", "h3": "Jürgen"}
ROWS = ((42, 43, 44, 53), (12, 13, 14, 51), (1, 2, 3, 54))
WALKS = (
    (1, 2), (2, 3), (3, 54), (1, 12), (12, 13), (13, 14), (14, 51), (51, 54), (3, 14), (12, 42), (42, 43),
    (43, 44), (44, 53),
)  # fmt: skip
"""Fixture C1 of the rules: a made-up castle of twelve rooms."""
TOUCHING = {frozenset(pair) for row in ROWS for pair in pairwise(row)} | {
    frozenset((top, below))
    for upper, lower in pairwise(ROWS)
    for top, below in zip(upper, lower, strict=True)
}
PLAN = {
    "game": "canterville",
    "players": "4",
    "option-frames": '{"bats":1,"cats":1,"hedgehogs":1,"mice":1,"owls":1}',
}


@pytest.fixture(autouse=True)
def nobody_else_is_here(house: House) -> Iterator[None]:
    """Each evening begins in an empty house."""
    yield
    house.empty()


def c1() -> str:
    """The castle as the host's plan takes it."""
    places = [
        {"room": room, "x": x, "y": y, "w": 1, "h": 1}
        for y, row in enumerate(ROWS)
        for x, room in enumerate(row)
    ]
    walls = [sorted(pair) for pair in TOUCHING if tuple(sorted(pair)) not in WALKS]
    return json.dumps({"name": "C1", "rooms": places, "walls": walls, "walks": WALKS, "doors": {"12": 13}})


def seated(phone: Phones, castle: str, **more: str) -> tuple[Phone, dict[str, Phone]]:
    """A host, Max and the hunters on their chairs, three unless told otherwise, and the game begun."""
    host, plan = phone(), PLAN | {"option-castle": castle} | more
    code = host.host()
    status, answer = forge(host.page, "/host/plan", "#plan", **plan)
    assert status == 200, answer[:400]
    phones = {}
    for seat, name in list(NAMES.items())[: int(plan["players"])]:
        phones[seat] = phone()
        phones[seat].join(code, name)
        phones[seat].sit(seat)
    # Everybody sits: nothing is asked about empty seats any more.
    expect(host.page.locator("button[formaction='/host/start']")).to_have_count(1)
    host.page.locator("button[formaction='/host/start']").click()
    return host, phones


def tap(one: Phone, tool: str, room: int) -> None:
    """Two taps: the room, then the button."""
    one.page.locator(f"#pick-{tool}-{room}").check(force=True)
    one.page.locator("[data-confirm] .btn.primary").click()
    expect(one.page.locator(f"#pick-{tool}-{room}:checked")).to_have_count(0)


def turn(one: Phone, step: str) -> None:
    """Wait until this phone is asked."""
    one.page.locator(f".step-{step}").wait_for()


def stay(one: Phone) -> None:
    turn(one, "hunters")
    one.page.locator(".stays button").first.click()


def placed(phones: dict[str, Phone], figures: dict[str, tuple[str, int]], start: int) -> None:
    """Everybody takes their places, and the first frame is chosen."""
    for seat, (figure, room) in figures.items():
        tap(phones[seat], figure, room)
    tap(phones["max"], "go", start)
    phones["h1"].page.locator("button[name=action]").first.click()
    turn(phones["max"], "max")


def clean(one: Phone) -> None:
    """Nothing that a program can find bars anybody from this page."""
    found = Axe().run(one.page)
    assert found.violations_count == 0, found.generate_report()


def test_a_whole_hunt_on_four_phones(phone: Phones, shots: Path) -> None:
    _, phones = seated(phone, c1(), preset="family")
    hunters = [phones[seat] for seat in ("h1", "h2", "h3")]
    placed(phones, {"h1": ("a", 1), "h2": ("b", 53), "h3": ("c", 53)}, start=13)
    ghost = phones["max"]
    table = phone(viewport={"width": 1280, "height": 800})
    table.goto("/table")

    # Max's secrets are on his phone alone, and only while he looks.
    own = ghost.page.locator(".castle .secret")
    expect(own).to_be_hidden()
    (shots / "castle-max-hidden.png").write_bytes(ghost.page.screenshot())
    ghost.page.locator(".hold").click()
    expect(own).to_be_visible()
    expect(ghost.page.locator(".sec-key")).to_contain_text(
        "You are in room 13. Open to you: 2, 12, 14 and 43. Your way: 13."
    )
    ghost.page.locator("#pick-go-14").check(force=True)
    expect(ghost.page.locator("[data-confirm] [data-what]")).to_have_text("To room 14")
    (shots / "castle-max-held.png").write_bytes(ghost.page.screenshot())
    clean(ghost)
    ghost.page.keyboard.press("Escape")
    expect(ghost.page.locator("[data-confirm] [data-what]")).to_be_hidden()
    ghost.page.locator("[data-confirm] .btn.primary").click()
    turn(hunters[0], "hunters")
    assert all(one.page.locator(".castle .secret").count() == 0 for one in (*hunters, table))

    # A hunter walks by the dotted ways and nowhere else; the trap is laid besides.
    ways = hunters[0].page.locator("foreignObject.for-a input")
    assert ways.evaluate_all("all => all.map(one => one.dataset.room)") == ["2", "12"]
    hunters[0].page.locator("#tool-trap").check(force=True)
    tap(hunters[0], "trap", 43)
    expect(table.page.locator(".castle .trap")).to_have_count(1)
    (shots / "castle-hunter.png").write_bytes(hunters[0].page.screenshot())
    clean(hunters[0])
    tap(hunters[0], "a", 2)
    tap(hunters[1], "b", 44)
    stay(hunters[2])

    # The frame of one bat is full: Max shows himself and the way he took.
    expect(hunters[1].page.locator(".story")).to_contain_text("Max stands in room 14.")
    expect(hunters[1].page.locator(".castle .trail.fresh")).to_have_count(1)
    (shots / "castle-table.png").write_bytes(table.page.screenshot())
    clean(table)
    hunters[1].page.locator("button[name=action]").first.click()

    # He goes on: first an open refusal that only he reads, then into a hunter's reach.
    turn(ghost, "max")
    tap(ghost, "go", 1)
    expect(ghost.page.locator(".notice.error")).to_be_visible()
    assert hunters[0].page.locator(".notice.error").count() == 0
    tap(ghost, "go", 3)
    turn(hunters[0], "hunters")
    tap(hunters[0], "a", 3)
    for one in (ghost, *hunters):
        one.heading("The hunters win")
    expect(ghost.page.locator(".steps li")).to_have_text(["0Room 13", "1Room 14", "2Room 3"])
    (shots / "castle-result.png").write_bytes(hunters[2].page.screenshot(full_page=True))
    clean(hunters[2])


def test_hunters_cannot_tell_a_move_from_a_pause(phone: Phones) -> None:
    """GJ-37, GJ-41: the whole document, byte for byte; Max takes the move back, with consent, and pauses."""
    _, phones = seated(phone, c1())
    placed(phones, {"h1": ("a", 1), "h2": ("b", 53), "h3": ("c", 53)}, start=13)
    ghost, first = phones["max"], phones["h1"]
    watching = [phones[seat] for seat in ("h1", "h2", "h3")]
    tap(ghost, "go", 14)
    moved = [document(one) for one in watching]
    ghost.page.locator("form[action='/undo'] button").click()
    first.page.locator("form[action='/undo/agree'] button").click()
    turn(ghost, "max")
    for one in watching[1:]:
        # That the move was taken back everybody else is told, and taps it away.
        one.page.locator(".moments form[action='/seen'] button").click()
        expect(one.page.locator(".moments form")).to_have_count(0)
    tap(ghost, "go", 13)
    assert moved == [document(one) for one in watching]


def document(one: Phone) -> str:
    """A page in the hunters' turn, but for its own token and the number of the moment."""
    one.page.locator("#live[data-turn='playing hunters h1']").wait_for()
    text: str = one.page.evaluate("document.documentElement.outerHTML")
    return re.sub(r'(name="csrf" value|name="version" value|data-version)="[^"]*"', "", text)


def test_a_castle_of_twelve_rooms_from_nothing(phone: Phones, shots: Path) -> None:
    host = phone()
    host.host()
    host.goto("/castles")
    for animal, n in {"bats": 5, "mice": 5, "owls": 5}.items():
        host.page.locator(f"input[name={animal}]").fill(str(n))
    host.button("Keep").click()
    expect(host.page.get_by_text("Counted and kept.")).to_be_visible()
    host.page.get_by_label("Name of a new castle").fill("Our castle")
    host.button("Begin").click()
    host.page.get_by_role("link", name="Room by room instead").click()
    host.page.wait_for_url("**/room/1")
    places = {room: (x, y) for y, row in enumerate(ROWS) for x, room in enumerate(row)}
    told: set[frozenset[int]] = set()
    sent: list[int] = []
    host.page.on("request", lambda request: sent.append(len(request.post_data or "")))
    while host.page.url.split("/")[-2] == "room":
        room = int(host.page.url.rsplit("/", 1)[1])
        x, y = places[room]
        host.page.locator(f"#cell-{x}-{y}").check(force=True)
        for pair in (pair for pair in TOUCHING if room in pair):
            (other,) = pair - {room}
            way = "walk" if tuple(sorted(pair)) in WALKS else "wall"
            box = host.page.locator(f"#{way}-{other}")
            # What was said of one room is known of the other.
            assert box.is_checked() == (pair in told), (room, other)
            box.check(force=True)
            told.add(pair)
        if room in (12, 51):
            host.page.locator("select[name=door]").select_option(str({12: 13, 51: 14}[room]))
        if room == 2:
            photo = {"name": "board.png", "mimeType": "image/png", "buffer": host.page.screenshot()}
            host.page.locator("[data-photo-file]").set_input_files([photo])
        if room == 13:
            # The photo lies under every sheet from then on, and has never left this phone.
            expect(host.page.locator(".sheet .photo")).to_have_attribute(
                "href", re.compile("^data:image/jpeg")
            )
            assert sum(sent) < 100_000
            (shots / "castle-room.png").write_bytes(host.page.screenshot(full_page=True))
            clean(host)
        last = len({end for pair in told for end in pair}) == 12 and room == 54
        host.button("Keep, that is all" if last else "Keep, next room").click()
    expect(host.page.get_by_text("It can be played in.")).to_be_visible()
    expect(host.page.get_by_text("12 rooms entered")).to_be_visible()
    assert told == TOUCHING
    (shots / "castle-own.png").write_bytes(host.page.screenshot(full_page=True))
    clean(host)
    host.button("Play in it").click()
    expect(host.page.locator(".pickone.on")).to_contain_text("Our castle")
    (shots / "castle-study.png").write_bytes(host.page.screenshot(full_page=True))
    clean(host)
    host.goto("/host")
    expect(host.page.get_by_text("Castle: Our castle")).to_be_visible()
