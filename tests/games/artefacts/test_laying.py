"""Turning up, choosing and laying tiles; tiles that find no spot."""

from __future__ import annotations

from typing import Any

import pytest
from msgspec.structs import replace

from companion.contract import TABLE, plain
from companion.games.artefacts import GAME
from companion.games.artefacts.box import tiles_of
from tests.games.artefacts.house import (
    COLOURS,
    COUNTED,
    WIDE,
    act,
    acted,
    corridors,
    end_turn,
    enter,
    ghost,
    legal,
    power,
    refused,
    start,
    tags,
    tile,
    where,
)

PLAIN = {"id": "plain-NESW-20", "kind": "plain", "exits": "NESW"}
BEND = {"id": "plain-NES-1", "kind": "plain", "exits": "NES"}
GHOST = {"id": "ghost-NESW-1", "kind": "ghost", "exits": "NESW"}
RED = {"id": "artefact-red-NESW-1", "kind": "artefact", "colour": "red", "exits": "NESW"}
SEALED = [tile((0, 2), exits="S")]
"""A dead end on blue's only way out of its arm."""


def laying(*tiles, **changes):
    """Set-up S, blue to lay one of these tiles."""
    return enter(changes.pop("options", {}), phase="laying", open=list(tiles), **changes)


def spots(state, id, seat="blue"):
    return {tuple(each["at"]) for each in legal(state, seat, "lay") if each["tile"] == id}


def test_four_tiles_are_turned_up_and_each_colour_from_the_leader_on_lays_one() -> None:
    """CFA-20."""
    state = end_turn(enter(leader="green", to_act=["green"]))
    assert (state.leader, state.pending.what, state.pending.n) == ("blue", "reveal", 4)
    for n in range(4):
        assert GAME.to_act(state) == (TABLE,)
        assert len(state.open) == n
        state = GAME.apply(state, TABLE, plain_first(state))[0]
    order = []
    while state.phase == "laying":
        (seat,) = GAME.to_act(state)
        order.append(seat)
        state = GAME.apply(state, seat, GAME.legal(state, seat)[0])[0]
    assert order == list(COLOURS)
    assert (state.phase, state.open) == ("acting", ())


def plain_first(state):
    return next(a for a in GAME.legal(state, TABLE) if a.tiles[0].kind == "plain")


def test_any_player_may_take_any_open_tile() -> None:
    """CFA-Q20: an artefact of another colour included."""
    state = laying(PLAIN, RED, pawns={"blue": (0, 4)}, manor=corridors((1, 4), (1, 5)))
    assert spots(state, RED["id"])
    after = act(state, "blue", "lay", tile=RED["id"], at=(2, 4))
    assert after.artefacts["red"].at == (2, 4)


def test_a_ghost_tile_laid_brings_its_ghost() -> None:
    """CFA-20, CFA-40: power 2, in the colour of whoever laid it."""
    state, events = acted(laying(GHOST), "blue", "lay", tile=GHOST["id"], at=(1, 2))
    assert tags(events)[:2] == ["laid", "appeared"]
    assert (where(state, "blue1"), power(state)) == ((1, 2), {"blue1": 2})


def test_with_fewer_than_four_tiles_the_first_from_the_leader_lay() -> None:
    """CFA-Q19: two tiles, so blue and red lay, yellow and green do not."""
    state = laying(PLAIN, BEND)
    state = act(state, "blue", "lay", tile=PLAIN["id"], at=(1, 2))
    state = act(state, "red", "lay", tile=BEND["id"], at=(5, 0), turn=1)
    assert (state.phase, GAME.to_act(state)) == ("acting", ("blue",))


def test_fewer_than_four_tiles_in_the_pile_are_all_turned_up() -> None:
    """CFA-Q19: after an artefact went back there may be one left."""
    every = [each.id for each in tiles_of(enter().options.box).values()]
    state = enter()
    one = replace(state, pile=(every[0],), discarded=tuple(every[1:]))
    state = end_turn(one)
    assert (state.pending.what, state.pending.n) == ("reveal", 1)


