"""One HTML file that needs nothing else: styles and pictures are in it, and it asks nobody for anything.

It is drawn from what the whole table may see once a game is over: it holds names, but no token, code or
address.
"""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Any

import msgspec
from markupsafe import Markup

from companion import words
from companion.games.phantom.board import ROOMS, SIZE
from web.pages import GAMES, hall, manor, plain
from web.pages.paper import Leaf
from web.pages.paper import draw as fill
from web.pages.people import name_of, role_word
from web.pages.voice import Voice, voice
from web.scene import Scene

words.register("story", Path(__file__).parent / "words")
STATIC = Path(__file__).parents[1] / "static"
SHEETS = {"artefacts": "manor", "canterville": "castle"}
"""The style sheet of a game's own pictures."""
DAYLIGHT = "(prefers-color-scheme: light), print"


class StoryVoice(Voice):
    """The sentences of the file; called like the house's."""

    def __call__(self, key: str, **facts: object) -> str:
        """A sentence as plain text."""
        return words.say(f"story.{key}", self.language, **facts)


@cache
def story_voice(language: str) -> StoryVoice:
    """The voice of the file in a language."""
    return StoryVoice(language)


def draw(scene: Scene) -> str:
    """The file of a game that is over, from what everybody may see then."""
    t, s, game = voice(scene.language), story_voice(scene.language), scene.game or ""
    made = GAMES.get(game, plain.draw)(scene, t)
    assert not isinstance(made, Leaf), "nothing changes any more in a game that is over"
    facts = hall.common(scene, "watch", t) | made[1]
    facts |= {"s": s, "styles": styles(game), "title": s("title", game=facts["game_word"](game))}
    facts |= MORE.get(game, unknown)(scene, t)
    return fill(f"story/{game if game in GAMES else 'plain'}.html", facts)


@cache
def styles(game: str) -> Markup:
    """Everything that the file's looks need, by night and by daylight."""
    night = [_sheet("house"), *(_sheet(name) for name in [SHEETS.get(game)] if name), _sheet("story")]
    return Markup('<style>{}</style>\n<style media="{}">{}</style>').format(
        Markup("\n".join(night)), DAYLIGHT, Markup(_sheet("daylight"))
    )


def _sheet(name: str) -> str:
    return (STATIC / f"{name}.css").read_text(encoding="utf-8")


# The Phantom Society: who removed what, and what lay where


class Person(msgspec.Struct, frozen=True):
    """What somebody did in a game."""

    name: str
    role: str
    removed: int
    damage: str
    found: int


class Turn(msgspec.Struct, frozen=True):
    """One tile that left the board."""

    n: int
    name: str
    room: int
    kind: str
    value: str
    total: str
    ghost: str | None


class Room(msgspec.Struct, frozen=True):
    """A room as it was when the hunt began, and what became of it."""

    room: int
    colour: str = ""
    value: int = 0
    turn: Turn | None = None
    ghost: str | None = None


def phantom(scene: Scene, t: Voice) -> dict[str, Any]:
    """The damage turn by turn, and the true positions."""
    turns = _turns(scene, t)
    rooms = [_room(scene, room, turns) for room in ROOMS]
    return {
        "people": [_person(scene, t, place.seat, place.role) for place in scene.places],
        "turn_by_turn": turns,
        "floor": [rooms[at : at + SIZE] for at in range(0, len(rooms), SIZE)],
    }


def _turns(scene: Scene, t: Voice) -> list[Turn]:
    turns, total = [], 0
    for n, gone in enumerate(scene.shows.removed or (), start=1):
        total += 0 if gone.ghost else gone.value
        name, kind = name_of(scene, t, gone.by), t(f"phantom_kind_{gone.colour}")
        turns.append(Turn(n, name, gone.room, kind, t.money(gone.value), t.money(total), gone.ghost))
    return turns


def _person(scene: Scene, t: Voice, seat: str, role: str | None) -> Person:
    removed = [gone for gone in scene.shows.removed or () if gone.by == seat]
    return Person(
        name_of(scene, t, seat),
        role_word(t, role),
        len(removed),
        t.money(sum(gone.value for gone in removed if not gone.ghost)),
        sum(gone.ghost is not None for gone in removed),
    )


def _room(scene: Scene, room: int, turns: list[Turn]) -> Room:
    shows = scene.shows
    ghost = next((colour for colour, where in shows.ghosts.items() if where.room == room), None)
    turn = next((turn for turn in turns if turn.room == room), None)
    tile = shows.removed[turn.n - 1] if turn else shows.rooms[room - 1]
    return Room(room, tile.colour, tile.value, turn, ghost) if tile else Room(room, ghost=ghost)


# Chasseurs Fantômes Artéfacts: round by round


def artefacts(scene: Scene, t: Voice) -> dict[str, Any]:
    """What happened, by rounds; before the first one the manor was built."""
    rounds: list[tuple[int, list[str]]] = [(0, [])]
    for line in scene.history:
        for event in () if line.undone else line.events:
            if event["type"] == "round":
                rounds.append((event["round"], []))
            rounds[-1][1].append(manor.said(event, scene.language))
    return {"rounds": rounds}


# Any other game


def unknown(scene: Scene, t: Voice) -> dict[str, Any]:
    """The record in plain words."""
    return {"deeds": [words for line in scene.history if (words := plain.deed(scene, t, line))]}


MORE = {"artefacts": artefacts, "canterville": lambda scene, t: {}, "phantom": phantom}
"""What the file tells beyond the page after the game."""
