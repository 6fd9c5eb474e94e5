"""What the table itself keeps, whatever is played on it: pause, redo, what lies on top of a pile."""

from __future__ import annotations

from pathlib import Path

import pytest

from companion.contract import MODERATOR, TABLE, plain
from companion.journal import Journal, read_entries
from companion.refusals import Illegal
from companion.table import Table
from tests.conformance.tables import LAYOUT


def test_a_paused_table_takes_nothing_from_anybody_but_the_moderator() -> None:
    """Not even what the table itself draws: whoever tells of a real card waits too."""
    table = Table()
    table.new("artefacts", {"decks": "real"})
    tile = table.legal(TABLE)[0]
    table.pause(True)
    with pytest.raises(Illegal, match="pause"):
        table.act(TABLE, tile)
    with pytest.raises(Illegal, match="pause"):
        table.act("blue", {"type": "end"})
    table.pause(False)
    table.act(TABLE, tile)
    assert len(table.view("public").shows.open) == 1


def test_a_redo_that_another_action_made_void_is_not_there_after_a_restart(tmp_path: Path) -> None:
    """What was taken back and then done otherwise is gone for good, in the journal too."""
    file = tmp_path / "journal"
    table = Table(Journal(file))
    table.new("phantom", {"layout": LAYOUT, "players": 2})
    table.act("p2", {"type": "hide", "ghost": "blue", "room": 1})
    table.undo("p2")
    table.act("p2", {"type": "hide", "ghost": "blue", "room": 5})
    with pytest.raises(Illegal):
        table.redo("p2")
    table.close()
    again = Table(Journal(file))
    with pytest.raises(Illegal):
        again.redo("p2")
    assert again.view("p2").shows.ghosts["blue"].room == 5
    again.close()


def test_a_redo_that_is_not_void_is_there_after_a_restart(tmp_path: Path) -> None:
    file = tmp_path / "journal"
    table = Table(Journal(file))
    table.new("phantom", {"layout": LAYOUT, "players": 2})
    table.act("p2", {"type": "hide", "ghost": "blue", "room": 1})
    table.undo("p2")
    table.close()
    again = Table(Journal(file))
    again.redo("p2")
    assert again.view("p2").shows.ghosts["blue"].room == 1
    again.close()


def test_whoever_is_told_of_something_finds_it_on_the_disk(tmp_path: Path) -> None:
    file, found = tmp_path / "journal", list[int]()
    table = Table(Journal(file))
    table.subscribe(lambda _: found.append(len(read_entries(file.read_bytes())[0])))
    table.new("phantom", {"layout": LAYOUT, "players": 2})
    table.act("p2", {"type": "hide", "ghost": "blue", "room": 1})
    table.undo("p2")
    table.redo("p2")
    table.leave()
    assert found == [1, 2, 3, 4, 5]
    table.close()


@pytest.mark.parametrize("seed", range(4))
def test_cards_that_were_taken_back_come_again_in_the_order_they_lay_in(seed: int) -> None:
    """Three draws by three hunters, all taken back one after the other: the pile is as it was."""
    table = Table()
    table.new("artefacts", {"decks": "virtual"}, seed=seed)
    while table.standing().phase != "acting":
        seat = table.standing().to_act[0]
        table.act(seat, table.legal(seat)[-1])
    order = table.standing().to_act[0], *_others(table)
    first = [_drawn(table, seat) for seat in order]
    for _ in order:
        table.undo(MODERATOR)  # the end of that hunter's turn
        table.undo(MODERATOR)  # the draw
    assert [_drawn(table, seat) for seat in order] == first
    assert len(set(first)) > 1 or seed


def _others(table: Table) -> tuple[str, ...]:
    seats = [chair.seat for chair in table.chairs()]
    start = seats.index(table.standing().to_act[0])
    return tuple((seats * 2)[start + 1 : start + 3])


def _drawn(table: Table, seat: str) -> tuple[str, ...]:
    """What a hunter holds after drawing; then the turn is over."""
    table.act(seat, {"type": "draw"})
    hand: tuple[str, ...] = table.view(seat).shows.hands[seat]
    table.act(seat, {"type": "end"})
    return hand


def test_whoever_acts_hears_what_chance_drew_because_of_it() -> None:
    """CFA-22: the card that came is part of the answer."""
    table = Table()
    table.new("artefacts", {"decks": "virtual"}, seed=5)
    while table.standing().phase != "acting":
        seat = table.standing().to_act[0]
        table.act(seat, table.legal(seat)[-1])
    seat = table.standing().to_act[0]
    told = [plain(event) for event in table.act(seat, {"type": "draw"})]
    assert [event["type"] for event in told] == ["drew", "got"]
    assert table.view(seat).shows.hands[seat] == (told[1]["card"],)


def test_a_subscriber_that_fails_stops_neither_the_game_nor_the_others() -> None:
    """A page or a lamp may break in any way: the action is done, and the next subscriber is told."""
    table, heard = Table(), []
    table.subscribe(_broken)
    table.subscribe(lambda change: heard.append(change.version))
    table.new("phantom", {"layout": LAYOUT, "players": 2})
    table.act("p2", {"type": "hide", "ghost": "blue", "room": 1})
    assert len(heard) == 2
    assert table.view("p2").shows.ghosts["blue"].room == 1


def _broken(change: object) -> None:
    raise RuntimeError("the lamps are out")


def test_the_finger_in_the_list_of_steps_stays_in_the_list() -> None:
    """CFA-23: back before the first step is the first step, and nobody goes past the last."""
    table = Table()
    table.new("artefacts", {"decks": "virtual", "players": 1}, seed=9)
    while not table.copying()[0]:
        seat = table.standing().to_act[0]
        legal = table.legal(seat)
        table.act(seat, next((each for each in legal if plain(each)["type"] == "end"), legal[-1]))
    steps = len(table.copying()[0])
    for asked, done in ((1, 1), (-1, 0), (steps + 3, steps), (0, 0)):
        table.copied(asked)
        assert table.copying()[1] == done
