"""Pages for any game: what a seat may know as plain facts, and everything it may do as buttons."""

from __future__ import annotations

import json
from typing import Any

import msgspec
from markupsafe import Markup

from companion.contract import Seat, plain
from web.pages.hall import OPEN_GAMES, known
from web.pages.people import name_of
from web.pages.voice import Voice
from web.scene import Scene

UNTOLD = ("seat", "phase", "to_act", "result")
"""What the page says elsewhere."""
MANY = 12
"""More choices of one kind than this become a list to pick from."""


class Choices(msgspec.Struct, frozen=True):
    """The actions of one type: buttons, or a list where there are many."""

    words: str
    actions: tuple[tuple[str, str], ...]

    @property
    def many(self) -> bool:
        """Whether they need a list."""
        return len(self.actions) > MANY


def draw(scene: Scene, t: Voice) -> tuple[str, dict[str, Any]]:
    """The template of a page, and what it shows."""
    acting = _acting(scene)
    facts = {
        "facts": told(scene, t),
        "acting": acting,
        "closed": scene.game not in OPEN_GAMES,
        "choices": [(seat, choices(scene, t, seat)) for seat in acting],
        "news": [words for line in scene.history[-6:][::-1] if (words := deed(scene, t, line))],
        "won": known(t, f"winner_{scene.shows.result.winner}", scene.shows.result.winner)
        if scene.shows.result
        else "",
    }
    if scene.page in ("table", "demo"):
        return "plain/table.html", facts
    return ("plain/moderator.html" if scene.page == "moderator" else "plain/play.html"), facts


def _acting(scene: Scene) -> tuple[Seat, ...]:
    if scene.paused:
        return ()
    return tuple(seat for seat in scene.legal if scene.legal[seat])


def choices(scene: Scene, t: Voice, seat: Seat) -> list[Choices]:
    """What a seat may do, by type."""
    groups: dict[str, list[dict[str, Any]]] = {}
    for action in scene.legal[seat]:
        groups.setdefault(action["type"], []).append(action)
    return [
        Choices(
            known(t, f"act_{kind}", kind), tuple((json.dumps(one), action_words(t, one)) for one in actions)
        )
        for kind, actions in groups.items()
    ]


def action_words(t: Voice, action: dict[str, Any]) -> str:
    """An action in words: its type and its fields."""
    fields = [
        f"{known(t, f'field_{name}', name)} {said(t, value)}"
        for name, value in action.items()
        if name != "type"
    ]
    return ", ".join(fields) or known(t, f"act_{action['type']}", action["type"])


def said(t: Voice, value: Any) -> str:
    """A plain value as a person reads it."""
    if value is None or value == "":
        return t("nothing")
    if isinstance(value, bool):
        return t("yes") if value else t("no")
    if isinstance(value, dict):
        return "; ".join(
            f"{known(t, f'field_{name}', str(name))} {said(t, one)}" for name, one in value.items()
        )
    if isinstance(value, list | tuple):
        return ", ".join(said(t, one) for one in value) or t("nothing")
    return known(t, f"value_{value}", str(value))


def told(scene: Scene, t: Voice) -> list[tuple[str, str]]:
    """What this seat may know, as facts."""
    shown = plain(scene.shows)
    return [
        (known(t, f"field_{name}", name), said(t, value))
        for name, value in shown.items()
        if name not in UNTOLD
    ]


def deed(scene: Scene, t: Voice, line: Any) -> Markup | None:
    """An entry of the record in words; none for what was taken back."""
    if line.undone:
        return None
    action = action_words(t, line.action) if len(line.action) > 1 else ""
    kind = known(t, f"act_{line.action['type']}", line.action["type"])
    return t.rich("plain_deed", name=name_of(scene, t, line.seat), action=kind, facts=action)
