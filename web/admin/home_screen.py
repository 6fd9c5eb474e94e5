"""The app on a home screen: its manifest, its worker, and the page for when nobody answers."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import msgspec
from flask import Response, request, send_from_directory

from web.http.language import asked_for
from web.render.templates import draw
from web.site.routes import Call, page
from web.texts import texts

STATIC = Path(__file__).parents[1] / "static"
NIGHT = "#0c1424"
"""`--night-900`, the ground of every page in the dark."""
ICONS = (
    ("icon.svg", "any", "image/svg+xml", "any"),
    ("icons/icon-192.png", "192x192", "image/png", "any"),
    ("icons/icon-512.png", "512x512", "image/png", "any"),
    ("icons/maskable-512.png", "512x512", "image/png", "maskable"),
)
"""File, sizes, type and purpose; phones cut the last one into a shape of their own."""


def manifest_of(language: str) -> dict[str, Any]:
    """What a phone needs to put the companion on its home screen. It wakes where its owner belongs."""
    t = texts(language)
    return {
        "id": "/",
        "name": t("house"),
        "short_name": t("house"),
        "description": t("what_is_this"),
        "lang": language,
        "start_url": "/",
        "scope": "/",
        "display": "standalone",
        "background_color": NIGHT,
        "theme_color": NIGHT,
        "icons": [
            {"src": f"/static/{file}", "sizes": sizes, "type": kind, "purpose": purpose}
            for file, sizes, kind, purpose in ICONS
        ],
    }


def _language() -> str:
    return asked_for(request.args.get("language") or request.headers.get("Accept-Language", ""))


@page("/manifest.webmanifest")
def manifest(call: Call) -> Response:
    """The manifest in the language that is asked for."""
    return Response(msgspec.json.encode(manifest_of(_language())), mimetype="application/manifest+json")


@page("/asleep")
def asleep(call: Call) -> str:
    """The one page that a phone may keep: it tells nothing about any game or phone."""
    t = texts(_language())
    return draw("asleep.html", {"t": t, "title": t("house")})


@page("/sw.js")
def worker(call: Call) -> Any:
    """The worker; at the root, because it looks after the paths beside and below its own."""
    return send_from_directory(STATIC, "sw.js", max_age=0)
