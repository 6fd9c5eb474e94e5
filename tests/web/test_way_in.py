"""The table page shows where the table is, and the way in to whoever is in the room and to nobody else."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from tests.web.conftest import Running, hide
from tests.web.phones import Phone
from web.http import addresses, hotspot
from web.render import pages

ELSEWHERE = "127.0.0.9"
"""An address that is not this machine's own screen."""


@pytest.fixture
def house(run: Callable[..., Running]) -> Running:
    return run(kit="simulated")


@pytest.fixture
def screen(house: Running) -> Phone:
    """A browser on the machine itself, at which nobody has joined."""
    return house.phone()


@pytest.fixture
def stranger(house: Running) -> Phone:
    """Somebody on the network."""
    return house.phone(source=ELSEWHERE)


def test_the_own_screen_and_whoever_joined_see_the_way_in_and_a_stranger_does_not(
    house: Running, screen: Phone, stranger: Phone
) -> None:
    code = house.evening.codes.table_code().code
    guest = house.guest("Ada", source=ELSEWHERE)
    for phone in (screen, guest):
        assert phone.get("/table").scene["join"]["code"] == code
        assert phone.stream("table").scene()["join"]["code"] == code
    answer = stranger.get("/table")
    assert answer.scene["join"] is None
    assert code not in answer.text
    assert stranger.stream("table").scene()["join"] is None


@pytest.mark.parametrize("page", ["/watch", "/", "/demo"])
def test_no_other_page_shows_it_to_whoever_has_not_joined(house: Running, screen: Phone, page: str) -> None:
    assert house.evening.codes.table_code().code not in screen.get(page).text


@pytest.mark.parametrize("header", ["X-Forwarded-For", "Forwarded", "Via", "X-Real-IP"])
def test_a_proxy_on_this_machine_is_not_its_screen(house: Running, screen: Phone, header: str) -> None:
    seen = screen.ask("GET", "/table", headers={header: "203.0.113.9"})
    assert house.evening.codes.table_code().code not in seen.text


def test_latecomers_find_the_way_in_during_a_game(run: Callable[..., Running]) -> None:
    house = run(kit="simulated", renderer=pages)
    host, phones = house.host(), house.players("Ada", "Hamish")
    house.start(host, players=2)
    rooms = {"blue": 1, "red": 12, "green": 25, "white": 36}
    hide(phones, rooms, dict.fromkeys(rooms, "p2"))
    code = house.evening.codes.table_code().code
    assert code in house.phone().get("/table").text
    assert code not in house.phone(source=ELSEWHERE).get("/table").text


def test_the_address_is_shown_by_number_and_by_name(
    house: Running, stranger: Phone, monkeypatch: pytest.MonkeyPatch
) -> None:
    addresses = house.evening.addresses
    assert stranger.get("/table").scene["addresses"] == [addresses.base_url]
    addresses.move(addresses.base_url, "http://companion.local")
    assert stranger.get("/table").scene["addresses"] == [addresses.base_url, "http://companion.local"]


def test_a_name_is_told_only_where_somebody_answers_to_it(
    monkeypatch: pytest.MonkeyPatch, tmp_path_factory: pytest.TempPathFactory
) -> None:
    monkeypatch.setattr(addresses.sys, "platform", "linux")
    monkeypatch.setattr(addresses.socket, "gethostname", lambda: "Companion")
    monkeypatch.setattr(addresses, "AVAHI", tmp_path_factory.mktemp("run") / "socket")
    assert addresses.local_name() == ""
    addresses.AVAHI.touch()
    assert addresses.local_name() == "companion.local"


def test_the_wifi_of_the_table_is_shown_to_whoever_is_in_the_room(
    run: Callable[..., Running], monkeypatch: pytest.MonkeyPatch
) -> None:
    house = run(renderer=pages)
    monkeypatch.setenv("COMPANION_WIFI_NAME", "Ghost companion")
    monkeypatch.setenv("COMPANION_WIFI_KEY", "abcd-efgh-jkmn")
    screen, stranger = house.phone(), house.phone(source=ELSEWHERE)
    assert "abcd-efgh-jkmn" not in screen.get("/table").text
    monkeypatch.setattr(hotspot, "ADDRESS", "127.0.0.1")
    house.evening.versions.bump()
    assert "abcd-efgh-jkmn" in screen.get("/table").text
    assert "abcd-efgh-jkmn" not in stranger.get("/table").text


def test_a_simulated_board_says_on_the_table_page_how_the_table_is(run: Callable[..., Running]) -> None:
    house = run(kit="simulated", renderer=pages)
    shown = house.phone().get("/table").text
    assert "The board shows a ghost: it is ready." in shown
    assert shown.count('data-led="board-') == 36
    assert shown.count('class="on"') == 30
