"""The table page with the simulated board: its lamps are seen, its buttons can be pressed."""

from collections.abc import Callable

import msgspec
import pytest

from tests.web.conftest import Running, hide
from tests.web.phones import Phone
from web import streams

ROOMS = {"blue": 1, "red": 12, "green": 25, "white": 36}


@pytest.fixture
def house(run: Callable[..., Running]) -> Running:
    return run(kit="simulated")


@pytest.fixture
def phones(house: Running) -> dict[str, Phone]:
    host = house.host()
    phones = house.players("Ada", "Hamish")
    house.start(host, players=2, privacy="learning")
    hide(phones, ROOMS, dict.fromkeys(ROOMS, "p2"))
    return {**phones, "host": host}


def test_table_page_mirrors_the_lamps_of_the_board(house: Running, phones: dict[str, Phone]) -> None:
    stream = house.phone().stream("table")
    strips = msgspec.json.decode(stream.next("lamps"))["strips"]
    assert len(strips["board"]) == 36
    assert any(lamp != "000000" for lamp in strips["board"])


def test_buttons_are_shown_and_pressed_by_guests_only(house: Running, phones: dict[str, Phone]) -> None:
    assert house.phone().get("/table").scene["lamps"]["buttons"] == []
    assert "ok" in phones["p1"].get("/table").scene["lamps"]["buttons"]
    assert house.phone().post("/table/press", button="ok").status == 403
    stream = phones["p1"].stream("table")
    assert phones["p1"].post("/table/press", button="right", next="/table").status == 200
    assert phones["p1"].post("/table/release", button="right", next="/table").status == 200
    marked = stream.until(lambda scene: any("cursor" in m for m in scene["lamps"]["marks"].values()))
    assert marked["page"] == "table"


def test_unknown_button_is_refused(phones: dict[str, Phone]) -> None:
    assert phones["p1"].post("/table/press", button="self-destruct").status == 409


def test_screens_are_dark_while_a_master_peeks(run: Callable[..., Running]) -> None:
    house = run("peeking", kit="simulated")
    host = house.host()
    phones = house.players("Ada", "Hamish")
    house.start(host, players=2, privacy="eyes_closed")
    hide(phones, ROOMS, dict.fromkeys(ROOMS, "p2"))
    stream = phones["p1"].stream("table")
    assert stream.scene()["lamps"]["strips"] == {}
    house.house.board.press("peek")  # type: ignore[union-attr]
    dark = stream.until(lambda scene: scene["lamps"]["dark"])["lamps"]
    assert dark["marks"] == {}
    assert dark["rooms"] == {}
    lamps = msgspec.json.decode(phones["p1"].ask("GET", "/api/v1/lamps").body)
    assert lamps["marks"] == {}
    assert lamps["strips"] == {}
    house.house.board.release("peek")  # type: ignore[union-attr]
    assert not stream.until(lambda scene: not scene["lamps"]["dark"])["lamps"]["dark"]


def test_board_that_breaks_does_not_stop_the_phones(
    house: Running, phones: dict[str, Phone], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(streams, "PULSE", 0.05)

    def broken(*_: object) -> dict[str, list[str]]:
        raise OSError("the strip is gone")

    monkeypatch.setattr(house.house.board, "strips", broken)
    stream = phones["p1"].stream("play")
    phones["host"].post("/host/pause")
    assert stream.until(lambda scene: scene["paused"])


def test_dimmed_lamps_stay_dimmed_through_a_restart(run: Callable[..., Running]) -> None:
    first = run("dim", kit="simulated")
    first.host().post("/host/brightness", brightness=20)
    assert first.house.board.brightness == 0.2  # type: ignore[union-attr]
    first.close()
    assert run("dim", kit="simulated").house.board.brightness == 0.2  # type: ignore[union-attr]
