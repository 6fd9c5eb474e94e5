"""One phone for two: whole games on it, the back button tried at every hand-over, and nothing left to see."""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from playwright.sync_api import expect

from tests.browser.house import House, Phone, forge
from tests.browser.test_evening import begin, layout
from tests.browser.test_pages import Looker

Phones = Callable[..., Phone]
SECRET = re.compile(r'class="[^"]*\b(secret|reach|den|sec-key|gmark|when-held|hold)\b')
EARS = """
    const fetched = window.fetch;
    window.fetch = async (...asked) => {
        const answer = await fetched(...asked);
        answer.clone().text().then(overheard, () => {});
        return answer;
    };
    window.EventSource = class extends EventSource {
        constructor(address) {
            super(address);
            this.addEventListener("page", (event) => overheard(event.data));
            this.addEventListener("change", (event) => overheard(event.data));
        }
    };
"""
"""Every answer and every push, as it reaches the page."""


@pytest.fixture(autouse=True)
def nobody_else_is_here(house: House) -> Iterator[None]:
    """Each evening begins in an empty house."""
    yield
    house.empty()


class Shared:
    """A phone that goes from hand to hand."""

    def __init__(self, one: Phone, names: dict[str, str]) -> None:
        self.one, self.page, self.names = one, one.page, names
        self.tokens: dict[str, str] = {}
        """Whose page each token opened."""
        self.heard: list[str] = []
        one.context.expose_function("overheard", lambda text: self.heard.append(text))
        one.context.add_init_script(EARS)

    def join(self, code: str) -> None:
        """The first person joins and sits down; the others are added in the lobby."""
        (seat, name), *more = self.names.items()
        self.one.join(code, name)
        self.one.sit(seat)
        for other, called in more:
            self.page.get_by_text("One phone for all").click()
            self.page.locator("select[name=seat]").select_option(other)
            self.page.get_by_label("Their name").fill(called)
            self.one.button("Sit down here too").click()
            expect(self.page.locator(f"input[name=name][value='{called}']")).to_be_visible()

    def passed_to(self, seat: str) -> None:
        """It is nobody's: the screen says whose turn it is to take it, and back and forth say the same."""
        self.one.heading(f"Pass the phone to {self.names[seat]}")
        for go in (self.page.go_back, self.page.go_forward, self.page.reload):
            answer = go()
            assert answer is not None
            assert not SECRET.search(answer.text())
            self.shows_nothing()
        self.one.heading(f"Pass the phone to {self.names[seat]}")

    def shows_nothing(self) -> None:
        content = self.page.content()
        assert not SECRET.search(content)
        assert "data-hold=" not in content

    def take(self, seat: str) -> None:
        """Tap: the page is this seat's."""
        self.heard.append(f"taken by {seat}")
        self.page.locator(f".holdbar form:has([value={seat}]) button").click()
        expect(self.page.locator("#live[data-hold]")).to_have_count(1)
        token = self.page.locator("#live").get_attribute("data-hold") or ""
        assert self.tokens.setdefault(token, seat) == seat

    def heard_nothing_of(self, secretive: str) -> None:
        """Whatever had a secret in it went to that seat's own page, while its person held the phone."""
        holder = ""
        for text in self.heard:
            if text.startswith("taken by "):
                holder = text.removeprefix("taken by ")
            found = re.search(r'data-hold="(\w+)"', text)
            if SECRET.search(text):
                assert found
                assert self.tokens.get(found[1]) == secretive
                assert holder == secretive


def two_players(phone: Phones, chance: random.Random, **options: str) -> tuple[Phone, Shared]:
    """A host, and a hunter and a ghost master on one phone; the ghosts are about to hide."""
    host = phone()
    code = host.host()
    host.page.locator("#plan input[name=players][value='2']").check(force=True)
    expect(host.page.locator(".seats").first.locator("li")).to_have_count(2)
    shared = Shared(phone(), {"p1": "Ada", "p2": "Zoé"})
    shared.join(code)
    expect(host.page.locator(".seats").first).to_contain_text("Zoé")
    begin(host, **{"option-layout": layout(chance)}, **options)
    return host, shared


