"""The plainest possible renderer: a page is its scene as JSON. What a scene holds, such a page shows."""

import html
import re
from typing import Any

import msgspec

from web.push.scene import Page, Scene


def render(scene: Scene, page: Page) -> str:
    return f"<!doctype html><body>{''.join(fragment(scene, page))}</body>"


def fragment(scene: Scene, page: Page) -> list[str]:
    data = html.escape(msgspec.json.encode(scene).decode(), quote=False)
    token = f'<input name="csrf" value="{scene.csrf}">'
    return ["<main>", token, f'<script type="application/json">{data}</script>', "</main>"]


def scene_in(text: str) -> dict[str, Any]:
    """The scene that a drawn page shows."""
    found = re.search(r'<script type="application/json">(.*?)</script>', text, re.S)
    assert found, f"no scene in: {text[:300]}"
    return msgspec.json.decode(html.unescape(found[1]))
