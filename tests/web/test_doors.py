"""Nobody in where they do not belong: a test for every way that somebody might try."""

import socket
from pathlib import Path

import pytest

from companion.clock import VirtualClock
from companion.refusals import Forbidden
from tests.web.conftest import Running, hide
from tests.web.phones import Phone
from web.access import credentials
from web.access.credentials import Codes, Pin
from web.access.guess_limit import TooMany
from web.http import addresses
from web.http.addresses import Names

OWNERS = {"blue": "p2", "red": "p2", "green": "p4", "white": "p4"}
ROOMS = {"blue": 1, "red": 12, "green": 25, "white": 36}


@pytest.fixture
def table(house: Running) -> dict[str, Phone]:
    """A game under way: two hunters, two masters, a host."""
    host = house.host()
    phones = house.players("Ada", "Hamish", "Zoe", "Jurgen")
    house.start(host)
    hide(phones, ROOMS, OWNERS)
    return {**phones, "host": host}


# A stolen address


def test_stolen_address_shows_nothing_without_the_cookie(house: Running, table: dict[str, Phone]) -> None:
    for path in ("/play", "/play/p2", "/host", "/moderator"):
        answer = house.phone().get(path)
        assert answer.status == 403
        assert answer.scene["shows"] is None
        assert answer.scene["places"] == []


def test_hunter_at_anothers_address_gets_nothing(table: dict[str, Phone]) -> None:
    for path in ("/play/p2", "/host", "/moderator"):
        answer = table["p1"].get(path)
        assert answer.status == 403
        assert answer.scene["shows"] is None


def test_no_page_or_redirect_carries_a_key_in_its_address(house: Running) -> None:
    ada = house.phone()
    code = house.evening.codes.table_code().code
    answer = ada.post("/join", follow=False, code=code, name="Ada")
    assert ada.cookie
    key = ada.cookie.split("=")[1]
    assert key not in answer.headers["location"]
    assert key not in ada.get("/play").text


def test_host_sees_no_secret_and_is_not_the_moderator(table: dict[str, Phone]) -> None:
    scene = table["host"].get("/host").scene
    assert {ghost["room"] for ghost in scene["shows"]["ghosts"].values()} == {None}
    assert scene["picture"] is None
    assert table["host"].get("/moderator").status == 403


# Another seat's stream


def test_hunter_cannot_open_a_masters_stream(house: Running, table: dict[str, Phone]) -> None:
    assert table["p1"].stream("play", "p2").status == 403
    assert table["p1"].stream("moderator").status == 403
    assert house.phone().stream("play", "p2").status == 403
    assert house.phone().stream("host").status == 403


def test_stream_of_a_phone_that_loses_its_seat_tells_it_to_go(
    house: Running, table: dict[str, Phone]
) -> None:
    stream = table["p2"].stream("play", "p2")
    stream.page()
    house.bot("p2")
    assert stream.next("go") == "/"


def test_phone_sent_away_opens_nothing_any_more(house: Running, table: dict[str, Phone]) -> None:
    me = table["p1"].get("/play").scene["me"]["id"]
    table["host"].post("/host/phone", phone=me, remove="1")
    assert table["p1"].get("/play").status == 403
    assert table["p1"].stream("play", "p1").status == 403


# A form that is not one's own


def test_form_without_the_token_is_refused(table: dict[str, Phone]) -> None:
    form = {"seat": "p2", "type": "remove", "room": 2}
    for token in (None, "0" * 32):
        assert table["p2"].forge("/act", csrf=token, **form).status == 403


def test_form_with_anothers_token_is_refused(table: dict[str, Phone]) -> None:
    form = {"csrf": table["p1"].token(), "seat": "p2", "type": "remove", "room": 2}
    assert table["p2"].forge("/act", follow=False, **form).status == 403


@pytest.mark.parametrize("header", [{"Origin": "http://evil.example"}, {"Sec-Fetch-Site": "cross-site"}])
def test_form_from_another_site_is_refused_even_with_the_token(
    table: dict[str, Phone], header: dict[str, str]
) -> None:
    form = {"csrf": table["p2"].token(), "seat": "p2", "type": "remove", "room": 2}
    assert table["p2"].forge("/act", headers=header, **form).status == 403


def test_replayed_form_of_a_master_does_nothing_for_a_hunter(house: Running, table: dict[str, Phone]) -> None:
    room = table["p2"].get("/play").scene["legal"]["p2"][0]["room"]
    form = {"csrf": table["p2"].token(), "seat": "p2", "type": "remove", "room": room}
    before = house.evening.table.version
    assert table["p1"].forge("/act", follow=False, **form).status == 403
    assert house.phone().forge("/act", follow=False, **form).status == 403
    assert table["p1"].forge("/act", **{**form, "csrf": table["p1"].token()}).status == 403
    assert house.evening.table.version == before


