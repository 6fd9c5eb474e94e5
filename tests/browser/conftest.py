"""One browser for all, one daemon a module."""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, expect, sync_playwright

from tests.browser.house import PATIENCE, House, Phone

NAMES = ("chromium", "chromium-browser", "google-chrome")
FLAGS = (
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
)
MISSING = "Chromium is missing: `apt install chromium`, or say where it is: CHROMIUM=/path/to/chromium"


def chromium_path() -> str:
    """Chromium as the system provides it. Without it these tests cannot say anything, so they fail."""
    found = os.environ.get("CHROMIUM") or next(filter(None, map(shutil.which, NAMES)), None)
    if not found:
        pytest.fail(MISSING, pytrace=False)
    return found


@pytest.fixture(scope="package")
def browser() -> Iterator[Browser]:
    """The browser of all phones."""
    # Five seconds, as playwright has it, are not always enough on a machine that does other things besides.
    expect.set_options(timeout=PATIENCE)
    with sync_playwright() as playwright:
        chromium = playwright.chromium.launch(executable_path=chromium_path(), args=list(FLAGS))
        yield chromium
        chromium.close()


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[House]:
    """A daemon with a simulated board."""
    opened = House(tmp_path_factory.mktemp("house"))
    yield opened
    opened.stop()


@pytest.fixture
def phone(browser: Browser, house: House) -> Iterator[Callable[..., Phone]]:
    """Take out another phone."""
    phones: list[Phone] = []

    def taken(**kind: Any) -> Phone:
        phones.append(Phone(browser, house, **kind))
        return phones[-1]

    yield taken
    for one in phones:
        one.close()


@pytest.fixture(scope="session")
def shots() -> Path:
    """Where pictures of the pages are put for people to look at."""
    folder = Path(os.environ.get("SHOTS", "build/shots"))
    folder.mkdir(parents=True, exist_ok=True)
    return folder
