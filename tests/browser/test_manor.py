"""An evening of Chasseurs Fantômes Artéfacts: the four colours run by two people, each with a phone."""

from __future__ import annotations

import json
import random
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from tests.browser.house import House, Phone, post
from tests.browser.test_pages import LANGUAGES, QUICK, Looker, speak

Phones = Callable[..., Phone]
PEOPLE = {"Ada": ("blue", "yellow"), "Zoé": ("red", "green")}


@pytest.fixture(autouse=True)
def nobody_else_is_here(house: House) -> Iterator[None]:
    """Each evening begins in an empty house."""
    yield
    house.empty()


@pytest.fixture(scope="module")
def looker(shots: Any) -> Looker:
    return Looker(shots)


def seated(phone: Phones, **options: str) -> tuple[Phone, list[Phone]]:
    """Two people run two colours each, and the game has begun."""
    host = phone()
    code = host.host()
    host.button("Chasseurs Fantômes Artéfacts").click()
    expect(host.page.locator(".seats").first.locator("li")).to_have_count(4)
    people = []
    for name, colours in PEOPLE.items():
        one = phone()
        one.join(code, name)
        for colour in colours:
            assert post(one.page, "/seat/take", "form", seat=colour)[0] == 200
        one.goto("/play")
        people.append(one)
    assert post(host.page, "/host/start", "#plan", **options)[0] == 200
    return host, people


def mover_of(people: list[Phone]) -> Phone | None:
    """Whoever's headline is lit once all phones show the same moment; nobody once the game is over."""
    for _ in range(200):
        if any(one.page.locator(".won").count() for one in people):
            return None
        shown = {one.page.locator("#live").get_attribute("data-version") for one in people}
        for one in people:
            if len(shown) == 1 and one.may_act() and one.page.locator("[name=action]").count():
                return one
        people[0].page.wait_for_timeout(20)
    raise AssertionError("nobody may act")


def offered(page: Page) -> list[dict[str, Any]]:
    """Everything that can be chosen on a page."""
    values = page.locator("[name=action]").evaluate_all("all => all.map(e => [e.id, e.value])")
    return [json.loads(value) | {"id": id} for id, value in values]


def choose(page: Page, pick: dict[str, Any]) -> None:
    """The first tap; for a tile two: which one, and where."""
    if pick["type"] == "lay":
        page.locator(f"#tile-{pick['id'].split('-')[1]}").check(force=True)
    page.evaluate("id => document.getElementById(id).click()", pick["id"])
    expect(page.locator(f"[id='{pick['id']}']")).to_be_checked()


def confirm(page: Page) -> None:
    """The second tap, and the answer has come."""
    version = page.locator("#live").get_attribute("data-version")
    with page.expect_response("**/act"):
        page.locator("[data-confirm]").get_by_role("button", name="Do it").click()
    expect(page.locator(f"#live[data-version='{version}']")).to_have_count(0)
    expect(page.get_by_role("alert")).to_have_count(0)
    page.wait_for_timeout(25)  # the answer and the push both draw the page


def hasty(picks: list[dict[str, Any]], chance: random.Random) -> dict[str, Any]:
    """A short game: whatever comes, and half of the time the turn is over."""
    end = [pick for pick in picks if pick["type"] == "end"]
    others = [pick for pick in picks if pick["type"] not in ("end", "teleport")]
    return chance.choice(end if end and (not others or chance.random() < 0.5) else others)


def play_on(people: list[Phone], chance: random.Random, most: int) -> set[str]:
    """Play so many actions or to the end; gives the kinds of things that were done."""
    done: set[str] = set()
    for _ in range(most):
        mover = mover_of(people)
        if mover is None:
            break
        pick = hasty(offered(mover.page), chance)
        choose(mover.page, pick)
        confirm(mover.page)
        done.add(pick["type"])
    return done


@pytest.mark.slow
def test_two_people_run_four_colours_from_the_first_tile_to_the_end(phone: Phones, looker: Looker) -> None:
    _, people = seated(phone, preset="no_cards")
    stranger = phone()
    stranger.goto("/table")
    done = play_on(people, random.Random(4), 400)
    assert {"take", "lay", "step", "end"} <= done
    for one in (*people, stranger):
        one.heading("The ghosts win")
    expect(people[0].page.get_by_text("Every move")).to_be_visible()
    for language in LANGUAGES[1:]:
        speak(people[0], language)
        looker.check(people[0], f"manor-result in {language}", QUICK)
    speak(people[0], "en")
    looker.look(people[0], "manor-result")


