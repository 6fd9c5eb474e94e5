"""The host runs the evening: pause, taking back, bots, hand-over, another game with the same people."""

from __future__ import annotations

import random
from collections.abc import Callable

from playwright.sync_api import expect

from tests.browser.house import House, Phone
from tests.browser.test_evening import begin, hide_the_ghosts, hunt, layout, seated

Phones = Callable[..., Phone]


def test_an_evening_with_pause_undo_bot_and_rematch(phone: Phones, house: House) -> None:
    chance = random.Random(21)
    host, phones = seated(phone, 2)
    ada, hamish = phones["p1"], phones["p2"]
    begin(host, **{"option-layout": layout(chance)})
    hide_the_ghosts([hamish], chance, 4)
    hamish.heading("Your turn, Hamish")
    room = hamish.in_reach()[0]
    hamish.take(room, "Wreck it")
    ada.heading("Your turn, Ada")

    host.button("Pause").click()
    expect(ada.page.get_by_role("status").filter(has_text="The game is paused")).to_be_visible()
    expect(ada.page.locator("#act")).to_have_count(0)
    host.button("Go on").click()
    expect(ada.page.locator("#act")).to_have_count(1)

    hamish.button("Take back").click()
    expect(ada.page.get_by_text("Hamish asks to take back the last move.")).to_be_visible()
    ada.button("Agree").click()
    expect(ada.page.locator(f"#room-{room}.tile")).to_have_count(1)
    hamish.heading("Your turn, Hamish")

    more = host.page.locator(".seats").first.locator("li").first.locator("details")
    more.locator("summary").click()
    more.get_by_role("button", name="The companion: normal, forgets nothing").click()
    expect(host.page.locator(".seats").first.locator("li").first).to_contain_text("companion")
    ada.heading("The game is on")
    hamish.take(hamish.in_reach()[0], "Wreck it")
    hamish.heading("Your turn, Hamish")
    assert hamish.page.locator(".gone, .found").count() >= 2

    more.locator("summary").click()
    more.get_by_role("button", name="Give to Ada").click()
    ada.heading("Hamish haunts")
    hunt(phones, chance, ("p2",))
    host.sure("Rematch, roles swapped", "Begin again")
    host.heading("The hotel is being made ready")
    expect(ada.page.locator(".cells .slot").first).to_be_visible()


def test_a_seat_is_handed_to_another_phone_by_its_code(phone: Phones, house: House) -> None:
    house.empty()
    host, phones = seated(phone, 2)
    begin(host, **{"option-layout": layout(random.Random(2))})
    hamish = phones["p2"]
    hamish.page.locator("#act").wait_for()
    hamish.page.locator(".menu > summary").click()
    hamish.button("Hand my seat to another phone").click()
    code = hamish.page.locator(".drawer .bigcode").inner_text()
    other = phone()
    other.join(code, "Isla")
    other.heading("Your turn, Isla")
    hamish.heading("The game is on")
