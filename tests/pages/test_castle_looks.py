"""Every page of Gespensterjagd at every moment of whole games, in every language."""

from __future__ import annotations

import random
import re
from typing import Any

import pytest

from companion.games.canterville.castle import Castle, Room, demo
from companion.table import Table
from tests.games.canterville.castles import SMALL
from tests.pages.scenes import looks, scene
from web.games.canterville.drawing import drawing
from web.render import pages

FRAMES = {"bats": 1, "cats": 2, "hedgehogs": 2, "mice": 1, "owls": 2}
ALL_CARDS = {"chimney": True, "door": True, "trap": "h1"}
TABLES: dict[str, dict[str, Any]] = {
    "first": {"hunters": 3, "preset": "first_game"},
    "family": {"hunters": 4, "preset": "family"},
    "expert": {"hunters": 2, "preset": "expert"},
    "alone": {"hunters": 1, **ALL_CARDS, "unlock_same_round_for_others": False},
    "own": {"hunters": 3, "castle": SMALL, **ALL_CARDS},
    "unmapped": {"hunters": 3, "castle": "none", **ALL_CARDS},
    "again": {"hunters": 2, "castle": "none", "illegal_max_move": "replay_round"},
}
LANGUAGES = ("en", "fr", "de")
UNSPOKEN = re.compile(r"\bcastle\.(?!css)[a-z_]+|\{[a-z_]+\}")


@pytest.mark.parametrize("kind", TABLES)
def test_every_page_of_a_whole_hunt_can_be_drawn(kind: str) -> None:
    """Doubts and verdicts included, where there is no map."""
    chance, table = random.Random(kind), Table()
    table.new("canterville", {"frames": FRAMES, **TABLES[kind]}, seed=5)
    moments = 0
    while True:
        look(table, LANGUAGES[moments % 3])
        judge(table, chance)
        moments += 1
        if not table.standing().to_act:
            break
        seat = chance.choice(table.standing().to_act)
        table.act(seat, chance.choice(list(table.legal(seat))))
    assert moments > 10


def look(table: Table, language: str) -> None:
    """Draw what everybody sees now."""
    assert table.game is not None
    for page, eyes in looks(table):
        ground = table.game.ground(table.view(eyes))
        drawn = pages.render(scene(table, page, eyes, language, ground=ground), page)
        assert f'<html lang="{language}">' in drawn
        assert not UNSPOKEN.search(re.sub(r'value="[^"]*"', "", drawn)), (page, eyes)
        if page == "moderator" and table.standing().phase != "starting":
            assert 'action="/castles/repair"' in drawn


def judge(table: Table, chance: random.Random) -> None:
    """Now and then a hunter doubts a step, and somebody settles it."""
    steps = table.view("h1").shows.to_judge
    if not steps or chance.random() < 0.5:
        return
    one, two = chance.choice(steps)
    table.act("h1", {"type": "doubt", "from": one, "to": two})
    for language in LANGUAGES:
        look(table, language)
    if chance.random() < 0.8:
        table.act(chance.choice(["h1", "max", "table"]), {"type": "stands"})
    else:
        table.act("max", {"type": "foul", "from": one, "to": two})


def test_every_room_is_wide_enough_for_a_thumb() -> None:
    """In the demo castle, without a map, and in one of twelve columns, which is wider than a phone."""
    row = tuple(Room(n, x=n - 1, y=0, w=1, h=1) for n in range(1, 13))
    tower = tuple(Room(12 + n, x=0, y=n, w=1, h=1) for n in range(1, 12))
    for castle, wider in ((demo(), False), (None, False), (Castle(rooms=(*row, *tower)), True)):
        sheet = drawing(castle)
        assert sheet.roomy == wider
        assert min(min(room.w, room.h) for room in sheet.chambers.values()) >= 43.9
        assert max(room.x + room.w for room in sheet.chambers.values()) <= sheet.width
