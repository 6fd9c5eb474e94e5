"""Names of people: legible, and nobody is taken for somebody else or for the companion itself."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable
from itertools import chain, count

from companion.refusals import Illegal

LONGEST = 24
MOST_MARKS = 2
"""Marks on one letter: more of them climb over the lines above."""
UNSEEN = "\u115f\u1160\u2800\u3164\uffa0"
"""What counts as printable, and is blank all the same."""
LOOK_ALIKE = str.maketrans(
    "аеорсухіјѕԁһӏвкмнтαενορτυχικ0|1i",
    "aeopcyxljsdhlbkmhtaevoptuxlkolll",
)
"""Letters of other scripts, and digits, that are taken for Latin ones."""
ITSELF = ("companion", "compagnon", "begleiter")
"""What no name has in it: the companion is called by these in every role that it plays."""
OWN = (*ITSELF, "bot", "robot", "host", "hôte", "spielleitung")
"""As whom the companion itself speaks."""


def clean(name: str) -> str:
    """A name as people can read it on one line; refused where nothing is left to be seen."""
    kept = ""
    for letter in unicodedata.normalize("NFC", name)[: 8 * LONGEST]:
        marks = kept[-MOST_MARKS:]
        crowded = _is_mark(letter) and len(marks) == MOST_MARKS and all(map(_is_mark, marks))
        if letter.isprintable() and letter not in UNSEEN and not crowded:
            kept += letter
    short = " ".join(kept.split())[:LONGEST].strip()
    if all(_is_mark(letter) or letter == " " for letter in short):
        raise Illegal("evening.no_name")
    likeness = _likeness(short.rstrip("0123456789 "))
    if likeness in map(_likeness, OWN) or any(_likeness(one) in likeness for one in ITSELF):
        raise Illegal("evening.own_name")
    return short


def distinct(name: str, others: Iterable[str]) -> str:
    """A clean name, with a number where somebody else is called that already, or looks as if they were."""
    name, taken = clean(name), {_likeness(other) for other in others}
    numbered = (f"{name[: LONGEST - 4]} {n}" for n in count(2))
    return next(each for each in chain([name], numbered) if _likeness(each) not in taken)


def _is_mark(letter: str) -> bool:
    return unicodedata.category(letter).startswith("M")


def _likeness(name: str) -> str:
    """What names have in common that are hard to tell apart."""
    plain = unicodedata.normalize("NFKD", name.casefold()).translate(LOOK_ALIKE)
    return "".join(letter for letter in plain if letter.isalnum()) or name
