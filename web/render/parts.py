"""The parts that several pages are made of, each drawn once for as long as what it shows is the same.

A macro of `parts.html`, or of `desk.html` for whoever runs the evening, knows its arguments and an outline of
the scene: who looks at which page, and what else changes seldom. What changes with every move is not in the
outline, so that a part which is kept cannot show an old one; a macro that needs it takes it as an argument.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from operator import attrgetter
from typing import Any

from markupsafe import Markup
from msgspec.structs import fields, replace

from web.render.templates import LARGE, template
from web.scene import Scene

PASSING = frozenset(
    {
        "version",
        "shows",
        "ground",
        "ahead",
        "phase",
        "to_act",
        "result",
        "legal",
        "picture",
        "lamps",
        "history",
        "says",
        "heard",
        "seen",
    }
    | {
        "can_undo",
        "can_redo",
        "open",
        "phones",
        "plan",
        "brightness",
        "palette",
        "copied",
        "errands",
        "sketch",
        "doctor",
        "seal",
        "map",
        "pencil",
        "sheets",
        "hint",
        "may_hint",
        "doubts",
        "characters",
        "score",
    }
)
"""What of a scene its outline leaves out."""
OUTLINED = ("places", *(field.name for field in fields(Scene) if field.name not in {"places", *PASSING}))
_rest = attrgetter(*OUTLINED[1:])
OUTLINES, DESKS, DRAWN = 64, 2, 128
"""So many outlines are kept of pages and of desks, and of each macro for one of them so many results."""

Outline = tuple[Any, ...]
"""The fields `OUTLINED` of a scene."""


def outline(scene: Scene) -> Outline:
    """What the parts of a page may show without being given it."""
    seated = tuple([replace(place, to_act=False) if place.to_act else place for place in scene.places])
    return seated, *_rest(scene)


def outlined(kept: Outline) -> Scene:
    """A scene of which nothing but the outline is known."""
    return Scene(**dict(zip(OUTLINED, kept, strict=True)), version=0)


class Parts:
    """The macros of a template for one outline; what was drawn for the same arguments is kept."""

    def __init__(self, name: str, facts: dict[str, Any]) -> None:
        self._macros = template(name).make_module(facts)

    def __getattr__(self, name: str) -> Callable[..., Markup]:
        drawn = lru_cache(LARGE.get(name, DRAWN))(getattr(self._macros, name))
        setattr(self, name, drawn)
        return drawn
