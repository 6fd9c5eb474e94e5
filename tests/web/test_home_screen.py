"""The house on a phone's home screen: in its language, with its own pictures, and without any internet."""

from __future__ import annotations

import json
import re
import struct
from collections.abc import Callable
from pathlib import Path
from urllib.parse import urlsplit

import pytest

from tests.web.conftest import Running
from tests.web.test_boxes_pages import TILES
from web.render import pages

Run = Callable[..., Running]
STATIC = Path(pages.__file__).parents[1] / "static"
LANGUAGES = ("en", "fr", "de")
OPEN_PAGES = ("/", "/j/ABCDEF", "/demo", "/table", "/watch", "/asleep", "/nowhere")
HOST_PAGES = (
    "/host",
    "/play",
    "/doctor",
    "/boxes",
    "/boxes/new?game=artefacts",
    "/boxes/new?game=canterville",
    "/boxes/box?name=Our+box",
    "/backup",
    "/castles",
    "/castles/ours/draw",
    "/castles/ours/room/1",
)
REFERENCE = re.compile(
    r"""(?:src|href|action|formaction|poster|srcset|content)=["']([^"']+)|url\(["']?([^"')]+)|import\s[^;]*?["']([^"']+)["']"""
)
ADDRESS = re.compile(r"""https?:(?:\\?/){2}[^\s"'<>)]+""")
NAMES_OF_LANGUAGES = ("http://www.w3.org/2000/svg", "http://www.w3.org/1999/xlink")
"""Names, not places: nothing is fetched from there."""


@pytest.fixture
def house(run: Run) -> Running:
    return run(renderer=pages)


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_manifest_speaks_the_phones_language(house: Running, language: str) -> None:
    for answer in (
        house.phone(language=language).get("/manifest.webmanifest"),
        house.phone(language="xx").get(f"/manifest.webmanifest?language={language}"),
    ):
        assert answer.headers["content-type"].startswith("application/manifest+json")
        found = json.loads(answer.text)
        assert (found["lang"], found["start_url"], found["display"]) == (language, "/", "standalone")
        assert found["name"]
        assert found["theme_color"] in (STATIC / "house.css").read_text(encoding="utf-8")


def test_every_icon_is_there_and_as_large_as_it_says(house: Running) -> None:
    phone = house.phone()
    icons = json.loads(phone.get("/manifest.webmanifest").text)["icons"]
    touch = {"src": "/static/icons/touch-180.png", "sizes": "180x180", "type": "image/png", "purpose": "any"}
    assert {icon["purpose"] for icon in icons} == {"any", "maskable"}
    for icon in (*icons, touch):
        answer = phone.get(icon["src"])
        assert (answer.status, answer.headers["content-type"].split(";")[0]) == (200, icon["type"])
        if icon["type"] == "image/png":
            width, height = struct.unpack(">II", answer.body[16:24])
            assert f"{width}x{height}" == icon["sizes"]
            assert len(answer.body) < 20_000


def test_every_page_can_go_to_the_home_screen(house: Running) -> None:
    host = house.host()
    for path in ("/host", "/boxes", "/castles", "/backup"):
        page = host.get(path).text
        assert '<link rel="manifest" href="/manifest.webmanifest?language=en">' in page
        assert '<link rel="apple-touch-icon" href="/static/icons/touch-180.png">' in page


def test_it_wakes_to_the_page_where_its_owner_belongs(house: Running) -> None:
    host, players = house.host(), house.players("Ada")
    assert house.phone().get("/", follow=False).status == 200
    assert host.get("/", follow=False).headers["location"] == "/host"
    assert players["p1"].get("/", follow=False).headers["location"] == "/play"


def test_the_worker_keeps_static_files_and_one_page_without_a_game(house: Running) -> None:
    host = house.host()
    worker = host.get("/sw.js")
    assert worker.headers["content-type"].startswith("text/javascript")
    assert set(re.findall(r'"(/[a-z][^"]*)"', worker.text)) == {
        "/static/house.css",
        "/static/icon.svg",
        "/static/",
    }
    kept = host.get("/asleep?language=fr").text
    assert 'lang="fr"' in kept
    assert "csrf" not in kept
    assert "Mrs Kerr" not in kept
    assert "isSecureContext" in (STATIC / "home-screen.js").read_text(encoding="utf-8")


@pytest.mark.parametrize("language", LANGUAGES)
def test_no_page_needs_anything_from_elsewhere(house: Running, language: str) -> None:
    host, stranger = house.host(), house.phone(language=language)
    host.post("/me", language=language)
    host.post("/boxes/save", game="phantom", name="Our box", **TILES)
    host.post("/castles/new", name="Ours")
    seen = [stranger.get(path) for path in OPEN_PAGES] + [host.get(path) for path in HOST_PAGES]
    own = urlsplit(house.evening.addresses.base_url).netloc
    for answer in seen:
        assert answer.status in (200, 404)
        for found in REFERENCE.finditer(answer.text):
            address = urlsplit(next(filter(None, found.groups())))
            assert address.netloc in ("", own), found[0]
            assert address.scheme in ("", "http", "data"), found[0]
        told = {urlsplit(each).netloc for each in ADDRESS.findall(answer.text)}
        assert told <= {own, "companion.local"}, told


def test_no_file_of_a_page_names_another_machine() -> None:
    files = [path for path in STATIC.rglob("*") if path.suffix in (".css", ".js", ".svg")]
    assert len(files) > 10
    for path in files:
        text = path.read_text(encoding="utf-8")
        assert set(ADDRESS.findall(text.replace("%3A", ":"))) <= set(NAMES_OF_LANGUAGES), path.name
        for found in re.finditer(r"url\([\"']?([^\"')]+)", text):
            assert found[1].startswith(("data:image/svg", "/static/", "#")), f"{path.name}: {found[1][:40]}"
