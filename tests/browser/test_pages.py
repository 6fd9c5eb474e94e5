"""Every page, looked at: pictures for people, and axe-core for what people may not notice.

Pictures go to `build/shots` or to the folder named in SHOTS, at the size of a phone and of a laptop.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import expect

from tests.browser import test_castles as castles
from tests.browser.house import LAPTOP, PHONE, House, Phone, forge
from tests.browser.test_evening import begin, bid, hide_the_ghosts, hunt, layout, next_to_act, seated
from tests.browser.test_keyboard import Partner

Phones = Callable[..., Phone]
RULES = {"runOnly": ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]}
QUICK = RULES | {"rules": {"color-contrast": {"enabled": False}}}
"""Contrast is most of axe's work, and does not change with the language."""
CONTRAST = {"runOnly": ["color-contrast"]}
LANGUAGES = ("en", "fr", "de")
STRANGERS = {
    "/": "front",
    "/j/ABCDEF": "join",
    "/demo/phantom": "demo",
    "/demo/canterville": "demo-canterville",
    "/demo/artefacts": "demo-artefacts",
    "/nowhere": "gone",
    "/my-phone": "my-phone",
}
"""Pages for whoever has not joined. A new page is one line here, or in the list below."""
HOSTS = {
    "/my-phone": "host-my-phone",
    "/castles": "castles",
    "/castles/nessie": "castle",
    "/castles/nessie/room/1": "castle-room",
    "/boxes": "boxes",
    "/boxes/new?game=phantom": "boxes-new",
    "/boxes/box?name=Gespensterjagd": "box",
    "/backup": "backup",
    "/welcome": "welcome",
    "/welcome/pin": "welcome-pin",
    "/welcome/kit": "welcome-kit",
    "/welcome/box": "welcome-box",
    "/welcome/castle": "welcome-castle",
    "/doctor": "doctor",
    "/lay": "lay",
}
"""Pages of the host that need no game; the pages of a game are looked at as it goes on."""
WIDER = """() => {
    const more = document.documentElement.scrollWidth - innerWidth;
    const wide = [...document.querySelectorAll("body *")]
        .filter((one) => !one.closest("svg") && one.getBoundingClientRect().right > innerWidth + 1);
    return more > 0 ? [more, ...wide.slice(-3).map((one) => one.outerHTML.slice(0, 120))] : [];
}"""