def test_replayed_form_of_ones_own_is_not_done_twice(house: Running, table: dict[str, Phone]) -> None:
    scene = table["p2"].get("/play").scene
    form = {"csrf": table["p2"].token(), "seat": "p2", "version": scene["version"], "type": "remove"}
    form["room"] = scene["legal"]["p2"][0]["room"]
    assert table["p2"].forge("/act", follow=False, **form).status == 303
    assert table["p2"].forge("/act", follow=False, **form).status == 409


def test_no_version_tells_a_hunter_whether_a_masters_choices_have_changed(
    house: Running, table: dict[str, Phone]
) -> None:
    """A ghost that is hidden anew changes them, a removal that is claimed does not."""
    answers = []
    for version in (1, house.evening.versions.now, 10**9):
        told = table["p1"].forge(
            "/act", seat="p1", as_="p2", type="hide", ghost="red", room=3, version=version
        )
        agreed = table["p1"].forge("/undo/agree", seat="p2", version=version)
        answers.append([(each.status, each.errors) for each in (told, agreed)])
    assert answers == [[(403, ["forbidden"]), (403, ["forbidden"])]] * 3


@pytest.mark.parametrize("path", ["/act", "/host/start", "/record.json", "/table", "/healthz", "/api/v1/act"])
def test_wrong_method_is_told_the_right_ones(house: Running, path: str) -> None:
    answer = house.phone().ask("DELETE", path)
    assert answer.status == 405
    assert {"GET", "POST"} & set(answer.headers["allow"].split(", "))


def test_redirect_leads_nowhere_else(table: dict[str, Phone]) -> None:
    for target in ("//evil.example/", "http://evil.example/", "/\\evil.example"):
        answer = table["p1"].forge("/me", follow=False, name="Ada", next=target)
        assert answer.headers["location"] == "/play"


# Codes, PIN and patience


def test_guessed_code_is_refused_and_guessing_is_slow(house: Running) -> None:
    thief = house.phone()
    answers = [thief.post("/join", code="AAAAAA", name="Thief").status for _ in range(12)]
    assert answers == [403] * 10 + [429] * 2
    good = house.evening.codes.table_code().code
    refused = thief.post("/join", code=good, name="Thief")
    assert refused.status == 429
    assert 55 <= int(refused.headers["retry-after"]) <= 61
    other = house.phone(source="127.0.0.2")
    assert other.post("/join", code=good, name="Ada").status == 200


def test_guessed_pin_is_refused_and_guessing_is_slow(house: Running) -> None:
    thief, wrong = house.phone(source="127.0.0.7"), a_wrong_pin(house)
    answers = [thief.post("/host", pin=wrong, name="Thief").status for _ in range(7)]
    assert answers == [403] * 5 + [429] * 2
    assert thief.post("/moderator", pin=house.evening.pin.shown, name="Thief").status == 429
    assert thief.cookie is None


def a_wrong_pin(house: Running) -> str:
    return "000000" if house.evening.pin.shown != "000000" else "111111"


def test_fifty_wrong_pins_from_ten_addresses_keep_nobody_else_out_and_the_host_is_told(
    house: Running,
) -> None:
    host, wrong = house.host(), a_wrong_pin(house)
    for n in range(10, 20):
        thief = house.phone(source=f"127.0.0.{n}")
        assert [thief.post("/host", pin=wrong, name="T").status for _ in range(6)] == [403] * 5 + [429]
    told = [one["text"] for one in host.get("/host").scene["says"]]
    assert told[-1] == "Somebody tries out PINs: 40 were wrong so far."
    clean = house.phone(source="127.0.0.99")
    assert clean.post("/host", pin=house.evening.pin.shown, name="Isla").status == 200


def test_hosts_and_the_tables_own_screen_are_never_locked_out(house: Running) -> None:
    far, wrong = house.guest("Isla", source="127.0.0.8"), a_wrong_pin(house)
    assert far.post("/host", pin=house.evening.pin.shown).status == 200
    for phone in (far, house.phone()):
        named = {} if phone.cookie else {"name": "x"}
        assert [phone.post("/moderator", pin=wrong, **named).status for _ in range(8)] == [403] * 8
        assert phone.post("/moderator", pin=house.evening.pin.shown, **named).status == 200


