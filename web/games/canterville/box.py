"""A box of Gespensterjagd, written down: how many animals each frame holds."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from companion.contract import plain
from companion.games.canterville.box import Box
from companion.games.canterville.options import ANIMALS
from companion.words import Saying
from web.admin.boxes.fields import count, said
from web.games.record import BoxForm
from web.texts import game_texts


def written(box: Box) -> dict[str, str]:
    """The fields of the form that say this box."""
    return said((animal, n) for animal, n in box.frames.items())


def read(fields: Mapping[str, str], before: Box | None) -> tuple[dict[str, Any], list[Saying]]:
    """How many animals each frame holds; a castle that came with the box stays in it. GJ-3."""
    problems: list[Saying] = []
    counts = {animal: count(fields, animal, problems) for animal in ANIMALS}
    frames = {animal: n for animal, n in counts.items() if n}
    problems += [Saying("canterville_pages.box_frame", n=n) for n in frames.values() if n > 8]
    castle = plain(before.castle) if before is not None and before.castle is not None else None
    return {"frames": {animal: min(n, 8) for animal, n in frames.items()}, "castle": castle}, problems


def facts(language: str) -> dict[str, Any]:
    """What the form calls the animals."""
    c = game_texts(language, "canterville")
    return {"animals": {animal: c(f"animal_{animal}") for animal in ANIMALS}}


def summary(box: Box, language: str) -> Iterator[tuple[str, str]]:
    """The animals, and the castle where there is one."""
    for animal, word in facts(language)["animals"].items():
        yield word, str(box.frames[animal])
    if box.castle is not None:
        yield game_texts(language, "canterville")("box_castle"), box.castle.name


FORM = BoxForm(
    template="canterville/box.html",
    written=written,
    read=read,
    facts=facts,
    summary=summary,
    link=("/castles", "box_castles"),
)
