"""Max on his phone: cards that are buttons, doors seen before they close, a trap that warns."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from playwright.sync_api import expect

from tests.browser.house import House, Phone
from tests.browser.test_castles import c1, clean, placed, seated, stay, tap, turn

Phones = Callable[..., Phone]
EIGHT = [12, 17, 24, 30, 34, 37, 45, 51]


@pytest.fixture(autouse=True)
def nobody_else_is_here(house: House) -> Iterator[None]:
    """Each evening begins in an empty house."""
    yield
    house.empty()


def opened(one: Phone) -> None:
    """A tap on the button: ten seconds."""
    if one.page.locator(".hold").get_attribute("aria-pressed") == "false":
        one.page.locator(".hold").click()
    expect(one.page.locator(".hold")).to_have_attribute("aria-pressed", "true")


def card(one: Phone, words: str) -> None:
    one.page.locator(".card", has_text=words).click()


def chosen(one: Phone) -> str:
    """What the confirm bar says."""
    return one.page.locator("[data-confirm] .what .when-held").inner_text()


def test_cards_doors_and_the_trap(phone: Phones, shots: Path) -> None:
    """GJ-40 to GJ-44, GJ-52: in the demo castle, with every card."""
    _, phones = seated(phone, "demo", preset="as_printed")
    ghost, first = phones["max"], phones["h1"]
    placed(phones, {"h1": ("a", 1), "h2": ("b", 4), "h3": ("c", 31)}, start=42)

    # The eight red doors, and what the chosen one would close.
    opened(ghost)
    card(ghost, "Lock a door")
    doors = ghost.page.locator("foreignObject.for-door input:visible")
    assert [int(room) for room in doors.evaluate_all("all => all.map(one => one.dataset.room)")] == EIGHT
    expect(ghost.page.locator(".shut.could:visible")).to_have_count(8)
    ghost.page.locator("#pick-door-37").check(force=True)
    assert re.search(r"red door of room 37.*from 37 to \d+", chosen(ghost), re.S)
    (shots / "castle-max-doors.png").write_bytes(ghost.page.screenshot())
    clean(ghost)

    # Another card: what was chosen is chosen no more, and only rooms where he has been are left.
    card(ghost, "Cheat")
    expect(ghost.page.locator("[data-confirm]")).to_be_hidden()
    expect(ghost.page.locator(".shut.could:visible")).to_have_count(0)
    expect(ghost.page.locator(".todo")).to_contain_text("×2 is of no use now")
    assert ghost.page.locator("foreignObject.for-go input:visible").count() == 0
    card(ghost, "Cheat")

    # The chimney leads from 42 to 53, and a pause is a tap on his own room; closed, neither is told.
    card(ghost, "Chimney")
    assert "To room 53" in chosen(ghost)
    card(ghost, "Pause")
    expect(ghost.page.locator("#pick-go-42")).to_be_checked()
    assert "A pause card" in chosen(ghost)
    (shots / "castle-max-pause.png").write_bytes(ghost.page.screenshot())
    ghost.page.keyboard.press("Escape")
    expect(ghost.page.locator("[data-confirm] .when-held")).to_be_hidden()
    assert "pause" not in ghost.page.locator("[data-confirm]").inner_text().lower()
    ghost.page.locator("[data-confirm] .btn.primary").click()

    # A trap is laid next to him: before he steps on it, he reads what it does.
    turn(first, "hunters")
    first.page.locator("#tool-trap").check(force=True)
    tap(first, "trap", 48)
    stay(first)
    stay(phones["h2"])
    stay(phones["h3"])
    first.page.locator("button[name=action]").first.click()
    turn(ghost, "max")
    opened(ghost)
    expect(ghost.page.locator(".mark-may.snaps")).to_be_visible()
    expect(ghost.page.locator(".sec-key")).to_contain_text("The trap lies in room 48.")
    ghost.page.locator("#pick-go-48").check(force=True)
    assert "everybody will see you" in chosen(ghost)
    (shots / "castle-max-trap.png").write_bytes(ghost.page.screenshot())
    clean(ghost)


def test_hunters_tap_their_figures_and_mark_where_they_guess_him(phone: Phones, shots: Path) -> None:
    """GJ-51, GJ-Q12: two figures each; the marker is for all to see, and any hunter's at any time."""
    _, phones = seated(phone, c1(), players="3")
    ghost, first, other = (phones[seat] for seat in ("max", "h1", "h2"))
    table = phone(viewport={"width": 1280, "height": 800})
    table.goto("/table")
    for one, figure, room in ((first, "a", 1), (first, "b", 3), (other, "c", 53), (other, "d", 53)):
        tap(one, figure, room)
    tap(ghost, "go", 13)
    first.page.locator("button[name=action]").first.click()
    turn(ghost, "max")
    tap(ghost, "go", 43)

    # A figure is selected by a tap on it, even where the other one could walk; a tap beside it is that room.
    turn(first, "hunters")
    castle = first.page.locator("svg.castle")
    expect(first.page.locator("#tool-a")).to_be_checked()
    press(first, ".handle label[for=tool-b]")
    expect(first.page.locator("#tool-b")).to_be_checked()
    assert [one.get_attribute("data-room") for one in castle.locator("foreignObject.for-b input").all()] == [
        "2", "14", "54"
    ]  # fmt: skip
    (shots / "castle-hunter-figures.png").write_bytes(first.page.screenshot())

    # Whoever waits taps a room; whose turn it is, first says that it is about Max.
    tap(other, "guess", 44)
    for one in (first, other, table, ghost):
        expect(one.page.locator(".castle .guess")).to_have_count(1)
    first.page.get_by_role("radio", name="Max?").check()
    tap(first, "guess", 43)
    expect(table.page.locator(".ticker.now")).to_contain_text("Inès guesses that Max is in room 43.")
    expect(other.page.locator("svg.castle")).to_have_attribute(
        "aria-label", re.compile("guess Max in room 43")
    )
    (shots / "castle-guess-table.png").write_bytes(table.page.screenshot())
    (shots / "castle-guess.png").write_bytes(other.page.screenshot())
    clean(other)
    clean(first)
    other.button("Take the guess away").click()
    expect(first.page.locator(".castle .guess")).to_have_count(0)
    expect(first.page.locator(".turn.lit")).to_have_count(1)


def press(one: Phone, where: str) -> None:
    """A finger on a place, whatever lies there."""
    box = one.page.locator(where).bounding_box()
    assert box
    one.page.mouse.click(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
