"""What a phone shows of the house outside the house: a name and an icon, and that nobody answers."""

from __future__ import annotations

from typing import Any

from web.pages.paper import draw
from web.pages.voice import voice

NIGHT = "#0c1424"
"""`--night-900`, the ground of every page in the dark."""
ICONS = (
    ("icon.svg", "any", "image/svg+xml", "any"),
    ("icons/icon-192.png", "192x192", "image/png", "any"),
    ("icons/icon-512.png", "512x512", "image/png", "any"),
    ("icons/maskable-512.png", "512x512", "image/png", "maskable"),
)
"""File, sizes, type and purpose; phones cut the last one into a shape of their own."""


def manifest(language: str) -> dict[str, Any]:
    """What a phone needs to know to put the house on its home screen. It wakes where its owner belongs."""
    t = voice(language)
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


def asleep(language: str) -> str:
    """The one page that may be kept: it tells nothing about any game or phone."""
    return draw("asleep.html", {"t": voice(language), "title": voice(language)("house")})
