"""The same board in a thread on the real clock, as it runs beside the web server."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator

import pytest

from companion.clock import SystemClock
from companion.refusals import Refusal
from companion.table import Table
from hardware import boards
from hardware.boards import LiveBoard
from hardware.inputs import PinsInUse
from hardware.simulated import MockWires
from tests.games.phantom.hotel import GHOSTS, LAYOUT, OWNERS, room

SLOWEST = 20.0


def until(happens: Callable[[], object]) -> None:
    """Wait for another thread."""
    end = time.monotonic() + SLOWEST
    while not happens():
        assert time.monotonic() < end
        time.sleep(0.002)


@pytest.fixture
def board(request: pytest.FixtureRequest) -> Iterator[LiveBoard]:
    clock = SystemClock()
    table = Table(clock=clock)
    opened = boards.open(getattr(request, "param", "joystick"), table, clock)
    table.new("phantom", {"players": 4, "layout": LAYOUT, "owners": OWNERS}, seed=7)
    for ghost, where in GHOSTS.items():
        table.act(OWNERS[ghost], {"type": "hide", "ghost": ghost, "room": room(where)})
    yield opened
    opened.close()
    table.close()
    assert not any(thread.name == "board" for thread in threading.enumerate())


def lit(board: LiveBoard) -> set[int]:
    return {n for n, colour in enumerate(board.strips()["board"], 1) if colour != "000000"}


def test_a_change_at_the_table_is_shown_without_anybody_asking(board: LiveBoard) -> None:
    board.table.act("p2", {"type": "remove", "room": room("B3")})
    until(lambda: room("B3") in lit(board))


def test_a_press_moves_the_cursor_on_the_lamps(board: LiveBoard) -> None:
    board.press("right")
    until(lambda: 2 in lit(board))


@pytest.mark.parametrize("board", ["sensing", "expander"], indirect=True)
def test_a_lifted_tile_is_found_by_the_scan(board: LiveBoard) -> None:
    for number in range(1, 37):
        board.press(f"room{number}")
    until(lambda: len(board._hands.closed_rooms()) == 36)
    board.table.act("p2", {"type": "remove", "room": room("B3")})
    board.release("room1")
    until(lambda: len(board.table.view("public").shows.removed) == 2)


def test_nothing_moves_and_the_thread_sleeps(board: LiveBoard) -> None:
    until(lambda: board.due(board.clock.now()) is None)
    wires = board.wires
    assert isinstance(wires, MockWires)
    with board._lock:  # the last frame may still be on its way
        messages = wires.wire.messages
    time.sleep(0.2)
    assert wires.wire.messages == messages


def test_hands_and_phones_at_once_neither_wait_for_each_other_nor_stop_the_light(board: LiveBoard) -> None:
    stop = threading.Event()

    def phone() -> None:
        while not stop.is_set():
            try:
                seat = board.table.standing().to_act[0]
                board.table.act(seat, board.table.legal(seat)[0])
                board.table.undo("moderator")
            except (Refusal, IndexError):
                continue

    threads = [threading.Thread(target=phone) for _ in range(2)]
    for thread in threads:
        thread.start()
    for _ in range(100):
        for button in ("right", "ok", "left", "back"):
            board.press(button)
            board.release(button)
    stop.set()
    for thread in threads:
        thread.join(SLOWEST)
        assert not thread.is_alive()
    sent = board.shine.keep_record()
    time.sleep(0.05)
    board.press("down")
    until(lambda: sent)


def test_a_second_board_on_the_same_pins_is_told_so() -> None:
    clock = SystemClock()
    first = boards.open("joystick", Table(clock=clock), clock)
    wires = first.wires
    try:
        with pytest.raises(PinsInUse, match=r"GPIO5 cannot be had .* is another companion running"):
            LiveBoard(first.kit, Table(clock=clock), clock, wires)
    finally:
        first.close()


def test_a_patient_board_takes_its_pins_as_soon_as_they_are_free(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("hardware.hands.AGAIN", 0.01)
    clock = SystemClock()
    first = boards.open("sensing", Table(clock=clock), clock)
    wires = first.wires
    second = LiveBoard(first.kit, Table(clock=clock), clock, wires, patient=True)
    assert second.buttons == []
    assert [fault.key for fault in second.faults()] == ["hardware.pin_in_use"]
    first._hands.close()
    until(lambda: len(second.buttons) == 40 and second.faults() == ())
    first._life.stop()
    second.close()


def test_a_stumbling_part_does_not_end_the_light(board: LiveBoard, monkeypatch: pytest.MonkeyPatch) -> None:
    failed = threading.Event()

    def stumble(now: float) -> None:
        failed.set()
        raise ZeroDivisionError

    monkeypatch.setattr("hardware.loop.STUMBLE", 0.01)
    with monkeypatch.context() as patch:
        patch.setattr(board, "advance", stumble)
        board.press("right")
        assert failed.wait(SLOWEST)
    until(lambda: 2 in lit(board))
