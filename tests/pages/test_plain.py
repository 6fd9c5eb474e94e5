"""Plain pages: whatever is registered can be played by phone, with facts and buttons."""

from __future__ import annotations

import json
import random
import re
from html import unescape
from typing import Any

import pytest
from msgspec.structs import replace

from companion.contract import MODERATOR
from companion.contract import plain as to_data
from companion.table import Table
from tests.games.artefacts.house import enter, shows
from tests.pages.scenes import looks, opened, scene
from web import games as game_pages
from web.games.generic import pages as plain
from web.render import lobby
from web.render.templates import draw
from web.texts import texts

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


def test_where_hands_lie_open_nothing_waits_behind_a_button(monkeypatch: pytest.MonkeyPatch) -> None:
    """Seats with nothing to hide: a card that the others do not see is no secret."""
    state = enter({"decks": "virtual", "hands": "private"}, hands={"blue": ["kit"]})
    options = {"decks": "virtual", "hands": "private", "box": to_data(state.options.box)}
    table, t = Table(), texts("en")
    table.new("artefacts", options, to_data(shows(state, MODERATOR)))
    mine = scene(table, "play", "blue", open=opened(table))
    assert not plain.draw(mine, t)[1]["secrets"]
    closed = replace(game_pages.find("artefacts"), open_hands=False)
    monkeypatch.setattr(game_pages, "find", lambda name: closed)
    assert plain.draw(mine, t)[1]["secrets"]
