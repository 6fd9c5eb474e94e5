"""Box profiles: checked, kept on a shelf, shared as a file, learned from a table."""

from __future__ import annotations

import json
import os
from pathlib import Path
from random import Random
from typing import Any

import pytest

from companion import boxes, games
from companion.boxes import BoxProblems, Profile, Shelf
from companion.contract import PUBLIC, read_options
from companion.games.phantom.box import Box, printed_at
from companion.refusals import Illegal, Malformed, NotSaved, TooLarge
from companion.table import Table
from companion.words import LANGUAGES

TILES = {colour: [1, 2, 3, 4, 5, 6, 3, 2, 1] for colour in ("blue", "red", "green", "white")}
NAMES = [str(100 + room) for room in range(1, 37)]
PHANTOM = games.find("phantom")


def profile(name: str = "Our box", **fields: Any) -> Profile:
    return Profile(name, "phantom", Box(**{"tiles": TILES, "names": NAMES, **fields}))


def as_file(**changes: Any) -> bytes:
    return json.dumps({**json.loads(boxes.to_file(profile())), **changes}).encode()


def problems_of(**fields: Any) -> tuple[str, ...]:
    with pytest.raises(BoxProblems) as refused:
        boxes.checked(profile(**fields))
    assert all(problem.said(language) for problem in refused.value.problems for language in LANGUAGES)
    return tuple(map(str, refused.value.problems))


def test_a_file_comes_back_as_the_same_profile() -> None:
    ours = profile(types={"blue": "library"}, turn=90)
    assert boxes.from_file(boxes.to_file(ours)) == ours


def test_every_problem_is_named_at_once() -> None:
    """PS-1, PS-2."""
    wrong = problems_of(
        name=" ",
        tiles={**TILES, "blue": [1] * 8, "red": [0, 7, 7, 1, 1, 1, 1, 1, 1], "pink": [1]},
        names=["1", "1", " 2", "x" * 13],
        types={"blue": "library", "red": "library"},
    )
    assert wrong == (
        "the name of a box has 1 to 40 letters on one line, with no blank at either end",
        "there must be nine blue tiles, not 8",
        "a red tile is worth 0; tiles are worth 1 to 6",
        "a red tile is worth 7; tiles are worth 1 to 6",
        "there is no colour pink: they are blue, red, green and white",
        "a board has 36 room names or none, not 4",
        "two rooms have the name 1",
        "“ 2” is no room name: it has 1 to 12 letters, with no blank at either end",
        f"“{'x' * 13}” is no room name: it has 1 to 12 letters, with no blank at either end",
        "two colours have the same kind of room: library",
    )


@pytest.mark.parametrize(
    ("data", "family", "word"),
    [
        (b"", Malformed, "no JSON"),
        (b"\xff\xfe", Malformed, "no JSON"),
        (b"[" * 5000, Malformed, "no JSON"),
        (b"[]", Malformed, "box profile"),
        (b" " * (boxes.LARGEST_FILE + 1), TooLarge, "65536"),
        (as_file(box_profile=2), Malformed, "update"),
        (as_file(game="chess"), Illegal, "no game called chess"),
        (as_file(box={"tiles": {"blue": ["six"]}}), Malformed, "box"),
        (as_file(box={"tiles": TILES, "turn": 45}), Malformed, "turn"),
        (as_file(colour="blue"), Malformed, "colour"),
    ],
)
def test_a_file_that_is_no_profile_is_refused_in_words(
    data: bytes, family: type[Exception], word: str
) -> None:
    with pytest.raises(family, match=word):
        boxes.from_file(data)


# What a box sets


def test_a_box_sets_the_tiles_and_the_names() -> None:
    """PS-1, PS-2."""
    options = boxes.options(profile())
    state = PHANTOM.start(read_options(PHANTOM, options))
    assert {action.value for action in PHANTOM.legal(state, "p1")} == {1, 2, 3, 4, 5, 6}
    assert PHANTOM.view(state, PUBLIC).shows.names == {str(room): str(100 + room) for room in range(1, 37)}


def test_without_names_the_companions_own_numbers_stay() -> None:
    assert "names" not in boxes.options(profile(names=[]))


