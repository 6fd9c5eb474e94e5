"""Whole games by presses alone, on every shipped kit; what is secret goes by a phone."""

from __future__ import annotations

from itertools import pairwise
from random import Random
from typing import Any

import pytest

from companion.contract import PUBLIC
from hardware import kits
from hardware.frames import glows
from tests.hardware.evening import Evening

HOTEL_KITS = [name for name in kits.names() if not name.startswith(("castle", "manor"))]
CASTLE_KITS = [name for name in kits.names() if name.startswith("castle") or name == "simulated"]
FRAMES = {"bats": 2, "cats": 2, "hedgehogs": 2, "mice": 2}


def play_on_phone(evening: Evening, seat: str, action: Any) -> None:
    """A secret choice: the table hears of it from a phone, and then the tile leaves the board."""
    evening.table.act(seat, action)
    if evening.kit.senses_tiles and hasattr(action, "room") and type(action).__name__ == "Remove":
        evening.lift(action.room)


def check_lamps(evening: Evening) -> None:
    """The last frame is the public picture, lamp by lamp, and the wire says the same."""
    table, kit = evening.table, evening.board._fitted
    assert table.game is not None
    expected = glows(kit, table.picture(evening.board.pointer))
    frame = evening.board.shine.frame
    assert {n for n, colour in enumerate(frame) if any(colour)} == set(expected)
    assert evening.shown == frame


def check_timeline(evening: Evening) -> None:
    """Frames go forward in time, never twice the same, and never more often than thirty a second at rest."""
    times = [time for time, _ in evening.frames]
    assert times == sorted(times)
    frames = [frame for _, frame in evening.frames]
    assert all(one != two for one, two in pairwise(frames))
    changes = len(evening.table.history())
    assert changes < len(frames) < 31 * (times[-1] - times[0]) + 40 * changes


@pytest.mark.parametrize("name", HOTEL_KITS)
def test_the_phantom_society_by_presses(name: str) -> None:
    chance = Random(name)
    with Evening(name) as evening:
        evening.hotel({})
        evening.lay_tiles()
        while evening.table.standing().phase == "hiding":
            seat = evening.table.standing().to_act[0]
            evening.table.act(seat, chance.choice(evening.table.legal(seat)))
        while not evening.table.standing().result:
            seat = evening.table.standing().to_act[0]
            action: Any = chance.choice(evening.table.legal(seat))
            if seat in ("p2", "p4"):
                play_on_phone(evening, seat, action)
            else:
                evening.remove(action.room)
                assert evening.shows().removed[-1].room == action.room
                assert evening.shows().removed[-1].by == seat
            evening.wait(0.5)
            check_lamps(evening)
        check_timeline(evening)
        assert evening.board.faults() == ()


def move_figure(evening: Evening, action: Any) -> None:
    """Walk, by whatever the kit has; staying needs a button or a phone."""
    here = evening.shows().figures[action.figure]
    target = getattr(action, "room", here)
    if not evening.kit.senses_tiles:
        evening.remove(target)
        return
    others = [room for figure, room in evening.shows().figures.items() if figure != action.figure]
    if target == here or target in others or here in others:
        evening.table.act(evening.table.standing().to_act[0], action)
        for room in {here, target} - set(others):
            (evening.put if room == target else evening.lift)(room)
        return
    evening.lift(here)
    evening.put(target)


@pytest.mark.parametrize("name", CASTLE_KITS)
def test_gespensterjagd_by_presses(name: str) -> None:
    chance = Random(name)
    with Evening(name) as evening:
        evening.table.new("canterville", {"hunters": 4, "castle": "demo", "frames": FRAMES}, seed=7)
        grid = evening.board._fitted.grid
        assert (grid.rows, grid.columns) == (9, 6)
        while not evening.table.standing().result:
            standing = evening.table.standing()
            seat = standing.to_act[0]
            legal = evening.table.legal(seat)
            action: Any = chance.choice(legal)
            if standing.phase != "hunters":
                evening.table.act(seat, action)
                if standing.phase == "starting" and evening.kit.senses_tiles and seat != "max":
                    evening.put(action.room)
            else:
                before = evening.table.version
                move_figure(evening, action)
                assert evening.table.version == before + 1, action
            evening.wait(0.5)
            check_lamps(evening)
        check_timeline(evening)
        assert len(evening.table.view(PUBLIC).shows.frames) == 4


def timeline(frames: Any, look: Any) -> list[tuple[float, Any]]:
    """What a look at the frames sees, each time it changes."""
    seen: list[tuple[float, Any]] = []
    for time, frame in frames:
        if not seen or seen[-1][1] != look(frame):
            seen.append((round(time, 3), look(frame)))
    return seen


def test_the_frames_of_a_hunters_turn_are_this_timeline() -> None:
    """p2 has emptied room 9, worth six; p3 points at room 2, worth two, chooses it, and takes it."""
    with Evening() as evening:
        evening.hotel()
        evening.table.act("p2", {"type": "remove", "room": 9})
        evening.wait(1.0)
        evening.tap("right")
        evening.tap("ok")
        evening.wait(0.9)
        evening.tap("ok")
        evening.wait(0.5)
        frames = list(evening.frames)
    lit = timeline(frames, lambda frame: [lamp + 1 for lamp in range(36) if any(frame[lamp])])
    assert lit == [
        (0.0, []),
        (0.0, [2, 3, 4, 8, 9, 10, 14, 15, 16]),
        (1.0, [1, 2, 3, 4, 7, 8, 9, 10, 14, 15, 16]),
        (2.1, [2]),
    ]
    gauge = timeline(frames, lambda frame: sum(map(any, frame[36:96])))
    assert gauge == [(0.0, 1), (0.0, 7), (2.1, 9)]
    warm, dim, white = (255, 140, 40), (15, 8, 2), (220, 220, 255)
    chosen = [(time, colour) for time, colour in timeline(frames, lambda f: f[1]) if 1.1 <= time <= 2.1]
    assert chosen[1:] == [(1.1, warm), (1.6, dim), (2.1, warm), (2.1, white)]
