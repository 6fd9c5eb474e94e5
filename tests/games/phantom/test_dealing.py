"""Letting chance lay the board, which the table then builds square by square."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from companion.contract import HOST, MODERATOR, PUBLIC, TABLE, read_options
from companion.games.phantom import GAME
from companion.games.phantom.actions import Deal, Dealt, Place
from companion.games.phantom.state import State
from companion.journal import Journal
from companion.picture import STYLES
from companion.refusals import Forbidden, Illegal
from companion.table import Table
from tests.games.phantom.hotel import QUARTER, after

BOX = {colour: sorted(QUARTER) for colour in ("blue", "red", "green", "white")}


def dealt(*tiles: tuple[str, int | None], **options: Any) -> State:
    """A board that is being dealt, with these tiles drawn and built, and the last one drawn."""
    state = GAME.start(read_options(GAME, {"deal": True, "tiles": BOX, **options}))
    for n, (colour, value) in enumerate(tiles, start=1):
        state = after(state, TABLE, Dealt(colour, value))  # type: ignore[arg-type]
        if n < len(tiles):
            state = after(state, TABLE, Place(n, colour, value or 1))  # type: ignore[arg-type]
    return state


def running(seed: int = 7, journal: Journal | None = None, **options: Any) -> Table:
    table = Table(journal)
    table.new("phantom", {"tiles": BOX, **options}, seed=seed)
    return table


def built(table: Table) -> dict[str, Any]:
    """The one thing that is to be laid now."""
    (place,) = table.legal(TABLE)
    return {"type": "place", "room": place.room, "colour": place.colour, "value": place.value}  # type: ignore[attr-defined]


def test_a_dealt_board_is_a_whole_box_in_a_random_order() -> None:
    """PS-2, PS-22: every tile of the box once, row by row, and then the ghosts hide."""
    table = running(deal=True)
    rooms = []
    while table.standing().phase == "placing":
        place = built(table)
        rooms.append(place["room"])
        table.act(TABLE, place)
    tiles = table.view(PUBLIC).shows.rooms
    assert rooms == list(range(1, 37))
    assert Counter((tile.colour, tile.value) for tile in tiles) == Counter(
        (colour, value) for colour, values in BOX.items() for value in values
    )
    assert len({tile.colour for tile in tiles[:9]}) > 1
    assert table.standing().phase == "hiding"
    assert [line.seat for line in table.history()] == [TABLE] * 72


def test_the_moderator_has_the_rest_of_a_board_dealt() -> None:
    """PS-22: what was laid by hand stays, and goes back to laying in turns if taken back."""
    table = running()
    table.act("p1", {"type": "place", "room": 5, "colour": "blue", "value": 3})
    table.act(MODERATOR, {"type": "deal"})
    assert table.standing().to_act == (TABLE,)
    for _ in range(5):
        table.act(TABLE, built(table))
    assert [bool(tile) for tile in table.view(PUBLIC).shows.rooms[:7]] == [True] * 6 + [False]
    for _ in range(6):
        table.undo(MODERATOR)
    assert table.standing().to_act == ("p2",)


def test_only_the_moderator_deals_and_only_an_unfinished_board() -> None:
    """PS-22."""
    state = GAME.start(read_options(GAME, {}))
    for seat in ("p1", TABLE, HOST):
        with pytest.raises(Forbidden):
            GAME.apply(state, seat, Deal())
    with pytest.raises(Illegal):
        GAME.apply(dealt(("red", 1)), MODERATOR, Deal())


def test_nothing_but_the_tile_that_is_due_is_laid() -> None:
    """PS-22: neither elsewhere nor another one, nor by a player, nor before chance has spoken."""
    state = dealt(("red", 6), ("blue", 3))
    assert list(GAME.legal(state, TABLE)) == [Place(2, "blue", 3)]
    for place in (Place(3, "blue", 3), Place(2, "blue", 2), Place(2, "green", 3)):
        with pytest.raises(Illegal):
            GAME.apply(state, TABLE, place)
    with pytest.raises(Illegal):
        GAME.apply(state, "p1", Place(2, "blue", 3))
    with pytest.raises(Illegal):
        GAME.apply(GAME.start(read_options(GAME, {"deal": True})), TABLE, Place(1, "blue", 3))


def test_a_tile_that_is_used_up_is_not_dealt() -> None:
    """PS-2: this box has one red six."""
    state = after(dealt(("red", 6)), TABLE, Place(1, "red", 6))
    with pytest.raises(Illegal):
        GAME.apply(state, TABLE, Dealt("red", 6))
    assert Dealt("red", 6) not in GAME.legal(state, TABLE)


def test_of_a_box_that_nobody_told_only_colours_are_dealt() -> None:
    """PS-2: the value is read off the tile that was taken up."""
    state = dealt(("white", None), tiles=None)
    assert GAME.view(state, PUBLIC).shows.build.value is None
    assert list(GAME.legal(state, TABLE)) == [Place(1, "white", value) for value in range(1, 7)]
    assert GAME.confirmed(GAME.view(state, PUBLIC)) == ()


def test_lamp_of_the_next_square_pulses_white_and_nothing_else_shines() -> None:
    """PS-22: everybody sees where the tile goes."""
    view = GAME.view(dealt(("red", 6), ("blue", 3)), PUBLIC)
    picture = GAME.picture(view)
    assert picture.marks == {2: ("next",)}
    assert picture.rooms == {2: STYLES["next"]}


def test_board_tells_by_ok_or_by_its_sensor_that_the_tile_lies_there() -> None:
    """PS-22: OK without a cursor, OK on the square, or the tile put on it; elsewhere it is nothing."""
    view = GAME.view(dealt(("red", 6), ("blue", 3)), PUBLIC)
    due = ((TABLE, Place(2, "blue", 3)),)
    assert GAME.confirmed(view) == GAME.pointed(view, 2) == GAME.felt(view, None, 2) == due
    assert GAME.felt(view, 30, 2) == due
    assert GAME.pointed(view, 3) == GAME.felt(view, None, 3) == GAME.felt(view, 1, None) == ()


def test_anybody_takes_a_step_of_building_back_and_the_same_tile_comes_again() -> None:
    """PS-22: the board tells nobody anything new."""
    for seat in ("p1", HOST, MODERATOR):
        table = running(deal=True)
        first = built(table)
        table.act(TABLE, first)
        second = built(table)
        table.undo(seat)
        assert built(table) == first
        table.act(TABLE, first)
        assert built(table) == second
    with pytest.raises(Illegal):
        running(deal=True).undo(MODERATOR)


def test_a_step_of_building_after_one_taken_back_ends_redo_also_after_a_restart(tmp_path: Path) -> None:
    """PS-22: what people tell of the real board is an action like any other."""
    path = tmp_path / "journal"
    table = running(journal=Journal(path), deal=True)
    table.act(TABLE, built(table))
    table.undo(MODERATOR)
    table.close()
    table = Table(Journal(path))
    assert table.redoable_by() == MODERATOR
    table.act(TABLE, built(table))
    assert table.redoable_by() is None
    table.close()
    table = Table(Journal(path))
    assert table.redoable_by() is None
    with pytest.raises(Illegal):
        table.redo(MODERATOR)
    table.close()


def test_a_repair_while_building_lets_chance_draw_anew() -> None:
    """PS-2: the tile that was due may be the one that the moderator laid."""
    table = running(deal=True)
    due = built(table)
    tile = {"colour": due["colour"], "value": due["value"]}
    table.act(MODERATOR, {"type": "repair", "set": {"rooms": {"1": tile}}})
    assert built(table)["room"] == 2
    assert table.status() == ()
