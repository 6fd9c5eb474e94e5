"""A game entered midway, and the moderator's repairs."""

from __future__ import annotations

import json
from typing import Any

import msgspec
import pytest

from companion.contract import MODERATOR, PUBLIC, Result, plain, read, read_options
from companion.games.phantom import GAME
from companion.games.phantom.actions import Hide, Over, Place, Ready, Remove, Repaired
from companion.games.phantom.state import State
from companion.refusals import Forbidden, Illegal, Malformed
from tests.games.phantom.hotel import (
    LAYOUT,
    after,
    aims,
    all_but,
    enter,
    hunt,
    new,
    play,
    position,
    room,
)

FOUND = {"blue": "B2 p2 found", "red": "C4 p4 found", "green": "D3 p4 found", "white": "E5 p2 found"}
FOUND_ROOMS = "B2 C4 D3 E5"


def changed(**fields: Any) -> dict[str, Any]:
    return position(**fields)


def refusal(entered: dict[str, Any], **options: Any) -> Illegal:
    with pytest.raises(Illegal) as caught:
        enter(entered, **options)
    return caught.value


# Positions


def test_a_position_goes_on_where_it_was_left() -> None:
    """PS-40, PS-50: whose turn it is by seating."""
    state = enter(position("B3 B4", damage=10, to_act=["p4"]))
    assert (state.phase, state.movers, state.damage, state.objective) == ("playing", ("p4",), 10, 45)
    assert play(state, "p4 E3").movers == ("p1",)


@pytest.mark.parametrize(
    ("players", "seat", "following"), [(4, "p1", "p2"), (3, "p3", "p1"), (2, "p2", "p1")]
)
def test_a_position_for_any_number_of_players(players: int, seat: str, following: str) -> None:
    """PS-90, PS-91, PS-92."""
    state = enter(position(players=players, to_act=[seat]))
    first = GAME.legal(state, seat)[0]
    assert after(state, seat, first).movers == (following,)


def test_a_position_in_which_the_partner_plays() -> None:
    """PS-58: `to_act` is the seat whose turn it is, though his partner plays it."""
    state = enter(position("B2 E5", {"blue": "B2 p2 found", "white": "E5 p2 found"}, to_act=["p2"]))
    assert state.movers == ("p4",)


def test_knowledge_starts_at_a_position() -> None:
    """PS-72: every hidden state that fits it counts."""
    assert GAME.odds(GAME.view(enter(position()), PUBLIC)).worlds == 39366
    state = enter(position("A1 E5", {"white": "E5 p2 found"}))
    assert GAME.odds(GAME.view(state, PUBLIC)).worlds == 8 * 9 * 9 * 6
    assert GAME.odds(GAME.view(enter(position(players=2)), PUBLIC)).worlds == 9**4


def test_a_position_that_is_won_is_over_at_once() -> None:
    """PS-80, PS-81."""
    assert enter(position("A1", damage=45)).result == Result("ghosts", "damage")
    assert enter(position(FOUND_ROOMS, FOUND)).result == Result("hunters", "all_revealed")
    assert enter(position(FOUND_ROOMS, FOUND)).movers == ()


def test_the_view_of_a_position_is_that_position() -> None:
    """PS-40."""
    entered = position("B3 E5", {"white": "E5 p2 found"}, damage=6)
    shown = json.loads(msgspec.json.encode(GAME.view(enter(entered), MODERATOR).shows))
    assert {name: shown[name] for name in entered} == entered


def test_options_hold_in_a_position_too() -> None:
    """PS-Q5."""
    assert "B5" in aims(enter(position("C3 C4", {"red": "A4 p4"}), reach="flood_fill"), "p2").split()


@pytest.mark.parametrize(
    "ghosts",
    [
        {"blue": "A4 p2"},
        {"blue": "B3 p2"},
        {"blue": "B2 p2 found"},
        {"blue": "B2 p1"},
        {"blue": "B2 p9"},
        {"blue": "B2 p4"},
        {"blue": {"room": None, "owner": "p2", "revealed": False}},
        {"blue": {"room": 8, "owner": None, "revealed": False}},
        {"blue": {"room": 37, "owner": "p2", "revealed": False}},
        {"blue": {"room": 0, "owner": "p2", "revealed": False}},
        {"blue": {"room": None, "owner": "p2", "revealed": True}},
        {"blue": "B2 p4", "red": "C4 p2", "green": "D3 p2"},
        {"blue": "B3 p2 found", "white": "B3 p2 found"},
    ],
    ids=[
        "not under its colour",
        "under no tile",
        "found but covered",
        "led by a hunter",
        "led by nobody here",
        "three for one master",
        "hidden nowhere",
        "led by no one",
        "outside the hotel",
        "in room 0",
        "found nowhere",
        "one and three",
        "two in one room",
    ],
)
def test_ghosts_that_cannot_be_are_refused(ghosts: dict[str, Any]) -> None:
    """PS-24, PS-25, PS-70."""
    assert refusal(position("B3", ghosts)).code == "illegal"


