"""The screen of a phone that nobody holds: by name, whom to pass it to. There is nothing secret on it."""

from __future__ import annotations

from functools import cache
from typing import Any

from companion import words
from web.render import moments
from web.render.people import name_of
from web.scene import Scene
from web.texts import Texts


class HandoverVoice(Texts):
    """What is said about a shared phone, called like the house's own voice."""

    def __call__(self, key: str, **facts: object) -> str:
        """A sentence as plain text."""
        return words.say(f"handover.{key}", self.language, **facts)


@cache
def handover_texts(language: str) -> HandoverVoice:
    """That voice in a language."""
    return HandoverVoice(language)


def draw(scene: Scene, t: Texts) -> tuple[str, dict[str, Any]]:
    """The template, and what it shows."""
    assert scene.hand is not None
    h, following = handover_texts(scene.language), scene.hand.following
    head = h("pass_to", name=name_of(scene, t, following)) if following else h("who_takes")
    others = tuple(seat for seat in scene.hand.seats if seat != following)
    return "handover/screen.html", {
        "title": head,
        "head": head,
        "following": following,
        "others": others,
        "latest": moments.latest(scene.open, t) if scene.open else (),
    }
