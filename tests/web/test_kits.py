"""A kit made on the phone: by pictures, checked as one goes, drawn, and kept as a file that a board takes."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from urllib.parse import parse_qs

import pytest

from hardware import kits
from tests.web.conftest import Running
from tests.web.phones import Phone
from web.render import pages


@pytest.fixture
def house(run: Callable[..., Running], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Running:
    running = run("state", renderer=pages, kit="simulated")
    monkeypatch.setenv(kits.FOLDER, str(tmp_path / "state" / "kits"))
    return running


@pytest.fixture
def host(house: Running) -> Phone:
    return house.host()


def test_the_way_there_is_where_a_board_is_chosen(host: Phone) -> None:
    assert 'href="/kits/make"' in host.get("/welcome/kit").text


def test_without_an_answer_there_is_a_kit_with_its_drawing(host: Phone) -> None:
    page = host.get("/kits/make").text
    assert "This can be built" in page
    assert 'src="/kits/make/drawing.svg?' in page
    assert "/kits/make/template.svg" not in page


@pytest.mark.parametrize("language", ["fr", "de", "en"])
@pytest.mark.parametrize("hands", ["joystick", "encoder", "rows", "matrix", "chips", "halls"])
def test_every_way_to_point_has_its_picture_and_its_files(host: Phone, hands: str, language: str) -> None:
    host.post("/me", language=language)
    query = f"rooms=36&hands={hands}&width=360"
    page = host.get(f"/kits/make?{query}")
    assert page.status == 200
    assert re.search(rf'value="{hands}" checked', page.text)
    files = re.findall(r'href="(/kits/make/[^"?]+)\?', page.text)
    assert {"/kits/make/kit.toml", "/kits/make/template-a4.pdf", "/kits/make/parts.csv"} <= set(files)
    for file in set(files):
        assert host.get(f"{file}?{query}").status == 200, file


@pytest.mark.parametrize(
    ("query", "problem"),
    [
        ("pin-ok=9", "belongs to SPI"),
        ("pin-ok=5&pin-up=5", "GPIO5 is used by"),
        ("gauge=200", "bytes in one SPI message"),
        ("amperes=30", "are more than 96 lamps can draw"),
        ("width=120", "are too little for lamp"),
        ("asked=1&buttons=back", "there is no ok button"),
    ],
)
def test_what_does_not_go_is_said_at_once_and_nothing_can_be_kept(
    house: Running, host: Phone, tmp_path: Path, query: str, problem: str
) -> None:
    page = host.get(f"/kits/make?{query}").text
    assert problem.lower() in page.lower()
    assert 'name="keep"' not in page
    fields = {name: value for name, _, value in (pair.partition("=") for pair in query.split("&"))}
    assert host.forge("/kits/make", keep="1", name="wrong", **fields).status == 409
    assert not (tmp_path / "state" / "kits" / "wrong.toml").exists()
    assert host.get(f"/kits/make/drawing.svg?{query}").status == 409


def test_a_second_chain_another_driver_and_another_data_pin_are_answers_too(host: Phone) -> None:
    assert "[second_chain]\nfirst = 36\npin = 20" in host.get("/kits/make/kit.toml?chains=two").text
    assert (
        'driver = "neopixel"\npin = 18' in host.get("/kits/make/kit.toml?driver=neopixel&pin-lamps=18").text
    )
    # For a second board on the same Pi.
    assert 'driver = "neopixel_spi"\npin = 20' in host.get("/kits/make/kit.toml?pin-lamps=20").text
    assert "neopixel_spi has two chains" in host.get("/kits/make?chains=two&driver=neopixel").text


def test_wires_are_named_in_the_readers_language_on_the_page_and_in_the_drawing(host: Phone) -> None:
    host.post("/me", language="de")
    page = host.get("/kits/make?hands=matrix").text
    assert "Matrix, Spalte 3 <small>GPIO" in page
    assert "Matrix, Spalte 3</text>" in host.get("/kits/make/drawing.svg?hands=matrix").text


@pytest.mark.parametrize("query", ["rooms=moon", "gauge=many", "width=1e999", "hands=feet", "pin-ok=x"])
def test_an_answer_that_is_none_is_refused_on_the_page(host: Phone, query: str) -> None:
    assert host.get(f"/kits/make?{query}").status == 400


def test_a_kept_kit_is_a_file_that_a_board_takes_and_is_not_lost_to_another(
    house: Running, host: Phone, tmp_path: Path
) -> None:
    answers = {"rooms": "36", "hands": "rows", "asked": "1", "buttons": "ok", "name": "Attic Table"}
    page = host.post("/kits/make", keep="1", **answers)
    assert page.status == 200
    assert "attic-table" in page.text
    file = tmp_path / "state" / "kits" / "attic-table.toml"
    kit = kits.read(file)
    assert kit.line_buttons is not None
    assert set(kit.buttons) == {"ok"}
    assert host.post("/kits/make", keep="1", **{**answers, "hands": "encoder"}).status == 409
    assert kits.read(file) == kit
    assert host.post("/kits/make", keep="1", replace="1", **{**answers, "hands": "encoder"}).status == 200
    assert kits.read(file).encoder is not None
    assert host.post("/welcome/kit", kit="attic-table").status == 200
    assert house.evening.board_kit.name == "attic-table"


@pytest.mark.parametrize("name", ["joystick", "board", "../../etc/passwd", "…"])
def test_no_name_leads_elsewhere_or_takes_one_of_ours(
    house: Running, host: Phone, tmp_path: Path, name: str
) -> None:
    assert host.post("/kits/make", keep="1", name=name).status == 200
    (file,) = (tmp_path / "state" / "kits").glob("*.toml")
    assert re.fullmatch(r"[a-z0-9-]+", file.stem)
    assert file.stem not in ("joystick", "board")


def test_without_a_script_the_answers_become_the_address(host: Phone) -> None:
    answer = host.post("/kits/make", follow=False, rooms="54", hands="rows")
    assert answer.status == 303
    path, _, asked = answer.headers["location"].partition("?")
    assert (path, parse_qs(asked)["rooms"], parse_qs(asked)["hands"]) == ("/kits/make", ["54"], ["rows"])


def test_nobody_else_makes_kits(house: Running, host: Phone, tmp_path: Path) -> None:
    for phone in (house.guest("Ada"), house.phone()):
        assert phone.get("/kits/make").status == 403
        assert phone.get("/kits/make/drawing.svg").status == 403
        assert phone.forge("/kits/make", keep="1").status == 403
    assert not (tmp_path / "state" / "kits").exists()
