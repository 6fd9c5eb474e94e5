"""What is said of contacts that seem to be broken, of a board without its tiles, and when."""

from __future__ import annotations

import pytest

from companion.table import Table
from hardware import kits
from hardware.contacts import STUCK, Contacts
from hardware.inputs import Buttons
from hardware.lifts import BLIND, PATIENCE, Lifts
from hardware.simulated import MockWires
from tests.conformance.tables import LAYOUT


def said(contacts: Contacts, now: float) -> list[str]:
    return [fault.key for fault in contacts.faults(now)]


def test_a_button_held_since_the_start_is_stuck_only_after_a_while() -> None:
    """A kit is plugged in with a finger on it; that is no fault yet, and no press."""
    changes: list[str] = []
    contacts = Contacts(lambda name, closed, now: changes.append(name))
    contacts.add("ok", closed=True, now=1000.0)
    contacts.add("back", closed=False, now=1000.0)
    assert (said(contacts, 1000.0), said(contacts, 1000.0 + STUCK - 0.1)) == ([], [])
    assert said(contacts, 1000.0 + STUCK) == ["hardware.stuck"]
    assert changes == []


def test_a_button_pressed_later_counts_from_its_press() -> None:
    contacts = Contacts(lambda name, closed, now: None)
    contacts.add("ok", closed=False, now=0.0)
    contacts.edge("ok", True, 50.0)
    assert said(contacts, STUCK + 1) == []
    assert said(contacts, 50.0 + STUCK) == ["hardware.stuck"]


@pytest.mark.parametrize(
    ("missing", "key"),
    [(1, "check_the_board"), (BLIND - 1, "check_the_board"), (BLIND, "board_unlaid"), (36, "board_unlaid")],
)
def test_so_many_rooms_without_a_tile_are_an_unlaid_board(missing: int, key: str) -> None:
    """Fewer are asked about one by one; with so many the board is unplugged, or being laid."""
    table = Table()
    table.new("phantom", {"layout": LAYOUT, "players": 2})
    lifts = Lifts(table, lambda: set(range(missing + 1, 37)))
    lifts.compare(0.0)
    assert lifts.faults(PATIENCE - 0.1) == []
    assert [fault.key for fault in lifts.faults(PATIENCE)] == [f"hardware.{key}"]
    assert (lifts.differing() is None) == (missing >= BLIND)


def test_a_pin_that_is_not_let_go_at_once_keeps_no_other(monkeypatch: pytest.MonkeyPatch) -> None:
    """As lgpio does on a busy Pi, whose own thread has the pin a moment longer."""
    kit = kits.load("joystick")
    wires = MockWires(kit)
    buttons = Buttons(kit, wires.factory, lambda name, closed, ago: None)
    first = wires.factory.pin(kit.buttons["up"])

    def busy() -> None:
        raise RuntimeError("GPIO busy")

    monkeypatch.setattr(first, "close", busy)
    buttons.close()
    monkeypatch.undo()
    others = [wires.factory.pin(pin) for name, pin in kit.buttons.items() if name != "up"]
    assert [pin.when_changed for pin in others] == [None] * len(others)
