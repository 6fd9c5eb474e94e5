"""Sentences in French, English and German, kept as data.

A key is `<speaker>.<name>`: the speaker is `companion` itself or a game. Each speaker has a folder `words`
with one TOML file a language. A sentence is a format string; where a number decides between two forms, it
is a table `{one = "…", many = "…"}` and the number is the fact `n`.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from pathlib import Path

LANGUAGES = ("en", "fr", "de")

Sentence = str | dict[str, str]


class Saying:
    """A sentence, or a word in one, that waits for a language."""

    def __init__(self, key: str, **facts: object) -> None:
        self.key = key
        self.facts = facts

    def said(self, language: str = "en") -> str:
        """It in a person's language."""
        return say(self.key, language, **self.facts)

    def named(self, names: Mapping[str, str]) -> Saying:
        """The same with names for those it speaks of: Ada, and not p1."""
        facts = {
            n: names.get(fact, fact) if isinstance(fact, str) else fact for n, fact in self.facts.items()
        }
        return Saying(self.key, **facts)

    def __str__(self) -> str:
        return self.said()

    def __repr__(self) -> str:
        return f"Saying({self.key!r}, {self.facts!r})"


_folders: dict[str, Path] = {"companion": Path(__file__).parent / "words"}


def register(speaker: str, folder: Path) -> None:
    """Make the sentences in a folder known under a speaker's name."""
    _folders[speaker] = folder
    sentences.cache_clear()


def speakers() -> Mapping[str, Path]:
    """Every speaker with the folder of its sentences."""
    return dict(_folders)


@cache
def sentences(speaker: str, language: str) -> dict[str, Sentence]:
    """All sentences of a speaker in one language; none where it has no file for it."""
    import tomllib

    try:
        text = (_folders[speaker] / f"{language}.toml").read_text(encoding="utf-8")
    except (KeyError, FileNotFoundError):
        return {}
    return tomllib.loads(text)


def say(key: str, language: str = "en", **facts: object) -> str:
    """The sentence behind a key, filled with facts; English where a language lacks it."""
    speaker, _, name = key.partition(".")
    sentence = sentences(speaker, language).get(name) or sentences(speaker, "en").get(name)
    if sentence is None:
        return key
    if isinstance(sentence, dict):
        sentence = sentence["one" if _is_one(facts.get("n"), language) else "many"]
    return sentence.format_map(_Facts((name, _spoken(fact, language)) for name, fact in facts.items()))


class _Facts(dict[str, str]):
    """Facts for a sentence. One that is missing, as in an old or odd guest book, leaves its blank empty."""

    def __missing__(self, name: str) -> str:
        return "…"


def money(thousands: int, language: str = "en") -> str:
    """Pounds as each language writes them: £3,000, 3 000 £, 3.000 £."""
    if thousands == 0:
        return "£0" if language == "en" else "0\N{NO-BREAK SPACE}£"
    if language == "fr":
        return f"{thousands}\N{NARROW NO-BREAK SPACE}000\N{NO-BREAK SPACE}£"
    if language == "de":
        return f"{thousands}.000\N{NO-BREAK SPACE}£"
    return f"£{thousands},000"


def _is_one(n: object, language: str) -> bool:
    # French counts nothing and one-and-a-half as singular; the other two only one.
    return isinstance(n, int) and (n < 2 if language == "fr" else n == 1)


def _spoken(fact: object, language: str) -> str:
    """A fact as part of a sentence: a saying is said in its language, a list joined, 7.5 a French 7,5."""
    if isinstance(fact, float):
        return f"{fact:g}" if language == "en" else f"{fact:g}".replace(".", ",")
    if isinstance(fact, tuple | list):
        return ", ".join(_spoken(part, language) for part in fact)
    return fact.said(language) if isinstance(fact, Saying) else str(fact)
