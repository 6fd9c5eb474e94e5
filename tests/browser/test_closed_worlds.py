"""With secrets closed a phone says the same in every world that its neighbours cannot rule out."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from random import Random
from typing import Any

import pytest
from playwright.sync_api import Route, expect

from companion.contract import PUBLIC, Seat
from tests.browser.house import House, Phone
from tests.browser.test_closed_secrets import MOBILE, heard
from tests.browser.test_keyboard import Ear
from tests.conformance.walks import Walk
from tests.swapped.comparing import settled
from tests.swapped.houses import TOKEN, Move, deeds_of
from tests.swapped.houses import House as Evening

Phones = Callable[..., Phone]
SEEN = """() => {
    const found = [], page = document.querySelector("#live");
    const walker = document.createTreeWalker(page, NodeFilter.SHOW_TEXT);
    while (walker.nextNode()) {
        const { nodeValue: text, parentElement: one } = walker.currentNode;
        const shown = one.getClientRects().length && one.checkVisibility({ visibilityProperty: true });
        if (shown && text.trim()) found.push(text.trim());
    }
    return found;
}"""
MOMENTS, WORLDS = 2, 2
"""Of each phase of a game, and of each moment."""
SECRETIVE: dict[tuple[str, Seat], dict[str, Any]] = {
    ("phantom", "p2"): {"players": 4},
    ("phantom", "p4"): {"players": 4, "masters_see_all_ghosts": "own_only"},
    ("canterville", "max"): {
        "preset": "expert",
        "players": 4,
        "frames": dict.fromkeys(("bats", "cats", "hedgehogs", "mice", "owls"), 3),
    },
    ("artefacts", "blue"): {"decks": "virtual", "hands": "private"},
    ("artefacts", "red"): {"decks": "virtual", "hands": "private", "object_uses_per_turn": "unlimited"},
}
"""Every seat that has secrets, at a table where it does."""


class Window:
    """A phone on which pages are put that were drawn elsewhere."""

    def __init__(self, one: Phone, house: House) -> None:
        self._one, self._url, self._ear = one, f"{house.url}/closed", Ear(one)
        self._html = b""
        one.page.route(self._url, self._answer)
        # A stream that never answers: one that is refused would be told as a lost line, sooner or later.
        one.page.route("**/events*", lambda _: None)

    def _answer(self, route: Route) -> None:
        route.fulfill(body=self._html, content_type="text/html; charset=utf-8")

    def told(self, html: bytes) -> list[Any]:
        """Everything that a page says to eyes and ears while nobody holds the button."""
        self._html = html
        self._one.page.goto(self._url)
        expect(self._one.page.locator("html.js #live")).to_be_visible()
        return [self._one.page.title(), *self._one.page.evaluate(SEEN), *heard(self._ear)]


def moments(evening: Evening, options: dict[str, Any], chance: Random) -> Iterator[tuple[Any, list[Any]]]:
    """Some moments of a game, with worlds that fit all that everybody saw."""
    walk = Walk(evening.game.name, options, chance.getrandbits(32))
    moves = [Move(seat, action) for seat, action in walk.moves]
    deeds, states = deeds_of(walk.game, walk.moments[0].state, moves)
    by_phase: dict[str, list[int]] = {}
    for n in settled(walk.game, states):
        worlds = walk.game.worlds(walk.game.view(states[n], PUBLIC))
        if walk.game.result(states[n]) is None and len(worlds) > 1:
            by_phase.setdefault(walk.game.phase(states[n]), []).append(n)
    for found in by_phase.values():
        for n in sorted(chance.sample(found, min(MOMENTS, len(found)))):
            evening.jump(deeds[:n], states[n])
            worlds = walk.game.worlds(walk.game.view(states[n], PUBLIC))
            yield states[n], [worlds.sample(chance) for _ in range(WORLDS)]


def hidden(evening: Evening, state: Any, seat: Seat) -> int:
    """How many ghosts a seat has hidden so far: that is told, since all see somebody tap."""
    ghosts = getattr(evening.game.view(state, seat).shows, "ghosts", {})
    return sum(ghost.room is not None for ghost in ghosts.values()) if isinstance(ghosts, dict) else 0


@pytest.mark.parametrize(("game", "seat"), SECRETIVE, ids=map("-".join, SECRETIVE))
def test_a_closed_phone_says_nothing_of_its_secrets(
    phone: Phones, house: House, game: str, seat: Seat
) -> None:
    chance, options = Random(f"{game} {seat}"), SECRETIVE[game, seat]
    window, evening = Window(phone(viewport=MOBILE), house), Evening(game, options, "en")
    compared = 0
    for truth, worlds in moments(evening, options, chance):
        evening.become(truth)
        ((_, to),) = evening.audiences(seat)
        told = window.told(evening.pages.document(to, TOKEN))
        for world in worlds:
            if hidden(evening, world, seat) != hidden(evening, truth, seat):
                continue
            evening.become(world)
            assert window.told(evening.pages.document(to, TOKEN)) == told
            compared += world != truth
    assert compared
