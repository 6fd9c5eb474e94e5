"""While ghosts hide: what a master's phone says of one's own, of the partner's, and of what is left."""

from __future__ import annotations

import re
from collections.abc import Callable
from html import unescape

from companion.contract import plain
from tests.web.conftest import Running
from tests.web.phones import Phone
from web.render import pages

Run = Callable[..., Running]
SECRET = re.compile(r'class="note sec-key when-held"><span>(.*?)</span>', re.S)


def hiding(run: Run, **options: str) -> tuple[Running, dict[str, Phone]]:
    """A table at the moment when ghosts hide."""
    house = run(renderer=pages)
    host, phones = house.host(), house.players("Ada", "Hamish", "Zoé", "Jürgen")
    house.start(host, **options)
    table = house.evening.table
    while table.standing().phase == "placing":
        seat = table.standing().to_act[0]
        table.act(seat, table.legal(seat)[0])
    return house, phones


def secrets(phone: Phone) -> str:
    found = SECRET.search(phone.get("/play").text)
    return unescape(re.sub("<.*?>", "", found[1])) if found else ""


def hide(house: Running, seat: str, ghost: str) -> int:
    legal = [plain(action) for action in house.evening.table.legal(seat)]
    room = next(action["room"] for action in legal if action.get("ghost") == ghost)
    house.evening.table.act(seat, {"type": "hide", "ghost": ghost, "room": room})
    return int(room)


def test_a_master_reads_what_is_hidden_what_is_free_and_what_the_partner_took(run: Run) -> None:
    house, phones = hiding(run)
    assert "Hidden: 0 of 2." in phones["p2"].get("/play").text
    assert secrets(phones["p2"]) == "Still free: Blue, Red, Green and White."
    blue, red = hide(house, "p2", "blue"), hide(house, "p4", "red")
    assert "Hidden: 1 of 2." in phones["p2"].get("/play").text
    assert (
        secrets(phones["p2"])
        == f"Blue: yours, room {blue}. Red: Jürgen, room {red}. Still free: Green and White."
    )
    assert f"Blue: Hamish, room {blue}. Red: yours, room {red}." in secrets(phones["p4"])


def test_what_is_hidden_is_behind_the_button_and_on_no_hunters_phone(run: Run) -> None:
    house, phones = hiding(run)
    hide(house, "p2", "blue")
    page = phones["p2"].get("/play").text
    assert "then tap it again" in page
    assert page.count("Blue: yours") == 1
    assert 'class="hold"' in page
    for seat in ("p1", "p3"):
        assert not secrets(phones[seat])
        assert "Still free" not in phones[seat].get("/play").text
