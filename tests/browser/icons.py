"""Draw the icons of the home screen anew, from the house's own drawing: `python -m tests.browser.icons`."""

from __future__ import annotations

import os
import shutil
from pathlib import Path

from playwright.sync_api import sync_playwright

from tests.browser.conftest import FLAGS, NAMES

STATIC = Path(__file__).parents[2] / "web" / "static"
DRAWN = {
    "icon-192": ("icon.svg", 192),
    "icon-512": ("icon.svg", 512),
    "maskable-512": ("icons/maskable.svg", 512),
    "touch-180": ("icons/maskable.svg", 180),
}
"""Each picture, the drawing it is made of, and its side."""


def draw() -> None:
    """Have Chromium paint each drawing at its size."""
    found = os.environ.get("CHROMIUM") or next(filter(None, map(shutil.which, NAMES)))
    with sync_playwright() as playwright:
        chromium = playwright.chromium.launch(executable_path=found, args=list(FLAGS))
        for name, (drawing, side) in DRAWN.items():
            page = chromium.new_page(viewport={"width": side, "height": side})
            svg = (STATIC / drawing).read_text(encoding="utf-8").replace("<svg ", f'<svg width="{side}" ', 1)
            page.set_content(f"<style>*{{margin:0;display:block}}</style>{svg}")
            page.screenshot(path=STATIC / "icons" / f"{name}.png", omit_background=True)
        chromium.close()


if __name__ == "__main__":
    draw()
