"""Fields of the forms on which boxes are written down, whatever game they are of."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from companion import words
from companion.words import Saying

MOST = 48
"""More of one thing is in no box."""


def count(fields: Mapping[str, str], name: str, problems: list[Saying]) -> int:
    """How many of something; nothing said is none."""
    text = fields.get(name, "").strip()
    if not text:
        return 0
    if not (text.isdecimal() and len(text) < 3 and int(text) <= MOST):
        problems.append(Saying("boxes.no_count", text=text[:12], most=MOST))
        return 0
    return int(text)


def said(counts: Iterable[tuple[str, int]]) -> dict[str, str]:
    """Counts as fields; none is left empty."""
    return {name: str(n) for name, n in counts if n}


def labels(game: str, kind: str, names: Iterable[str], language: str) -> dict[str, str]:
    """What a game calls its things, each at the beginning of a line."""
    found = {name: words.say(f"{game}.{kind}_{name}", language) for name in names}
    return {name: word[:1].upper() + word[1:] for name, word in found.items()}
