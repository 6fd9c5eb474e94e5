"""A new table is made one's own by the first phone that knows the PIN, by taps alone."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from playwright.sync_api import expect

from tests.browser.house import House, Phone
from tests.browser.test_pages import Looker

Phones = Callable[..., Phone]


def test_the_first_phone_is_led_from_language_to_the_host_s_desk(
    phone: Phones, house: House, shots: Path
) -> None:
    looker, host = Looker(shots), phone()
    host._enter("Mrs Kerr", "Be the host")
    host.page.wait_for_url("**/host")
    host.page.get_by_role("link", name="First steps", exact=True).click()
    host.button("Français").click()
    host.heading("Un code PIN qui reste ?")
    host.page.get_by_role("link", name="Langue").click()
    host.page.locator("button[value=en]").click()
    host.heading("A PIN that stays?")
    looker.look(host, "welcome-pin")
    host.page.get_by_label("One of your own").fill("271828")
    host.button("Use this one from now on").click()
    host.heading("Your board")
    looker.look(host, "welcome-kit")
    host.button("Buttons for rows and columns", exact=False).first.click()
    expect(host.page.locator("[aria-pressed=true]")).to_contain_text("in use")
    expect(host.page.locator("[aria-pressed=true]")).to_have_attribute("value", "rows")
    host.page.get_by_role("link", name="Next").click()
    host.heading("Your box")
    expect(host.page.get_by_role("link", name="To the boxes")).to_have_attribute("href", "/boxes")
    host.page.get_by_role("link", name="Next").click()
    host.heading("Your castle")
    host.button("Let’s play").click()
    host.page.wait_for_url("**/host")
    expect(host.page.get_by_role("heading", name="A new table")).to_have_count(0)
    house.stop()
    house.start()
    house.pin = "271828"
    other = phone(java_script_enabled=False)
    other._enter("Isla", "Be the host")
    other.page.wait_for_url("**/host")
    other.page.get_by_role("link", name="First steps").click()
    other.heading("Which language?")
    other.goto("/welcome/kit")
    expect(other.page.locator("[aria-pressed=true]")).to_have_attribute("value", "rows")
