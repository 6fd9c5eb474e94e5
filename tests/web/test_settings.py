"""Settings of one phone: kept in a cookie, put into every page, and colours that every eye can tell apart."""

from __future__ import annotations

import re
from collections.abc import Callable
from itertools import product
from pathlib import Path

import pytest

from companion.picture import PALETTES, Glow, Palette
from tests.eyes import contrast, light_of, nearest
from tests.web.conftest import Running
from web.admin.settings import look
from web.admin.settings.look import CHOICES, Look
from web.render import pages
from web.render.lamps import board_lamp, seen
from web.scene import Lamps

Run = Callable[..., Running]
SHEETS = Path(pages.__file__).parents[1] / "static"
WALLPAPERS = ("blue", "red", "green", "white")
EVERY_LOOK = [Look(*wishes) for wishes in product(*CHOICES.values())]
OTHER = Look("light", "huge", "contrast", "left", "top")


# The cookie


def test_every_look_can_be_kept_and_read_again() -> None:
    assert [look.read(look.written(one)) for one in EVERY_LOOK] == EVERY_LOOK


@pytest.mark.parametrize(
    "cookie", ["", "dark", "dark.giant", "....", "x" * 400, "dark.large.red_green.left.top.more"]
)
def test_a_cookie_that_means_nothing_harms_nothing(cookie: str) -> None:
    assert look.read(cookie) in EVERY_LOOK


def test_a_look_never_brings_foreign_words_into_a_page() -> None:
    assert look.read('"><script>."><script>.".".".') == Look()


# Pages


def test_nobody_who_chose_nothing_sees_a_difference() -> None:
    html = '<!doctype html>\n<html lang="en">\n<head>\n</head>'
    assert look.dressed(html, Look()) == html.replace("</head>", look.SHEETS + "</head>")


def test_a_chosen_scheme_wins_over_the_one_of_the_phone(run: Run) -> None:
    dark = run(renderer=pages).phone().ask("GET", "/", headers={"Cookie": "look=dark"}).text
    assert '/static/daylight.css" media="not all"' in dark
    assert re.search(r'content="#0c1424" media="all"', dark)


def test_every_page_wears_the_look_of_its_phone_and_no_fragment_does(run: Run) -> None:
    house = run(renderer=pages)
    host = house.host()
    wanted = {"Cookie": f"{host.cookie}; look={look.written(OTHER)}"}
    for path in ("/", "/j/ABCDEF", "/host", "/table", "/watch", "/demo", "/castles", "/my-phone", "/nowhere"):
        answer = host.ask("GET", path, headers=wanted if path != "/" else {"Cookie": wanted["Cookie"][-40:]})
        assert (
            '<html data-text="huge" data-colours="contrast" data-hand="left" data-side="top"' in answer.text
        )
        assert answer.text.count("/static/settings.css") == 1
        assert '/static/daylight.css" media="all"' in answer.text
    fragment = host.forge("/me", headers=wanted, wants="fragment", language="fr").text
    assert 'id="live"' in fragment
    assert "data-side" not in fragment


def test_my_phone_is_linked_from_every_page_and_keeps_what_was_chosen(run: Run) -> None:
    house = run(renderer=pages)
    stranger, host = house.phone(language="de"), house.host()
    for path in ("/", "/j/ABCDEF", "/table", "/demo", "/watch", "/nowhere"):
        assert 'href="/my-phone"' in stranger.get(path).text, path
    for path in ("/host", "/play", "/doctor", "/castles", "/boxes", "/backup"):
        assert 'href="/my-phone"' in host.get(path).text, path
    page = stranger.ask("GET", "/my-phone", headers={"Referer": "http://127.0.0.1/demo"}).text
    assert "Mein Handy" in page
    assert 'name="next" value="/demo"' in page
    answer = stranger.forge(
        "/my-phone", follow=False, next="/demo", text="large", hand="left", side="nowhere"
    )
    assert (answer.status, answer.headers["location"]) == (303, "/demo")
    assert answer.headers["set-cookie"].startswith("look=phone.large.standard.left.bottom;")
    assert 'value="large" checked' in stranger.get("/my-phone").text


def test_a_forged_form_changes_nothing_and_a_foreign_page_is_no_way_back(run: Run) -> None:
    phone = run(renderer=pages).phone()
    answer = phone.forge("/my-phone", csrf="wrong", text="huge")
    assert answer.status == 403
    assert "set-cookie" not in answer.headers
    assert phone.forge("/my-phone", follow=False, next="//example.com").headers["location"] == "/"


# The lamps of the table


def test_the_host_chooses_lamps_for_the_eyes_around_the_table(run: Run) -> None:
    house = run("colours", renderer=pages, kit="simulated")
    host, guest = house.host(), house.guest("Ada")
    assert guest.forge("/host/lamps", palette="red_green").status == 403
    assert host.forge("/host/lamps", palette="ultraviolet").status == 400
    assert 'value="red_green" selected' in host.post("/host/lamps", palette="red_green").text
    board = house.house.board
    assert board is not None
    assert board.palette == "red_green"
    house.close()
    again = run("colours", renderer=pages, kit="simulated").house.board
    assert again is not None
    assert again.palette == "red_green"


@pytest.mark.parametrize("palette", PALETTES)
def test_the_table_page_shows_the_lamps_of_its_palette_where_no_board_is_wired(palette: Palette) -> None:
    lamp = board_lamp(Lamps(rooms={3: Glow("green")}, palette=palette), 3)
    assert lamp.fill == seen(bytes(PALETTES[palette]["green"]).hex())


# Colours


def palette(name: str) -> dict[str, str]:
    """The colours of the wallpapers in a palette; what it leaves alone is as usual, or the house's."""
    walls = (SHEETS.parent / "games" / "phantom" / "static" / "pages.css").read_text(encoding="utf-8")
    house = (SHEETS / "house.css").read_text(encoding="utf-8") + walls.partition("}")[0]
    own = re.search(rf"^\[data-colours={name}\]\{{([^}}]*)\}}", walls, re.M)
    return dict(re.findall(r"--([\w-]+):(#[0-9a-f]{3,6})\b", house + (own[1] if own else "")))


@pytest.mark.parametrize(
    ("name", "eyes", "least"),
    [
        ("standard", ("all",), 16),
        ("red_green", ("all", "protan", "deutan"), 20),
        ("blue_yellow", ("all", "tritan"), 20),
        ("contrast", ("all", "protan", "deutan", "tritan"), 22),
    ],
)
def test_wallpapers_and_ghosts_can_be_told_apart_by_the_eyes_a_palette_is_for(
    name: str, eyes: tuple[str, ...], least: float
) -> None:
    colours = palette(name)
    for each in eyes:
        assert nearest([light_of(colours[paper]) for paper in WALLPAPERS], each) >= least, each
        ghosts = [light_of(colours[f"{paper}-pale"]) for paper in WALLPAPERS]
        assert name == "standard" or nearest(ghosts, each) >= 12, each


def test_the_standard_wallpapers_are_why_there_are_others() -> None:
    papers = [light_of(palette("standard")[paper]) for paper in WALLPAPERS]
    assert nearest(papers, "deutan") < 8
    assert nearest(papers, "tritan") < 8


@pytest.mark.parametrize("name", CHOICES["colours"])
def test_the_picture_on_a_tile_stands_out_from_its_wallpaper(name: str) -> None:
    colours = palette(name)
    for paper in WALLPAPERS:
        dark = paper == "white" or (paper == "green" and "on-green" in colours)
        assert contrast(light_of(colours[paper]), light_of("#0c1424" if dark else "#f7eedb")) >= 3, paper
