"""The table page with the simulated board: its lamps are seen, its buttons can be pressed."""

import time
from collections.abc import Callable

import msgspec
import pytest

from hardware import presses
from tests.web.conftest import Running, hide
from tests.web.phones import PATIENCE, Phone, until
from web.push import streams

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
    assert house.phone().forge("/table/press", button="ok").status == 403
    stream = phones["p1"].stream("table")
    assert phones["p1"].post("/table/press", button="right").status == 200
    assert phones["p1"].post("/table/release", button="right").status == 200
    marked = stream.until(lambda scene: any("cursor" in m for m in scene["lamps"]["marks"].values()))
    assert marked["page"] == "table"


def test_unknown_button_is_refused(phones: dict[str, Phone]) -> None:
    assert phones["p1"].forge("/table/press", button="self-destruct").status == 409


def test_screens_are_dark_while_a_master_peeks(run: Callable[..., Running]) -> None:
    house = run("peeking", kit="simulated")
    host = house.host()
    phones = house.players("Ada", "Hamish")
    house.start(host, players=2, privacy="eyes_closed")
    hide(phones, ROOMS, dict.fromkeys(ROOMS, "p2"))
    for seat in ("p2", "p1"):
        # The last removal is marked for all, but not while somebody peeks.
        house.evening.table.act(seat, house.evening.table.legal(seat)[0])
    stream = phones["p1"].stream("table")
    assert stream.scene()["lamps"]["strips"] == {}
    assert msgspec.json.decode(phones["p1"].ask("GET", "/api/v1/lamps").body)["marks"]
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


def test_a_move_on_the_board_ends_redo_on_the_phones(house: Running, phones: dict[str, Phone]) -> None:
    _take_a_move_back(phones)
    assert phones["p2"].get("/play").scene["can_redo"]
    board, table = house.house.board, house.evening.table
    assert board is not None
    played, end = len(table.history()), time.monotonic() + PATIENCE
    board.press("right")
    while len(table.history()) == played and time.monotonic() < end:
        # Twice on the same room; what comes too fast is a bouncing contact.
        board.press("ok")
        time.sleep(0.1)
        board.release("ok")
        time.sleep(0.1)
    scene = phones["p2"].get("/play").scene
    assert len(scene["history"]) == played + 1
    assert not scene["can_redo"]
    assert phones["p2"].forge("/redo", seat="p2").errors == ["illegal"]


def test_redo_outlasts_a_restart(
    run: Callable[..., Running], house: Running, phones: dict[str, Phone]
) -> None:
    _take_a_move_back(phones)
    phones = _restarted(run, house, phones)
    assert not phones["p1"].get("/play").scene["can_redo"]
    assert phones["p2"].get("/play").scene["can_redo"]
    scene = phones["p2"].post("/redo", seat="p2").scene
    assert not scene["history"][-1]["undone"]
    assert not scene["can_redo"]


def _take_a_move_back(phones: dict[str, Phone]) -> None:
    room = phones["p2"].get("/play").scene["legal"]["p2"][0]["room"]
    assert phones["p2"].post("/act", seat="p2", type="remove", room=room).status == 200
    phones["p2"].post("/undo", seat="p2")
    assert phones["p1"].post("/undo/agree", seat="p1").scene["history"][-1]["undone"]


def _restarted(run: Callable[..., Running], house: Running, phones: dict[str, Phone]) -> dict[str, Phone]:
    house.close()
    port = run(kit="simulated").port
    for phone in phones.values():
        phone.port = port
    return phones


def test_guest_who_holds_back_switches_nothing_off_and_the_host_does(
    house: Running, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(presses, "LONG", 0.1)
    assert house.house.board
    host = house.guest("Mrs Kerr", source="127.0.0.3")
    host.post("/host", pin=house.evening.pin.shown)
    for phone in (house.guest("Ada", source="127.0.0.2"), house.guest("Ben", source="127.0.0.4")):
        assert phone.post("/table/press", button="back", next="/table").status == 200
    time.sleep(0.3)
    assert house.house.stopping.end == "stopped"
    host.post("/table/press", follow=False, button="back")
    until(lambda: house.house.stopping.end == "rest")