class Looker:
    """Takes pictures of pages and has axe look at them."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._axe = Axe()
        self.seen: list[str] = []

    def look(self, one: Phone, name: str) -> None:
        """A page at both sizes, in the dark and in the light."""
        for size, viewport in (("laptop", LAPTOP), ("phone", PHONE)):
            one.page.set_viewport_size(viewport)
            one.page.wait_for_timeout(60)
            self.shoot(one, f"{name}-{size}", full_page=size == "phone")
            self.fits(one, f"{name} on a {size}")
        self.reflows(one, name)
        self.check(one, name, RULES)
        one.page.emulate_media(color_scheme="light")
        self.shoot(one, f"{name}-light")
        self.check(one, f"{name} by daylight", CONTRAST)
        one.page.emulate_media(color_scheme="dark")
        self.seen.append(name)

    def fits(self, one: Phone, name: str) -> None:
        """Nothing has to be scrolled sideways."""
        assert not (wider := one.page.evaluate(WIDER)), f"{name} is too wide: {wider}"

    def reflows(self, one: Phone, name: str) -> None:
        """Nor on a screen of 320 pixels, nor where letters are twice as large. WCAG 1.4.4, 1.4.10."""
        for width, letters in ((320, "100%"), (360, "200%")):
            one.page.set_viewport_size({"width": width, "height": PHONE["height"]})
            one.page.evaluate("size => { document.documentElement.style.fontSize = size }", letters)
            self.fits(one, f"{name} at {width} pixels with letters of {letters}")
        one.page.evaluate("document.documentElement.style.fontSize = ''")
        one.page.set_viewport_size(PHONE)

    def shoot(self, one: Phone, name: str, full_page: bool = False) -> None:
        """Take a picture."""
        (self._folder / f"{name}.png").write_bytes(one.page.screenshot(full_page=full_page))

    def check(self, one: Phone, name: str, rules: dict[str, Any]) -> None:
        """No violation of WCAG 2.2 AA."""
        # At its end a page hides nothing under the bar at its foot.
        one.page.evaluate("scrollTo(0, document.documentElement.scrollHeight)")
        result = self._axe.run(one.page, options=rules)
        faults = [
            f"{fault['id']}: {fault['nodes'][0]['html'][:160]} ({fault['nodes'][0]['failureSummary']})"
            for fault in result.response["violations"]
        ]
        assert not faults, f"{name}: " + "\n".join(faults)

    def everywhere(self, one: Phone, name: str) -> None:
        """The same for a phone that has joined, in every language."""
        self.look(one, name)
        for language in LANGUAGES[1:]:
            speak(one, language)
            self.shoot(one, f"{name}-{language}")
            self.check(one, f"{name} in {language}", QUICK)
        speak(one, "en")


def speak(one: Phone, language: str) -> None:
    """Change the language of a phone by the switch in its drawer."""
    one.page.locator(".menu > summary").click()
    one.page.locator(f".drawer button[lang={language}]").click()
    expect(one.page.locator("html")).to_have_attribute("lang", language)
    if one.page.locator(".menu[open]").count():
        one.page.keyboard.press("Escape")


@pytest.fixture(scope="module")
def looker(shots: Path) -> Looker:
    return Looker(shots)


def test_pages_that_strangers_see(phone: Phones, looker: Looker, house: House) -> None:
    for language in LANGUAGES:
        one = phone(locale=language)
        for path, name in STRANGERS.items():
            one.goto(path)
            expect(one.page.locator("html")).to_have_attribute("lang", language)
            if language == "en":
                looker.look(one, name)
            else:
                looker.shoot(one, f"{name}-{language}")
                looker.check(one, f"{name} in {language}", QUICK)


def test_pages_of_the_host_that_need_no_game(phone: Phones, looker: Looker, house: House) -> None:
    host = phone()
    host.host()
    host.goto("/castles")
    assert forge(host.page, "/castles/new", "form", name="Nessie")[0] == 200
    animals = {"bats": "5", "cats": "4", "hedgehogs": "6", "mice": "5", "owls": "5"}
    assert forge(host.page, "/castles/animals", "form", **animals)[0] == 200
    for language in LANGUAGES:
        host.goto("/host")
        if language != "en":
            speak(host, language)
        for path, name in HOSTS.items():
            answer = host.page.goto(path)
            assert answer is not None
            assert answer.status == 200, path
            expect(host.page.locator("html")).to_have_attribute("lang", language)
            if language == "en":
                looker.look(host, name)
            else:
                looker.check(host, f"{name} in {language}", QUICK)


def test_pages_of_an_evening(phone: Phones, looker: Looker, house: House) -> None:
    house.empty()
    chance = random.Random(3)
    host, phones = seated(phone, 4)
    stranger = phone()
    guest = phone()
    guest.join(host.page.locator(".bigcode").inner_text(), "Inès")
    looker.everywhere(guest, "seats")
    looker.everywhere(host, "host-lobby")
    looker.everywhere(phones["p1"], "lobby")
    stranger.goto("/table")
    looker.look(stranger, "table-lobby")

    host.button("Begin").click()
    next_to_act(phones).lay(3, 14)
    next_to_act(phones).lay(5, 9)
    looker.everywhere(next_to_act(phones), "placing")
    looker.everywhere(phones["p4"], "placing-wait")
    host.page.get_by_text("End this game").click()
    host.button("End it now").click()
    host.heading("Who plays tonight?")

    begin(host, **{"option-master_game": "true", "option-layout": layout(chance)})
    looker.everywhere(phones["p1"], "bidding")
    bid(phones["p1"], 0)
    bid(phones["p2"], -1)
    phones["p2"].choose(phones["p2"].rooms()[4])
    looker.everywhere(phones["p2"], "hiding")
    hide_the_ghosts([phones["p2"], phones["p4"]], chance, 2)
    looker.everywhere(phones["p2"], "master")
    phones["p2"].page.locator(".hold").click()
    looker.look(phones["p2"], "master-held")
    phones["p2"].take(chance.choice(phones["p2"].in_reach()), "Wreck it")
    hunter = next_to_act(phones)
    hunter.choose(hunter.rooms()[3])
    looker.everywhere(hunter, "hunter")
    looker.everywhere(host, "host")
    hunter.page.locator(".menu > summary").click()
    looker.look(hunter, "menu")
    hunter.page.keyboard.press("Escape")
    for page in ("table", "watch"):
        stranger.goto(f"/{page}")
        looker.look(stranger, page)
    moderator = phone()
    moderator.moderate(agreed=(phones["p1"], phones["p2"]))
    looker.everywhere(moderator, "moderator")
    hunt(phones, chance, ("p2", "p4"))
    looker.everywhere(phones["p1"], "result")
    looker.everywhere(moderator, "moderator-result")
    looker.everywhere(host, "host-result")
    stranger.goto("/table")
    looker.look(stranger, "table-result")
    assert len(looker.seen) >= 20


def test_pages_of_a_hunt(phone: Phones, looker: Looker, house: House) -> None:
    house.empty()
    host = phone()
    code = host.host()
    plan = castles.PLAN | {"players": "2", "option-castle": castles.c1()}
    assert forge(host.page, "/host/plan", "#plan", **plan)[0] == 200
    hunter, ghost = Partner(phone(), code, "h1"), Partner(phone(), code, "max")
    assert forge(host.page, "/host/start", "#plan")[0] == 200
    hunter.one.page.locator(".turn.lit").wait_for()
    looker.everywhere(hunter.one, "castle-start")
    for figure, room in (("a", 1), ("b", 53), ("c", 54)):
        hunter.act(type="start", figure=figure, room=room)
    ghost.act(type="start", room=13)
    hunter.act(type="frame", animal="cats")
    ghost.page.locator(".step-max").wait_for()
    looker.everywhere(ghost.one, "castle-max")
    ghost.act(type="move", room=14)
    hunter.page.locator(".step-hunters").wait_for()
    looker.everywhere(hunter.one, "castle-hunter")
    stranger = phone()
    stranger.goto("/table")
    looker.look(stranger, "castle-table")


def test_first_page_weighs_less_than_100_kilobytes_with_everything(phone: Phones, house: House) -> None:
    one = phone()
    sizes: list[int] = []
    one.page.on("response", lambda answer: sizes.append(len(answer.body())))
    one.goto("/")
    one.page.wait_for_load_state("networkidle")
    assert len(sizes) > 4
    assert sum(sizes) < 100_000, sum(sizes)
