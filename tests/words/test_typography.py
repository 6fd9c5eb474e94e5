"""Every text as a printer of its language would set it."""

from __future__ import annotations

import re
from string import Formatter

import pytest

from companion import words
from tests.words.test_glossary import said

CODE = re.compile(r"`[^`]*`|\"[a-z_]+\"|\"0x22 B1\"|\"\{free\}\"|ghosts:strong|\{url\}\S*")
"""What is typed as it stands: commands, keys and addresses."""

WRONG = {
    "fr": r"[^\N{NARROW NO-BREAK SPACE}][:;!?»]|«[^\N{NARROW NO-BREAK SPACE}]|['\"“”„]|\.\.\.| [,.)]|\( ",
    "de": r"[ \xa0\u202f][:;!?,.)]|\( |['\"”«»]|\.\.\.|„[^“]*$",
    "en": r"[ \xa0\u202f][:;!?,.)]|\( |['\"„«»]|\.\.\.|“[^”]*$",
}
"""Only French has a space before a double sign, narrow and never broken; nobody has a straight apostrophe."""


def wording(text: str) -> str:
    """A text with an `x` for whatever is typed as it stands or filled in."""
    found = CODE.sub("x", text)
    return "".join(
        before + ("x" if name is not None else "") for before, name, _, _ in Formatter().parse(found)
    )


@pytest.mark.parametrize("language", words.LANGUAGES)
def test_signs_stand_as_in_print(language: str) -> None:
    wrong = re.compile(WRONG[language])
    assert {place: text for place, text in said(language) if wrong.search(wording(text))} == {}


@pytest.mark.parametrize("language", words.LANGUAGES)
def test_no_space_is_doubled(language: str) -> None:
    doubled = re.compile(r"[ \xa0\u202f]{2}")
    assert {place: text for place, text in said(language) if doubled.search(text)} == {}
