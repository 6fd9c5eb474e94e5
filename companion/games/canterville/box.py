"""What is printed on a table's own copy of Gespensterjagd, and nobody has published. GJ-1, GJ-3."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import msgspec

from companion.contract import View, plain
from companion.games.canterville import castle as castles
from companion.games.canterville.castle import Castle
from companion.games.canterville.options import ANIMALS, Animal, FrameSize, animal_word
from companion.games.canterville.state import State
from companion.words import Saying


class Box(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """How many animals each of the five frames holds; and the castle, if somebody has entered it."""

    frames: dict[Animal, FrameSize]
    castle: Castle | None = None


def problems(box: Box) -> tuple[Saying, ...]:
    """Everything about a box that cannot be, at once."""
    return tuple(_problems(box))


def _problems(box: Box) -> Iterator[Saying]:
    missing = tuple(animal_word(animal) for animal in ANIMALS if animal not in box.frames)
    if missing:
        yield Saying("canterville.box_frames", animals=missing)
    if box.castle is not None:
        yield from castles.check(box.castle).errors


def options(box: Box) -> dict[str, Any]:
    """The frames to draw from, and the castle to play in."""
    castle = {} if box.castle is None else {"castle": plain(box.castle)}
    return {"frames": plain(box.frames), **castle}


def learn(view: View) -> Box | None:
    """The box of a table that was told all five sizes."""
    known: State = view.knows
    if len(known.options.frames) < len(ANIMALS):
        return None
    castle = known.options.castle
    return Box(known.options.frames, castle if isinstance(castle, Castle) else None)
