"""Every text keeps to the glossary of its language: one word for one thing, and no name of the code."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import companion
from companion import games, words

ROOT = Path(companion.__file__).parents[1]
GLOSSARY = ROOT / "docs" / "glossary"
FOLDERS = sorted(
    folder
    for package in ("companion", "hardware", "web")
    for name in ("words", "rules")
    for folder in (ROOT / package).rglob(name)
    if (folder / "en.toml").exists()
)
TERMS = [
    pytest.param(language, term, id=f"{language}-{term['say']}")
    for language in words.LANGUAGES
    for term in tomllib.loads((GLOSSARY / f"{language}.toml").read_text(encoding="utf-8"))["term"]
]


def flat(told: dict[str, Any], path: str = "") -> Iterator[tuple[str, str]]:
    for key, value in told.items():
        if isinstance(value, dict):
            yield from flat(value, f"{path}{key}.")
        else:
            yield path + key, value


def said(language: str, only: list[str] | None = None) -> Iterator[tuple[str, str]]:
    """Every text of a language with its place; of some games only, where that is asked."""
    for folder in FOLDERS:
        if only is None or folder.parent.name in only:
            told = tomllib.loads((folder / f"{language}.toml").read_text(encoding="utf-8"))
            yield from ((f"{folder.relative_to(ROOT)}: {key}", text) for key, text in flat(told))


@pytest.mark.parametrize(("language", "term"), TERMS)
def test_a_thing_is_called_by_its_one_name(language: str, term: dict[str, Any]) -> None:
    refused = re.compile("|".join(term["not"]))
    texts = dict(said(language, term.get("in")))
    assert {place: text for place, text in texts.items() if refused.search(text)} == {}
    assert any(term["say"].lower() in text.lower() for text in texts.values())


@pytest.mark.parametrize(("language", "term"), TERMS)
def test_a_term_says_what_it_means_and_does_not_refuse_itself(language: str, term: dict[str, Any]) -> None:
    assert term["means"]
    assert not re.search("|".join(term["not"]), term["say"])


@pytest.mark.parametrize("game", games.names())
@pytest.mark.parametrize("language", words.LANGUAGES)
def test_no_text_of_a_game_says_the_name_of_an_option_or_a_seat(game: str, language: str) -> None:
    """`master_game`, `owners`, `p1`: names for programs, which no person should meet."""
    options = set(games.find(game).options.__struct_fields__)
    names = {name for name in options if "_" in name} | {"owners", "to_act", "p1", "p2", "h1", "h2", "target"}
    spoken = re.compile(rf"(?<![\w{{.])({'|'.join(sorted(names))})(?![\w}}])")
    found = {place: text for place, text in said(language, [game]) if spoken.search(text)}
    assert found == {}
