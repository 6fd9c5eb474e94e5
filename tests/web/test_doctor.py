"""The board's health on the phones: what is broken is told, and a doctor's visit runs on the host's page."""

from __future__ import annotations

import re
from collections.abc import Callable
from html import unescape
from types import SimpleNamespace
from typing import Any

import pytest

from companion.words import LANGUAGES
from hardware import contacts, debounce, kits, lifts, machine
from hardware.arrangement import rooms_along
from hardware.machine import Machine
from tests.web.conftest import LAYOUT, Running, hide
from tests.web.phones import Phone
from web.board import doctor as surgery
from web.render import pages

ROOMS = {"blue": 1, "red": 12, "green": 25, "white": 36}


@pytest.fixture
def house(run: Callable[..., Running]) -> Running:
    return run(kit="simulated")


def board(house: Running) -> Any:
    assert house.house.board is not None
    return house.house.board


def pull_the_cable(house: Running) -> None:
    """The lamps' driver fails from now on: it is noticed when there is something new to show."""
    board(house).wires.wire.cut = True
    board(house).press("right")
    board(house).release("right")


def faulty(stream: Any) -> dict[str, Any]:
    return stream.until(lambda scene: scene["faults"])  # type: ignore[no-any-return]


# What is broken


def test_lamps_out_is_told_in_full_to_the_host_and_calmly_to_all_others(house: Running) -> None:
    host = house.host()
    phones = house.players("Ada", "Hamish")
    house.start(host, players=2, privacy="learning")
    hide(phones, ROOMS, dict.fromkeys(ROOMS, "p2"))
    pages_seen = {"host": host.stream("host"), "play": phones["p1"].stream("play")}
    pages_seen |= {name: house.phone().stream(name) for name in ("table", "watch")}
    pull_the_cable(house)
    assert "the cable is pulled" in faulty(pages_seen["host"])["faults"][0]
    for name in ("play", "table", "watch"):
        (said,) = faulty(pages_seen[name])["faults"]
        assert said == "the lamps of the board are out; the game goes on here"


def test_lamps_that_shine_again_are_no_longer_told_of(house: Running) -> None:
    host = house.host()
    host.post("/doctor/begin")
    stream = host.stream("host")
    board(house).wires.wire.cut = True
    board(house).answer("red")
    faulty(stream)
    board(house).wires.wire.cut = False
    assert stream.until(lambda scene: not scene["faults"])["page"] == "host"


