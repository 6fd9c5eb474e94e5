"""The first steps of a new table: language, a PIN that stays, a kit, a box, a castle."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

import msgspec
import pytest
from msgspec.structs import replace

from companion.journal import Journal
from tests.web.conftest import Running
from tests.web.phones import Phone
from web.access import credentials
from web.admin.welcome.routes import steps
from web.board.kit import BoardKit
from web.http import addresses
from web.people.guest_book import Book
from web.render import pages
from web.server import server


@pytest.fixture
def house(run: Callable[..., Running]) -> Running:
    return run(renderer=pages, kit="simulated")


@pytest.fixture
def host(house: Running) -> Phone:
    return house.host()


def pressed(page: str) -> list[str]:
    """What is chosen on a page of the steps."""
    return re.findall(r'value="([^"]*)"[^>]*aria-pressed="true"', page)


def test_a_new_table_offers_the_first_steps_on_the_desk_until_somebody_is_done_with_them(
    house: Running,
) -> None:
    phone = house.phone()
    answer = phone.post("/host", follow=False, pin=house.evening.pin.shown, name="Mrs Kerr")
    assert (answer.status, answer.headers["location"]) == (303, "/host")
    assert "A new table" in phone.get("/host").text
    for step in (each.name for each in steps("en")):
        page = phone.get(f"/welcome/{step}")
        assert page.status == 200
        assert f'href="/welcome/{step}"' in page.text
    done = phone.post("/welcome/done", follow=False)
    assert (done.status, done.headers["location"]) == (303, "/host")
    desk = phone.get("/host").text
    assert "/welcome" in desk
    assert "A new table" not in desk


def test_a_table_from_before_the_steps_is_not_new() -> None:
    assert msgspec.json.decode(b'{"book":1,"plan":{"game":"phantom"}}', type=Book).welcomed


def test_nobody_else_takes_the_steps(house: Running, host: Phone) -> None:
    guest = house.guest("Ada")
    for phone in (guest, house.phone()):
        assert phone.get("/welcome").status == 403
        assert phone.forge("/welcome/pin", pin="271828").status == 403
        assert phone.forge("/welcome/kit", kit="joystick").status == 403
    assert house.evening.book.pin == ""
    assert house.evening.board_kit.name == "simulated"


def test_a_step_that_is_none_is_refused_on_a_page(host: Phone) -> None:
    assert host.get("/welcome/cellar").status == 409


@pytest.mark.parametrize(("language", "word"), [("fr", "Code PIN"), ("de", "PIN"), ("en", "PIN")])
def test_the_steps_speak_the_chosen_language(host: Phone, language: str, word: str) -> None:
    page = host.post("/welcome/language", language=language)
    assert f'<html lang="{language}">' in page.text
    assert word.lower() in page.text.lower()
    assert host.forge("/welcome/language", language="nl").status == 400


# The PIN


def test_a_pin_of_ones_own_outlasts_a_restart_and_is_nowhere_to_be_read(
    run: Callable[..., Running], tmp_path: Path
) -> None:
    first = run("state", renderer=pages)
    host = first.host()
    assert host.post("/welcome/pin", pin="271 828", follow=False).status == 303
    first.close()
    kept = (tmp_path / "state/guests.json").read_text()
    assert "271828" not in kept
    second = run("state", renderer=pages)
    assert second.phone().post("/host", pin="271828", name="Isla").status == 200
    assert second.phone().post("/host", pin=second.evening.pin.shown, name="Zoé").status == 200


def test_the_shown_pin_can_be_kept_and_forgotten(run: Callable[..., Running]) -> None:
    first = run("state", renderer=pages)
    shown = first.evening.pin.shown
    assert first.host().post("/welcome/pin", keep="1").status == 200
    first.close()
    second = run("state", renderer=pages)
    host = second.phone()
    assert host.post("/host", pin=shown, name="Isla").status == 200
    assert host.post("/welcome/pin/forget").status == 200
    assert second.phone().post("/host", pin=shown, name="Ada").status == 403


def test_a_kept_pin_that_was_tampered_with_locks_nobody_out(house: Running) -> None:
    house.evening.change(replace(house.evening.book, pin="no hash at all"))
    assert house.phone().post("/host", pin="271828", name="Mallory").status == 403
    assert house.host().get("/host").status == 200


@pytest.mark.parametrize(
    ("pin", "status"),
    [
        *((bad, 400) for bad in ("12345", "1234567890123", "abcdef", "", "١٢٣٤٥٦")),
        *((easy, 409) for easy in ("777777", "123456", "987654")),
        ("271828", 200),
    ],
)
def test_a_pin_is_long_enough_and_not_the_first_guess(
    house: Running, host: Phone, pin: str, status: int
) -> None:
    send = host.forge if status == 400 else host.post  # the page takes no other signs
    assert send("/welcome/pin", pin=pin).status == status
    assert bool(house.evening.book.pin) == (status == 200)


def test_guessing_ones_own_pin_is_as_slow_as_guessing_the_shown_one(house: Running, host: Phone) -> None:
    host.post("/welcome/pin", pin="271828")
    guesser = house.phone(source="127.0.0.2")
    answers = [guesser.post("/host", pin=f"99999{n}", name="Mallory").status for n in range(5)]
    assert answers == [403] * 5
    assert guesser.post("/host", pin="271828", name="Mallory").status == 429


# The kit


def test_a_kit_is_changed_at_once_and_outlasts_a_restart(run: Callable[..., Running]) -> None:
    first = run("state", renderer=pages, kit="simulated")
    host = first.host()
    assert pressed(host.get("/welcome/kit").text) == ["simulated"]
    before = first.house.board
    page = host.post("/welcome/kit", kit="rows")
    assert (page.status, pressed(page.text)) == (200, ["rows"])
    assert "/doctor" in page.text
    assert first.house.board is not before
    assert first.house.board is not None
    assert "row1" in first.house.board.buttons
    first.close()
    again = run("state", kit="simulated")
    assert again.evening.board_kit.name == "rows"
    again.close()
    assert run("state", kit="sensing").evening.board_kit.name == "sensing"


def test_a_game_goes_on_while_the_kit_is_changed(run: Callable[..., Running]) -> None:
    house = run(kit="simulated")
    host, _ = house.host(), house.players("Ada", "Hamish")
    house.start(host, players=2)
    version = house.house.table.version
    assert host.post("/welcome/kit", kit="joystick", follow=False).status == 303
    assert house.house.table.version == version
    assert house.house.board is not None
    assert house.house.board.on_rest is not None
    assert host.forge("/welcome/kit", kit="nonsense", follow=False).status == 400


def test_a_kit_that_cannot_be_opened_leaves_the_old_one(
    house: Running, host: Phone, monkeypatch: pytest.MonkeyPatch
) -> None:
    real = BoardKit._opened

    def broken(fitting: BoardKit, kit: str, patient: bool = False) -> object:
        if kit == "rows":
            raise credentials.Illegal("evening.kit_fails", fault="GPIO 5 is taken")
        return real(fitting, kit, patient)

    monkeypatch.setattr(BoardKit, "_opened", broken)
    page = host.post("/welcome/kit", kit="rows")
    assert page.status == 409
    assert "GPIO 5 is taken" in page.text
    assert pressed(page.text) == ["simulated"]
    assert house.house.board is not None
    assert house.evening.book.fitted is None


def test_a_board_that_does_not_open_is_told_to_the_host(run: Callable[..., Running]) -> None:
    house = run(renderer=pages, kit="nonsense")
    assert "nonsense" in house.host().get("/host").text


# What the lamps say


def test_the_board_says_booting_then_ready(tmp_path: Path, run: Callable[..., Running]) -> None:
    with server.opened(tmp_path / "unserved", "simulated", pages) as house:
        assert house.board is not None
        assert house.board.sign == "booting"
    served = run(kit="simulated").house.board
    assert served is not None
    assert served.sign == "ready"


def test_the_board_says_that_there_is_no_network(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (wire,) = server.listen("0.0.0.0", 0)
    with wire, server.opened(tmp_path, "simulated", pages) as house:
        assert house.board is not None
        monkeypatch.setattr(server, "home_address", lambda: addresses.LOOPBACK)
        house.look_around(wire)
        assert house.board.sign == "no_network"
        monkeypatch.setattr(server, "home_address", lambda: "192.168.1.7")
        house.look_around(wire)
        assert house.board.sign == "ready"


def test_a_full_disk_is_told_on_page_and_lamps_until_it_is_mended(
    run: Callable[..., Running], monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(journal: Journal) -> None:
        raise OSError(28, "No space left on device")

    with monkeypatch.context() as no_room:
        no_room.setattr(Journal, "_open", full)
        house = run(renderer=pages, kit="simulated")
        host = house.host()
        assert "No space left on device" in host.get("/host").text
        assert "No space left on device" in house.phone().get("/table").text
        house.house.look_around(house.sockets[0])
        assert house.house.board is not None
        assert house.house.board.sign == "not_saved"
        assert host.post("/host/start", players=2).status == 507
    house.house.look_around(house.sockets[0])
    assert house.house.board.sign == "ready"
    assert "No space left on device" not in host.get("/host").text
    assert host.post("/host/start", players=2).status == 200
