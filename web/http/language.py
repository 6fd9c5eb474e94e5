"""Which of our languages a browser asks for."""

from __future__ import annotations

from functools import lru_cache

from werkzeug.datastructures import LanguageAccept
from werkzeug.http import parse_accept_header

from companion.words import LANGUAGES


@lru_cache(128)
def asked_for(header: str) -> str:
    """The one of our languages that an Accept-Language header likes best; English where it likes none."""
    return parse_accept_header(header[:500], LanguageAccept).best_match(LANGUAGES, "en")
