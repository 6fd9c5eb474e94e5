"""The templates: where they lie, and how one is drawn."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache, lru_cache
from typing import Any

from jinja2 import ChoiceLoader, Environment, FunctionLoader, PackageLoader, StrictUndefined, Template
from markupsafe import Markup

from web import games

ENVIRONMENT = Environment(
    loader=ChoiceLoader([PackageLoader("web"), FunctionLoader(games.template)]),
    autoescape=True,
    trim_blocks=True,
    lstrip_blocks=True,
    undefined=StrictUndefined,
    auto_reload=False,
    cache_size=-1,
)

KEPT = 1024
"""So many results of one macro."""
LARGE = {"drawing": 32, "chair_for": 8, "crowd": 1}
"""Macros whose results are large: whole boards, and what grows with the number of phones."""


@cache
def template(name: str) -> Template:
    """A compiled template."""
    return ENVIRONMENT.get_template(name)


@cache
def macro(name: str, part: str) -> Callable[..., Markup]:
    """One macro of a template that needs nothing but its arguments."""
    found: Callable[..., Markup] = getattr(template(name).module, part)
    return found


@cache
def kept(name: str, part: str) -> Callable[..., Markup]:
    """The same, drawn once for the same arguments and then kept."""
    return lru_cache(LARGE.get(part, KEPT))(macro(name, part))


def draw(name: str, facts: dict[str, Any]) -> str:
    """A template filled with facts."""
    return template(name).render(facts)
