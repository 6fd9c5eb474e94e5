"""Which of our languages a browser asks for."""

from __future__ import annotations

from functools import lru_cache

from companion.words import LANGUAGES


@lru_cache(128)
def asked_for(header: str, otherwise: str = "en") -> str:
    """The first of our languages in an Accept-Language header, by its weights."""
    wishes = sorted((_wish(part) for part in header.split(",")[:20]), key=lambda wish: -wish[0])
    return next((language for weight, language in wishes if weight > 0 and language in LANGUAGES), otherwise)


def _wish(part: str) -> tuple[float, str]:
    name, _, weight = part.partition(";q=")
    try:
        return float(weight or 1), name.strip().lower()[:2]
    except ValueError:
        return 0.0, ""
