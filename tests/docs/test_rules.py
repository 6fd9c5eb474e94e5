"""Every rule that anything cites by number is written down: on its page, and in words for the phones."""

from __future__ import annotations

import re
import subprocess
import sys
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path

import pytest

from companion import games, rules, words

PROJECT = Path(__file__).parents[2]
GAMES = {"PS": "phantom", "GJ": "canterville", "CFA": "artefacts"}
CITED = re.compile(rf"\b(?:{'|'.join(GAMES)})-[A-Z]*\d+\b")
PLACES = ("companion", "hardware", "web", "tests", "bench", "docs", "README.md", "CHANGELOG.md")
TEXTS = {".py", ".md", ".html", ".toml", ".js", ".css", ".json"}


def texts() -> Iterator[Path]:
    """Every file of ours that can cite a rule: not this one, nor those that write them down."""
    for place in map(PROJECT.joinpath, PLACES):
        for path in [place, *place.rglob("*")]:
            if path.suffix in TEXTS and path.name != "test_rules.py" and path.parent.name != "rules":
                yield path


def cited() -> dict[str, Path]:
    """Every number of a rule or an example in the project, with a place that cites it."""
    return {
        number: path for path in texts() for number in CITED.findall(path.read_text("utf-8", errors="ignore"))
    }


def numbers(game: str, language: str) -> list[str]:
    return [number for chapter in rules.chapters(game, language) for number in chapter.rules]


def anchors(page: str) -> set[str]:
    text = (PROJECT / "docs/rules" / f"{page}.md").read_text(encoding="utf-8")
    return set(re.findall(r'<a id="([^"]+)"></a>\*\*\1\*\*', text))


def test_whatever_is_cited_stands_on_a_page() -> None:
    pages = anchors("examples").union(*map(anchors, GAMES.values()))
    assert {number: path for number, path in cited().items() if number not in pages} == {}


def test_every_rule_that_is_cited_is_said_in_every_language() -> None:
    """Worked examples (PS-T1) are for whoever reads the tests; rules and rulings are for everybody."""
    found = {number for number in cited() if "-T" not in number}
    assert len(found) > 200
    for number in found:
        for language in words.LANGUAGES:
            assert rules.rule(GAMES[number.partition("-")[0]], number, language), (number, language)


@pytest.mark.parametrize("game", GAMES.values())
@pytest.mark.parametrize("language", words.LANGUAGES)
def test_every_language_has_the_same_rules_in_the_same_order(game: str, language: str) -> None:
    assert numbers(game, language) == numbers(game, "en")
    assert len(rules.chapters(game, language)) == len(rules.chapters(game, "en"))


@pytest.mark.parametrize("game", GAMES.values())
def test_numbers_rise_and_none_is_given_twice(game: str) -> None:
    found = [(("Q" in number), int(re.sub(r"\D", "", number))) for number in numbers(game, "en")]
    assert all(one < other for one, other in pairwise(found))


@pytest.mark.parametrize("game", GAMES.values())
@pytest.mark.parametrize("language", words.LANGUAGES)
def test_rules_are_whole_sentences_without_names_from_the_code(game: str, language: str) -> None:
    for chapter in rules.chapters(game, language):
        for number, text in chapter.rules.items():
            assert re.fullmatch(r"\S.*[.!“»]", text), number
            assert not re.search(r"  |_|'|\bp[1-5]\b|`", text), number


def test_what_a_rule_says_and_what_is_none() -> None:
    assert rules.rule("phantom", "PS-60", "de") == "Ein Jäger nimmt ein beliebiges Plättchen vom Brett."
    assert rules.rule("phantom", "PS-60", "nl") == "A hunter removes any one tile on the board."
    assert rules.rule("phantom", "GJ-50") is None


def test_a_game_without_written_rules_has_none(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(str(PROJECT / "tests/example_game"))
    from attic import GAME  # type: ignore[import-not-found]

    monkeypatch.setattr(games, "find", lambda name: GAME)
    assert rules.chapters("attic") == ()
    assert rules.page("attic") == ""


@pytest.mark.parametrize("game", GAMES.values())
def test_the_page_is_what_the_command_prints(game: str) -> None:
    """`make rules` writes them anew."""
    command = [sys.executable, "-m", "companion", "rules", game, "--language", "en"]
    printed = subprocess.run(command, capture_output=True, check=True).stdout.decode()
    assert printed == (PROJECT / "docs/rules" / f"{game}.md").read_text(encoding="utf-8")


def test_one_rule_in_the_language_of_the_terminal(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    from companion.cli import main

    monkeypatch.setenv("LC_ALL", "fr_FR.UTF-8")
    assert main(["rules", "canterville", "gj-10"]) == 0
    assert capsys.readouterr().out.startswith("Un joueur est Max")
    assert main(["rules", "canterville", "GJ-999"]) == 1
    assert "canterville" in capsys.readouterr().err
    assert main(["rules", "chess"]) == 1
    assert "chess" in capsys.readouterr().err
