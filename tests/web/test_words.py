"""What the evening says: the same keys in every language, sorted, all of them used, none missing."""

import re
import tomllib
from pathlib import Path

import web.evening
from companion.words import LANGUAGES

FOLDER = Path(web.evening.__file__).parent / "words"


def keys(language: str) -> list[str]:
    return list(tomllib.loads((FOLDER / f"{language}.toml").read_text(encoding="utf-8")))


def test_every_language_has_the_same_sentences_in_order() -> None:
    assert keys("en") == sorted(keys("en"))
    assert [keys(language) for language in LANGUAGES] == [keys("en")] * len(LANGUAGES)


def test_every_sentence_is_said_somewhere_and_every_key_has_a_sentence() -> None:
    code = "".join(path.read_text(encoding="utf-8") for path in FOLDER.parent.parent.rglob("*.py"))
    used = set(re.findall(r'"evening\.([a-z_]+)"', code))
    assert used == set(keys("en"))


def test_every_language_uses_the_same_facts() -> None:
    said = {
        language: tomllib.loads((FOLDER / f"{language}.toml").read_text("utf-8")) for language in LANGUAGES
    }
    for key in keys("en"):
        facts = {language: set(re.findall(r"{(\w+)}", said[language][key])) for language in LANGUAGES}
        assert len(set(map(frozenset, facts.values()))) == 1, key