def test_a_turned_board_turns_its_names() -> None:
    """PS-1: turned clockwise by a quarter, the printed lower left corner lies at the upper left."""
    corners = {turn: [printed_at(room, turn) for room in (1, 6, 36, 31)] for turn in (0, 90, 180, 270)}
    assert corners == {0: [1, 6, 36, 31], 90: [31, 1, 6, 36], 180: [36, 31, 1, 6], 270: [6, 36, 31, 1]}
    assert boxes.options(profile(turn=90))["names"]["1"] == "131"


# Learned from a table


def laid_table(tiles: dict[str, list[int]] | None) -> Table:
    """A table that has laid its whole board."""
    table, chance = Table(), Random(3)
    table.new("phantom", {"players": 4} | ({"tiles": tiles} if tiles else {}), seed=3)
    while table.standing().phase == "placing":
        seat = table.standing().to_act[0]
        table.act(seat, chance.choice(table.legal(seat)))
    return table


def test_a_box_is_learned_from_a_full_board() -> None:
    """PS-2, PS-22."""
    learned = boxes.learned("Learned", "phantom", laid_table(TILES).view(PUBLIC))
    assert learned.box.tiles == {colour: sorted(values) for colour, values in TILES.items()}


def test_tiles_off_the_board_are_remembered() -> None:
    """PS-56."""
    table = laid_table(None)
    before = boxes.learned("Learned", "phantom", table.view(PUBLIC))
    while table.standing().result is None:
        seat = table.standing().to_act[0]
        table.act(seat, table.bot(seat))
    assert boxes.learned("Learned", "phantom", table.view(PUBLIC)) == before


def test_half_a_board_teaches_nothing() -> None:
    table = Table()
    table.new("phantom", {"players": 4})
    with pytest.raises(Illegal, match="lay the whole board"):
        boxes.learned("Learned", "phantom", table.view(PUBLIC))


# The shelf


def test_a_box_stays_on_the_shelf(tmp_path: Path) -> None:
    Shelf(tmp_path / "boxes").add(profile())
    shelf = Shelf(tmp_path / "boxes")
    assert shelf.profiles() == (profile(),)
    assert shelf.find("our BOX") == profile()
    shelf.remove("our box")
    assert shelf.profiles() == ()


def test_names_in_every_script_find_a_file(tmp_path: Path) -> None:
    shelf = Shelf(tmp_path)
    names = ["Été", "ete", "箱", "函", "../../etc/passwd", "con", "a" * 40]
    for name in names:
        shelf.add(profile(name))
    assert {each.name for each in shelf.profiles()} == set(names)
    assert sorted(path.name for path in tmp_path.iterdir()) == [
        "phantom-2.json",
        f"phantom-{'a' * 40}.json",
        "phantom-con.json",
        "phantom-etc-passwd.json",
        "phantom-ete-2.json",
        "phantom-ete.json",
        "phantom.json",
    ]


def test_a_box_gives_way_only_if_told_so(tmp_path: Path) -> None:
    shelf, other = Shelf(tmp_path), profile("OUR BOX", names=[])
    shelf.add(profile())
    with pytest.raises(Illegal, match="another name"):
        shelf.add(other)
    assert shelf.profiles() == (profile(),)
    shelf.add(other, replace=True)
    assert shelf.profiles() == (other,)


def test_a_damaged_file_harms_no_other(tmp_path: Path) -> None:
    shelf = Shelf(tmp_path)
    shelf.add(profile())
    (tmp_path / "broken.json").write_bytes(b"{")
    (tmp_path / "folder.json").mkdir()
    assert shelf.profiles() == (profile(),)
    assert [name for name, _ in shelf.faults()] == ["broken.json", "folder.json"]


def test_a_missing_box_is_named_with_those_there_are(tmp_path: Path) -> None:
    shelf = Shelf(tmp_path / "nowhere")
    with pytest.raises(Illegal, match="no box called Theirs"):
        shelf.find("Theirs")


def test_a_box_that_cannot_be_saved_is_refused(tmp_path: Path) -> None:
    (tmp_path / "boxes").write_text("a file where the folder should be")
    with pytest.raises(NotSaved, match="could not be saved"):
        Shelf(tmp_path / "boxes").add(profile())


def test_a_write_that_fails_leaves_the_old_box(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    shelf = Shelf(tmp_path)
    shelf.add(profile())

    def full(handle: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fdatasync", full, raising=False)
    with pytest.raises(NotSaved, match="No space left"):
        shelf.add(profile(names=[]), replace=True)
    assert shelf.profiles() == (profile(),)
    assert [path.name for path in tmp_path.iterdir()] == ["phantom-our-box.json"]
