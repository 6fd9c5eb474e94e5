"""Every page at every moment of whole games, under many rules, in every language."""

from __future__ import annotations

import itertools
import random
import re
from typing import Any

import pytest
from msgspec.structs import replace

from companion.games.phantom.board import COLOURS
from companion.table import Table
from tests.pages.scenes import looks, opened, scene
from web.render import pages
from web.scene import Lamps
from web.texts import texts

RULES: dict[str, dict[str, Any]] = {
    "plain": {"players": 4},
    "learning": {"players": 3, "privacy": "learning"},
    "two": {"players": 2, "friendly_fire": "forbidden"},
    "expert": {"players": 4, "preset": "expert"},
    "printed": {"players": 4, "preset": "as_printed", "privacy": "eyes_closed"},
    "honour": {"players": 3, "keeper": "honour"},
    "short": {"players": 4, "hunter_may_pass": True, "objective": 7},
}
LANGUAGES = ("en", "fr", "de")
UNSPOKEN = re.compile(r"\bweb\.[a-z_]+|\{[a-z_]+\}")


def begun(rules: dict[str, Any], chance: random.Random) -> Table:
    colours = [colour for colour in COLOURS for _ in range(9)]
    chance.shuffle(colours)
    table = Table()
    table.new("phantom", {"layout": [[c, chance.randint(1, 6)] for c in colours], **rules}, seed=3)
    return table


def played(table: Table, chance: random.Random) -> None:
    seat = chance.choice(table.standing().to_act)
    table.act(seat, chance.choice(list(table.legal(seat))))


@pytest.mark.parametrize("rules", RULES)
def test_every_page_of_a_whole_game_can_be_drawn(rules: str) -> None:
    chance = random.Random(rules)
    table = begun(RULES[rules], chance)
    moments = 0
    while True:
        language = LANGUAGES[moments % 3]
        for page, eyes in looks(table):
            drawn = pages.render(scene(table, page, eyes, language), page)
            assert f'<html lang="{language}">' in drawn
            assert not UNSPOKEN.search(re.sub(r'value="[^"]*"', "", drawn)), (page, eyes)
        moments += 1
        if not table.standing().to_act:
            break
        played(table, chance)
    assert moments > 5


@pytest.mark.parametrize("rules", RULES)
def test_what_is_drawn_once_for_all_is_what_each_would_see(rules: str) -> None:
    chance = random.Random(rules)
    table = begun(RULES[rules], chance)
    for moment in itertools.count():
        everybodys, language = opened(table), LANGUAGES[moment % 3]
        for page, eyes in looks(table):
            alone = scene(table, page, eyes, language)
            assert pages.fragment(replace(alone, open=everybodys), page) == pages.fragment(alone, page)
        if not table.standing().to_act:
            break
        played(table, chance)


@pytest.mark.parametrize("language", LANGUAGES)
def test_what_is_asked_of_all_is_asked_in_the_language_of_each(language: str) -> None:
    chance = random.Random(2)
    table = begun({"players": 4}, chance)
    while table.standing().phase != "playing":
        played(table, chance)
    asking = Lamps(marks={14: ("differs",)})
    alone = replace(scene(table, "watch", "public", language), lamps=asking)
    asked = texts(language, "board")("asked_line", room=14)
    assert asked in pages.fragment(alone, "watch")
    assert asked in pages.fragment(replace(alone, open=opened(table, lamps=asking)), "watch")


@pytest.mark.parametrize("players", [2, 3, 4])
def test_laying_a_board_can_be_drawn(players: int) -> None:
    chance = random.Random(players)
    table = Table()
    table.new("phantom", {"players": players})
    while table.standing().phase == "placing":
        (seat,) = table.standing().to_act
        drawn = pages.fragment(scene(table, "play", seat), "play")
        assert 'id="lay"' in drawn
        played(table, chance)


def test_two_worlds_look_the_same_to_everybody_who_may_not_know() -> None:
    chance = random.Random(5)
    tables = [begun({"players": 4}, random.Random(5)) for _ in range(2)]
    for number, table in enumerate(tables):
        tiles = table.view("public").shows.rooms
        for which, colour in enumerate(COLOURS):
            rooms = [room for room, tile in enumerate(tiles, start=1) if tile and tile.colour == colour]
            seat = ("p2", "p4")[which % 2]
            table.act(seat, {"type": "hide", "ghost": colour, "room": rooms[number * 4]})
    one, other = tables
    shared = set(one.legal("p2")) & set(other.legal("p2"))
    lifted = [action.room for action in shared if hasattr(action, "room")]
    for room in [chance.choice(lifted)] if lifted else []:
        for table in tables:
            table.act("p2", {"type": "remove", "room": room})
    for page, eyes in (
        ("play", "p1"),
        ("play", "p3"),
        ("table", "public"),
        ("watch", "public"),
        ("host", "host"),
    ):
        drawn = [pages.render(scene(table, page, eyes), page) for table in tables]  # type: ignore[arg-type]
        assert drawn[0] == drawn[1], (page, eyes)
    masters = [pages.render(scene(table, "play", "p2"), "play") for table in tables]
    assert masters[0] != masters[1]


def test_a_masters_page_by_memory_shows_no_lines() -> None:
    chance = random.Random(6)
    table = begun({"players": 2, "show_ghosts_to_masters": "never_after_setup"}, chance)
    while table.standing().phase == "hiding":
        played(table, chance)
    drawn = pages.fragment(scene(table, "play", "p2"), "play")
    classes = {name for names in re.findall(r'class="([^"]*)"', drawn) for name in names.split()}
    assert "tile" in classes
    assert not classes & {"den", "reach", "secret"}
