"""Errands: what the companion has decided, hands do on the real board."""

from __future__ import annotations

from typing import Any

from companion.contract import Cue, plain
from companion.table import Table
from tests.conformance.tables import LAYOUT

OWNERS = {"blue": "p2", "red": "p2", "green": "p4", "white": "p4"}


def hunt(*companion: str) -> Table:
    """Four people, but for the seats of the companion; the ghosts are hidden and p2 plays first."""
    table = Table()
    table.companion_plays(frozenset(companion))
    table.new("phantom", {"layout": LAYOUT, "players": 4, "owners": OWNERS})
    for colour, seat in OWNERS.items():
        room = next(room for room, (lies, _) in enumerate(LAYOUT, start=1) if lies == colour)
        table.act(seat, {"type": "hide", "ghost": colour, "room": room})
    return table


def move(table: Table) -> Any:
    (seat,) = table.standing().to_act
    action = next(one for one in table.legal(seat) if plain(one)["type"] == "remove")
    table.act(seat, action)
    return plain(action)["room"]


def rooms(cues: tuple[Cue, ...]) -> list[int | None]:
    return [cue.room for cue in cues]


def test_what_the_companion_removes_is_lifted_by_hands_and_what_people_remove_is_not() -> None:
    table = hunt("p2")
    first = move(table)
    assert rooms(table.errands()) == [first]
    assert "errand" in table.picture().marks[first]
    move(table)
    assert table.errands() == ()
    assert not any("errand" in marks for marks in table.picture().marks.values())


def test_several_moves_in_a_row_are_done_one_after_the_other() -> None:
    table = hunt("p2", "p3")
    both = [move(table), move(table)]
    assert rooms(table.copying()[0]) == both
    table.copied(1)
    marked = [room for room, marks in table.picture().marks.items() if "errand" in marks]
    assert marked == [both[1]]
    table.copied(2)
    assert not any("errand" in marks for marks in table.picture().marks.values())


def test_a_move_that_is_taken_back_need_not_be_done() -> None:
    table = hunt("p2")
    move(table)
    table.undo("p2", consent=["p1"])
    assert table.errands() == ()


def test_what_somebody_did_before_the_companion_took_the_seat_is_done_already() -> None:
    table = hunt()
    move(table)
    table.companion_plays(frozenset({"p2"}))
    assert table.errands() == ()


def test_an_animal_goes_whoever_acted_and_hands_take_it() -> None:
    table = Table()
    table.new(
        "canterville",
        {
            "hunters": 1,
            "castle": "demo",
            "frames": dict.fromkeys(("cats", "bats", "mice", "owls", "hedgehogs"), 2),
        },
        seed=3,
    )
    for _ in range(40):
        (seat, *_) = table.standing().to_act
        table.act(seat, table.legal(seat)[0])
        if table.errands():
            break
    assert [type(cue.event).__name__ for cue in table.errands()] == ["Taken"]
    assert table.picture().gauges["frame"].fresh