def test_from_an_empty_pile_comes_a_ghost_of_the_leader_on_its_artefact_tile() -> None:
    """CFA-21: not on another colour's."""
    others = [tile((-2, 4), "artefact", colour="blue"), tile((-2, -4), "artefact", colour="green")]
    manor = corridors(*others, (1, 4), tile((2, 4), "artefact", colour="red"))
    state = end_turn(enter(manor=manor, piles={"tiles": 0}))
    assert (state.leader, state.phase, where(state, "red1")) == ("red", "acting", (2, 4))


def test_without_the_leaders_artefact_tile_the_ghost_comes_at_the_end_of_the_leaders_path() -> None:
    """CFA-Q18: overflow colour in the same place."""
    red = [ghost("red", (2, 0)), ghost("red", (3, 0), n=2)]
    state = end_turn(enter(ghosts=red, piles={"tiles": 0}))
    assert where(state, "yellow1") == (4, 0)


def test_the_pawn_must_be_connected_by_a_path() -> None:
    """CFA-30, CFA-Q14: through matching exits, the centre included; walls stop it."""
    open_house = laying(PLAIN)
    assert {(1, 2), (0, 5), (5, 0), (-5, 0), (2, -1)} <= spots(open_house, PLAIN["id"])
    sealed = laying(PLAIN, manor=[*SEALED, tile((2, 0), exits="W"), tile((0, -2), exits="N"), tile((-2, 0))])
    assert spots(sealed, PLAIN["id"]) == {(-3, 0), (-2, 1), (-2, -1)}
    assert refused(sealed, "blue", "lay", tile=PLAIN["id"], at=(1, 2)).rule == "CFA-30"


def test_the_new_tile_needs_an_exit_towards_the_path() -> None:
    """CFA-30, CFA-Q14."""
    state = laying(BEND, manor=[tile((0, 2), exits="NS")])
    turns = {each["turn"] for each in legal(state, "blue", "lay") if tuple(each["at"]) == (0, 3)}
    assert turns == {0, 1, 2}
    assert refused(state, "blue", "lay", tile=BEND["id"], at=(0, 3), turn=3).rule == "CFA-30"


def test_closed_artefact_tiles_of_others_block_a_path_and_ghosts_do_not() -> None:
    """CFA-30, CFA-43, CFA-Q14."""
    manor = [tile((0, 2), exits="NS"), tile((0, 3), "artefact", "NS", "red"), tile((2, 0), exits="W")]
    manor += [tile((0, -2), exits="N"), tile((-2, 0), exits="E")]
    blocked = laying(PLAIN, manor=manor, ghosts=[ghost("red", (0, 2))])
    assert spots(blocked, PLAIN["id"]) == set()
    home = laying(PLAIN, manor=manor, ghosts=[ghost("red", (0, 2))], artefacts={"red": {"home": True}})
    assert spots(home, PLAIN["id"]) == {(0, 4)}


def test_teleporters_connect_only_if_the_table_says_so() -> None:
    """CFA-Q14."""
    manor = [tile((0, 2), "teleporter", "S"), tile((2, 0), "teleporter", "EW"), tile((0, -2), exits="N")]
    manor += [tile((-2, 0), exits="E")]
    far = [*manor, tile((5, 5), "teleporter", "N")]
    assert (5, 6) not in spots(laying(PLAIN, manor=far), PLAIN["id"])
    assert (5, 6) in spots(laying(PLAIN, manor=far, options={"teleporter_connects": True}), PLAIN["id"])


@pytest.mark.parametrize(("turn", "fits"), [(0, False), (1, True), (2, True), (3, True)])
def test_every_shared_side_matches_exit_to_exit_and_wall_to_wall(turn, fits) -> None:
    """CFA-31, CFA-Q13: on (1, 2) the west side meets an exit of (0, 2)."""
    state = laying(BEND, manor=[tile((0, 2))])
    assert ((1, 2) in {tuple(e["at"]) for e in legal(state, "blue", "lay") if e["turn"] == turn}) == fits
    if not fits:
        assert refused(state, "blue", "lay", tile=BEND["id"], at=(1, 2), turn=turn).rule == "CFA-30"


def test_an_exit_may_not_meet_a_wall() -> None:
    """CFA-31: connected from the north, the tile on (1, 3) would open on the wall of (2, 3)."""
    manor = [
        tile((0, 2)),
        tile((0, 3)),
        tile((1, 4), exits="ESW"),
        tile((0, 4)),
        tile((2, 3), exits="N"),
        tile((2, 4), exits="SW"),
    ]
    state = laying(PLAIN, manor=manor)
    assert refused(state, "blue", "lay", tile=PLAIN["id"], at=(1, 3)).rule == "CFA-31"


