"""The JSON Schema of all messages, made from the types in the code."""

from __future__ import annotations

from typing import Any

import msgspec

from companion import games
from companion.headless import AnyAnswer, AnyRequest


def schema() -> dict[str, Any]:
    """One document: requests, answers, and for each game its actions, options, position and view."""
    parts: dict[str, Any] = {"request": AnyRequest, **{kind.__name__: kind for kind in AnyAnswer.__args__}}
    for name in games.names():
        game = games.find(name)
        parts |= {
            f"{name}.action": game.action,
            f"{name}.options": game.options,
            f"{name}.position": game.position,
            f"{name}.view": game.shows,
        }
    schemas, components = msgspec.json.schema_components(parts.values(), ref_template="#/$defs/{name}")
    named = dict(zip(parts, schemas, strict=True))
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "The table protocol of the companion",
        "oneOf": [named["request"]],
        "answers": {name: named[name] for name in parts if name[0].isupper()},
        "games": {
            name: {part: named[f"{name}.{part}"] for part in ("action", "options", "position", "view")}
            for name in games.names()
        },
        "$defs": components,
    }
