"""The HTTP API of the protocol, with a seat's key and with a phone's cookie."""

import threading
from collections.abc import Callable
from typing import Any

import msgspec
import pytest

from tests.web.conftest import Running, hide
from tests.web.phones import Answer, Phone, Stream, until
from web.server import server

ROOMS = {"blue": 1, "red": 12, "green": 25, "white": 36}
JSON = {"Content-Type": "application/json"}


class Program:
    """Something without a screen that has a seat's key."""

    def __init__(self, port: int, key: str) -> None:
        self.phone = Phone(port)
        self.headers = {"Authorization": f"Bearer {key}"}

    def get(self, path: str) -> Answer:
        return self.phone.ask("GET", f"/api/v1/{path}", headers=self.headers)

    def act(self, **action: Any) -> Answer:
        body = msgspec.json.encode({"action": action})
        return self.phone.ask("POST", "/api/v1/act", body, {**self.headers, **JSON})


def data(answer: Answer) -> Any:
    return msgspec.json.decode(answer.body)


@pytest.fixture
def phones(house: Running) -> dict[str, Phone]:
    host = house.host()
    phones = house.players("Ada", "Hamish")
    house.start(host, players=2)
    return {**phones, "host": host}


@pytest.fixture
def master(house: Running, phones: dict[str, Phone]) -> Program:
    return Program(house.port, key_of(phones["p2"], "p2"))


def key_of(phone: Phone, seat: str) -> str:
    notice = phone.post("/seat/key", seat=seat).scene["notices"][0]
    return str(notice["text"].rsplit(" ", 1)[1])


def test_program_plays_a_seat_by_its_key(master: Program) -> None:
    for ghost, room in ROOMS.items():
        assert data(master.act(type="hide", ghost=ghost, room=room))["ok"]
    legal = data(master.get("legal"))["actions"]
    assert {action["type"] for action in legal} == {"remove"}
    done = data(master.act(**legal[0]))
    assert done["to_act"] == ["p1"]
    assert done["phase"] == "playing"
    assert done["result"] is None
    assert data(master.get("view"))["view"]["ghosts"]["blue"]["room"] == 1
    assert data(master.get("legal"))["actions"] == []


def test_key_opens_one_seat_and_dies_when_the_seat_changes_hands(
    house: Running, phones: dict[str, Phone], master: Program
) -> None:
    assert data(master.get("view?seat=p2"))["view"]["seat"] == "p2"
    for other in ("p1", "host", "moderator"):
        assert master.get(f"view?seat={other}").status == 403
    house.bot("p2")
    assert master.get("view").status == 401


def test_phone_uses_its_cookie(phones: dict[str, Phone]) -> None:
    answer = phones["p1"].ask("GET", "/api/v1/view")
    assert data(answer)["view"]["seat"] == "p1"
    assert phones["p1"].ask("GET", "/api/v1/view?seat=p2").status == 403
    assert data(phones["host"].ask("GET", "/api/v1/view"))["view"]["seat"] == "host"


def test_errors_have_the_shape_of_the_protocol_and_a_fitting_status(
    house: Running, phones: dict[str, Phone], master: Program
) -> None:
    hunter = Program(house.port, key_of(phones["p1"], "p1"))
    stranger = Program(house.port, "x" * 43)
    cases = [
        (master.act(type="hide", ghost="blue", room=36), 409, "illegal"),
        (master.act(type="dance"), 400, "malformed"),
        (master.act(type="hide", ghost="blue", room="8"), 400, "malformed"),
        (hunter.act(type="remove", room=1), 409, "not_your_turn"),
        (stranger.act(type="remove", room=1), 401, "forbidden"),
        (stranger.get("view"), 401, "forbidden"),
        (house.phone().ask("POST", "/api/v1/act", b"{", {**master.headers, **JSON}), 400, "malformed"),
    ]
    for answer, status, code in cases:
        assert (answer.status, data(answer)["error"]["code"], data(answer)["ok"]) == (status, code, False)
    assert data(cases[0][0])["error"]["rule"].startswith("PS-")


