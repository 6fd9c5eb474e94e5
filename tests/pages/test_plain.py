"""Plain pages: whatever is registered can be played by phone, with facts and buttons."""

from __future__ import annotations

import json
import random
import re
from html import unescape
from typing import Any

import pytest

from companion.table import Table
from tests.pages.scenes import looks, scene
from web.games.generic import pages as plain
from web.render import lobby
from web.render.templates import draw
from web.render.texts import texts

GAMES: dict[str, dict[str, Any]] = {
    "artefacts": {"players": 2, "decks": "virtual"},
    "canterville": {"players": 3, "frames": {"bats": 2, "cats": 2, "hedgehogs": 2, "mice": 2, "owls": 2}},
    "phantom": {"players": 2},
}
LANGUAGES = ("en", "fr", "de")
STEPS = 40


@pytest.mark.parametrize("game", GAMES)
def test_every_legal_action_is_on_a_plain_page(game: str) -> None:
    chance = random.Random(game)
    table = Table()
    table.new(game, GAMES[game], seed=1)
    for step in range(STEPS):
        if not table.standing().to_act:
            break
        t = texts(LANGUAGES[step % 3])
        for page, eyes in looks(table):
            if page == "host":
                continue
            shown = scene(table, page, eyes, t.language)
            name, facts = plain.draw(shown, t)
            drawn = draw(name, lobby.common(shown, page, t) | facts)
            offered = [json.loads(unescape(value)) for value in re.findall(r'value="(\{[^"]*)"', drawn)]
            for actions in shown.legal.values():
                assert all(json.loads(json.dumps(action)) in offered for action in actions), (page, eyes)
        seat = chance.choice(table.standing().to_act)
        table.act(seat, chance.choice(list(table.legal(seat))))
    assert step > 10
