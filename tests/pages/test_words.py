"""Texts are data: nothing missing, nothing unused, nothing written into a template."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path
from string import Formatter
from typing import Any

import pytest

WEB = Path(__file__).parents[2] / "web"
LANGUAGES = ("en", "fr", "de")
GAME_FOLDERS = sorted(path.parent for path in (WEB / "games").glob("*/record.py"))
TEMPLATES = sorted(path for path in WEB.rglob("templates/**/*.*") if path.is_file())
SOURCES = [path.read_text(encoding="utf-8") for path in (*TEMPLATES, *sorted(WEB.rglob("*.py")))]


def words(language: str) -> dict[str, Any]:
    return tomllib.loads((WEB / "words" / f"{language}.toml").read_text(encoding="utf-8"))


def literal_keys() -> set[str]:
    """Keys that are named in full: t("key"), t.rich('key', …), and keys kept in a variable."""
    called = re.compile(r"""\b(?:t|t\.rich|self)\(\s*(["'])(\w+)\1(?!\s*~)""")
    kept = re.compile(r'"((?:demo|host|seat)_\w+[a-z0-9])"')
    found = {match[2] for text in SOURCES for match in called.finditer(text)}
    return found | {match[1] for text in SOURCES for match in kept.finditer(text)} & set(words("en"))


def families() -> list[re.Pattern[str]]:
    """Keys that are put together: t(f"role_{role}"), t("presence_" ~ state)."""
    called = re.compile(r"""(?:\bt(?:\.rich)?\(\s*|known\(t, |game_says\(.*?, |key = )f"([^"]*\{[^"]*)\"""")
    joined = re.compile(r"""["'](\w+_)["'] ~""")
    stems = [match[1] for text in SOURCES for match in called.finditer(text)]
    stems += [match[1] + "{}" for text in SOURCES for match in joined.finditer(text)]
    assert stems
    return [re.compile(re.sub(r"\{.*?\}", r"\\w+", stem)) for stem in stems if not stem.startswith("{")]


LITERAL, FAMILIES = literal_keys(), families()


def is_used(key: str) -> bool:
    return key in LITERAL or any(family.fullmatch(key) for family in FAMILIES)


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_language_has_the_same_keys_in_order(language: str) -> None:
    keys = list(words(language))
    assert keys == sorted(keys)
    assert keys == list(words("en"))


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_language_says_the_same_facts(language: str) -> None:
    for key, sentence in words("en").items():
        other = words(language)[key]
        assert isinstance(other, str) == isinstance(sentence, str), key
        assert facts(other) == facts(sentence), key


def facts(sentence: Any) -> set[str]:
    """The names in the braces; of a plural, of its longer form."""
    text = sentence if isinstance(sentence, str) else sentence["many"]
    return {name for _, name, _, _ in Formatter().parse(text) if name}


def test_no_text_is_missing() -> None:
    missing = LITERAL - set(words("en"))
    assert not missing, missing


def test_no_text_is_unused() -> None:
    unused = [key for key in words("en") if not is_used(key)]
    assert not unused, unused


OF_EVERY_GAME = re.compile(
    r"and|companion_\w+|game|gone_\w+|winner_\w+|host_setup(_hint)?|kit_rooms|kept_\w+|option_\w+|role_\w+|rules_\w+_\d|"
    r"told_\w+|welcome\w*"
)
"""What the pages of the evening say in a game's words."""


@pytest.mark.parametrize("folder", GAME_FOLDERS, ids=lambda folder: folder.name)
def test_no_text_of_a_game_is_unused(folder: Path) -> None:
    files = [path for path in folder.rglob("*.*") if path.suffix in (".py", ".html")]
    source = "\n".join(path.read_text(encoding="utf-8") for path in files)
    literal = set(re.findall(r"""["'](?:\w+_pages\.)?(\w+)["']""", source))
    stems = {re.sub(r"\{[^}]*\}", r"\\w+", stem) for stem in re.findall(r'f"(\w*\{[^"]*)"', source)}
    stems |= {stem + r"\w+" for stem in re.findall(r"""["'](\w+_)["'] ~""", source)}
    families = [re.compile(stem) for stem in stems if re.fullmatch(r"[\w\\+]+", stem) and stem != r"\w+"]
    folder_words = folder / "words" / "en.toml"
    keys = tomllib.loads(folder_words.read_text(encoding="utf-8")) if folder_words.exists() else {}
    used = (OF_EVERY_GAME, *families)
    unused = [key for key in keys if key not in literal and not any(each.fullmatch(key) for each in used)]
    assert not unused, unused


@pytest.mark.parametrize("path", TEMPLATES, ids=lambda path: path.name)
def test_no_text_is_written_into_a_template(path: Path) -> None:
    text = re.sub(
        r"\{% block (?:class|back) %\}.*?\{% endblock %\}|\{#.*?#\}|\{%.*?%\}|\{\{.*?\}\}",
        " ",
        path.read_text(encoding="utf-8"),
        flags=re.DOTALL,
    )
    spoken = re.findall(r'(?:aria-label|title|placeholder|alt)="([^"]*)"', text)
    between = re.sub(r"<[^>]*>", " ", text)
    assert not re.search(r"[^\W\d_]{2,}", between), re.findall(r"[^\W\d_]{2,}", between)
    assert not re.search(r"[^\W\d_]{2,}", " ".join(spoken)), spoken


@pytest.mark.parametrize("path", TEMPLATES, ids=lambda path: path.name)
def test_templates_keep_to_the_content_policy(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    assert not re.search(r"<style|\sstyle=|\son[a-z]+=|javascript:", text)
    assert not re.search(r"<script(?![^>]*\bsrc=)", text)
