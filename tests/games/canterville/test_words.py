"""What Gespensterjagd says, in every language."""

from __future__ import annotations

import re
from pathlib import Path
from string import Formatter

import companion.games.canterville
from companion.words import LANGUAGES, sentences

SOURCE = Path(companion.games.canterville.__file__).parent


def shape(sentence: str | dict[str, str]) -> list[set[str | None]]:
    """The facts that each form of a sentence needs."""
    forms = [sentence] if isinstance(sentence, str) else [sentence["one"], sentence["many"]]
    return [{field for _, field, _, _ in Formatter().parse(form) if field} for form in forms]


def test_every_key_has_a_sentence_and_every_sentence_a_use() -> None:
    """No person reads a key, and nobody translates what is never said."""
    code = "".join(path.read_text(encoding="utf-8") for path in SOURCE.rglob("*.py"))
    used = set(re.findall(r'"canterville\.([a-z_0-9]+)"', code))
    prefixes = ("animal_", "option_", "phase_", "persona_")
    english = sentences("canterville", "en")
    built = {key for key in english if key.startswith(prefixes)}
    assert used | built == set(english)


def test_languages_say_the_same_things() -> None:
    """The same keys, sorted, with the same facts in them."""
    english = sentences("canterville", "en")
    assert list(english) == sorted(english)
    for language in LANGUAGES:
        other = sentences("canterville", language)
        assert list(other) == list(english)
        for key, sentence in english.items():
            every = set().union(*map(set, shape(sentence)))
            assert set().union(*map(set, shape(other[key]))) <= every | {"n"}, (language, key)