def test_the_sides_of_the_arms_are_walls_unless_the_table_ignores_them() -> None:
    """CFA-31, CFA-Q13: (1, 1) lies beside two arms."""
    manor = [tile((0, 2)), tile((1, 2))]
    assert (1, 1) not in spots(laying(PLAIN, manor=manor), PLAIN["id"])
    assert (1, 1) in spots(laying(PLAIN, manor=manor, options={"cross_sides": "ignore"}), PLAIN["id"])


def test_the_outer_end_of_an_arm_is_an_exit() -> None:
    """CFA-Q13: a wall may not lie against it, whatever the table thinks of the sides."""
    for options in ({}, {"cross_sides": "ignore"}):
        state = laying(BEND, manor=[], options=options)
        turns = {each["turn"] for each in legal(state, "blue", "lay") if tuple(each["at"]) == (0, 2)}
        assert turns == {0, 1, 2}


def test_a_tile_may_be_turned_before_it_is_laid_unless_the_table_forbids_it() -> None:
    """CFA-Q12."""
    state = laying(BEND, manor=[tile((0, 2), exits="NS")])
    after = act(state, "blue", "lay", tile=BEND["id"], at=(0, 3), turn=1)
    assert (after.manor[-1].exits, after.manor[-1].turn) == ("ESW", 1)
    assert refused(state, "blue", "lay", tile=BEND["id"], at=(0, 3), turn=4).rule == "CFA-Q12"
    strict = laying(BEND, manor=[tile((0, 2), exits="NS")], options={"rotation": False})
    assert {each["turn"] for each in legal(strict, "blue", "lay")} == {0}
    assert refused(strict, "blue", "lay", tile=BEND["id"], at=(0, 3), turn=1).rule == "CFA-Q12"


def test_nothing_is_laid_on_what_lies_there() -> None:
    """CFA-30."""
    for at in ((0, 0), (0, 1), (0, 2)):
        assert refused(laying(PLAIN), "blue", "lay", tile=PLAIN["id"], at=at).rule == "CFA-30"


def test_a_tile_with_a_spot_must_be_laid() -> None:
    """CFA-32."""
    assert refused(laying(PLAIN), "blue", "discard", tile=PLAIN["id"]).rule == "CFA-32"


def test_a_tile_without_a_spot_is_out_and_a_ghost_appears_at_the_end_of_the_path() -> None:
    """CFA-32, CFA-T23: blue ghost of power 2 on (0, 4), three steps from the arm."""
    island = [tile((8, 8), exits="N"), tile((8, 9), exits="S")]
    state = laying(PLAIN, manor=corridors(*island), pawns={"blue": (8, 8)})
    assert legal(state, "blue", "lay") == []
    state, events = acted(state, "blue", "discard", tile=PLAIN["id"])
    assert tags(events)[:2] == ["unlayable", "appeared"]
    assert (where(state, "blue1"), power(state)) == ((0, 4), {"blue1": 2})
    assert state.discarded == (PLAIN["id"],)
    assert PLAIN["id"] not in state.pile


def test_an_artefact_tile_without_a_spot_goes_back_into_the_pile() -> None:
    """CFA-Q17, CFA-T23: the same ghost; discarding it would make the game unwinnable."""
    island = [tile((8, 8), exits="N"), tile((8, 9), exits="S")]
    state = act(
        laying(RED, manor=corridors(*island), pawns={"blue": (8, 8)}), "blue", "discard", tile=RED["id"]
    )
    assert where(state, "blue1") == (0, 4)
    assert RED["id"] in state.pile
    gone = laying(
        RED, manor=corridors(*island), pawns={"blue": (8, 8)}, options={"unlayable_artefact": "discard"}
    )
    gone = act(gone, "blue", "discard", tile=RED["id"])
    assert RED["id"] not in gone.pile
    assert gone.discarded == (RED["id"],)


