"""Pages for any game: what a seat may know as facts, the rooms of its board, everything it may do as choices.

What is the same for everybody lies open; what only this seat knows, and with it what it may do, is behind the
button that shows secrets.
"""

from __future__ import annotations

import json
from typing import Any

import msgspec
from markupsafe import Markup

from companion import games
from companion.contract import Seat, plain
from web import games as game_pages
from web.render.lamps import Lamp, board_lamp
from web.render.people import name_of
from web.scene import PLAYERS, Scene
from web.texts import Texts, game_says, game_texts

UNTOLD = ("seat", "phase", "to_act", "result")
"""What the page says elsewhere."""
MANY = 12
"""More choices of one kind than this become a list to pick from."""


class Choices(msgspec.Struct, frozen=True):
    """The actions of one type: squares of the board, buttons, or a list where there are many."""

    words: str
    actions: tuple[tuple[str, str], ...]
    squares: tuple[tuple[Square, ...], ...] = ()
    """The rows of the board, where each of these actions is about a room of its own."""

    @property
    def many(self) -> bool:
        """Whether they need a list."""
        return len(self.actions) > MANY


class Square(msgspec.Struct, frozen=True):
    """A room of the board: what is known of it, its lamp, and the action that tapping it stands for."""

    room: int
    words: str
    lamp: Lamp
    action: str = ""
    what: str = ""


def draw(scene: Scene, t: Texts) -> tuple[str, dict[str, Any]]:
    """The template of a page, and what it shows."""
    own, everybody = _facts(scene), _facts(scene.open) if scene.open else {}
    secret = {name for name, value in own.items() if everybody.get(name, value) != value}
    if scene.page not in PLAYERS or scene.result or game_pages.find(scene.game or "").open_hands:
        secret = set()
    acting = () if scene.paused else tuple(seat for seat in scene.legal if scene.legal[seat])
    choices = [(seat, _choices(scene, t, seat)) for seat in acting]
    on_board = any(group.squares for _, groups in choices for group in groups)
    facts = {
        "facts": _told(scene, t, {name: own[name] for name in own if name not in secret}),
        "secrets": _told(scene, t, {name: own[name] for name in own if name in secret}),
        "hidden": game_texts(t.language, "generic")("hidden"),
        "acting": acting,
        "choices": choices,
        "squares": () if on_board and not secret else _rows(scene, t, everybody if secret else own, {}),
        "news": [words for line in scene.history[-6:][::-1] if (words := deed(scene, t, line))],
        "won": word(scene, t, "winner", scene.result.winner) if scene.result else "",
    }
    if scene.page == "table":
        return "generic/table.html", facts
    return ("generic/moderator.html" if scene.page == "moderator" else "generic/play.html"), facts


def story(scene: Scene, t: Texts) -> dict[str, Any]:
    """The record in plain words, for the file of a finished game."""
    return {"deeds": [words for line in scene.history if (words := deed(scene, t, line))]}


# Words


def word(scene: Scene, t: Texts, kind: str, name: str) -> str:
    """What the game calls something: by its pages, by its own words, by those of every page, by its name."""
    return game_says(t.language, scene.game or "", f"{kind}_{name}", name)


def said(scene: Scene, t: Texts, value: Any) -> str:
    """A plain value as a person reads it."""
    if value is None or value == "":
        return t("nothing")
    if isinstance(value, bool):
        return t("yes") if value else t("no")
    if isinstance(value, dict):
        parts = [(word(scene, t, "field", str(name)), one) for name, one in value.items() if name != "type"]
        return ", ".join(f"{name} {said(scene, t, one)}" for name, one in parts)
    if isinstance(value, list | tuple):
        return "; ".join(said(scene, t, one) for one in value) or t("nothing")
    if isinstance(value, str) and any(place.seat == value for place in scene.places):
        return name_of(scene, t, value)
    return word(scene, t, "value", str(value))


