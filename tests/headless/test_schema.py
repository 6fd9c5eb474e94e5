"""`companion schema`: one document that describes every message."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterator
from typing import Any

import pytest

COMMANDS = {
    "new", "act", "legal", "view", "lamps", "press", "release", "tick", "odds", "bot",
    "undo", "redo", "history", "quit",
}  # fmt: skip
PHANTOM = {"place", "bid", "hide", "remove", "pass", "ready", "found", "drawn", "repair"}


@pytest.fixture(scope="module")
def schema() -> dict[str, Any]:
    done = subprocess.run(
        [sys.executable, "-m", "companion", "schema"], capture_output=True, check=True, timeout=60
    )
    return json.loads(done.stdout)  # type: ignore[no-any-return]


def inside(value: Any) -> Iterator[dict[str, Any]]:
    """Every object in a document."""
    if isinstance(value, dict):
        yield value
        for each in value.values():
            yield from inside(each)
    elif isinstance(value, list):
        for each in value:
            yield from inside(each)


def tags(schema: dict[str, Any], union: Any, field: str) -> set[str]:
    named = [schema["$defs"][each["$ref"].rsplit("/", 1)[1]] for each in inside(union) if "$ref" in each]
    return {tag for each in named for tag in each["properties"].get(field, {}).get("enum", [])}


def test_every_reference_leads_somewhere(schema: dict[str, Any]) -> None:
    names = {each["$ref"].removeprefix("#/$defs/") for each in inside(schema) if "$ref" in each}
    assert names
    assert names <= set(schema["$defs"])


def test_every_request_is_described(schema: dict[str, Any]) -> None:
    assert tags(schema, schema["oneOf"], "cmd") >= COMMANDS


def test_every_action_of_a_game_is_described(schema: dict[str, Any]) -> None:
    assert tags(schema, schema["games"]["phantom"]["action"], "type") >= PHANTOM
    assert {"action", "options", "position", "view"} == set(schema["games"]["phantom"])


def test_unknown_fields_of_an_action_are_excluded(schema: dict[str, Any]) -> None:
    action = schema["games"]["phantom"]["action"]
    named = [schema["$defs"][each["$ref"].rsplit("/", 1)[1]] for each in inside(action) if "$ref" in each]
    assert all(each.get("additionalProperties") is False for each in named)


def test_it_is_the_same_every_time(schema: dict[str, Any]) -> None:
    again = subprocess.run(
        [sys.executable, "-m", "companion", "schema"], capture_output=True, check=True, timeout=60
    )
    assert json.loads(again.stdout) == schema