def test_form_of_another_site_cannot_act_through_the_api(phones: dict[str, Phone]) -> None:
    body = '{"action":{"type":"hide","ghost":"blue","room":1}}'
    for kind in ("text/plain", "application/x-www-form-urlencoded", "multipart/form-data"):
        assert phones["p2"].ask("POST", "/api/v1/act", body, {"Content-Type": kind}).status == 400
    assert phones["p2"].ask("POST", "/api/v1/act", body, JSON).status == 200


def test_stream_has_the_seats_view_after_each_change(
    house: Running, phones: dict[str, Phone], master: Program
) -> None:
    stream = Stream(master.phone, "/api/v1/events", master.headers)
    master.phone.streams.append(stream)
    house.phones.append(master.phone)
    assert msgspec.json.decode(stream.next("view"))["phase"] == "hiding"
    hide({"p2": phones["p2"]}, ROOMS, dict.fromkeys(ROOMS, "p2"))
    phase = ""
    while phase != "playing":
        view = msgspec.json.decode(stream.next("view"))
        phase = view["phase"]
    assert view["ghosts"]["blue"]["room"] == 1
    stranger = house.phone()
    stranger.streams.append(Stream(stranger, "/api/v1/events"))
    assert stranger.streams[0].status == 401


def test_open_stream_ends_when_its_seat_changes_hands(
    house: Running, phones: dict[str, Phone], master: Program
) -> None:
    by_key = Stream(master.phone, "/api/v1/events", master.headers)
    by_cookie = Stream(phones["p2"], "/api/v1/events")
    phones["p2"].streams += [by_key, by_cookie]
    for stream in (by_key, by_cookie):
        stream.next("view")
    house.bot("p2")
    for stream in (by_key, by_cookie):
        assert [name for name, _ in stream.events()] == ["go"]


def test_lamps_are_what_the_shared_board_shows(master: Program) -> None:
    for ghost, room in ROOMS.items():
        master.act(type="hide", ghost=ghost, room=room)
    room = data(master.get("legal"))["actions"][0]["room"]
    master.act(type="remove", room=room)
    lamps = data(master.get("lamps"))
    assert "last" in lamps["marks"][str(room)]
    assert lamps["gauges"]["damage"]["value"] > 0


def test_health_needs_no_key_and_tells_nothing(house: Running) -> None:
    answer = house.phone().get("/healthz")
    assert (answer.status, answer.body) == (200, b"ok\n")


def test_health_fails_where_nobody_can_act_however_many_wait(
    run: Callable[..., Running], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(server, "BETWEEN_LOOKS", 0.05)
    house = run()
    monkeypatch.setattr(house.house.pulse, "_longest", 0.1)
    visitors = [
        threading.Thread(target=house.phone(source=f"127.0.0.{n}").get, args=("/watch",))
        for n in range(2, 14)
    ]
    with house.evening.lock:
        for visitor in visitors:
            visitor.start()
        until(lambda: house.phone().get("/healthz").status == 503)
    for visitor in visitors:
        visitor.join()
    until(lambda: house.phone().get("/healthz").status == 200)
    assert house.phone().ask("POST", "/healthz").headers["allow"] == "GET, HEAD"


def test_before_a_game_there_is_nothing_to_view(house: Running) -> None:
    ada = house.guest("Ada")
    answer = ada.ask("GET", "/api/v1/view")
    assert (answer.status, data(answer)["error"]["code"]) == (409, "no_game")


def test_openapi_document_is_whole(house: Running) -> None:
    document = data(house.phone().get("/api/v1/openapi.json"))
    assert document["openapi"].startswith("3.1")
    assert {"/api/v1/act", "/api/v1/view", "/api/v1/legal", "/api/v1/lamps", "/api/v1/events"} <= set(
        document["paths"]
    )
    schemas = document["components"]["schemas"]
    text = msgspec.json.encode(document).decode()
    for reference in set(_references(text)):
        assert reference in schemas, reference
    actions = msgspec.json.encode(schemas["phantom.action"]).decode()
    assert "Remove" in actions


def _references(text: str) -> list[str]:
    import re

    return re.findall(r'"#/components/schemas/([^"]+)"', text)