def action_words(scene: Scene, t: Texts, action: dict[str, Any]) -> str:
    """An action in words: its fields, or its type where it has none."""
    return said(scene, t, action) or word(scene, t, "act", action["type"])


def deed(scene: Scene, t: Texts, line: Any) -> Markup | None:
    """An entry of the record in words, with what was heard of it; none for what was taken back."""
    if line.undone:
        return None
    heard = [told for told in (line.action, *line.events) if len(told) > 1]
    # What an event says again of its action is said once.
    known: dict[str, Any] = {}
    for told in heard:
        known |= told
    kind = word(scene, t, "act", line.action["type"])
    facts = f"({said(scene, t, known)})" if known else ""
    own = game_texts(t.language, "generic")
    return own.rich("deed", name=name_of(scene, t, line.seat), action=kind, facts=facts)


# What is known


def _facts(scene: Scene) -> dict[str, Any]:
    """What the reader of a scene may know, as plain data; null is what it may not."""
    return {name: value for name, value in plain(scene.shows).items() if name not in UNTOLD}


def _told(scene: Scene, t: Texts, facts: dict[str, Any]) -> list[tuple[str, str]]:
    known = {name: value for name, value in facts.items() if value is not None}
    return [(word(scene, t, "field", name), said(scene, t, value)) for name, value in known.items()]


# The board


def _rows(
    scene: Scene, t: Texts, facts: dict[str, Any], actions: dict[int, dict[str, Any]]
) -> tuple[tuple[Square, ...], ...]:
    """The rooms row by row, those of some actions to be tapped; none where the game has no fixed board."""
    grid = games.find(scene.game).grid if scene.game in games.names() else None
    if grid is None:
        return ()
    rows, columns = grid
    known = _by_room(facts, rows * columns)

    def square(room: int) -> Square:
        told = "; ".join(said(scene, t, one) for one in known.get(room, ()))
        action, lamp = actions.get(room), board_lamp(scene.lamps, room)
        if action is None:
            return Square(room, told, lamp)
        what = f"{word(scene, t, 'act', action['type'])}: {action_words(scene, t, action)}"
        return Square(room, told, lamp, json.dumps(action), what)

    return tuple(
        tuple(square(row * columns + column + 1) for column in range(columns)) for row in range(rows)
    )


def _by_room(facts: dict[str, Any], rooms: int) -> dict[int, list[Any]]:
    """What is known of each room: a list with an entry a room, or things that say which room they are in."""
    found: dict[int, list[Any]] = {}
    for value in facts.values():
        listed = value if isinstance(value, list | tuple) else ()
        if len(listed) == rooms:
            listed = [{"room": room, "": one} for room, one in enumerate(listed, start=1) if one is not None]
        for one in listed:
            if isinstance(one, dict) and isinstance(one.get("room"), int):
                rest = {name: each for name, each in one.items() if name not in ("room", "type")}
                found.setdefault(one["room"], []).append(
                    next(iter(rest.values())) if len(rest) == 1 else rest
                )
    return found


# What may be done


def _choices(scene: Scene, t: Texts, seat: Seat) -> list[Choices]:
    """What a seat may do, by type."""
    groups: dict[str, list[dict[str, Any]]] = {}
    for action in scene.legal[seat]:
        groups.setdefault(action["type"], []).append(action)
    return [_group(scene, t, seat, kind, actions) for kind, actions in groups.items()]


def _group(scene: Scene, t: Texts, seat: Seat, kind: str, actions: list[dict[str, Any]]) -> Choices:
    """The actions of one type; on the board, where this seat chooses among rooms."""
    rooms = {action["room"]: action for action in actions if isinstance(action.get("room"), int)}
    mine = seat == scene.seat and scene.page in PLAYERS and len(rooms) == len(actions)
    return Choices(
        word(scene, t, "act", kind),
        tuple((json.dumps(one), action_words(scene, t, one)) for one in actions),
        _rows(scene, t, _facts(scene), rooms) if mine else (),
    )
