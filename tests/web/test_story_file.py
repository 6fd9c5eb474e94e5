"""A finished game as one file: whole, in three languages, with nothing in it that asks for anything."""

from __future__ import annotations

import random
import re
import subprocess
import sys
from collections.abc import Callable
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pytest

from companion.journal import Header, Journal, _line
from companion.table import Table
from tests.web.conftest import Running, hide
from web import games
from web.render import pages
from web.story import file, record

Run = Callable[..., Running]
LANGUAGES = ("en", "fr", "de")
FRAMES = {"bats": 1, "cats": 1, "hedgehogs": 1, "mice": 1, "owls": 1}
SHORT: dict[str, dict[str, Any]] = {
    "artefacts": {"players": 2, "decks": "virtual"},
    "canterville": {"players": 3, "frames": FRAMES},
    "phantom": {"players": 4, "objective": 20},
}


class Page(HTMLParser):
    """What a page is made of."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.feed(html)

    def handle_starttag(self, tag: str, attributes: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attributes)))


def played(path: Path, game: str) -> None:
    """A whole game by bots, written to a journal."""
    table, chance = Table(Journal(path)), random.Random(game)
    table.new(game, SHORT[game], seed=5)
    while seats := table.standing().to_act:
        seat = chance.choice(seats)
        table.act(seat, chance.choice(list(table.legal(seat))))
    table.close()


@pytest.fixture(scope="module")
def journals(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    folder = tmp_path_factory.mktemp("games")
    for game in SHORT:
        played(folder / game, game)
    return {game: folder / game for game in SHORT}


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("game", SHORT)
def test_the_story_of_every_game_is_one_file_that_asks_for_nothing(
    journals: dict[str, Path], game: str, language: str
) -> None:
    before = journals[game].read_bytes()
    scene = record.scene(journals[game], language)
    assert scene is not None
    html = file.draw(scene)
    tags = Page(html).tags
    assert {"script", "link", "img", "form", "iframe", "input", "button", "a"}.isdisjoint(
        tag for tag, _ in tags
    )
    assert all(
        value is None or value.startswith("#")
        for _, has in tags
        for name, value in has.items()
        if name in ("href", "src")
    )
    assert not re.search(r"url\((?![\"']?(?:data:|#))|@import|https?://(?!www\.w3\.org)", html)
    policy = [has["content"] for tag, has in tags if has.get("http-equiv") == "Content-Security-Policy"]
    assert policy == ["default-src 'none'; style-src 'unsafe-inline'; img-src data:"]
    assert f'<html lang="{language}">' in html
    assert [tag for tag, _ in tags].count("h1") == 1
    assert not re.search(
        r"\b(web|story|castle|manor)\.[a-z_]+(?=[\s<])|\{[a-z_]+\}(?!\})",
        re.sub(r"<style.*?</style>", "", html, flags=re.DOTALL),
    )
    assert journals[game].read_bytes() == before


def test_a_phantom_story_tells_who_removed_what_and_where_the_ghosts_were(journals: dict[str, Path]) -> None:
    scene = record.scene(journals["phantom"], "en")
    assert scene is not None
    told = file.draw(scene)
    for gone in scene.shows.removed:
        assert f"Room {gone.room}, " in told
    assert told.count('class="hid"') == 4
    assert told.count('<td class="w-') == 36
    facts = games.find("phantom").story.facts(scene, file.texts("en"))
    assert sum(person.removed for person in facts["people"]) == len(scene.shows.removed)
    assert facts["turn_by_turn"][-1].total == f"£{scene.shows.damage},000"


def test_a_castle_story_tells_the_whole_way(journals: dict[str, Path]) -> None:
    scene = record.scene(journals["canterville"], "en")
    assert scene is not None
    steps = re.findall(r'<span class="n">\d+</span>(Room \d+|pause|[^<]*pause)', file.draw(scene))
    assert len(steps) == len(scene.shows.route)


def test_a_manor_story_is_told_round_by_round(journals: dict[str, Path]) -> None:
    scene = record.scene(journals["artefacts"], "en")
    assert scene is not None
    rounds = games.find("artefacts").story.facts(scene, file.texts("en"))["rounds"]
    assert len(rounds) == scene.shows.round + 1
    assert "<h2>Round 1</h2>" in file.draw(scene)


def test_a_story_is_given_to_everybody_once_the_game_is_over_and_holds_no_key(run: Run) -> None:
    house = run(renderer=pages)
    host, phones = house.host(), house.players("Ada", "Hamish", "<b>Zoé</b>", "Jürgen")
    assert host.get("/story.html").status == 409
    house.start(host, **{"option-objective": 1})
    hide(
        phones,
        {"blue": 1, "red": 10, "green": 19, "white": 28},
        {"blue": "p2", "red": "p2", "green": "p4", "white": "p4"},
    )
    answer = phones["p1"].get("/story.html")
    assert answer.status == 409
    assert "the story is told when a game is over" in answer.text.lower()
    assert phones["p2"].post("/act", seat="p2", type="remove", room=2).status == 200
    stranger = house.phone(language="de").get("/story.html")
    assert stranger.headers["content-disposition"] == 'attachment; filename="phantom-story.html"'
    assert '<html lang="de">' in stranger.text
    assert "daylight.css" not in stranger.text
    own = phones["p1"].get("/story.html").text
    assert "&lt;b&gt;Zoé&lt;/b&gt;" in own
    code = house.evening.codes.table_code().code
    for secret in (code, house.evening.pin.shown, phones["p1"].token(), f"127.0.0.1:{house.port}", "csrf"):
        assert secret not in own
    assert 'href="/story.html"' in phones["p1"].get("/play").text


def test_the_command_tells_a_journal_and_says_why_not(journals: dict[str, Path], tmp_path: Path) -> None:
    def told(*words: str) -> subprocess.CompletedProcess[bytes]:
        return subprocess.run([sys.executable, "-m", "companion", "story", *words], capture_output=True)

    done = told(str(journals["phantom"]), "--language", "fr")
    assert done.returncode == 0, done.stderr
    assert '<html lang="fr">' in done.stdout.decode()
    assert told(str(tmp_path / "nothing")).returncode == 1
    kept = tmp_path / "story.html"
    assert told(str(journals["phantom"]), str(kept)).returncode == 0
    assert '<html lang="en">' in kept.read_text(encoding="utf-8")
    assert b"File exists" in told(str(journals["phantom"]), str(kept)).stderr
    begun = tmp_path / "begun"
    table = Table(Journal(begun))
    table.new("phantom", {"players": 2})
    table.close()
    assert b"no game in it is over" in told(str(begun)).stderr
    begun.write_bytes(_line(Header(2)))
    newer = told(str(begun))
    assert newer.returncode == 1
    assert b"this journal has format 2" in newer.stderr
    assert b"Traceback" not in newer.stderr
