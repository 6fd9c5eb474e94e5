"""The real pages, each with its scene behind it as JSON: what a scene holds, such a page shows."""

import html
import re
from typing import Any

import msgspec

from web.render import pages
from web.scene import Page, Scene


def render(scene: Scene, page: Page) -> str:
    return pages.render(scene, page) + _told(scene)


def fragment(scene: Scene, page: Page) -> str:
    return pages.fragment(scene, page) + _told(scene)


def _told(scene: Scene) -> str:
    data = html.escape(msgspec.json.encode(scene).decode(), quote=False)
    return f'<script type="application/json">{data}</script>'


def scene_in(text: str) -> dict[str, Any]:
    """The scene that a drawn page shows."""
    found = re.search(r'<script type="application/json">(.*?)</script>', text, re.S)
    assert found, f"no scene in: {text[:300]}"
    return msgspec.json.decode(html.unescape(found[1]))
