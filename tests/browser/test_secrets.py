"""Secrets on a phone: closed, open while held, and closed by whatever could show them to others."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator

import pytest
from playwright.sync_api import Browser, expect

from tests.browser.house import House, Phone
from tests.browser.test_evening import begin, hide_the_ghosts, layout, seated

Phones = Callable[..., Phone]
SECRET = ".secret, .reach, .den, .when-held, .hold, .gmark"


class Hunt:
    """A two-player hunt with the ghosts to move."""

    def __init__(self, browser: Browser, house: House) -> None:
        self.phones: list[Phone] = []

        def phone() -> Phone:
            self.phones.append(Phone(browser, house))
            return self.phones[-1]

        chance = random.Random(12)
        self.host, phones = seated(phone, 2)
        self.hunter, self.master = phones["p1"], phones["p2"]
        begin(self.host, **{"option-layout": layout(chance)})
        hide_the_ghosts([self.master], chance, 4)
        self.master.heading("Your turn, Hamish")
        self.hunter.heading("Hamish haunts")

    @property
    def lines(self) -> object:
        """The master's true lines."""
        return self.master.page.locator(".over.secret")


@pytest.fixture(scope="module")
def hunt(browser: Browser, house: House) -> Iterator[Hunt]:
    begun = Hunt(browser, house)
    yield begun
    for one in begun.phones:
        one.close()


def press(hunt: Hunt) -> None:
    """A thumb goes down on the button and stays."""
    box = hunt.master.page.locator(".hold").bounding_box()
    assert box is not None
    hunt.master.page.mouse.move(box["x"] + 20, box["y"] + 20)
    hunt.master.page.mouse.down()
    expect(hunt.lines).to_be_visible()


def let_go(hunt: Hunt) -> None:
    hunt.master.page.mouse.up()


def test_a_hunters_page_has_no_place_for_secrets(hunt: Hunt) -> None:
    for one in (hunt.hunter, hunt.host):
        expect(one.page.locator(SECRET)).to_have_count(0)


def test_secrets_show_while_the_button_is_held_and_nothing_else_moves(hunt: Hunt) -> None:
    page = hunt.master.page
    expect(hunt.lines).to_be_hidden()
    script = """() => [...document.querySelectorAll("h1, .gauge, .board, .story, .foot, .hold")].map(
        (part) => JSON.stringify(part.getBoundingClientRect()))"""
    before = page.evaluate(script)
    press(hunt)
    assert page.evaluate(script) == before
    expect(page.locator(".sec-key")).to_contain_text("Yours: rooms")
    page.wait_for_timeout(400)
    let_go(hunt)
    expect(hunt.lines).to_be_hidden()
    expect(page.locator(".sec-key")).to_be_hidden()


def test_a_key_holds_as_a_finger_does(hunt: Hunt) -> None:
    page = hunt.master.page
    page.locator(".hold").focus()
    page.keyboard.down("Space")
    expect(hunt.lines).to_be_visible()
    expect(page.locator(".hold")).to_have_attribute("aria-pressed", "true")
    page.wait_for_timeout(400)
    page.keyboard.up("Space")
    expect(hunt.lines).to_be_hidden()


def test_a_tap_shows_them_for_ten_seconds(hunt: Hunt) -> None:
    page = hunt.master.page
    page.clock.install()
    page.reload()
    page.locator(".hold").click()
    expect(hunt.lines).to_be_visible()
    page.clock.fast_forward(9_000)
    expect(hunt.lines).to_be_visible()
    page.clock.fast_forward(1_100)
    expect(hunt.lines).to_be_hidden()
    page.clock.resume()


@pytest.mark.parametrize("event", ["blur", "pagehide", "offline"])
def test_leaving_the_page_or_losing_the_line_closes_them(hunt: Hunt, event: str) -> None:
    press(hunt)
    hunt.master.page.evaluate(f"dispatchEvent(new Event('{event}'))")
    expect(hunt.lines).to_be_hidden()
    let_go(hunt)
    hunt.master.page.evaluate("dispatchEvent(new Event('online'))")
    expect(hunt.master.page.locator("#lost")).to_be_hidden()


def test_an_illegal_choice_is_refused_on_the_masters_phone_alone(hunt: Hunt) -> None:
    master, hunter = hunt.master, hunt.hunter
    before = hunter.page.content()
    far = next(room for room in master.rooms() if room not in master.in_reach())
    master.choose(far)
    master.confirm("Wreck it")
    expect(master.page.get_by_role("alert")).to_contain_text(f"No ghost of yours reaches room {far}")
    expect(hunt.lines).to_be_hidden()
    # Closed, it does not say why: a neighbour would learn where no ghost is.
    why = master.page.get_by_text(f"No ghost of yours reaches room {far}")
    expect(why).to_be_hidden()
    expect(master.page.get_by_text("That was refused. Hold the button to read why.")).to_be_visible()
    press(hunt)
    expect(why).to_be_visible()
    master.page.wait_for_timeout(400)
    let_go(hunt)
    expect(why).to_be_hidden()
    assert hunter.page.content() == before
    master.button("Nothing in reach: pass").click()
    expect(master.page.get_by_role("alert")).to_contain_text("you must remove one")
    assert hunter.page.content() == before


def test_a_refusal_is_read_at_once_where_there_are_no_secrets(hunt: Hunt) -> None:
    """The notice that a master's page shows, on the page of a hunter."""
    notice = hunt.master.page.get_by_role("alert").evaluate("one => one.outerHTML")
    page = hunt.hunter.page
    page.locator(".foot").evaluate("(foot, notice) => (foot.innerHTML = notice)", notice)
    expect(page.get_by_text("you must remove one")).to_be_visible()
    expect(page.get_by_text("Hold the button")).to_be_hidden()
    page.reload()


def test_the_end_of_the_turn_closes_them(hunt: Hunt) -> None:
    master = hunt.master
    master.choose(master.in_reach()[0])
    master.page.locator(".hold").click()
    expect(hunt.lines).to_be_visible()
    master.confirm("Wreck it")
    hunt.hunter.heading("Your turn, Ada")
    expect(hunt.lines).to_be_hidden()
