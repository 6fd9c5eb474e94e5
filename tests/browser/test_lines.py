"""Phones that sleep, lose their network, or lose the house: all are right again by themselves."""

from __future__ import annotations

import json
import random
import signal
from collections.abc import Callable

from playwright.sync_api import expect

from tests.browser.house import House, Phone, forge
from tests.browser.test_evening import begin, hide_the_ghosts, hunt, layout, seated

Phones = Callable[..., Phone]
A_SECOND = 1000


def hunting(phone: Phones, seed: int) -> tuple[Phone, dict[str, Phone], random.Random]:
    """A two-player hunt that has just begun: the ghosts are to move."""
    chance = random.Random(seed)
    host, phones = seated(phone, 2)
    begin(host, **{"option-layout": layout(chance)})
    hide_the_ghosts([phones["p2"]], chance, 4)
    phones["p2"].heading("Your turn, Hamish")
    return host, phones, chance


def gone(one: Phone, room: int, timeout: int) -> None:
    """Wait until a page shows that a room is empty."""
    expect(one.page.locator(f"#room-{room}.gone")).to_have_count(1, timeout=timeout)


HALF_A_MINUTE = 30_000
"""Long enough that every time-out of the line has passed."""


def test_a_phone_offline_in_mid_game_is_right_again_within_a_second(phone: Phones, house: House) -> None:
    _, phones, _ = hunting(phone, 3)
    ada, hamish = phones["p1"], phones["p2"]
    ada.context.set_offline(True)
    # Chromium lets an open stream live on when it goes offline; a real network does not.
    ada.page.evaluate("dispatchEvent(new Event('offline'))")
    expect(ada.page.locator("#lost")).to_be_visible()
    room = hamish.in_reach()[0]
    hamish.take(room, "Wreck it")
    expect(ada.page.locator(f"#room-{room}.gone")).to_have_count(0)
    ada.page.wait_for_timeout(HALF_A_MINUTE)
    ada.context.set_offline(False)
    gone(ada, room, A_SECOND)
    expect(ada.page.locator("#lost")).to_be_hidden()
    ada.heading("Your turn, Ada")


def test_a_sleeping_phone_closes_its_line_and_wakes_to_the_truth(phone: Phones, house: House) -> None:
    host, phones, _ = hunting_again(phone, house, 4)
    ada, hamish = phones["p1"], phones["p2"]
    set_hidden(ada, True)
    expect(host.page.locator(".seats").first.locator("li").first).to_contain_text("asleep", timeout=12_000)
    room = hamish.in_reach()[0]
    hamish.take(room, "Wreck it")
    set_hidden(ada, False)
    gone(ada, room, A_SECOND)


def set_hidden(one: Phone, hidden: bool) -> None:
    """As when another app comes to the front."""
    one.page.evaluate(
        """hidden => {
            Object.defineProperty(document, "hidden", {value: hidden, configurable: true});
            document.dispatchEvent(new Event("visibilitychange"));
        }""",
        hidden,
    )


def hunting_again(phone: Phones, house: House, seed: int) -> tuple[Phone, dict[str, Phone], random.Random]:
    """The same in an empty house."""
    house.empty()
    return hunting(phone, seed)


def test_the_daemon_is_killed_and_the_game_goes_on_by_itself(phone: Phones, house: House) -> None:
    host, phones, chance = hunting_again(phone, house, 6)
    room = phones["p2"].in_reach()[0]
    phones["p2"].take(room, "Wreck it")
    house.stop(signal.SIGKILL)
    for one in (host, *phones.values()):
        expect(one.page.locator("#lost")).to_be_visible()
    house.start()
    for one in (host, *phones.values()):
        expect(one.page.locator("#lost")).to_be_hidden(timeout=10_000)
    gone(phones["p1"], room, A_SECOND)
    hunt(phones, chance, ("p2",))
    host.heading("The game is over")


def test_two_phones_of_one_seat_cannot_both_act_and_the_late_one_is_told(phone: Phones, house: House) -> None:
    _, phones, _ = hunting_again(phone, house, 7)
    hamish = phones["p2"]
    late = hamish.context.new_page()
    late.goto("/play")
    rooms = hamish.in_reach()
    stale = late.locator("#act [name=version]").first.input_value()
    hamish.take(rooms[0], "Wreck it")
    action = json.dumps({"type": "remove", "room": rooms[1]})
    status, answer = forge(late, "/act", ".menu form", seat="p2", version=stale, action=action)
    assert status == 409
    assert 'role="alert"' in answer
    late.close()
