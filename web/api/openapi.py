"""The OpenAPI document of the HTTP API, made from the types in the code."""

from __future__ import annotations

from typing import Any

import msgspec
from flask import Response

from companion import __version__, games
from companion.headless import Actions, Done, Lit, Refused, Viewed
from web.api.routes import ROOT, ActRequest, json
from web.people.identity import COOKIE, SECURE_COOKIE
from web.site.routes import Call, page

WANTED = {
    "name": "seat",
    "in": "query",
    "required": False,
    "description": "Only for a phone that has more than one.",
    "schema": {"type": "string"},
}


@page(f"{ROOT}/openapi.json")
def openapi(call: Call) -> Response:
    """The document, beside the API."""
    return json(document())


def document() -> dict[str, Any]:
    """OpenAPI 3.1: every route of the API with its messages, and each game's actions and views."""
    messages = {kind.__name__: kind for kind in (ActRequest, Done, Viewed, Actions, Lit, Refused)}
    of_games: dict[str, Any] = {}
    for name in games.names():
        game = games.find(name)
        of_games |= {f"{name}.action": game.action, f"{name}.view": game.shows}
    schemas, components = msgspec.json.schema_components(
        [*messages.values(), *of_games.values()], ref_template="#/components/schemas/{name}"
    )
    named = dict(zip([*messages, *of_games], schemas, strict=True))
    components |= {name: named[name] for name in of_games if name.endswith(".action")}
    _name_games(components)
    return {
        "openapi": "3.1.0",
        "info": {"title": "The table, for programs", "version": __version__},
        "paths": _paths(named),
        "components": {
            "schemas": components,
            "securitySchemes": {
                "seat": {"type": "http", "scheme": "bearer"},
                "phone": {"type": "apiKey", "in": "cookie", "name": COOKIE},
                "phone_over_https": {"type": "apiKey", "in": "cookie", "name": SECURE_COOKIE},
            },
        },
        "security": [{"seat": []}, {"phone": []}, {"phone_over_https": []}],
    }


def _name_games(components: dict[str, Any]) -> None:
    """Say what an action can be: that of any installed game."""
    actions = [{"$ref": f"#/components/schemas/{name}.action"} for name in games.names()]
    components["ActRequest"]["properties"]["action"] = {"anyOf": actions}


def _paths(named: dict[str, Any]) -> dict[str, Any]:
    act = {"required": True, "content": {"application/json": {"schema": named["ActRequest"]}}}
    return {
        f"{ROOT}/act": {
            "post": {
                "summary": "Do an action for a seat; it is durable when this is answered.",
                "requestBody": act,
                "responses": _responses(named["Done"], named),
            }
        },
        f"{ROOT}/view": _get("What the seat may know now.", named["Viewed"], named),
        f"{ROOT}/legal": _get("What the seat may do now.", named["Actions"], named),
        f"{ROOT}/lamps": _get("What the shared board shows now.", named["Lit"], named),
        f"{ROOT}/events": {
            "get": {
                "summary": "Server-sent events: the seat's view after each change, each named `view`.",
                "parameters": [WANTED],
                "responses": {"200": {"description": "views", "content": {"text/event-stream": {}}}},
            }
        },
        "/healthz": {
            "get": {
                "security": [],
                "responses": {
                    "200": {"description": "Somebody can act at the table."},
                    "503": {"description": "It hangs."},
                },
            }
        },
    }


def _get(summary: str, schema: Any, named: dict[str, Any]) -> dict[str, Any]:
    return {"get": {"summary": summary, "parameters": [WANTED], "responses": _responses(schema, named)}}


def _responses(schema: Any, named: dict[str, Any]) -> dict[str, Any]:
    refusals = {
        "400": "not the shape of any message",
        "401": "no key, or one that opens nothing here",
        "403": "not for this seat",
        "409": "not possible now",
        "413": "too large",
        "507": "could not be made durable, so it did not happen",
    }
    return {
        "200": {"description": "done", "content": {"application/json": {"schema": schema}}},
        **{
            status: {"description": text, "content": {"application/json": {"schema": named["Refused"]}}}
            for status, text in refusals.items()
        },
    }
