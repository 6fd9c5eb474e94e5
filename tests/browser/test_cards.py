"""Cards of what happened: read whole wherever a page was scrolled to, and what asks before it is done."""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Locator, expect

from tests.browser.house import House, Phone, forge
from tests.browser.test_evening import begin, hide_the_ghosts, layout, next_to_act, seated

Phones = Callable[..., Phone]


@pytest.fixture(autouse=True)
def nobody_else_is_here(house: House) -> Iterator[None]:
    """Each evening begins in an empty house."""
    yield
    house.empty()


def hunted(phone: Phones) -> tuple[Phone, dict[str, Phone]]:
    """Ada hunts, Hamish has hidden all four ghosts and is to act."""
    chance = random.Random(6)
    host, phones = seated(phone, 2)
    begin(host, **{"option-layout": layout(chance)})
    hide_the_ghosts([phones["p2"]], chance, 4)
    phones["p2"].heading("Your turn, Hamish")
    return host, phones


def guest(phone: Phones, host: Phone, name: str) -> Phone:
    """Somebody who has come late."""
    one = phone()
    one.join(host.page.locator(".bigcode").first.text_content() or "", name)
    return one


def menu(one: Phone) -> None:
    one.page.locator(".menu summary").first.click()


def whole(card: Locator) -> bool:
    """Whether nothing of a card is cut off."""
    return bool(card.evaluate("card => card.scrollHeight <= card.clientHeight"))


def test_what_happens_is_read_whole_wherever_one_has_scrolled_to(phone: Phones, shots: Path) -> None:
    chance = random.Random(6)
    host, phones = seated(phone, 3)
    begin(host, **{"option-layout": layout(chance)})
    masters = [phones[seat] for seat in phones if phones[seat].page.locator(".hold").count()]
    hide_the_ghosts(masters, chance, 2)
    expect(phones["p1"].page.locator(".turn")).to_have_count(1)
    mover = next_to_act(phones)
    (waiter,) = (one for one in masters if one is not mover)
    waiter.page.set_viewport_size({"width": 360, "height": 560})
    waiter.page.evaluate("scrollTo(0, document.body.scrollHeight)")
    for level in ("random", "easy", "normal"):
        assert forge(host.page, "/host/seat", "form", seat="p1", bot=level)[0] == 200
    for one in (waiter, mover):
        card = one.page.locator(".moments")
        expect(card.locator(".moment")).to_have_count(3)
        expect(card).to_be_in_viewport(ratio=1)
        assert whole(card)
        expect(card.get_by_role("button", name="Got it")).to_be_in_viewport(ratio=1)
    assert waiter.page.evaluate("scrollY") > 0
    (shots / "cards-in-ones-turn.png").write_bytes(mover.page.screenshot())
    (shots / "cards-scrolled.png").write_bytes(waiter.page.screenshot())


def test_leaving_a_seat_asks_first_and_one_comes_back_by_one_tap(phone: Phones) -> None:
    _, phones = hunted(phone)
    ada = phones["p1"]
    menu(ada)
    ada.page.get_by_text("Leave this seat", exact=True).click()
    expect(ada.page.get_by_text("The game waits at your seat.")).to_be_visible()
    ada.heading(re.compile("Hamish"))
    ada.page.locator("form[action='/seat/leave'] button").click()
    ada.heading("The game is on")
    ada.page.get_by_role("button", name="I am back").click()
    ada.heading(re.compile("Hamish"))


def test_whoever_asks_to_moderate_reads_what_they_wait_for_and_is_led_there(phone: Phones) -> None:
    host, phones = hunted(phone)
    isla = guest(phone, host, "Isla")
    menu(isla)
    isla.page.get_by_text("Host this evening").click()
    isla.page.get_by_label("PIN").fill(isla.house.pin)
    isla.button("Be the moderator").click()
    asked = "Isla, who does not play, asks to be the moderator and see every secret."
    for one in (isla, *phones.values(), host):
        expect(one.page.get_by_text(asked)).to_have_count(1)
    for one in phones.values():
        one.page.locator("form[action='/moderator/agree'] button").click()
    isla.page.get_by_role("link", name="The moderator’s page").first.click()
    isla.page.wait_for_url("**/moderator")