def test_stuck_button_is_told_to_host_and_moderator_alone(
    house: Running, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(contacts, "STUCK", 0.2)
    host, guest = house.host(), house.guest("Ada")
    moderator = house.moderator()
    board(house).press("ok")
    assert faulty(host.stream("host"))["faults"] == ["OK has been held for a minute: is it stuck?"]
    assert faulty(moderator.stream("moderator"))["faults"] == ["OK has been held for a minute: is it stuck?"]
    assert guest.get("/play").scene["faults"] == []
    assert house.phone().get("/table").scene["faults"] == []
    board(house).release("ok")


def test_rattling_contact_is_told_to_the_host(house: Running, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(debounce, "RATTLE_TIME", 10.0)
    stream = house.host().stream("host")
    for n in range(200):
        (board(house).press if n % 2 == 0 else board(house).release)("back")
    assert faulty(stream)["faults"] == ["BACK rattles: its contact or its wire is loose"]


def test_board_and_record_that_differ_ask_the_host_to_check_the_board(
    run: Callable[..., Running], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(lifts, "PATIENCE", 0.1)
    house = run(kit="sensing")
    host = house.host()
    phones = house.players("Ada", "Hamish")
    house.start(host, players=2)
    stream = host.stream("host")
    board(house).release(f"room{len(LAYOUT)}")
    checked = stream.until(lambda scene: any("room 36" in fault for fault in scene["faults"]))
    assert checked["faults"] == [
        "board and record differ in room 36: put it right, or let the moderator repair the record"
    ]
    assert phones["p1"].get("/play").scene["faults"] == []


def test_board_that_cannot_tell_its_faults_does_not_stop_the_phones(
    house: Running, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken() -> tuple[()]:
        raise OSError("the bus is gone")

    monkeypatch.setattr(board(house), "faults", broken)
    assert house.host().get("/host").scene["faults"] == []


@pytest.mark.parametrize("language", LANGUAGES)
def test_faults_are_drawn_in_the_phones_language(
    run: Callable[..., Running], monkeypatch: pytest.MonkeyPatch, language: str
) -> None:
    monkeypatch.setattr(contacts, "STUCK", 0.0)
    house = run(renderer=pages, kit="simulated")
    host = house.host()
    host.post("/me", language=language)
    board(house).press("ok")
    told = {"en": "held for a minute", "fr": "depuis une minute", "de": "seit einer Minute"}
    events = (unescape(data) for _, data in host.stream("host").events())
    assert next(page for page in events if told[language] in page)
    board(house).release("ok")


# The visit


def answer(host: Phone, said: str) -> dict[str, Any]:
    reply = host.post("/doctor/answer", said=said, next="/doctor")
    assert reply.status == 200, reply.text
    return reply.scene


def touch(host: Phone, contact: str) -> dict[str, Any]:
    reply = host.post("/doctor/touch", button=contact, next="/doctor")
    assert reply.status == 200, reply.text
    return reply.scene


def truth(house: Running) -> tuple[str, str]:
    """How somebody who sees a healthy board answers: by a word or number, or by a contact."""
    question = house.evening.doctor.visit.question  # type: ignore[union-attr]
    saying, visit = question.saying, board(house)._visit  # type: ignore[union-attr]
    facts: dict[str, Any] = saying.facts
    match saying.key.removeprefix("hardware.ask_"):
        case "colour":
            return "said", next(iter(visit.lit.values())).hue
        case "room":
            return "said", str(rooms_along(visit.kit.strips[0], visit.kit.grid)[facts["lamp"]])
        case "button":
            return "touch", str(facts["button"])
        case "contact":
            return "touch", f"room{facts['room']}"
        case "supply":
            return "said", "10"
    return "said", "yes"


def examined(house: Running, host: Phone, wrong: dict[str, str] | None = None) -> dict[str, Any]:
    """A visit from its first question to its last; `wrong` answers by what a question says."""
    scene = host.post("/doctor/begin", next="/doctor").scene
    for _ in range(200):
        asked = scene["doctor"]["question"]
        if not asked:
            return scene
        lie = next((said for part, said in (wrong or {}).items() if part in asked), None)
        way, said = ("said", lie) if lie else truth(house)
        scene = answer(host, said) if way == "said" else touch(host, said)
        if scene["doctor"]["question"] == asked and way == "touch":
            # A contact under a room is believed after a few rounds of the scan.
            stream = host.stream("doctor")
            scene = stream.until(lambda fresh, asked=asked: fresh["doctor"]["question"] != asked)
            stream.close()
    raise AssertionError("the doctor does not come to an end")


@pytest.mark.parametrize("kit", ["simulated", "rows", "sensing"])
def test_visit_to_a_healthy_board_finds_nothing_and_gives_the_board_back(
    run: Callable[..., Running], kit: str
) -> None:
    house = run(kit=kit)
    done = examined(house, house.host())
    assert done["doctor"]["over"]
    assert done["doctor"]["findings"] == []
    assert board(house)._visit is None


def test_visit_finds_a_dark_lamp_a_silent_button_and_a_weak_supply_and_writes_the_kit(house: Running) -> None:
    host = house.host()
    wrong = {"numbers 0 to 5: do": "dark", "lamp 3 of board": "dark", "press PEEK": "skip", "amperes": "2,5"}
    done = examined(house, host, wrong)
    found = " ".join(done["doctor"]["findings"])
    assert "lamp 3 of board stays dark" in found
    assert "PEEK does nothing" in found
    assert "2000 mA at most" in found
    written = host.post("/doctor/write", next="/doctor").scene["notices"][0]["text"]
    file = re.search(r"written: (.*?board\.toml)", written)
    assert file
    assert kits.load(file[1]).chain.most_ma == 2000


def test_visit_tells_what_the_machine_lacks(
    run: Callable[..., Running], monkeypatch: pytest.MonkeyPatch
) -> None:
    def bare(name: str) -> object:
        return SimpleNamespace(gpiochip_open=None)

    pi = Machine("Raspberry Pi 4", lambda file: False, frozenset({"gpio", "spi"}), frozenset(), bare)
    house = run(kit="rows")
    monkeypatch.setattr(machine, "this_machine", lambda: pi)
    scene = house.host().post("/doctor/begin", next="/doctor").scene
    assert scene["doctor"]["findings"] == [
        "SPI is not enabled: sudo raspi-config nonint do_spi 0, then start the Pi anew"
    ]


def test_contact_pressed_on_the_board_moves_the_page_on(house: Running) -> None:
    host = house.host()
    scene = host.post("/doctor/begin", next="/doctor").scene
    while "press Joystick up" not in scene["doctor"]["question"]:
        scene = answer(host, truth(house)[1])
    stream = host.stream("doctor")
    board(house).press("up")
    board(house).release("up")
    assert (
        "press Joystick down"
        in stream.until(lambda s: "press Joystick up" not in s["doctor"]["question"])["doctor"]["question"]
    )


def test_second_tap_does_not_answer_the_next_question(house: Running) -> None:
    host = house.host()
    first = host.post("/doctor/begin", next="/doctor")
    second = answer(host, "red")
    late = host.post("/doctor/answer", page=first, said="red")
    assert late.status == 409
    assert late.scene["notices"][0]["text"].startswith("this question has been answered")
    assert late.scene["doctor"] == second["doctor"]


@pytest.mark.parametrize("said", ["maybe", "1", "room1", "-", "9" * 50])
def test_what_is_no_answer_is_refused_and_the_question_stays(house: Running, said: str) -> None:
    host = house.host()
    scene = host.post("/doctor/begin", next="/doctor").scene
    refused = host.forge("/doctor/answer", said=said, version=scene["version"], next="/doctor")
    assert refused.status == 400
    assert refused.scene["doctor"] == scene["doctor"]


def test_room_that_does_not_exist_is_refused(house: Running) -> None:
    host = house.host()
    scene = host.post("/doctor/begin", next="/doctor").scene
    while not scene["doctor"]["wants_number"]:
        scene = answer(host, truth(house)[1])
    refused = host.post("/doctor/answer", said="99", next="/doctor")
    assert refused.status == 409
    assert refused.scene["doctor"]["question"] == scene["doctor"]["question"]


def test_simulated_board_shows_its_lamps_on_the_page(house: Running) -> None:
    host = house.host()
    strips = host.post("/doctor/begin", next="/doctor").scene["doctor"]["strips"]
    assert strips["board"] == ["ff140a"] + ["000000"] * 35


def test_doctor_is_for_whoever_runs_the_evening(house: Running) -> None:
    house.host()
    guest = house.guest("Ada")
    assert guest.get("/doctor").status == 403
    assert house.phone().get("/doctor").status == 403
    for form in ("begin", "answer", "touch", "end", "write"):
        assert guest.forge(f"/doctor/{form}", said="yes", button="ok").status == 403
    assert house.evening.doctor.visit is None


def test_doctors_page_shows_nothing_of_the_game_even_while_a_master_peeks(house: Running) -> None:
    host = house.host()
    phones = house.players("Ada", "Hamish")
    house.start(host, players=2, privacy="eyes_closed")
    hide(phones, ROOMS, dict.fromkeys(ROOMS, "p2"))
    board(house).press("peek")
    scene = host.post("/doctor/begin", next="/doctor").scene
    assert scene["doctor"]["strips"]["board"] == ["ff140a"] + ["000000"] * 35
    assert [scene[part] for part in ("shows", "ground", "ahead", "picture", "lamps")] == [None] * 5
    assert scene["legal"] == {}
    assert scene["history"] == []


def test_visit_ends_when_it_is_sent_away_and_buttons_play_again(house: Running) -> None:
    host = house.host()
    phones = house.players("Ada", "Hamish")
    house.start(host, players=2, privacy="learning")
    hide(phones, ROOMS, dict.fromkeys(ROOMS, "p2"))
    host.post("/doctor/begin", next="/doctor")
    board(house).press("left")
    board(house).release("left")
    assert board(house).pointer is None
    assert host.post("/doctor/end", next="/doctor").scene["doctor"] == BEFORE
    board(house).press("right")
    assert board(house).pointer is not None


BEFORE = {
    "question": "",
    "answers": [],
    "wants_number": False,
    "findings": [],
    "over": False,
    "contacts": [],
    "strips": {},
}


def test_visit_that_nobody_answers_ends_by_itself(house: Running, monkeypatch: pytest.MonkeyPatch) -> None:
    host = house.host()
    host.post("/doctor/begin", next="/doctor")
    stream = host.stream("doctor")
    monkeypatch.setattr(surgery, "PATIENCE", 0.0)
    assert not stream.until(lambda scene: not scene["doctor"]["question"])["doctor"]["over"]
    assert board(house)._visit is None


def test_visit_ends_when_a_game_begins(house: Running) -> None:
    host = house.host()
    house.players("Ada", "Hamish")
    host.post("/doctor/begin", next="/doctor")
    stream = host.stream("doctor")
    house.start(host, players=2)
    stream.until(lambda scene: not scene["doctor"]["question"])
    assert board(house)._visit is None


def test_without_a_board_the_page_says_so(run: Callable[..., Running]) -> None:
    house = run(renderer=pages, kit="none")
    host = house.host()
    assert "No board here" in host.get("/doctor").text
    assert host.forge("/doctor/begin", next="/doctor").status == 409


def test_full_disk_is_told_when_the_kit_is_written(house: Running, monkeypatch: pytest.MonkeyPatch) -> None:
    host = house.host()
    assert host.forge("/doctor/write", next="/doctor").status == 409
    host.post("/doctor/begin", next="/doctor")

    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(surgery, "write_file", full)
    assert host.forge("/doctor/write", next="/doctor").status == 507


@pytest.mark.parametrize("language", LANGUAGES)
def test_whole_visit_is_drawn_in_every_language_without_scripts(
    run: Callable[..., Running], language: str
) -> None:
    house = run(renderer=pages, kit="simulated")
    host = house.host()
    host.post("/me", language=language)
    page = host.post("/doctor/begin", next="/doctor").text
    for _ in range(200):
        if house.evening.doctor.visit.question is None:  # type: ignore[union-attr]
            break
        assert not re.search(r"(web|hardware|evening)\.[a-z_]+", page)
        words = re.findall(r'name="said" value="(\w+)"', page)
        reply = host.post("/doctor/answer", said=words[-1], next="/doctor")
        assert reply.status == 200
        page = reply.text
    done = {"en": "The visit is over", "fr": "La visite est finie", "de": "Die Untersuchung ist fertig"}
    assert done[language] in unescape(page)