def test_with_an_empty_pile_an_artefact_tile_is_kept_aside_and_offered_every_turn() -> None:
    """CFA-Q17, CFA-21: the ghost of the empty pile comes all the same."""
    island = [tile((8, 8), exits="N"), tile((8, 9), exits="S")]
    state = laying(RED, manor=corridors(*island), pawns={"blue": (8, 8)}, piles={"tiles": 0})
    state = act(state, "blue", "discard", tile=RED["id"])
    assert state.aside == (RED["id"],)
    state = end_turn(state)
    assert [each.id for each in state.open] == [RED["id"]]
    assert (state.aside, GAME.to_act(state), where(state, "red1")) == ((), ("red",), (4, 0))


def test_on_a_tie_the_leader_says_which_end_of_the_path() -> None:
    """CFA-32, CFA-Q16."""
    manor = [tile((0, 2)), tile((0, 3)), tile((1, 2)), tile((8, 8), exits="N"), tile((8, 9), exits="S")]
    state = laying(PLAIN, manor=manor, pawns={"blue": (8, 8)})
    state = act(state, "blue", "discard", tile=PLAIN["id"])
    assert (state.pending.what, state.pending.options) == ("haunt", ((0, 3), (1, 2)))
    assert refused(state, "blue", "choose", option=2).rule == "CFA-Q4"
    assert where(act(state, "blue", "choose", option=1), "blue1") == (1, 2)


def test_the_path_of_a_colour_uses_neither_the_centre_nor_another_arm() -> None:
    """CFA-Q16: a tile tied between two arms belongs to both."""
    manor = [tile((0, 2)), tile((1, 2)), tile((2, 2)), tile((2, 1)), tile((2, 0)), tile((0, -2))]
    island = [tile((8, 8), exits="N"), tile((8, 9), exits="S")]
    state = laying(PLAIN, manor=[*manor, *island], pawns={"blue": (8, 8)})
    assert where(act(state, "blue", "discard", tile=PLAIN["id"]), "blue1") == (2, 0)


@pytest.mark.parametrize(
    ("at", "rule"), [((0, 5), "CFA-33"), ((5, 0), "CFA-33"), ((2, 3), None), ((1, -4), None)]
)
def test_artefact_tiles_stay_off_the_prolongation_of_the_cross(at, rule) -> None:
    """CFA-33, CFA-T14."""
    state = laying(RED, manor=corridors((1, 2), (2, 2), (1, -3)))
    if rule:
        assert refused(state, "blue", "lay", tile=RED["id"], at=at).rule == rule
    else:
        assert act(state, "blue", "lay", tile=RED["id"], at=at).artefacts["red"].at == at


def test_one_artefact_tile_a_quadrant() -> None:
    """CFA-33, CFA-T14: (0, 3) and (3, 0) refused, (2, 2) accepted, then (1, 4) refused, (1, -2) accepted."""
    manor = [tile((0, 2)), tile((1, 2)), tile((2, 0)), tile((0, -2))]
    state = laying(RED, manor=manor)
    for at in ((0, 3), (3, 0)):
        assert refused(state, "blue", "lay", tile=RED["id"], at=at).rule == "CFA-33"
    act(state, "blue", "lay", tile=RED["id"], at=(2, 2))
    second = {"id": "artefact-green-NESW-1", "kind": "artefact", "colour": "green", "exits": "NESW"}
    more = [*manor, tile((0, 3)), tile((1, 3)), tile((2, 2), "artefact", colour="red")]
    state = laying(second, manor=more)
    assert refused(state, "blue", "lay", tile=second["id"], at=(1, 4)).rule == "CFA-33"
    assert act(state, "blue", "lay", tile=second["id"], at=(1, -2)).artefacts["green"].at == (1, -2)


def test_real_decks_tell_tiles_as_they_are_held() -> None:
    """CFA-2: checked against what is left, up to rotation where tiles may be turned."""
    state = start(box=COUNTED)
    held = {
        each["tiles"][0]["exits"]
        for each in legal(state, TABLE, "reveal")
        if each["tiles"][0]["id"] == "plain-NES-1"
    }
    assert held == {"NES", "ESW", "NSW", "NEW"}
    fixed = start(rotation=False, box=COUNTED)
    assert {
        e["tiles"][0]["exits"] for e in legal(fixed, TABLE, "reveal") if e["tiles"][0]["id"] == "plain-NES-1"
    } == {"NES"}
    assert refused(state, TABLE, "reveal", tiles=[told("plain-N-1", "N")]).rule == "CFA-2"


