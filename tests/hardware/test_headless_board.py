"""The board through the line protocol, in a process of its own."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from tests.games.phantom.hotel import GHOSTS, OWNERS, room
from tests.headless.door import Door


def hunt(door: Door, **options: object) -> None:
    """The usual board, all ghosts hidden, and p2 has taken B3."""
    door.new(owners=OWNERS, **options)
    for ghost, where in GHOSTS.items():
        door.act(OWNERS[ghost], "hide", ghost=ghost, room=room(where))
    door.act("p2", "remove", room=room("B3"))


def tap(door: Door, button: str) -> list[dict[str, object]]:
    events: list[dict[str, object]] = door.must("press", button=button)["events"]
    door.must("tick", seconds=0.05)
    door.must("release", button=button)
    door.must("tick", seconds=0.05)
    return events


def test_a_turn_by_presses() -> None:
    with Door() as door:
        hunt(door)
        tap(door, "right")
        lamps = door.must("lamps")
        assert lamps["marks"]["2"] == ["cursor", "origin"]
        assert len(lamps["strips"]["board"]) == 36
        assert len(lamps["strips"]["damage"]) == 60
        assert tap(door, "ok") == []
        assert "chosen" in door.must("lamps")["marks"]["2"]
        assert [event["type"] for event in tap(door, "ok")] == ["removed"]
        assert door.must("view", seat="public")["view"]["rooms"][1] is None


def test_what_a_peek_would_show_and_what_it_shows() -> None:
    with Door() as door:
        hunt(door, privacy="eyes_closed")
        door.act("p3", "remove", room=1)
        dark = door.must("lamps")
        imagined = door.must("lamps", peek="p4")
        door.must("press", button="peek")
        held = door.must("lamps")
        assert held["marks"] == imagined["marks"] != dark["marks"]
        assert held["strips"]["board"] == imagined["strips"]["board"]
        door.must("tick", seconds=11)
        assert door.must("lamps")["marks"] == dark["marks"]


def test_every_contact_of_a_sensing_board_can_be_named() -> None:
    with Door("--kit", "sensing") as door:
        hunt(door)
        for number in range(1, 37):
            door.must("press", button=f"room{number}")
        door.must("tick", seconds=1)
        door.must("release", button="room1")
        door.must("tick", seconds=0.1)
        assert door.must("view", seat="public")["view"]["rooms"][0] is None
        door.must("press", button="room1")
        door.must("tick", seconds=0.1)
        assert door.must("view", seat="public")["view"]["rooms"][0] is not None
        assert door.must("history")["history"][-1]["undone"] is True
        door.must("tick", seconds=4)
        assert "board and record differ in room 9" in door.must("status")["problems"][0]


@pytest.mark.parametrize("kit", ["sensing", "expander"])
def test_a_simulated_board_begins_as_the_board_lies(kit: str) -> None:
    with Door("--kit", kit) as door:
        hunt(door)
        door.must("tick", seconds=10)
        assert door.must("status")["problems"] == [
            "board and record differ in room 9: put it right, or let the moderator repair the record"
        ]
        door.must("release", button="room9")
        door.must("tick", seconds=1)
        assert door.must("status")["problems"] == []


def test_the_castle_has_fifty_four_lamps_on_the_simulated_board() -> None:
    with Door() as door:
        frames = {"bats": 4, "cats": 4, "hedgehogs": 6, "mice": 4}
        door.must("new", game="canterville", options={"hunters": 4, "castle": "demo", "frames": frames})
        assert len(door.must("lamps")["strips"]["board"]) == 54
        assert len(door.must("lamps")["strips"]["damage"]) == 60


def test_a_contact_that_is_not_there_is_refused() -> None:
    with Door() as door:
        assert door.code("press", button="up") == "no_game"
        hunt(door)
        assert door.code("press", button="room1") == "illegal"
        assert door.code("press", button=7) == "malformed"


@pytest.mark.parametrize("name", ["nothing", "bad.toml"])
def test_a_kit_that_cannot_be_used_is_told_before_anything_else(name: str, tmp_path: Path) -> None:
    (tmp_path / "bad.toml").write_text("[buttons]\nok = 10\nokay = 99\n")
    kit = str(tmp_path / name) if name.endswith("toml") else name
    command = [sys.executable, "-m", "companion", "headless", "--kit", kit]
    ended = subprocess.run(command, input=b"", capture_output=True, check=False)
    assert ended.returncode == 1
    assert b"Traceback" not in ended.stderr
    assert (b"there is no kit nothing" if name == "nothing" else b"bad.toml, line 3") in ended.stderr
