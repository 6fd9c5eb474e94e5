"""An evening of Chasseurs Fantômes Artéfacts with a box unlike ours, by taps, with a surprise."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from tests.browser.house import LAPTOP, PATIENCE, House, Phone
from tests.browser.test_manor import Pick, choose, confirm, mover_of, offered
from tests.games.artefacts.house import COLOURS
from web.games.artefacts.box import shape_of

Phones = Callable[..., Phone]
Tile = tuple[str, str]
SHEET = {"object-vacuum": "20", "object-crucifix": "1", "object-chalice": "2", "object-kit": "8"}
SHEET |= {"trapcard-wound": "12"}
"""What was counted: no energy bar, no tele-portable, one kind of trap. Nobody has counted the tiles."""
TILES: list[Tile] = [("plain", "NESW")] * 8 + [("ghost", "NESW")] * 28
"""The real pile, the first one on top: soon more than we guess, and ghosts until the dice run out."""


@pytest.fixture(autouse=True)
def nobody_else_is_here(house: House) -> Iterator[None]:
    yield
    house.empty()


def written_down(host: Page) -> None:
    """The sheet of the box, filled in and chosen for tonight."""
    host.goto("/boxes/new?game=artefacts")
    host.locator("input[name=name]").fill("From the attic")
    for name, n in SHEET.items():
        host.locator(f"input[name='{name}']").fill(n)
    host.locator("input[name='unknown-tiles']").check(force=True)
    host.locator("form[action='/boxes/save'] .primary").click()
    host.locator("form[action='/boxes/choose'] button").click()
    host.wait_for_url("**/host")


def begun(phone: Phones) -> tuple[Phone, Phone]:
    """Ada runs the evening and all four colours; the table's own screen looks on."""
    ada, screen = phone(), phone(viewport=LAPTOP)
    ada.host("Ada")
    written_down(ada.page)
    expect(ada.page.locator("select[name=box]")).to_have_value("From the attic")
    ada.page.locator("form[action='/seat/take']:has(input[value='blue']) button").click()
    for colour in COLOURS[1:]:
        form = ada.page.locator(f"form[action='/host/seat']:has([value={colour}])", has_text="to Ada")
        ada.page.evaluate("form => form.requestSubmit()", form.element_handle())
        expect(form).to_have_count(0)
    screen.goto("/table")
    ada.page.locator(".foot button[formaction='/host/start']").click()
    ada.page.wait_for_url("**/play")
    return ada, screen


def told(page: Page, pile: list[Tile]) -> None:
    """As many tiles as are awaited, off the real pile, each by its kind and form; sent together."""
    sure = page.locator("[data-told] .primary")
    for _ in range(page.locator("[data-told] .slot").count()):
        kind, exits = pile.pop(0)
        forms = {
            (pick["tiles"][0]["kind"], shape_of(pick["tiles"][0]["exits"])): pick["id"]
            for pick in offered(page)
            if pick["type"] == "reveal"
        }
        page.locator(f"label:has(#{forms[kind, exits]})").click()
    sure.click()
    expect(sure).to_have_count(0)


def moved(page: Page, cards: list[str]) -> str:
    """What Ada does next, by taps: lay, draw a card as long as there is something to see, end the turn."""
    picks = offered(page)
    draws = [pick for pick in picks if pick["id"].startswith("draw-")]
    if draws and cards:
        assert {pick["id"].removeprefix("draw-") for pick in draws} == {
            "vacuum",
            "crucifix",
            "chalice",
            "kit",
        }
        wanted = f"draw-{cards.pop()}"
    else:
        ends: list[Pick] = [pick for pick in picks if pick["type"] == "end"]
        wanted = (ends or picks)[-1]["id"]
    pick = next(pick for pick in picks if pick["id"] == wanted)
    choose(page, pick)
    confirm(page)
    return str(pick["type"])


def box_follows(ada: Phone, house: House) -> None:
    """The card about a surprise leads the host to the box; it is left to follow what turns up."""
    card = ada.page.locator(".surprise")
    expect(card).to_contain_text("More than we thought: plain.")
    card.locator("summary").click()
    card.get_by_label("PIN").fill(house.pin)
    card.get_by_role("button", name="Be the moderator").click()
    ada.page.wait_for_url("**/moderator")
    ada.page.locator(".surprise a[href='#fix-box']").click()
    ada.page.locator("#fix-box-tiles summary").click()
    ada.page.locator("#fix-box-tiles button").click()
    expect(ada.page.locator(".surprise")).to_have_count(0, timeout=PATIENCE)
    ada.goto("/play")


def test_an_evening_with_a_box_unlike_ours_is_played_to_its_end(
    phone: Phones, house: House, shots: Path
) -> None:
    """CFA-2, CFA-3, CFA-62: every tile and card is told; there is more than we thought, and it goes on."""
    ada, screen = begun(phone)
    pile, cards, done, surprised = [*TILES], ["chalice", "vacuum"], set[str](), 0
    for _ in range(80):
        if not mover_of([ada]):
            break
        if ada.page.locator("[data-told]").count():
            told(ada.page, pile)
            done.add("reveal")
        else:
            done.add(moved(ada.page, cards))
        if not surprised and ada.page.locator(".surprise").count():
            (shots / "manor-box-surprise.png").write_bytes(ada.page.screenshot())
            box_follows(ada, house)
            surprised = len(pile)
    assert done >= {"reveal", "take", "lay", "draw", "end"}
    assert 28 <= surprised < len(TILES)
    for one in (ada, screen):
        one.heading("The ghosts win")
    expect(ada.page.get_by_text("A ghost must appear and no die is left.").first).to_be_visible()
    assert not cards
