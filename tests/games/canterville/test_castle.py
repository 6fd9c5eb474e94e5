"""Castles as data: who gets where, what is checked, and the invented one that comes with the companion."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from companion.contract import read
from companion.games.canterville import GAME
from companion.games.canterville.castle import LOCKABLE, Castle, Room, Ways, check, demo, in_set
from companion.refusals import Refusal
from companion.table import Table
from companion.words import LANGUAGES
from tests.games.canterville.castles import FRAMES, SMALL, enter, new, options_of, refusal, shows

NEIGHBOURS = {
    1: ({2, 12, 54}, {2, 12}),
    2: ({1, 3, 13}, {1, 3}),
    3: ({2, 14, 54}, {2, 14, 54}),
    12: ({1, 13, 42}, {1, 13, 42}),
    13: ({2, 12, 14, 43}, {12, 14}),
    14: ({3, 13, 44, 51}, {3, 13, 51}),
    42: ({12, 43}, {12, 43}),
    43: ({13, 42, 44}, {42, 44}),
    44: ({14, 43, 53}, {43, 53}),
    51: ({14, 53, 54}, {14, 54}),
    53: ({44, 51}, {44}),
    54: ({1, 3, 51}, {3, 51}),
}
"""For each room of the small castle: Max's neighbours, a figure's neighbours."""


def castle(**changes: Any) -> Castle:
    typed: Castle = read({**SMALL, **changes}, Castle, "castle")
    return typed


def errors(**changes: Any) -> list[str]:
    return [saying.key.split(".")[1] for saying in check(castle(**changes)).errors]


def test_neighbours_of_max_and_of_figures() -> None:
    """GJ-T1, GJ-31, GJ-36, GJ-50: all walls, doors and the passage for Max, dotted lines for figures."""
    ways = Ways(castle(), chimney=False)
    found = {room: (set(in_set(ways.haunt[room])), set(in_set(ways.walk[room]))) for room in NEIGHBOURS}
    assert found == NEIGHBOURS


def test_chimney_joins_two_rooms_for_max_only() -> None:
    """GJ-T2, GJ-42."""
    with_card, without = Ways(castle(), chimney=True), Ways(castle(), chimney=False)
    for one, two in ((42, 53), (53, 42)):
        assert with_card.haunt[one] == without.haunt[one] | 1 << two
        assert with_card.walk[one] == without.walk[one]


def test_walking_ways_without_a_common_wall_are_maxs_too() -> None:
    """GJ-Q21: a long staircase joins rooms that do not touch."""
    ways = Ways(castle(walks=[*SMALL["walks"], [2, 44]]), chimney=False)
    assert ways.haunt[2] >> 44 & 1
    assert ways.walk[44] >> 2 & 1


def test_every_error_is_named_at_once() -> None:
    """GJ-1, GJ-43: what refuses a castle."""
    found = errors(
        rooms=[*SMALL["rooms"], 0, 55, 3],
        walls=[[2, 2], [3, 9]],
        doors={"12": 3, "2": 3, "51": 14, "x": 1},
    )
    assert found == [
        "castle_room_outside",
        "castle_room_twice",
        "castle_room_outside",
        "castle_loop",
        "castle_room_unlisted",
        "castle_door_no_walk",
        "castle_door_room",
        "castle_door_room",
    ]
    assert errors(rooms=[], walls=[], walks=[], doors={}) == ["castle_empty"]


def test_refused_castle_tells_all_its_problems() -> None:
    """The message is for the person who drew it."""
    with pytest.raises(Refusal) as refused:
        new(castle={**SMALL, "walls": [[2, 2]], "doors": {"2": 3}})
    assert "its own neighbour" in refused.value.message()
    assert "no red door" in refused.value.message()
    for language in LANGUAGES:
        assert "{" not in refused.value.message(language)


def test_warnings_only_inform() -> None:
    """GJ-38, GJ-Q20: a small castle, cut in two, without the known facts, can be played in."""
    pieces = castle(walls=[], walks=[[1, 2], [2, 3]], doors={})
    found = check(pieces)
    assert found.errors == ()
    assert {saying.key.split(".")[1] for saying in found.warnings} == {
        "castle_rooms_missing",
        "castle_apart",
        "castle_fact_way",
        "castle_fact_exits",
        "castle_fact_doors",
    }
    assert {saying.key for saying in GAME.problems(new())} >= {"canterville.castle_rooms_missing"}


def test_room_that_only_max_reaches_is_worth_a_warning() -> None:
    """A figure must get everywhere in the printed castle."""
    walled = castle(walks=[walk for walk in SMALL["walks"] if 53 not in walk])
    assert "canterville.castle_no_walk" in {saying.key for saying in check(walled).warnings}


# The invented castle


def touching(one: Room, two: Room) -> bool:
    """Whether two rooms share more than a corner point."""
    across = min(one.x + one.w, two.x + two.w) - max(one.x, two.x)
    down = min(one.y + one.h, two.y + two.h) - max(one.y, two.y)
    return (across == 0 and down > 0) or (down == 0 and across > 0)


def test_demo_castle_fits_every_known_fact() -> None:
    """GJ-1, GJ-38, GJ-43, GJ-Q20: 54 rooms and nothing to warn about."""
    found = check(demo())
    assert (found.errors, found.warnings) == ((), ())
    assert sorted(demo().numbers) == list(range(1, 55))
    assert sorted(map(int, demo().doors)) == list(LOCKABLE)
    names = {room.room: room.name for room in demo().rooms if isinstance(room, Room)}
    assert (names[1]["en"], names[54]["en"]) == ("entrance hall", "barn")
    assert all(set(name) == set(LANGUAGES) for name in names.values())


def test_demo_castle_is_drawn_as_it_is_played() -> None:
    """GJ-32: neighbours are exactly the rooms that touch by more than a corner."""
    rooms = [room for room in demo().rooms if isinstance(room, Room)]
    drawn = {frozenset((a.room, b.room)) for a in rooms for b in rooms if a.room < b.room and touching(a, b)}
    assert {frozenset(way) for way in demo().ways} == drawn


def test_no_two_rooms_of_the_demo_castle_overlap() -> None:
    """It can be drawn."""
    rooms = [room for room in demo().rooms if isinstance(room, Room)]
    for one in rooms:
        for two in rooms:
            across = min(one.x + one.w, two.x + two.w) - max(one.x, two.x)
            down = min(one.y + one.h, two.y + two.h) - max(one.y, two.y)
            assert one is two or across <= 0 or down <= 0, (one.room, two.room)


def test_demo_castle_says_that_it_is_invented() -> None:
    """Nobody shall take it for the printed one."""
    assert demo().invented
    state = GAME.start(GAME.options(hunters=3, frames=FRAMES))
    assert (shows(state).castle, shows(state).invented) == ("demo", True)
    assert not shows(new()).invented


# Where a castle comes from


def test_castle_file_is_read_once_and_the_record_keeps_it(tmp_path: Path) -> None:
    """The game goes on when the file is gone."""
    file = tmp_path / "home.json"
    file.write_text(json.dumps(SMALL))
    resolved = GAME.resolve({"castle": str(file), "hunters": 3})
    assert resolved == {"castle": SMALL, "hunters": 3}
    table = Table()
    table.new("canterville", {"castle": str(file), "hunters": 3, "frames": FRAMES})
    file.unlink()
    assert len(table.legal("h1")) == 12


def test_castle_needs_a_room_for_max() -> None:
    """GJ-22: he starts where no figure is, and the hunters might stand everywhere."""
    tiny = {"rooms": [1, 2, 3], "walks": [[1, 2], [2, 3]]}
    with pytest.raises(Refusal, match="no room left for Max"):
        new(castle=tiny, hunters=3)
    assert len(GAME.legal(new(castle={**tiny, "rooms": [1, 2, 3, 4]}, hunters=3), "h1")) == 4


@pytest.mark.parametrize("content", ["", "{", "[[[", "\x00", '{"rooms": 3}', "[]"])
def test_castle_file_that_is_none_is_refused(tmp_path: Path, content: str) -> None:
    """With a reason, and without its content."""
    file = tmp_path / "home.json"
    file.write_text(content)
    for path in (file, tmp_path):
        with pytest.raises(Refusal):
            Table().new("canterville", {"castle": str(path), "frames": FRAMES})


def test_castle_that_is_nowhere_is_refused() -> None:
    """Both by the table, which looks for a file, and by the game, which does not."""
    for begin in (lambda: Table().new("canterville", {"castle": "nowhere"}), lambda: new(castle="nowhere")):
        with pytest.raises(Refusal, match="there is no castle nowhere"):
            begin()


def test_names_of_castles_are_left_alone() -> None:
    """What comes with the companion needs no reading in."""
    for name in ("demo", "none"):
        assert GAME.resolve({"castle": name}) == {"castle": name}
    assert GAME.resolve({"castle": SMALL}) == {"castle": SMALL}


def test_a_box_keeps_castle_and_frames() -> None:
    """GJ-3: counted once, known from then on."""
    assert GAME.box is not None
    box = GAME.learn_box(GAME.view(new(), "public"))
    assert box is not None
    assert GAME.box_problems(box) == ()
    assert GAME.box_options(box)["frames"] == FRAMES
    again = new(**GAME.box_options(box))
    assert again.options.castle == new().options.castle
    few = read({"frames": {"cats": 4}, "castle": {**SMALL, "walls": [[2, 2]]}}, GAME.box, "box")
    assert [saying.key for saying in GAME.box_problems(few)] == [
        "canterville.box_frames",
        "canterville.castle_loop",
    ]
    four = new(hunters=4, frames=dict.fromkeys(list(FRAMES)[:4], 4))
    assert GAME.learn_box(GAME.view(four, "public")) is None


def test_moves_that_are_not_next_door_are_refused() -> None:
    """GJ-T4, GJ-31, GJ-32: no diagonal, no jump; through a wall only Max."""
    state = enter()
    for room in (1, 54, 44):
        assert refusal(state, "max", "move", room=room) == "GJ-31"
    assert 2 in options_of(state, "max", "move")
    inside = enter(figures={"a": 13, "b": 53}, room=3, phase="hunters", to_act=["h1"])
    assert refusal(inside, "h1", "walk", figure="a", room=2) == "GJ-50"
