"""A game without pages of its own: facts and buttons for whatever is registered."""

from __future__ import annotations

import random
from collections.abc import Callable

from playwright.sync_api import expect

from tests.browser.house import House, Phone

Phones = Callable[..., Phone]


def test_a_game_without_pages_of_its_own_is_played_by_buttons(phone: Phones, house: House) -> None:
    chance = random.Random(1)
    one = phone()
    one.moderate()
    one.button("Chasseurs Fantômes Artéfacts").click()
    one.page.locator("select[name=preset]").select_option("no_cards")
    expect(one.page.locator("select[name=preset]")).to_have_value("no_cards")
    one.button("Begin").click()
    expect(one.page.locator(".facts")).to_be_visible()
    for _ in range(25):
        version = one.page.locator("#live").get_attribute("data-version")
        forms = one.page.locator("form[action='/act']:has([name=action])")
        form = forms.nth(chance.randrange(forms.count()))
        if form.locator("select").count():
            choices = form.locator("option[value]:not([value=''])")
            value = choices.nth(chance.randrange(choices.count())).get_attribute("value")
            form.locator("select").select_option(value)
            form.locator("button").click()
        else:
            form.locator("button").first.click()
        expect(one.page.locator(f"#live[data-version='{version}']")).to_have_count(0)
    expect(one.page.get_by_role("alert")).to_have_count(0)
