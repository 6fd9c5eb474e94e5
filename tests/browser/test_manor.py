"""An evening of Chasseurs Fantômes Artéfacts: the four colours run by two people, each with a phone."""

from __future__ import annotations

import itertools
import json
import random
from collections.abc import Callable, Iterator
from typing import Any
from urllib.parse import parse_qs

import pytest
from playwright.sync_api import Page, expect

from tests.browser.house import LAPTOP, House, Phone, forge
from tests.browser.test_pages import LANGUAGES, QUICK, Looker, speak
from tests.games.artefacts.house import COLOURS

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
            assert forge(one.page, "/seat/take", "form", seat=colour)[0] == 200
        one.goto("/play")
        people.append(one)
    assert forge(host.page, "/host/start", "#plan", **options)[0] == 200
    return host, people


NOW = """() => ({
    version: document.querySelector("#live").dataset.version,
    lit: !!document.querySelector(".turn.lit"),
    won: !!document.querySelector(".won"),
    picks: [...document.querySelectorAll("input[name=action]")].map((one) => [one.id, one.value]),
})"""
CHOOSE = """([tile, id]) => {
    if (tile !== null) document.getElementById(`tile-${tile}`).click();
    document.getElementById(id).click();
    return document.getElementById(id).checked;
}"""
Pick = dict[str, Any]


def offered(page: Page) -> list[Pick]:
    """Everything that can be chosen on a page."""
    found = [(id, json.loads(value)) for id, value in page.evaluate(NOW)["picks"]]
    return [(one[0] if isinstance(one, list) else one) | {"id": id} for id, one in found]


def mover_of(people: list[Phone]) -> Phone | None:
    """Whoever's headline is lit once all phones show the same moment; nobody once the game is over."""
    for _ in range(500):
        moments = [one.page.evaluate(NOW) for one in people]
        if any(moment["won"] for moment in moments):
            return None
        if len({moment["version"] for moment in moments}) == 1:
            for one, moment in zip(people, moments, strict=True):
                if moment["lit"] and moment["picks"]:
                    return one
        people[0].page.wait_for_timeout(15)
    heads = [one.page.locator("h1").inner_text() for one in people]
    raise AssertionError(f"nobody may act: {heads}, {[(m['version'], m['lit']) for m in moments]}")


def choose(page: Page, pick: Pick) -> None:
    """The first tap; for a tile two: which one, and where."""
    tile = pick["id"].split("-")[1] if pick["type"] == "lay" else None
    assert page.evaluate(CHOOSE, [tile, pick["id"]])


def confirm(page: Page) -> None:
    """The second tap, and the answer has come."""
    version = page.locator("#live").get_attribute("data-version")
    with page.expect_response("**/act") as answered:
        page.locator("[data-confirm] [data-go]").click()
    assert answered.value.status == 204
    expect(page.locator(f"#live[data-version='{version}']")).to_have_count(0)


def hasty(picks: list[Pick], chance: random.Random) -> Pick:
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
        if pick["type"] == "reveal":
            tell(mover.page, pick)
        else:
            choose(mover.page, pick)
            confirm(mover.page)
        done.add(pick["type"])
    return done


def tell(page: Page, pick: Pick) -> None:
    """So many tiles of one sort as are awaited, sent together."""
    sure = page.locator("[data-told] .primary")
    while sure.is_disabled():
        page.evaluate("id => document.getElementById(id).click()", pick["id"])
    with page.expect_response("**/manor/act") as answered:
        sure.click()
    assert answered.value.status == 204
    expect(sure).to_have_count(0)


HAUNTED = {
    "label": "haunted, for a short evening",
    "tiles": [
        {"kind": "plain", "exits": "NESW", "count": 14},
        {"kind": "ghost", "exits": "NESW", "count": 30},
        *({"kind": "artefact", "colour": colour, "exits": "NESW"} for colour in COLOURS),
    ],
    "objects": {"vacuum": 12, "crucifix": 3, "chalice": 3, "kit": 5, "energy_bar": 4, "teleportable": 4},
    "traps": {"hole": 3, "wound": 3, "prankster": 3, "ghost": 3},
}
"""So many ghosts that the dice run out in the third turn."""
LISTEN = """() => {
    window.heard = [];
    const True = window.OscillatorNode;
    window.OscillatorNode = class extends True {
        constructor(room, how) { super(room, how); window.heard.push(how.frequency); }
    };
}"""


def test_two_people_play_a_whole_game_of_four_colours(phone: Phones, looker: Looker) -> None:
    """From the first tile to the last die; the ghosts' steps are copied one by one, the same for all."""
    host, people = seated(phone, preset="no_cards", **{"option-box": json.dumps(HAUNTED)})
    ada, zoe = people
    table = phone(viewport=LAPTOP)
    table.goto("/table")
    done, copied = set(), 0
    wishes = itertools.cycle(("step", "draw", "end", "end"))
    for _ in range(90):
        mover = mover_of(people)
        if mover is None:
            break
        picks = offered(mover.page)
        wish = next(wishes)
        pick = next((pick for pick in picks if pick["type"] == wish), picks[-1])
        if pick["type"] not in done:
            expect(mover.page.locator("[data-confirm]")).to_be_hidden()
        choose(mover.page, pick)
        if pick["type"] not in done:
            looker.check(mover, f"manor {pick['type']}", QUICK)
        confirm(mover.page)
        done.add(pick["type"])
        if not copied and ada.page.locator("#copy [data-sound]").count():
            copied = copy_all(ada, zoe, table)
    assert {"take", "lay", "step", "draw", "end"} <= done
    assert copied > 2
    for one in (*people, table):
        one.heading("The ghosts win")
    expect(ada.page.get_by_text("A ghost must appear and no die is left.").first).to_be_visible()
    looker.shoot(table, "manor-table-end")
    assert table.page.evaluate("document.documentElement.scrollHeight <= innerHeight + 1")
    assert host.page.url.endswith("/host")


