"""Pulled cables, stuck and mad buttons: no crash, no wrong action, the game as it was."""

from __future__ import annotations

from itertools import pairwise
from pathlib import Path
from random import Random

import pytest

from companion.journal import Journal
from companion.refusals import NotSaved, Refusal
from companion.table import Table
from hardware import kits
from tests.games.phantom.hotel import room
from tests.hardware.evening import Evening


def test_a_pulled_cable_is_told_and_the_game_goes_on() -> None:
    with Evening("joystick") as evening:
        evening.hotel()
        evening.wires.wire.cut = True
        evening.table.act("p2", {"type": "remove", "room": room("B3")})
        evening.wait(1)
        assert [fault.key for fault in evening.board.faults()] == ["hardware.lamps_out"]
        evening.remove(1)
        assert len(evening.shows().removed) == 2


def test_lamps_come_back_by_themselves_with_the_newest_picture() -> None:
    with Evening("joystick") as evening:
        evening.hotel()
        evening.wires.wire.cut = True
        evening.table.act("p2", {"type": "remove", "room": room("B3")})
        evening.wait(20)
        evening.wires.wire.cut = False
        evening.wait(9)
        assert evening.board.faults() == ()
        assert room("B3") in evening.lit()
        assert evening.shown == evening.board.shine.frame


def test_a_failing_driver_is_left_alone_longer_and_longer(monkeypatch: pytest.MonkeyPatch) -> None:
    with Evening("simulated") as evening:
        evening.hotel()
        tries = []
        evening.wires.wire.cut = True
        fail = evening.board.shine._fail

        def failed(fault: Exception, now: float) -> None:
            tries.append(now)
            fail(fault, now)

        monkeypatch.setattr(evening.board.shine, "_fail", failed)
        evening.tap("right")
        for _ in range(400):
            evening.wait(0.1)
        waits = [round(later - earlier, 1) for earlier, later in pairwise(tries)]
        assert waits[:5] == [0.5, 1.0, 2.0, 4.0, 8.0]
        assert set(waits[5:]) <= {8.0}


@pytest.mark.parametrize(
    ("name", "touches"), [("joystick", 10_000), ("rows", 10_000), ("sensing", 2_000), ("expander", 2_000)]
)
def test_random_touches_leave_a_game_that_the_rules_allow(name: str, touches: int, tmp_path: Path) -> None:
    """Every action that came of it is legal, none is a master's, and the record can be played again."""
    chance = Random(name)
    with Evening(name, journal=tmp_path / "journal") as evening:
        evening.hotel(objective=216)
        contacts = evening.board.buttons
        for _ in range(touches):
            button = chance.choice(contacts)
            try:
                (evening.board.press if chance.random() < 0.5 else evening.board.release)(button)
            except Refusal as refusal:
                pytest.fail(f"{button}: {refusal}")
            if chance.random() < 0.2:
                evening.wait(chance.choice((0.001, 0.03, 0.1)))
            if evening.shows().to_act in (("p2",), ("p4",)) and chance.random() < 0.02:
                seat = evening.shows().to_act[0]
                evening.table.act(seat, chance.choice(evening.table.legal(seat)))
        by_board = [line for line in evening.table.history() if line.seat in ("p1", "p3")]
        assert by_board
        shown = evening.shows()
    with_journal = Table(Journal(tmp_path / "journal"))
    assert with_journal.view("public").shows == shown
    with_journal.close()


@pytest.mark.parametrize("name", [name for name in kits.names() if not name.startswith(("castle", "manor"))])
def test_all_buttons_held_at_once_change_nothing(name: str) -> None:
    with Evening(name) as evening:
        evening.hotel()
        evening.lay_tiles()
        for button in evening.board.buttons:
            evening.board.press(button)
        evening.wait(70)
        assert evening.shows().removed == ()
        assert any(fault.key == "hardware.stuck" for fault in evening.board.faults())


@pytest.mark.parametrize("button", ["ok", "down", "peek", "back"])
def test_a_contact_that_rattles_at_a_kilohertz_is_one_press(button: str) -> None:
    with Evening("joystick") as evening:
        evening.hotel()
        evening.table.act("p2", {"type": "remove", "room": room("B3")})
        evening.point(1)
        for n in range(1000):
            (evening.board.press if n % 2 == 0 else evening.board.release)(button)
            evening.wait(0.001)
        assert len(evening.shows().removed) == 1
        assert evening.board.pointer is None or evening.board.pointer.room in (1, 7)
        assert any(fault.key == "hardware.rattles" for fault in evening.board.faults())
        evening.wait(2)
        assert evening.board.faults() == ()


def test_a_full_disk_is_told_and_the_choice_is_not_lost(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with Evening("joystick", journal=tmp_path / "journal") as evening:
        evening.hotel()
        evening.table.act("p2", {"type": "remove", "room": room("B3")})
        evening.point(1)
        evening.tap("ok")

        def full(entry: object) -> None:
            raise NotSaved("companion.not_saved", fault="the disk is full")

        with monkeypatch.context() as patch:
            patch.setattr(evening.table.journal, "append", full)
            with pytest.raises(NotSaved):
                evening.board.press("ok")
        evening.wait(0.1)
        evening.board.release("ok")
        evening.wait(0.1)
        assert len(evening.shows().removed) == 1
        evening.tap("ok")
        assert len(evening.shows().removed) == 2