def test_every_problem_is_named_at_once() -> None:
    """PS-24, PS-80."""
    said = str(refusal(position("B3", {"blue": "B3 p1", "red": "A1 p4"}, damage=-1)))
    assert "blue" in said
    assert "red" in said
    assert "-1" in said


@pytest.mark.parametrize("players", [2, 3])
def test_owners_must_fit_the_players(players: int) -> None:
    """PS-25, PS-91, PS-92."""
    wrong = {"blue": "B2 p1"}
    assert refusal(position(ghosts=wrong, players=players)).code == "illegal"


@pytest.mark.parametrize(
    "fields",
    [
        {"rooms": [{"colour": "blue", "value": 1}] * 10 + [None] * 26},
        {"rooms": [None] * 35},
        {"rooms": [None] * 37},
        {"rooms": [{"colour": "blue", "value": 7}, *[None] * 35]},
        {"rooms": [{"colour": "blue", "value": 0}, *[None] * 35]},
        {"damage": -1},
        {"damage": 217},
        {"objective": 0},
        {"objective": 217},
        {"players": 1},
        {"players": 5},
        {"to_act": []},
        {"to_act": ["p1", "p2"]},
        {"to_act": ["p5"]},
        {"to_act": ["moderator"]},
    ],
)
def test_boards_that_cannot_be_are_refused(fields: dict[str, Any]) -> None:
    """PS-1, PS-2, PS-5, PS-40, PS-80."""
    assert refusal({**position(), **fields}).code == "illegal"


@pytest.mark.parametrize("field", ["rooms", "ghosts", "damage", "to_act", "objective", "players"])
def test_a_position_names_every_field(field: str) -> None:
    """PS-40."""
    entered = position()
    del entered[field]
    with pytest.raises(Malformed):
        enter(entered)


def test_a_position_tells_of_all_four_ghosts() -> None:
    """PS-3."""
    entered = position()
    del entered["ghosts"]["white"]
    assert refusal(entered).rule == "PS-3"


@pytest.mark.parametrize(
    "fields",
    [
        {"damage": "3"},
        {"damage": 3.0},
        {"damage": True},
        {"unknown": 1},
        {"rooms": [{"colour": "pink", "value": 1}, *[None] * 35]},
        {"rooms": [{"colour": "blue", "value": 1, "ghost": True}, *[None] * 35]},
        {"ghosts": {**position()["ghosts"], "pink": {"room": 1, "owner": "p2", "revealed": False}}},
        {"to_act": "p2"},
    ],
)
def test_types_of_a_position_are_strict(fields: dict[str, Any]) -> None:
    """PS-2."""
    with pytest.raises(Malformed):
        enter({**position(), **fields})


def test_a_game_cannot_have_ended_twice() -> None:
    """PS-73."""
    assert refusal(position(FOUND_ROOMS, FOUND, damage=45)).code == "illegal"


def test_by_honour_a_position_need_not_tell_where_ghosts_are() -> None:
    """PS-24: nobody told the companion."""
    unknown = {"room": None, "owner": None, "revealed": False}
    ghosts = dict.fromkeys(("blue", "red", "green", "white"), unknown)
    assert enter(position(ghosts=ghosts), keeper="honour").movers == ("p2",)
    assert refusal(position(ghosts=ghosts)).code == "illegal"


def test_a_master_game_position_takes_its_roles_from_the_owners() -> None:
    """PS-103, PS-Q14."""
    ghosts = {"blue": "B2 p1", "red": "C4 p3", "green": "D3 p3", "white": "E5 p1"}
    state = enter(position(ghosts=ghosts, to_act=["p1"], objective=37), master_game=True)
    assert (state.masters, state.movers, state.objective) == (("p1", "p3"), ("p1",), 37)
    alone = dict.fromkeys(("blue", "red", "green", "white"))
    alone = {colour: f"{where} p1" for colour, where in zip(alone, FOUND_ROOMS.split(), strict=True)}
    state = enter(position(ghosts=alone, players=3, to_act=["p1"]), master_game=True)
    assert (state.masters, state.order) == (("p1",), ("p1", "p2", "p1", "p3"))


# Repairs


def repair(state: State, **fixes: Any) -> State:
    action = read({"type": "repair", "set": fixes}, GAME.action, "action")
    return after(state, MODERATOR, action)


def repair_refused(state: State, **fixes: Any) -> None:
    with pytest.raises(Illegal):
        repair(state, **fixes)