def test_code_expires_and_is_renewed_before() -> None:
    clock = VirtualClock()
    codes = Codes(clock)
    first = codes.table_code().code
    clock.tick(credentials.CODE_SECONDS / 2 + 1)
    second = codes.table_code().code
    assert second != first
    assert codes.check(first, "10.0.0.1").seat is None
    clock.tick(credentials.CODE_SECONDS / 2)
    with pytest.raises(Forbidden):
        codes.check(first, "10.0.0.1")
    assert codes.check(second, "10.0.0.1").code == second


def test_patience_comes_back_after_a_minute() -> None:
    clock = VirtualClock()
    pin = Pin(clock, "123456")
    for _ in range(5):
        with pytest.raises(Forbidden):
            pin.check("000000", "10.0.0.1")
    with pytest.raises(TooMany):
        pin.check("123456", "10.0.0.1")
    clock.tick(61)
    pin.check("123 456", "10.0.0.1")


def wrong(pin: Pin, address: str, guest: str = "") -> bool:
    """Whether a wrong PIN was looked at."""
    try:
        pin.check("000000", address, guest)
    except TooMany:
        return False
    except Forbidden:
        return True
    raise AssertionError("it is wrong")


def test_pauses_grow_so_that_a_day_of_guessing_has_few_tries_from_one_address_or_from_all() -> None:
    clock, told = VirtualClock(), list[int]()
    pin = Pin(clock, "123456", alarm=told.append)
    tries = 0
    for _ in range(24 * 60):
        tries += sum(wrong(pin, "10.0.0.1") for _ in range(20))
        clock.tick(60)
    assert 20 < tries < 80
    assert told[:3] == [5, 10, 20]
    crowd = 0
    for minute in range(24 * 60):
        crowd += sum(wrong(pin, f"10.{minute // 250}.{minute % 250}.{n}") for n in range(100))
        clock.tick(60)
    assert 300 < crowd < 5000
    pin.check("123456", "10.200.0.1", guest="who has joined")


def test_one_phone_of_an_ipv6_house_locks_itself_out_and_a_thousand_addresses_all_of_them() -> None:
    pin = Pin(VirtualClock(), "123456")
    assert [wrong(pin, "fd00::1") for _ in range(7)] == [True] * 5 + [False] * 2
    pin.check("123456", "fd00::2")
    assert sum(wrong(pin, f"fd00::{n:x}") for n in range(16, 1016)) < 25
    pin.check("123456", "fd00:0:0:1::1")


def test_addresses_of_one_ipv6_house_are_one_neighbourhood() -> None:
    assert addresses.neighbourhood("2001:db8::1") == addresses.neighbourhood("2001:db8::ffff:2")
    assert addresses.neighbourhood("::ffff:192.168.1.7") == "192.168.1.7"


def test_host_makes_every_old_code_worthless(house: Running) -> None:
    old = house.evening.codes.table_code().code
    house.host().post("/host/new-code")
    assert house.phone().post("/join", code=old, name="Late").status == 403


def test_stranger_never_sees_the_join_code(house: Running) -> None:
    code = house.evening.codes.table_code().code
    for path in ("/", "/table", "/watch", "/demo"):
        assert code not in house.phone(source="127.0.0.9").get(path).text
    assert code in house.guest("Ada").get("/table").text


# Cookies, headers, Host


def test_cookie_is_for_this_site_and_no_script(house: Running) -> None:
    phone = house.phone()
    code = house.evening.codes.table_code().code
    cookie = phone.post("/join", follow=False, code=code, name="Ada").headers["set-cookie"]
    assert "HttpOnly" in cookie
    assert "SameSite=Strict" in cookie
    assert len(cookie.split(";")[0].split("=")[1]) == 43


def test_every_answer_is_guarded(house: Running) -> None:
    for path in ("/", "/healthz", "/api/v1/view", "/nowhere", "/static/nowhere"):
        headers = house.phone().get(path).headers
        policy = headers["content-security-policy"]
        assert "default-src 'none'" in policy
        assert "unsafe" not in policy
        assert headers["x-content-type-options"] == "nosniff"
        assert "server" not in headers


def test_forged_host_gets_nothing(table: dict[str, Phone]) -> None:
    forged = ("evil.example", "evil.example:80", "printer.local", "127.0.0.1.evil.example", "")
    for host in forged:
        for path in ("/", "/play", "/healthz", "/events?page=watch", "/api/v1/view", "/static/x"):
            answer = table["p1"].ask("GET", path, headers={"Host": host})
            assert answer.status == 421
            assert len(answer.body) < 60