def test_a_whole_game_of_two_on_one_phone_with_the_back_button_at_every_hand_over(
    phone: Phones, shots: Path
) -> None:
    chance = random.Random(3)
    host, shared = two_players(phone, chance, **{"option-objective": "9"})
    one = shared.one
    shared.passed_to("p2")
    Looker(shots).everywhere(one, "handover")
    shared.take("p2")
    for colour in ("blue", "red", "green", "white"):
        tiles = one.page.locator(f".tile.w-{colour} input")
        tiles.nth(chance.randrange(tiles.count())).check(force=True)
        one.confirm("Hide it")
    one.heading("Your turn, Zoé")
    for _ in range(12):
        # Zoé looks at her secrets and is interrupted: the back button leads away, and she is asked again.
        one.page.locator(".hold").click()
        expect(one.page.locator(".over.secret")).to_be_visible()
        shared.page.go_back()
        shared.page.go_forward()
        shared.passed_to("p2")
        shared.take("p2")
        one.choose(chance.choice(one.in_reach()))
        one.confirm("Wreck it")
        if one.page.locator(".won").count():
            break
        shared.passed_to("p1")
        shared.take("p1")
        assert not SECRET.search(one.page.content())
        one.choose(chance.choice(one.rooms()))
        one.confirm("Lift it")
        if one.page.locator(".won").count():
            break
        shared.passed_to("p2")
        shared.take("p2")
    one.heading(re.compile("The (ghosts|hunters) win"))
    host.heading("The game is over")
    assert set(shared.tokens.values()) == {"p1", "p2"}
    shared.heard_nothing_of("p2")


LEAVING = {
    "blur": "dispatchEvent(new Event('blur'))",
    "the page goes": "dispatchEvent(new PageTransitionEvent('pagehide', {persisted: true}))",
    "the phone sleeps": """
        Object.defineProperty(document, "hidden", {value: true, configurable: true});
        document.dispatchEvent(new Event("visibilitychange"));
        delete document.hidden""",
    "the tab freezes": "document.dispatchEvent(new Event('freeze'))",
}


def test_whatever_could_show_it_to_others_covers_the_page_before_anything_else(phone: Phones) -> None:
    _, shared = two_players(phone, random.Random(4))
    page = shared.page
    for leaving in LEAVING.values():
        shared.one.heading("Pass the phone to Zoé")
        shared.take("p2")
        page.locator(".tile input").first.check(force=True)
        left = page.evaluate(f"() => {{ {leaving}; return document.documentElement.outerHTML }}")
        assert "Pass the phone to Zoé" in left
        assert "data-hold=" not in left
        assert not SECRET.search(left)
        page.evaluate("dispatchEvent(new PageTransitionEvent('pageshow', {persisted: true}))")
    shared.one.heading("Pass the phone to Zoé")
    token = next(iter(shared.tokens))
    status, answer = forge(
        page, "/act", "form[action='/hand/take']", seat="p2", hold=token, type="hide", ghost="blue", room="1"
    )
    assert status == 403
    assert "data-hold" not in answer


def test_the_phone_is_passed_by_its_button_and_an_answer_that_comes_late_shows_nothing(phone: Phones) -> None:
    _, shared = two_players(phone, random.Random(5))
    page = shared.page
    shared.take("p2")
    shared.one.button("Pass the phone").click()
    shared.one.heading("Pass the phone to Zoé")
    shared.shows_nothing()
    # She taps, and puts the phone down before the answer is there.
    page.route(
        "**/hand/take", lambda route: (page.evaluate("dispatchEvent(new Event('blur'))"), route.continue_())
    )
    with page.expect_response("**/hand/down") as told:
        page.locator(".holdbar form:has([value=p2]) button").click()
    assert told.value.ok
    shared.one.heading("Pass the phone to Zoé")
    shared.shows_nothing()