def test_a_repair_sets_public_facts_straight() -> None:
    """PS-71: and nothing that it does not name."""
    state = play(hunt(), "p2 B3", "p3 B4")
    fixed = repair(state, damage=9, objective=40)
    assert (fixed.damage, fixed.objective, fixed.movers) == (9, 40, ("p4",))
    assert (fixed.tiles, fixed.ghosts, fixed.removed) == (state.tiles, state.ghosts, state.removed)


def test_a_repair_sets_rooms_straight() -> None:
    """PS-22: one by one, or all 36."""
    state = play(hunt(), "p2 B3", "p3 B4")
    fixed = repair(state, rooms={"10": {"colour": "red", "value": 4}, "1": None})
    lying = GAME.view(fixed, PUBLIC).shows.rooms
    assert (plain(lying[9]), lying[0], lying[8]) == ({"colour": "red", "value": 4}, None, None)
    fixed = repair(state, rooms=[{"colour": colour, "value": value} for colour, value in LAYOUT])
    assert None not in GAME.view(fixed, PUBLIC).shows.rooms


def test_a_repair_sets_secret_facts_straight() -> None:
    """PS-24, PS-25."""
    state = play(hunt(), "p2 B3")
    fixed = repair(
        state, ghosts={"blue": {"room": room("A1")}, "white": {"owner": "p4"}, "red": {"owner": "p2"}}
    )
    assert (fixed.ghosts[0].room, fixed.ghosts[0].owner) == (room("A1"), "p2")
    assert (fixed.ghosts[3].owner, fixed.ghosts[1].owner) == ("p4", "p2")


def test_a_repair_sets_the_turn_straight() -> None:
    """PS-40."""
    assert repair(play(hunt(), "p2 B3"), to_act=["p1"]).movers == ("p1",)
    assert repair(play(hunt(), "p2 B3"), to_act=["p1"]).order == hunt().order


def test_a_repair_starts_knowledge_anew() -> None:
    """PS-72: what was seen may have been wrong."""
    state = play(hunt(), "p2 B3")
    assert GAME.odds(GAME.view(repair(state, damage=6), PUBLIC)).worlds == 8 * 9 * 9 * 9 * 6


def test_a_repair_tells_the_table_only_that_it_happened() -> None:
    """PS-121."""
    action = read({"type": "repair", "set": {"ghosts": {"blue": {"room": 1}}}}, GAME.action, "action")
    assert GAME.apply(hunt(), MODERATOR, action)[1] == (Repaired(),)
    recorded, _ = GAME.recorded(hunt(), action, ())
    assert recorded == {"type": "repair", "set": {}}


def test_a_repair_is_judged_at_once() -> None:
    """PS-80, PS-81."""
    state = play(hunt(), "p2 B3")
    action = read({"type": "repair", "set": {"damage": 45}}, GAME.action, "action")
    over, events = GAME.apply(state, MODERATOR, action)
    assert over.result == Result("ghosts", "damage")
    assert events == (Repaired(), Over("ghosts", "damage"))
    assert repair(over, damage=6).result is None


@pytest.mark.parametrize(
    "fixes",
    [
        {"ghosts": {"blue": {"room": room("B3")}}},
        {"ghosts": {"blue": {"owner": "p4"}}},
        {"ghosts": {"blue": {"revealed": True}}},
        {"rooms": {"8": None}},
        {"rooms": {"1": {"colour": "red", "value": 1}}},
        {"rooms": {"37": None}},
        {"rooms": {"x": None}},
        {"rooms": {"²": None}},
        {"rooms": [None] * 35},
        {"damage": 217},
        {"objective": 0},
        {"to_act": ["p5"]},
        {"to_act": []},
    ],
)
def test_a_repair_that_makes_no_sense_is_refused(fixes: dict[str, Any]) -> None:
    """PS-24, PS-25, PS-70."""
    repair_refused(play(hunt(), "p2 B3"), **fixes)


def test_only_the_moderator_repairs() -> None:
    """PS-Q18."""
    action = read({"type": "repair", "set": {"damage": 1}}, GAME.action, "action")
    for seat in ("p1", "p2", "host", "public", "table"):
        with pytest.raises(Forbidden):
            GAME.apply(hunt(), seat, action)


def test_a_board_can_be_repaired_while_it_is_laid() -> None:
    """PS-22: whoever is to lay next follows from the tiles that lie."""
    state = GAME.start(GAME.options())
    state = after(after(state, "p1", Place(1, "blue", 3)), "p2", Place(2, "red", 3))
    fixed = repair(state, rooms={"2": None})
    assert (fixed.phase, fixed.movers) == ("placing", ("p2",))
    repair_refused(state, to_act=["p1"])


