"""The daemon too is durable first: its calls to the system are traced, from a form in to its answer."""

from __future__ import annotations

import json
import shutil
import signal

import pytest

from tests.crash.system_calls import Call, calls, tracing
from tests.web.conftest import LAYOUT
from tests.web.daemon import Daemon, port_that_stays_free
from tests.web.phones import Answer, Phone, until

ROOMS = {"blue": 1, "red": 12, "green": 25, "white": 36}
JSON = {"Content-Type": "application/json"}
LASTING = ("/host/start", "/act", "/api/v1/act", "/undo", "/redo", "/host/rematch", "/host/abandon")


def act_by_program(phone: Phone, **action: object) -> Answer:
    """An action by the API."""
    return phone.ask("POST", "/api/v1/act", json.dumps({"action": action}), JSON)


def may_do(phone: Phone) -> list[dict[str, object]]:
    """What the only seat of a phone may do now."""
    return list(json.loads(phone.get("/api/v1/legal").text)["actions"])


def lived(daemon: Daemon) -> None:
    """An evening with all that changes a game, by forms and by a program, and a screen that looks on."""
    host, moderator, ada, hamish = (daemon.phone() for _ in range(4))
    assert host.post("/host", pin=daemon.pin, name="Mrs Kerr").status == 200
    assert moderator.post("/moderator", pin=daemon.pin, name="Isla").status == 200
    for seat, phone, name in (("p1", ada, "Ada"), ("p2", hamish, "Hamish")):
        phone.join(daemon.code, name)
        assert phone.post("/seat/take", seat=seat).status == 200
    screen = daemon.phone().stream("watch")
    screen.page()
    plan = {"players": 2, "option-layout": json.dumps(LAYOUT), "option-objective": 30}
    assert host.post("/host/start", **plan).status == 200
    for ghost, room in ROOMS.items():
        assert hamish.post("/act", seat="p2", type="hide", ghost=ghost, room=room).status == 200
    for n in range(6):
        seat, phone = ("p1", ada) if may_do(ada) else ("p2", hamish)
        action = may_do(phone)[0]
        if n < 4:
            assert phone.post("/act", seat=seat, action=json.dumps(action)).status == 200
        else:
            assert act_by_program(phone, **action).status == 200
    assert ada.post("/act", seat="p1", type="remove", room=99).status == 409
    assert moderator.post("/undo", seat="moderator").status == 200
    assert moderator.post("/redo", seat="moderator").status == 200
    assert host.post("/host/abandon").status == 200
    while 'data-turn="lobby' not in screen.page():
        pass  # until the screen has been told everything


@pytest.fixture(scope="module")
def done(tmp_path_factory: pytest.TempPathFactory) -> list[Call]:
    """All that a real daemon asked of the system in an evening."""
    if not shutil.which("strace"):
        pytest.skip("strace is missing, which looks at calls to the system: apt install strace")
    folder = tmp_path_factory.mktemp("traced")
    daemon = Daemon(folder / "state", port_that_stays_free(), tracing(folder / "calls"))
    try:
        lived(daemon)
    finally:
        for phone in daemon.phones:
            phone.close()
        daemon.end(signal.SIGTERM)
    ended = f"{daemon.process.pid} +++ exited with 0 +++"
    until(lambda: " ".join((folder / "calls").read_text(errors="replace").split()).endswith(ended))
    return calls(folder / "calls")


def requests(done: list[Call], *paths: str) -> list[list[Call]]:
    """For each request to these paths, all that happened until it was answered."""
    found = []
    for n, call in enumerate(done):
        if call.did == "asked" and call.what in paths:
            found.append(done[n + 1 : done.index(Call("answered"), n)])
    return found


def test_the_daemon_answers_when_an_action_is_on_the_disk(done: list[Call]) -> None:
    """Forms, programs, the beginning and the end of a game: written once, synced, then answered."""
    lasting = [[call.did for call in before if call.what == "journal"] for before in requests(done, *LASTING)]
    assert len(lasting) == 15
    assert lasting.count([]) == 1, "only what was refused writes nothing"
    assert lasting.count(["written", "synced"]) == 14


def test_nobody_is_pushed_what_is_not_on_the_disk_yet(done: list[Call]) -> None:
    """A screen that looks on learns nothing that a power cut could take back."""
    unsure = pushed = 0
    for call in done:
        if call.what == "journal":
            unsure = call.did == "written"
        elif call.did in ("pushed", "answered"):
            assert not unsure
            pushed += call.did == "pushed"
    assert pushed >= 10


def test_who_came_and_sat_down_is_on_the_disk_before_the_answer(done: list[Call]) -> None:
    """The guest book is written beside the old one, synced, and takes its place; the folder knows it too."""
    written, place = "guests.json.new", "guests.json"
    for before in requests(done, "/join", "/seat/take"):
        lasting = [Call("written", written), Call("synced", written), Call("renamed", place)]
        assert [call for call in before if call.what in (written, place)] == lasting
        assert before.index(lasting[-1]) < before.index(Call("synced", "state"))
    assert len(requests(done, "/join", "/seat/take")) == 4
