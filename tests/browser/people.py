"""People around a table, as fast as they can tap, and screens that look over their shoulders."""

from __future__ import annotations

import json
import random
from collections.abc import Callable, Mapping
from typing import Any

from playwright.sync_api import Browser, BrowserContext, Page

from tests.browser.house import House
from tests.web.phones import Phone

Action = dict[str, Any]


class People:
    """A host, and somebody on every seat of a game."""

    def __init__(self, house: House, names: Mapping[str, str], **plan: str) -> None:
        self.url = house.url
        self.host = self._phone()
        self.host.post("/host", pin=house.pin, name="Mrs Kerr")
        self.host.post("/welcome/done")
        self.plan(**plan)
        self.code = self.host.get("/host").text.split('class="bigcode">')[1].split("<")[0]
        self.phones: dict[str, Phone] = {}
        for seat, name in names.items():
            self.phones[seat] = self.guest(name)
            assert self.phones[seat].post("/seat/take", seat=seat).status == 200

    def _phone(self) -> Phone:
        return Phone(int(self.url.rsplit(":", 1)[1]))

    def guest(self, name: str) -> Phone:
        """Somebody who has joined and sits nowhere."""
        return self._phone().join(self.code, name)

    def moderator(self, house: House, name: str) -> Phone:
        """Somebody who sees everything."""
        phone = self._phone()
        assert phone.post("/moderator", pin=house.pin, name=name).status == 200
        for seat, player in self.phones.items():
            # Once a side has answered, nobody else of it is asked.
            player.forge("/moderator/agree", seat=seat)
        return phone

    def plan(self, **fields: str) -> None:
        """Choose a game and what its page asks for: a program tells the rest, board and box, at once."""
        answer = self.host.forge("/host/plan", **fields)
        assert answer.status == 200, answer.text[:400]

    def begin(self, **options: str) -> None:
        if options:
            self.plan(**options)
        answer = self.host.post("/host/start")
        assert answer.status == 200, answer.text[:400]

    def legal(self, seat: str) -> list[Action]:
        """What a seat may do now."""
        found = json.loads(self.phones[seat].get(f"/api/v1/legal?seat={seat}").text)
        return list(found["actions"])

    def act(self, seat: str, **action: Any) -> None:
        """Do what may be done, however the page asks for it: here it is looked at, not tapped."""
        answer = self.phones[seat].forge("/act", seat=seat, action=json.dumps(action))
        assert answer.status == 200, answer.text[:400]

    def seen(self) -> None:
        """Everybody has tapped away what they were told."""
        for phone, page in [(self.host, "/host"), *((phone, "/play") for phone in self.phones.values())]:
            if 'action="/seen"' in (shown := phone.get(page)).text:
                phone.post("/seen", page=shown)

    def to_act(self) -> dict[str, list[Action]]:
        """Who may do what now."""
        return {seat: legal for seat in self.phones if (legal := self.legal(seat))}

    def play(
        self, chance: random.Random, most: int = 1, wanted: Callable[[Action], bool] | None = None
    ) -> None:
        """So many actions, of those that are wanted where there are some."""
        for _ in range(most):
            choices = self.to_act()
            if not choices:
                return
            seat = next(iter(choices))
            liked = [action for action in choices[seat] if wanted is None or wanted(action)]
            self.act(seat, **chance.choice(liked or choices[seat]))

    def play_past(self, chance: random.Random, *types: str) -> None:
        """Play until nobody is to do anything of these types."""
        while any(action["type"] in types for legal in self.to_act().values() for action in legal):
            self.play(chance)


class Screen:
    """A browser that looks over somebody's shoulder, or is nobody's."""

    def __init__(
        self, browser: Browser, house: House, whose: Phone | None = None, locale: str = "en"
    ) -> None:
        self.context: BrowserContext = browser.new_context(
            base_url=house.url,
            locale=locale,
            color_scheme="dark",
            service_workers="block",
            reduced_motion="reduce",
        )
        if whose and whose.cookie:
            name, _, value = whose.cookie.partition("=")
            self.context.add_cookies([{"name": name, "value": value, "url": house.url}])
        self.page: Page = self.context.new_page()

    def close(self) -> None:
        self.context.close()


def kinds(*names: str) -> Callable[[Action], bool]:
    """Actions of these types."""
    return lambda action: action["type"] in names
