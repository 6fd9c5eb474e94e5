"""What "Show me" shows and lets one try within a minute on a phone, to somebody who has joined nothing."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.browser.house import Phone

Phones = Callable[..., Phone]
SCREEN = {"width": 390, "height": 844}
GAMES = ("phantom", "canterville", "artefacts")
SECRET = ("phantom", "canterville")
"""The games in which a seat has something to hide."""
GUEST = {"en": "Guest", "fr": "Visiteur", "de": "Gast"}
HELPED = {
    "en": "The companion made this move for you, as you asked.",
    "fr": "Le compagnon a joué ce coup pour vous, comme demandé.",
    "de": "Diesen Zug hat der Begleiter für dich gemacht, wie gewünscht.",
}


def in_sight(one: Locator) -> None:
    """Whole on the screen, without scrolling."""
    box = one.bounding_box()
    assert box
    assert box["x"] >= 0
    assert box["y"] >= 0
    assert box["x"] + box["width"] <= SCREEN["width"] + 1
    assert box["y"] + box["height"] <= SCREEN["height"] + 1


def version(page: Page) -> int:
    return int(page.locator("#live").get_attribute("data-version") or 0)


def shown(phone: Phones, game: str, language: str = "en") -> Page:
    """A visitor at the demonstration of a game, at its beginning."""
    page = phone(locale=language, viewport=SCREEN, has_touch=True).page
    page.goto("/")
    page.locator("a[href='/demo']").click()
    page.locator(f".demo a[href='/demo/{game}']").click()
    page.wait_for_url(f"**/demo/{game}")
    with page.expect_response(lambda answer: answer.url.endswith("/again")):
        page.locator("form[action$='/again'] button").click()
    expect(page.locator(".turn.lit h1")).to_contain_text(GUEST[language])
    page.evaluate("scrollTo(0, 0)")
    return page


@pytest.mark.parametrize("language", ["en", "fr", "de"])
@pytest.mark.parametrize("game", GAMES)
def test_three_captions_and_what_one_can_do_are_in_sight(phone: Phones, game: str, language: str) -> None:
    page = shown(phone, game, language)
    captions = page.locator(".captions li")
    assert captions.count() == 3
    for caption in captions.all():
        in_sight(caption)
    in_sight(page.locator(".turn h1"))
    expect(page.locator(".demo nav [aria-current=page]")).to_have_attribute("href", f"/demo/{game}")
    if game in SECRET:
        in_sight(page.locator(".hold"))


@pytest.mark.parametrize("game", SECRET)
def test_secrets_are_ones_own_behind_the_button_to_hold(phone: Phones, game: str) -> None:
    page = shown(phone, game)
    secret = page.locator(".secret").first
    expect(secret).to_be_hidden()
    hold = page.locator(".hold").bounding_box()
    assert hold
    page.mouse.move(hold["x"] + 40, hold["y"] + 20)
    page.mouse.down()
    expect(secret).to_be_visible()
    page.wait_for_timeout(400)  # longer than a tap
    page.mouse.up()
    expect(secret).to_be_hidden()


def test_a_room_is_chosen_and_confirmed_where_one_looks(phone: Phones) -> None:
    """The bar is docked; the bot's answer is told; the goal is the one of the rules for two. PS-92."""
    page = shown(phone, "phantom")
    expect(page.locator(".captions li").nth(1)).to_contain_text("£50,000")
    expect(page.locator("#live")).to_contain_text("of £50,000 damage")
    room = page.locator(".tile.aim input").first
    number = room.get_attribute("data-room")
    page.locator(f"#tile-{number}").tap()
    bar = page.locator("[data-confirm]")
    in_sight(bar)
    before = version(page)
    bar.get_by_role("button", name="Wreck", exact=False).tap()
    expect(page.locator(f"input#room-{number}")).to_have_count(0)
    told = page.locator(".demo [role=status]")
    expect(told).to_contain_text(f"Guest wrecked room {number}")
    expect(told).to_contain_text("the companion lifted the tile of room", timeout=8000)
    assert version(page) > before


def test_the_tick_on_a_tile_does_it_but_not_to_a_nervous_finger(phone: Phones) -> None:
    page = shown(phone, "phantom")
    number = page.locator(".tile.aim input").first.get_attribute("data-room")
    tile = page.locator(f"#tile-{number}")
    box = tile.bounding_box()
    assert box
    page.touchscreen.tap(box["x"] + 20, box["y"] + 20)
    page.touchscreen.tap(box["x"] + 20, box["y"] + 20)
    expect(page.locator("[data-confirm]")).to_contain_text(f"Room {number}")
    page.wait_for_timeout(400)
    tick = box["x"] + box["width"] - 1, box["y"]  # it lies over the corner
    page.touchscreen.tap(*tick)
    expect(page.locator(f"input#room-{number}")).to_have_count(0)


@pytest.mark.parametrize("game", GAMES)
def test_nobody_moves_for_the_reader_unless_asked_and_then_it_is_told(phone: Phones, game: str) -> None:
    page = shown(phone, game, "fr")
    before = version(page)
    page.wait_for_timeout(3500)  # longer than any bot waits
    assert version(page) == before
    page.get_by_role("button", name="Le compagnon joue pour moi").click()
    expect(page.locator(".demo [role=status]")).to_contain_text(HELPED["fr"])
    assert version(page) > before


def test_max_goes_by_two_taps_and_hunters_follow(phone: Phones) -> None:
    page = shown(phone, "canterville")
    page.locator(".hold").tap()
    room = page.locator("#act input[data-what]").first
    room.check(force=True)
    in_sight(page.locator("[data-confirm]"))
    page.locator("[data-confirm] .btn.primary").tap()
    expect(page.locator(".demo [role=status]")).to_contain_text("figure", timeout=8000)
    # The hunters have had their turns, and it is Max's again or Max is caught.
    expect(page.locator(".turn.lit h1, .won h1").first).to_be_visible(timeout=15000)


def test_a_hunter_of_the_manor_walks_and_ends_the_turn(phone: Phones) -> None:
    page = shown(phone, "artefacts")
    spot = page.locator(".spots input").first
    spot.check(force=True)
    in_sight(page.locator("[data-confirm]"))
    before = version(page)
    page.locator("[data-confirm] .btn.primary").tap()
    page.wait_for_function("v => Number(document.querySelector('#live').dataset.version) > v", arg=before)
    expect(page.locator(".dock")).to_be_visible()
    in_sight(page.locator(".dock"))
