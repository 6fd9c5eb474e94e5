"""What the companion has decided is asked for on every page, until somebody says that it is done."""

from __future__ import annotations

import re
from collections.abc import Callable
from html import unescape

from tests.web.conftest import Running, hide
from tests.web.phones import Phone, until
from tests.web.test_moments import OWNERS, ROOMS
from web.render import pages

Run = Callable[..., Running]


def asked(phone: Phone, path: str = "/play") -> list[str]:
    """The step that is asked for on a page, in words."""
    found = re.findall(r'id="errand-\d+".*?</small>(.*?)</p>', phone.get(path).text, re.S)
    return [unescape(words) for words in found]


def test_a_tile_that_the_companion_removes_is_asked_for_everywhere_until_it_is_lifted(run: Run) -> None:
    house = run(renderer=pages)
    host, phones = house.host(), house.players("Ada", "Hamish", "Zoé", "Jürgen")
    house.start(host)
    hide(phones, ROOMS, OWNERS)
    house.bot("p2")
    until(lambda: asked(phones["p1"]))
    (words,) = asked(phones["p1"])
    assert re.fullmatch(r"Lift the tile on room \d+ \(.*\)\.", words)
    everywhere = [
        *((phone, "/play") for seat, phone in phones.items() if seat != "p2"),
        (host, "/host"),
        (host, "/table"),
    ]
    for phone, path in everywhere:
        assert asked(phone, path) == [words]
    spectator = house.phone()
    assert asked(spectator, "/watch") == [words]
    assert "/copied" not in spectator.get("/watch").text
    assert phones["p1"].post("/copied", done=1).status == 200
    for phone, path in everywhere:
        assert asked(phone, path) == []