@pytest.mark.slow
def test_whoever_drew_from_the_real_piles_tells_it(phone: Phones) -> None:
    _, people = seated(phone)
    people[1].heading("What was drawn?")
    teller = people[1].page
    teller.locator("#exit-N").check(force=True)
    expect(teller.locator(".g-reveal .choice:visible").first).to_be_visible()
    assert teller.locator(".g-reveal .choice:not(.open-N):visible").count() == 0
    done = play_on(people, random.Random(2), 48)
    assert {"reveal", "take", "lay", "draw", "drawn"} <= done


def test_a_tile_is_turned_by_tapping_its_square_again(phone: Phones) -> None:
    _, people = seated(phone, preset="no_cards")
    play_on(people, random.Random(1), 8)
    mover = mover_of(people)
    assert mover is not None
    page = mover.page
    lays = [pick for pick in offered(page) if pick["type"] == "lay"]
    at, hand = next(
        (lay["at"], lay["id"].split("-")[1])
        for lay in lays
        if len([o for o in lays if o["at"] == lay["at"] and o["tile"] == lay["tile"]]) > 1
    )
    page.locator(f"#tile-{hand}").check(force=True)
    spot = page.locator(f".spot:has([id^='lay-{hand}-{at[0]}-{at[1]}-'])")
    spot.scroll_into_view_if_needed()
    chosen = []
    for _ in range(2):
        box = spot.bounding_box()
        assert box
        page.mouse.click(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
        chosen.append(spot.locator("input:checked").get_attribute("id"))
    assert chosen[0] != chosen[1]
    page.get_by_role("button", name="Turn the tile").click()
    assert spot.locator("input:checked").get_attribute("id") != chosen[1]
    expect(page.locator("[data-confirm] [data-what]")).to_contain_text("Lay on (")


@pytest.mark.slow
def test_ghosts_are_copied_one_step_at_a_time(phone: Phones) -> None:
    _, people = seated(phone, preset="no_cards")
    chance = random.Random(7)
    steps = people[0].page.locator(".copy li:not(.all)")
    for _ in range(160):
        play_on(people, chance, 1)
        if steps.count() > 1:
            break
    shown = people[0].page.locator(".copy li:visible")
    expect(shown).to_have_count(1)
    first = shown.inner_text()
    shown.locator("input").check(force=True)
    expect(shown).to_have_count(1)
    assert shown.inner_text() != first


def test_a_phone_without_scripts_plays_too(phone: Phones) -> None:
    _, people = seated(phone, preset="no_cards")
    cookies = people[0].context.cookies()
    plain = phone(java_script_enabled=False)
    plain.context.add_cookies(cookies)  # type: ignore[arg-type]
    plain.goto("/play")
    before = plain.page.locator("[name=action]").count()
    plain.page.locator(".g-take .choice input").first.check(force=True)
    plain.page.locator("[data-confirm]").get_by_role("button", name="Do it").click()
    assert plain.page.url.endswith("/play")
    expect(plain.page.locator("[name=action]")).to_have_count(before - 1)


@pytest.mark.slow
def test_every_page_of_the_manor(phone: Phones, looker: Looker) -> None:
    chance = random.Random(9)
    _, people = seated(phone, preset="no_cards")
    play_on(people, chance, 12)
    mover = mover_of(people)
    assert mover is not None
    choose(mover.page, next(pick for pick in offered(mover.page) if pick["type"] == "lay"))
    looker.everywhere(mover, "manor-lay")
    waiting = next(one for one in people if one is not mover)
    looker.everywhere(waiting, "manor-wait")
    for _ in range(60):
        if people[0].page.locator(".copy").count():
            break
        play_on(people, chance, 1)
    stranger, referee = phone(), phone()
    referee.moderate()
    for path in ("table", "watch"):
        stranger.goto(f"/{path}")
        looker.look(stranger, f"manor-{path}")
    looker.look(people[0], "manor-copy")
    looker.everywhere(referee, "manor-moderator")