def copy_all(ada: Phone, zoe: Phone, table: Phone) -> int:
    """Zoé copies step by step; Ada's phone and the screen show the same, and Ada hears it."""
    ada.page.evaluate(LISTEN)
    ada.page.locator("[data-sound]").click()
    assert ada.page.evaluate("window.heard.length") > 0
    total = zoe.page.locator(".copy details li").count()
    for n in range(1, total + 1):
        for one in (zoe, table):
            expect(one.page.locator(".cue small")).to_contain_text(f"Step {n} of {total}")
        before = ada.page.evaluate("window.heard.length")
        zoe.page.locator("#copy .primary").click()
        if n == total:
            break
        expect(ada.page.locator(".cue small")).to_contain_text(f"Step {n + 1} of {total}")
        expect(table.page.locator(".cue")).to_have_text(
            ada.page.locator(".cue").inner_text(), use_inner_text=True
        )
        assert ada.page.evaluate("window.heard.length") > before
        assert zoe.page.evaluate("window.heard") is None
    expect(ada.page.locator(".cue")).to_contain_text("Table and companion agree.")
    return total


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
    tiles = teller.locator(".g-reveal .choice")
    slots, sure = teller.locator("[data-told] .slot"), teller.locator("[data-told] .primary")
    for n in range(4):
        expect(sure).to_be_disabled()
        tiles.nth(n % 2).click()
        expect(slots.nth(n).locator("svg")).to_have_count(1)
    slots.nth(1).click()
    expect(sure).to_be_disabled()
    tiles.nth(0).click()
    sure.click()
    expect(teller.locator(".g-take .choice")).to_have_count(4)
    done = play_on(people, random.Random(2), 48)
    assert {"reveal", "take", "lay", "draw", "drawn"} <= done


def turnable(people: list[Phone]) -> tuple[Page, Any, str]:
    """Play until a tile fits a square in more than one way; which that is, chance decides."""
    for _ in range(40):
        play_on(people, random.Random(1), 1)
        mover = mover_of(people)
        assert mover is not None
        lays = [pick for pick in offered(mover.page) if pick["type"] == "lay"]
        for lay in lays:
            if len([o for o in lays if o["at"] == lay["at"] and o["tile"] == lay["tile"]]) > 1:
                return mover.page, lay["at"], lay["id"].split("-")[1]
    raise AssertionError("no tile fits a square in more than one way")


def test_a_tile_is_turned_by_a_button_and_laid_by_a_second_tap(phone: Phones) -> None:
    _, people = seated(phone, preset="no_cards")
    page, at, hand = turnable(people)
    page.locator(f"#tile-{hand}").check(force=True)
    spot = page.locator(f".spot:has([id^='lay-{hand}-{at[0]}-{at[1]}-'])")
    expect(page.get_by_role("button", name="Turn the tile")).to_be_hidden()
    spot.locator(f".lies-{hand} input").first.click()
    first = spot.locator("input:checked").get_attribute("id")
    page.get_by_role("button", name="Turn the tile").click()
    turned = spot.locator("input:checked")
    assert turned.get_attribute("id") != first
    expect(page.locator("[data-confirm] [data-what]")).to_contain_text("Lay on (")
    lay = json.loads(turned.get_attribute("value") or "")
    page.wait_for_timeout(350)  # a tap that comes at once is a nervous finger's
    with page.expect_request("**/manor/act") as sent:
        turned.click()
    assert json.loads(parse_qs(sent.value.post_data or "")["action"][0]) == lay
    expect(spot).to_have_count(0)


def test_a_phone_without_scripts_plays_too(phone: Phones) -> None:
    _, people = seated(phone, preset="no_cards")
    cookies = people[0].context.cookies()
    plain = phone(java_script_enabled=False)
    plain.context.add_cookies(cookies)  # type: ignore[arg-type]
    plain.goto("/play")
    before = plain.page.locator("[name=action]").count()
    plain.page.locator(".g-take .choice input").first.check(force=True)
    plain.page.locator("[data-confirm] [data-go]").click()
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
    stranger, moderator = phone(), phone()
    moderator.moderate(agreed=people)
    for path in ("table", "watch"):
        stranger.goto(f"/{path}")
        looker.look(stranger, f"manor-{path}")
    looker.look(people[0], "manor-copy")
    looker.everywhere(moderator, "manor-moderator")


@pytest.mark.parametrize(("language", "verb"), [("fr", "Poser"), ("de", "Legen"), ("en", "Lay")])
def test_the_button_says_what_it_does(phone: Phones, language: str, verb: str) -> None:
    _, people = seated(phone, preset="no_cards")
    page, at, hand = turnable(people)
    with page.expect_response(lambda answer: answer.url.endswith("/me")):
        page.locator(".menu>summary").click()
        page.locator(f".drawer button[lang={language}]").click()
    page.keyboard.press("Escape")
    page.locator(f"#tile-{hand}").check(force=True)
    page.locator(f".spot [id^='lay-{hand}-{at[0]}-{at[1]}-']").first.check(force=True)
    expect(page.locator("[data-confirm] [data-go]")).to_have_text(verb)
