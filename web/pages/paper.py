"""The templates, compiled once."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from functools import cache, lru_cache
from types import CodeType
from typing import Any

import msgspec
from jinja2 import Environment, PackageLoader, StrictUndefined, Template
from jinja2.runtime import Context
from markupsafe import Markup, escape


class Straight(Context):
    """Calls what a template calls, straight: none of ours wants to be handed the context."""

    def call(
        self,
        __called: Callable[..., Any],
        *given: Any,
        _loop_vars: Any = None,
        _block_vars: Any = None,
        **rest: Any,
    ) -> Any:
        """Call it."""
        return __called(*given, **rest)


class Sheet(Template):
    """A template that writes down as it is what has been escaped already, which is most of a page."""

    @classmethod
    def from_code(cls, environment: Environment, code: CodeType, *more: Any, **rest: Any) -> Template:
        """What was compiled, ready to be drawn."""
        made = super().from_code(environment, code, *more, **rest)
        made.root_render_func.__globals__["escape"] = escaped
        return made


def escaped(shown: Any) -> str:
    """Something as it may stand in a page."""
    if isinstance(shown, Markup) or (type(shown) is str and not SPECIAL(shown)):
        return shown
    return str(shown) if type(shown) is int else escape(shown)


SPECIAL = re.compile("[&<>'\"]").search
"""Finds what must be escaped; most words have nothing of it."""


class Pieces(Markup):
    """Something drawn whose parts may change one by one."""

    parts: tuple[str, ...]

    @classmethod
    def of(cls, *parts: str) -> Pieces:
        """All of them in a row."""
        made = cls("".join(parts))
        made.parts = parts
        return made


class Gap(Markup):
    """A place in a page where what changes more often than the page around it is filled in."""


class Press(Environment):
    """Where our templates are compiled."""

    context_class, template_class = Straight, Sheet


ENVIRONMENT = Press(
    loader=PackageLoader("web"),
    autoescape=True,
    trim_blocks=True,
    lstrip_blocks=True,
    undefined=StrictUndefined,
    auto_reload=False,
    cache_size=-1,
)

KEPT = 1024
"""So many results of one macro."""


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
    return lru_cache(KEPT)(macro(name, part))


Fillings = dict[str, tuple[str, ...]]
"""What is filled into the gaps of a page, piece by piece."""


class Leaf(msgspec.Struct, frozen=True):
    """A page that stays the same around what changes with every move."""

    template: str
    look: str
    """The classes of the page."""
    facts: tuple[tuple[str, Any], ...]
    """What the template shows of itself."""
    fillings: Fillings
    """What changes, by the name it has in the template."""


Stencil = list[tuple[str, str]]
"""A page with gaps: what stays, and the name of the gap after it; after the last there is none."""


def stencil(name: str, facts: dict[str, Any], gaps: Iterable[str]) -> Stencil:
    """A template with gaps of these names left open."""
    runs: Stencil = [("", "")]
    for piece in drawn(name, {**facts, **{gap: Gap(gap) for gap in gaps}}):
        stays, _ = runs.pop()
        runs += [(stays, str(piece)), ("", "")] if type(piece) is Gap else [(stays + str(piece), "")]
    return runs


def filled(stencil: Stencil, fillings: Fillings) -> list[str]:
    """A page without gaps, piece by piece."""
    pieces: list[str] = []
    for stays, gap in stencil:
        pieces.append(stays)
        if gap:
            pieces += fillings[gap]
    return pieces


def draw(name: str, facts: dict[str, Any]) -> str:
    """A template filled with facts."""
    return "".join(drawn(name, facts))


def drawn(name: str, facts: dict[str, Any]) -> list[str]:
    """The same piece by piece: what the template says, and what was filled in."""
    found = template(name)
    # `render` would look every global up in a chain of maps, for every page.
    context = found.new_context({**ENVIRONMENT.globals, **facts}, shared=True)
    pieces: list[str] = []
    for piece in found.root_render_func(context):
        if type(piece) is Pieces:
            pieces += piece.parts
        else:
            pieces.append(piece)
    return pieces