def told(id: str, exits: str, kind: str = "plain", colour: str | None = None) -> dict[str, Any]:
    """A tile as it is told."""
    return {"id": id, "kind": kind, "colour": colour, "exits": exits}


def test_four_tiles_are_told_at_once_or_one_by_one() -> None:
    """CFA-13, CFA-20: both lead to the same table; more than are awaited, or none, are refused."""
    state = start(box=COUNTED)
    four = [told("plain-NES-2", "ESW"), told("plain-NS-1", "EW"), told("trap-NES-1", "NES", "trap")]
    four += [told("plain-NES-5", "NSW")]
    at_once, heard = acted(state, TABLE, "reveal", tiles=four)
    assert tags(heard) == ["revealed"] * 4
    assert [each["id"] for each in four] == [tile.id for tile in at_once.open]
    assert (len(at_once.pile), at_once.pending) == (40, None)
    one_by_one = state
    for each in four:
        one_by_one = act(one_by_one, TABLE, "reveal", tiles=[each])
    assert one_by_one == at_once
    assert refused(state, TABLE, "reveal", tiles=[*four, told("plain-NESW-8", "NESW")]).rule == "CFA-20"
    assert refused(state, TABLE, "reveal", tiles=[]).rule == "CFA-20"
    some = act(state, TABLE, "reveal", tiles=four[:3])
    assert refused(some, TABLE, "reveal", tiles=four[:2]).rule == "CFA-20"


def test_when_one_of_four_tiles_cannot_be_none_is_turned_up() -> None:
    """CFA-2: two dead-end teleporters are one more than the box has."""
    state = start(box=COUNTED)
    twice = [told("teleporter-N-1", "N", "teleporter"), told("teleporter-N-1", "S", "teleporter")]
    assert refused(state, TABLE, "reveal", tiles=twice).rule == "CFA-2"
    assert not state.open


def test_a_tile_is_told_by_the_name_of_any_that_looks_the_same() -> None:
    """CFA-20: a free one is taken; the name of one that lies on the table stands for one that is free."""
    state = start(box=COUNTED)
    for id in ("plain-NES-1", "plain-NES-4", "plain-NES-6"):
        assert act(state, TABLE, "reveal", tiles=[told(id, "NEW")]).open[0].id == id
    again = act(state, TABLE, "reveal", tiles=[told("plain-NES-3", "NES"), told("plain-NES-3", "NES")])
    assert [tile.id for tile in again.open] == ["plain-NES-3", "plain-NES-1"]
    wrong = refused(state, TABLE, "reveal", tiles=[told("plain-NS-1", "NES")])
    assert wrong.rule == "CFA-20"
    assert "plain-NES-1, plain-NES-2" in wrong.message()


def test_a_tile_put_aside_is_refused_with_the_true_reason() -> None:
    """CFA-12: before the game it is no question of how many the box has left."""
    refusal = refused(start(), TABLE, "reveal", tiles=[told("ghost-NES-1", "NES", "ghost")])
    assert (refusal.rule, "put aside" in refusal.message()) == ("CFA-12", True)


def test_without_turning_two_ways_to_print_a_tile_are_two_sorts() -> None:
    """CFA-2, CFA-Q12."""
    printed = [{"kind": "plain", "exits": "NES", "count": 2}, {"kind": "plain", "exits": "ESW", "count": 2}]
    box = {**WIDE, "tiles": [tile for tile in WIDE["tiles"] if tile["exits"] != "NES"] + printed}
    for rotation, sorts in ((True, {"plain-ESW-1"}), (False, {"plain-NES-1", "plain-ESW-1"})):
        found = {each["tiles"][0]["id"] for each in legal(start(box=box, rotation=rotation), TABLE, "reveal")}
        assert {id for id in found if id.startswith("plain-") and "NESW" not in id} == sorts


def test_no_more_tiles_of_a_sort_than_the_box_has() -> None:
    """CFA-2: there is one dead-end teleporter in the box, and it can be turned up once."""
    state = start(box=COUNTED)
    dead_end = next(a for a in GAME.legal(state, TABLE) if a.tiles[0].id == "teleporter-N-1")
    state = GAME.apply(state, TABLE, dead_end)[0]
    assert dead_end not in GAME.legal(state, TABLE)
    assert refused(state, TABLE, "reveal", tiles=plain(dead_end)["tiles"]).rule == "CFA-2"