def test_names_of_this_machine_and_numbers_of_a_home_are_served(house: Running) -> None:
    for host in ("localhost", "192.168.1.7:8000", "[fe80::1]:8000", "10.0.0.3", "TABLE.example"):
        assert house.phone().ask("GET", "/healthz", headers={"Host": host}).status == 200


def test_own_local_name_is_allowed_and_no_other() -> None:
    own = socket.gethostname().lower().removesuffix(".local")
    assert Names().allow(f"{own}.local:8000", None)
    assert not Names().allow("other.local", None)
    assert Names().allow("203.0.113.9", "203.0.113.9")
    assert not Names().allow("93.184.216.34", "203.0.113.9")


def test_files_are_asked_for_again_so_that_an_update_is_seen(house: Running) -> None:
    first = house.phone().get("/static/icon.svg")
    assert first.headers["cache-control"] == "no-cache"
    again = house.phone().ask("GET", "/static/icon.svg", headers={"If-None-Match": first.headers["etag"]})
    assert (again.status, again.body) == (304, b"")


# Sizes


def test_oversized_form_is_refused_and_the_table_goes_on(house: Running, table: dict[str, Phone]) -> None:
    assert table["p1"].forge("/act", action="x" * 100_000).status == 413
    assert table["p1"].get("/play").status == 200


def test_oversized_form_without_a_length_is_refused(house: Running) -> None:
    with socket.create_connection(("127.0.0.1", house.port), 5) as wire:
        wire.sendall(
            f"POST /join HTTP/1.1\r\nHost: 127.0.0.1:{house.port}\r\n"
            "Content-Type: application/x-www-form-urlencoded\r\nTransfer-Encoding: chunked\r\n\r\n".encode()
        )
        chunk = b"8000\r\n" + b"x" * 0x8000 + b"\r\n"
        wire.sendall(chunk * 3)
        assert b"413" in wire.recv(100)


def test_oversized_address_and_headers_are_refused(house: Running) -> None:
    assert house.phone().get("/j/" + "x" * 3000).status == 414
    assert house.phone().ask("GET", "/", headers={"X-Long": "x" * 9_000}).status == 431
    with pytest.raises(ConnectionError):
        house.phone().ask("GET", "/", headers={"X-Long": "x" * 40_000})


def test_oversized_api_message_is_refused_in_the_shape_of_the_protocol(house: Running) -> None:
    answer = house.phone().ask("POST", "/api/v1/act", "x" * 100_000, {"Content-Type": "application/json"})
    assert answer.status == 413
    assert b'"too_large"' in answer.body


# What lies on the disk, and what is logged


def test_guest_book_on_disk_holds_no_key(house: Running, tmp_path: Path) -> None:
    ada = house.guest("Ada")
    ada.post("/seat/take", seat="p1")
    book = (tmp_path / "state" / "guests.json").read_text()
    assert ada.cookie
    assert ada.cookie.split("=")[1] not in book
    assert (tmp_path / "state" / "guests.json").stat().st_mode & 0o077 == 0


def test_nothing_about_a_request_is_logged(
    house: Running,
    table: dict[str, Phone],
    capfd: pytest.CaptureFixture[str],
    caplog: pytest.LogCaptureFixture,
) -> None:
    caplog.clear()
    table["p2"].get("/play?secret=123")
    table["p2"].post("/act", seat="p2", type="remove", room=36)
    out = "".join(capfd.readouterr()) + caplog.text
    assert out == ""


# Streams


def test_streams_of_one_phone_are_few(house: Running) -> None:
    ada = house.guest("Ada")
    opened = [ada.stream("play").status for _ in range(8)]
    assert opened == [200] * 6 + [503] * 2
    assert ada.streams[-1].answer.getheader("retry-after") == "5"
    for stream in ada.streams[:2]:
        stream.close()
    _eventually(lambda: ada.stream("play").status == 200)


def test_streams_of_strangers_at_one_address_are_few_and_keep_no_guest_out(house: Running) -> None:
    stranger = house.phone()
    opened = [stranger.stream("watch").status for _ in range(10)]
    assert opened == [200] * 8 + [503] * 2
    assert house.guest("Ada").stream("play").status == 200
    assert house.phone(source="127.0.0.3").stream("watch").status == 200


def _eventually(check: object, seconds: float = 3.0) -> None:
    import time

    assert callable(check)
    end = time.monotonic() + seconds
    while not check():
        assert time.monotonic() < end, "it never came true"
        time.sleep(0.05)
