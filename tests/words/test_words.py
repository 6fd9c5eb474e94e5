"""The same sentences in every language, each of them said somewhere, and none that is said missing."""

from __future__ import annotations

import ast
import re
import tomllib
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from string import Formatter
from typing import Any

import pytest

import companion
from companion import games, options, words

ROOT = Path(companion.__file__).parents[1]
PACKAGES = ("companion", "hardware", "web")
FOLDERS = sorted(
    folder for package in PACKAGES for folder in (ROOT / package).rglob("words") if folder.is_dir()
)
SPEAKERS = {
    "companion": ROOT / "companion" / "words",
    **{
        folder.parent.name: folder
        for folder in FOLDERS
        if folder.is_relative_to(ROOT / "companion" / "games")
    },
}
"""The speakers whose keys the code spells out; pages and boards build theirs in templates."""

BUILT = {"companion": set(), "phantom": {"colour_", "hint_lay_", "persona_", "phase_", "type_"}}
"""The beginnings of keys whose end is put together when they are said."""

GROUPS = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]["entry-points"]
NOT_SAID = {*GROUPS, "companion.service"}
"""Names of other things that look like keys: entry points, and the service on a Pi."""


def sentences(folder: Path, language: str) -> dict[str, Any]:
    return tomllib.loads((folder / f"{language}.toml").read_text(encoding="utf-8"))


def forms(sentence: Any) -> list[str]:
    return list(sentence.values()) if isinstance(sentence, dict) else [sentence]


def blanks(text: str) -> set[str]:
    return {name for _, name, _, _ in Formatter().parse(text) if name is not None}


def name_of(folder: Path) -> str:
    return str(folder.relative_to(ROOT).parent)


everywhere = pytest.mark.parametrize("folder", FOLDERS, ids=name_of)
elsewhere = pytest.mark.parametrize("language", [each for each in words.LANGUAGES if each != "en"])


@everywhere
@elsewhere
def test_every_language_has_the_same_keys(folder: Path, language: str) -> None:
    assert set(sentences(folder, language)) == set(sentences(folder, "en"))


@everywhere
@elsewhere
def test_every_language_fills_the_same_blanks(folder: Path, language: str) -> None:
    """A form for one may leave out the number, and only that."""
    english = sentences(folder, "en")
    for key, sentence in sentences(folder, language).items():
        expected = set().union(*map(blanks, forms(english[key])))
        found = set().union(*map(blanks, forms(sentence)))
        assert found - {"n"} == expected - {"n"}, key


@everywhere
@pytest.mark.parametrize("language", words.LANGUAGES)
def test_keys_are_sorted_and_sentences_are_whole(folder: Path, language: str) -> None:
    found = sentences(folder, language)
    assert list(found) == sorted(found)
    for key, sentence in found.items():
        assert not isinstance(sentence, dict) or set(sentence) == {"one", "many"}, key
        for text in forms(sentence):
            assert text, key
            assert text == text.strip(), key
            assert "  " not in text, key


# What the code says


@cache
def texts() -> tuple[set[str], set[str]]:
    """Every text in the code, and every beginning of a text that is put together."""
    whole, begun = set(), set()
    for path in (path for package in PACKAGES for path in (ROOT / package).rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Constant) and isinstance(node.value, str):
                whole.add(node.value)
            if isinstance(node, ast.JoinedStr) and isinstance(node.values[0], ast.Constant):
                begun.add(str(node.values[0].value))
    return whole - begun - NOT_SAID, begun


def keys_in(found: set[str], speaker: str) -> set[str]:
    return {match[1] for text in found if (match := re.fullmatch(rf"{speaker}\.([a-z0-9_]*)", text))}


def said(speaker: str) -> set[str]:
    """Every key of a speaker that stands in the code as it is."""
    return keys_in(texts()[0], speaker)


def beginnings(speaker: str) -> set[str]:
    """The beginnings of keys that the code puts together."""
    return keys_in(texts()[1], speaker)


def built(speaker: str) -> Iterator[str]:
    """The keys of a speaker that begin like one that is put together."""
    for key in sentences(SPEAKERS[speaker], "en"):
        if key.startswith(tuple(beginnings(speaker))):
            yield key


@pytest.mark.parametrize("speaker", SPEAKERS)
def test_nothing_is_said_that_has_no_words(speaker: str) -> None:
    assert said(speaker) - set(sentences(SPEAKERS[speaker], "en")) == set()


@pytest.mark.parametrize("speaker", SPEAKERS)
def test_there_are_no_words_that_nobody_says(speaker: str) -> None:
    offered = keys_in({saying.key for saying in said_of_options(speaker)}, speaker)
    assert set(sentences(SPEAKERS[speaker], "en")) - said(speaker) - set(built(speaker)) - offered == set()


def said_of_options(speaker: str) -> Iterator[words.Saying]:
    """What a page says that offers the options of a game, each with all its values."""
    for offer in options.offers(games.find(speaker)) if speaker in games.names() else ():
        said_of_it = (offer.label(), offer.hint(), offer.by_the_rules(), *map(offer.said, offer.choices))
        yield from (each for each in said_of_it if isinstance(each, words.Saying))


@pytest.mark.parametrize("speaker", BUILT)
def test_keys_that_are_put_together_are_listed(speaker: str) -> None:
    assert beginnings(speaker) == BUILT[speaker]


# How it is said


@pytest.fixture(autouse=True)
def phantom() -> None:
    games.find("phantom")


def test_a_sentence_is_filled_and_said_in_a_language() -> None:
    assert words.say("phantom.room_empty", "fr", room=3) == "la pièce 3 est déjà vide"
    assert words.say("phantom.room_empty", "de", room=3) == "Raum 3 ist schon leer"


def test_a_word_inside_a_sentence_is_said_in_its_language() -> None:
    blue = words.Saying("phantom.colour_blue")
    assert words.say("phantom.ghost_nowhere", "fr", ghost=blue) == "le fantôme bleu n’est nulle part"
    assert words.say("phantom.ghost_nowhere", "de", ghost=blue) == "Gespenst Blau ist nirgends"


@pytest.mark.parametrize(
    ("language", "n", "form"), [("en", 0, "many"), ("en", 1, "one"), ("fr", 0, "one"), ("de", 2, "many")]
)
def test_one_and_many(language: str, n: int, form: str) -> None:
    expected = words.sentences("phantom", language)["tournament_over"]
    assert isinstance(expected, dict)
    assert words.say("phantom.tournament_over", language, n=n) == expected[form].format(n=n)


def test_money_as_each_language_writes_it() -> None:
    assert words.money(45, "en") == "£45,000"
    assert words.money(0, "en") == "£0"
    assert words.money(45, "de") == "45.000\N{NO-BREAK SPACE}£"
    assert words.money(45, "fr") == "45\N{NARROW NO-BREAK SPACE}000\N{NO-BREAK SPACE}£"


def test_a_language_nobody_wrote_is_said_in_english() -> None:
    assert words.say("companion.game_over", "nl") == "the game is over"


def test_a_speaker_who_comes_late_is_heard(tmp_path: Path) -> None:
    assert words.say("latecomer.hello") == "latecomer.hello"
    (tmp_path / "en.toml").write_text('hello = "good evening"', encoding="utf-8")
    words.register("latecomer", tmp_path)
    assert words.say("latecomer.hello") == "good evening"


def test_a_list_is_joined() -> None:
    assert words.say("companion.not_your_turn", "en", seats=("p1", "p2")).endswith(": p1, p2")
