"""The number of a rule in a refusal leads to that rule in words."""

from __future__ import annotations

import re
from collections.abc import Callable

from tests.web.conftest import Running, hide
from tests.web.test_moments import OWNERS, ROOMS
from web.render import pages

Run = Callable[..., Running]


def test_a_refusal_leads_to_the_words_of_its_rule(run: Run) -> None:
    house = run(renderer=pages)
    host, phones = house.host(), house.players("Ada", "Hamish", "Zoé", "Jürgen")
    house.start(host)
    hide(phones, ROOMS, OWNERS)
    reached = {action.room for action in house.evening.choices["p2"]}
    room = next(room for room in range(1, 37) if room not in reached)
    refused = phones["p2"].forge("/act", seat="p2", type="remove", room=room)
    assert refused.status == 409
    (path, anchor) = re.findall(r'href="(/rules/[a-z]+)#([^"]+)"', refused.text)[0]
    assert anchor in re.findall(r'class="rule"[^>]*>([^<]*)', refused.text)[0]
    page = host.get(path).text
    said = page.partition(f'id="{anchor}"')[2]
    assert said, "the rule has a place on the page"
    assert len(re.sub("<[^>]*>", "", said[:600]).split()) > 10
