"""A saved story opens without a server, asks for nothing, and bars nobody."""

from __future__ import annotations

from pathlib import Path

import pytest
from playwright.sync_api import Browser, expect

from tests.browser.house import PHONE
from tests.browser.test_pages import RULES, WIDER, Axe
from tests.web.test_story_file import SHORT, played
from web.story import file, record


@pytest.mark.parametrize("game", SHORT)
def test_a_saved_story_opens_from_a_disk(browser: Browser, tmp_path: Path, shots: Path, game: str) -> None:
    played(tmp_path / "journal", game)
    scene = record.scene(tmp_path / "journal", "en")
    assert scene is not None
    saved = tmp_path / "story.html"
    saved.write_text(file.draw(scene), encoding="utf-8")
    context = browser.new_context(viewport=PHONE, offline=True, color_scheme="dark")
    page = context.new_page()
    asked: list[str] = []
    faults: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    page.on("console", lambda message: faults.append(message.text))
    page.on("pageerror", lambda fault: faults.append(str(fault)))
    page.goto(saved.as_uri())
    expect(page.get_by_role("heading", level=1)).to_be_visible()
    assert not page.evaluate(WIDER)
    (shots / f"story-{game}.png").write_bytes(page.screenshot(full_page=True))
    assert asked == [saved.as_uri()]
    assert not faults, faults
    context.close()
    bars_nobody(browser, saved)


def bars_nobody(browser: Browser, saved: Path) -> None:
    """Axe must bring a script of its own, which the file's policy would not let in."""
    context = browser.new_context(viewport=PHONE, bypass_csp=True, color_scheme="light")
    page = context.new_page()
    page.goto(saved.as_uri())
    found = Axe().run(page, options=RULES)
    context.close()
    assert not found.response["violations"], found.generate_report()