def test_ghosts_can_be_repaired_while_they_hide() -> None:
    """PS-24: but only to where they can hide."""
    state = after(new(), "p2", Hide("blue", 8))
    assert repair(state, ghosts={"blue": {"room": 1}}).ghosts[0].room == 1
    repair_refused(state, ghosts={"blue": {"room": 36}})
    repair_refused(state, ghosts={"blue": {"room": 99}})
    repair_refused(state, ghosts={"red": {"room": 4, "owner": "p1"}})


def test_a_repair_cannot_start_a_hunt_that_cannot_be() -> None:
    """PS-24, PS-25, PS-26."""
    state = new()
    whole = {"blue": (8, "p2"), "red": (16, "p4"), "green": (21, "p4"), "white": (29, "p2")}
    told = {colour: {"room": where, "owner": owner} for colour, (where, owner) in whole.items()}
    started = repair(state, ghosts=told)
    assert (started.phase, started.movers) == ("playing", ("p2",))
    repair_refused(state, ghosts={**told, "blue": {"room": 4, "owner": "p2"}})
    repair_refused(state, ghosts={**told, "red": {"room": 16, "owner": "p2"}})


def test_a_repair_while_the_table_is_asked_takes_the_question_back() -> None:
    """PS-70: by honour, the tile lies in its place again and may be removed once more."""
    state = new(keeper="honour")
    state = play(after(after(state, "p2", Ready()), "p4", Ready()), "p2 B3")
    fixed = repair(state, damage=1)
    assert (fixed.asking, fixed.removed, fixed.damage) == (False, (), 1)
    assert Remove(room("B3")) in GAME.legal(fixed, "p2")


def test_after_a_repair_a_game_that_was_over_goes_on_with_the_next_player() -> None:
    """PS-40: the last turn was played in full."""
    state = play(hunt(objective=7), "p2 B3", "p3 A1")
    assert state.result is not None
    assert repair(state, objective=45).movers == ("p4",)


# The board is right about one room


def correct(state: State, where: str, tile: Any) -> State:
    return after(
        state, MODERATOR, read({"type": "correct", "room": room(where), "tile": tile}, GAME.action, "action")
    )


def test_a_missing_tile_counts_or_reveals_like_any_other() -> None:
    """PS-70, PS-71: and the turn stays where it was."""
    state = play(hunt(), "p2 B3")
    gone = correct(state, "A1", None)
    assert (gone.damage, gone.movers) == (7, ("p3",))
    gone = correct(state, "B2", None)
    assert (gone.damage, gone.ghosts[0].revealed) == (6, True)


def test_a_tile_that_lies_there_after_all_takes_its_removal_back() -> None:
    """PS-71."""
    state = play(hunt(), "p2 B3", "p3 B4")
    back = correct(state, "B3", {"colour": "blue", "value": 6})
    assert (back.damage, [line.room for line in back.removed]) == (4, [room("B4")])
    assert back.tiles >> room("B3") & 1


def test_a_misread_value_is_corrected() -> None:
    """PS-2."""
    assert correct(hunt(), "A1", {"colour": "blue", "value": 5}).laid[1].value == 5  # type: ignore[union-attr]


def test_a_misread_value_is_corrected_while_ghosts_hide() -> None:
    """PS-2, PS-24: whoever hides there stays, and the same masters are still to hide."""
    state = after(new(players=2), "p2", Hide("blue", room("A1")))
    mended = correct(state, "A1", {"colour": "blue", "value": 5})
    assert mended.laid[1].value == 5  # type: ignore[union-attr]
    assert (mended.ghosts, mended.movers) == (state.ghosts, state.movers)


@pytest.mark.parametrize(
    ("where", "tile"),
    [
        ("A1", {"colour": "blue", "value": 1}),
        ("A1", {"colour": "red", "value": 1}),
        ("A1", {"colour": "blue", "value": 9}),
        ("B3", None),
        ("B3", {"colour": "red", "value": 6}),
    ],
)
def test_a_correction_that_cannot_be_is_refused(where: str, tile: Any) -> None:
    """PS-2."""
    with pytest.raises(Illegal):
        correct(play(hunt(), "p2 B3"), where, tile)


def test_corrections_belong_to_the_hunt() -> None:
    """PS-26."""
    for tile in (None, {"colour": "blue", "value": 5}):
        with pytest.raises(Illegal):
            correct(GAME.start(read_options(GAME, {})), "A1", tile)
    with pytest.raises(Illegal):
        correct(new(), "A1", None)
    assert all_but("A1").startswith("A2")


def test_on_a_decided_board_it_is_nobodys_turn() -> None:
    """PS-80: the view of an ended game, entered as it is, has nobody to act; an open one needs somebody."""
    assert enter(position(damage=45, to_act=[])).result == Result("ghosts", "damage")
    assert refusal(position(damage=44, to_act=[])).rule == "PS-40"
