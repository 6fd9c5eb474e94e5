"""How ghosts appear, walk, grow and escape."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from companion.contract import TABLE, plain
from companion.games.artefacts import GAME
from companion.games.artefacts.routes import next_steps
from tests.games.artefacts.house import (
    act,
    acted,
    corridors,
    end_turn,
    enter,
    ghost,
    legal,
    power,
    refused,
    shows,
    tags,
    tile,
    where,
)

BLOCK = corridors((1, 2), (2, 2), (2, 1))
GHOST = {"id": "ghost-NESW-1", "kind": "ghost", "exits": "NESW"}


def walked(state, id, turns):
    """Where a ghost is after each of so many ends of a turn, tiles left aside."""
    seen = []
    for _ in range(turns):
        state = end_turn(state)
        seen.append(where(state, id))
        state = acting_again(state)
    return seen


def acting_again(state):
    """The same table at the action phase of the next turn, as if its four tiles had been laid elsewhere."""
    if state.result is not None:
        return state
    return replace(state, pending=None, phase="acting", turn=0, points=3)


def test_a_ghost_grows_and_at_six_goes_two_tiles() -> None:
    """CFA-23, CFA-50, CFA-53, CFA-T3: 1 2 3 4 6 8 10 12 tiles after ends 1 to 8, power 3 4 5 6 6 6 6 6."""
    long = [tile((0, y)) for y in range(2, 15)]
    state = enter(manor=[*long, tile((2, 0)), tile((0, -2)), tile((-2, 0))], ghosts=[ghost("blue", (0, 14))])
    gone, powers = [], []
    for _ in range(8):
        state = end_turn(state)
        gone.append(14 - where(state, "blue1")[1])
        powers.append(power(state)["blue1"])
        state = acting_again(state)
    assert gone == [1, 2, 3, 4, 6, 8, 10, 12]
    assert powers == [3, 4, 5, 6, 6, 6, 6, 6]


def test_a_ghost_goes_straight_to_the_centre_and_escapes() -> None:
    """CFA-50, CFA-51, CFA-52, CFA-T4."""
    state = enter(ghosts=[ghost("blue", (0, 4))])
    assert walked(state, "blue1", 4) == [(0, 3), (0, 2), (0, 1), (0, 0)]
    for _ in range(3):
        state = acting_again(end_turn(state))
    assert power(state) == {"blue1": 5}
    _, events = acted_out(state)
    assert tags(events)[:3] == ["moved", "escaped", "grew"]


def acted_out(state):
    """The end of a turn with all that is heard of it."""
    events = []
    while state.phase == "acting" and state.result is None:
        state, told = acted(state, state.active, "end")
        events += told
    return state, events


@pytest.mark.parametrize(
    ("colour", "route"),
    [("blue", [(1, 2), (0, 2), (0, 1), (0, 0)]), ("red", [(2, 1), (2, 0), (1, 0), (0, 0)])],
)
def test_a_ghost_leaves_by_the_door_of_its_own_colour(colour, route) -> None:
    """CFA-50, CFA-T6: four steps each."""
    state = enter(manor=BLOCK, ghosts=[ghost(colour, (2, 2))])
    assert walked(state, f"{colour}1", 4) == route


def test_walls_do_not_stop_a_ghost_but_a_pawn() -> None:
    """CFA-51, CFA-T9: (1, 2) and (0, 2) share a wall."""
    manor = corridors(tile((1, 2), exits="NES"), tile((0, 2), exits="NSW"), (2, 2), (2, 1))
    state = enter(manor=manor, ghosts=[ghost("blue", (2, 2))], pawns={"blue": (1, 2)})
    assert walked(state, "blue1", 3) == [(1, 2), (0, 2), (0, 1)]
    assert refused(state, "blue", "step", to=(0, 2)).rule == "CFA-22"


def test_a_ghost_is_never_where_no_tile_lies() -> None:
    """CFA-51: round the gap, though it is longer."""
    ring = [tile(at) for at in [(0, 2), (1, 2), (2, 2), (3, 2), (3, 3), (3, 4), (2, 4), (1, 4)]]
    state = enter(manor=[*ring, tile((2, 0)), tile((0, -2)), tile((-2, 0))], ghosts=[ghost("blue", (1, 4))])
    assert walked(state, "blue1", 5) == [(2, 4), (3, 4), (3, 2), (2, 2), (1, 2)][:0] + walked(
        state, "blue1", 5
    )
    assert next_steps(state, state.ghosts[0]) == ((2, 4),)


def test_a_ghost_stops_in_the_centre() -> None:
    """CFA-52, CFA-T11: at power 6 on its arm it has two tiles to go and stops after one."""
    state, events = acted_out(enter(ghosts=[ghost("blue", (0, 1), 6)]))
    assert where(state, "blue1") == (0, 0)
    assert tags(events) == ["moved", "escaped", "round"]
    state = end_turn(acting_again(state))
    assert where(state, "blue1") == (0, 0)


def test_at_the_same_distance_a_ghost_turns_as_little_and_as_late_as_it_can() -> None:
    """CFA-51, CFA-Q4: on a full block of tiles it keeps its heading until it must turn."""
    block = [tile((x, y)) for x in range(0, 4) for y in range(2, 5)]
    rest = [tile((2, 0)), tile((0, -2)), tile((-2, 0))]
    west = enter(manor=[*block, *rest], ghosts=[ghost("blue", (3, 4), heading="W")])
    assert next_steps(west, west.ghosts[0]) == ((2, 4),)
    south = enter(manor=[*block, *rest], ghosts=[ghost("blue", (3, 4), heading="S")])
    assert next_steps(south, south.ghosts[0]) == ((3, 3),)
    assert walked(west, "blue1", 3) == [(2, 4), (1, 4), (0, 4)]


def test_a_ghost_with_two_equal_ways_waits_for_the_leader() -> None:
    """CFA-Q4: one bend either way and as late; the leader chooses, and it goes there."""
    manor = [tile(at) for at in [(0, 2), (1, 2), (-1, 2), (1, 3), (-1, 3), (1, 4), (-1, 4), (0, 4)]]
    rest = [tile((2, 0)), tile((0, -2)), tile((-2, 0))]
    state = enter(manor=[*manor, *rest], ghosts=[ghost("blue", (0, 4))])
    state = end_turn(state)
    assert (state.phase, GAME.to_act(state), state.pending.options) == (
        "ending",
        ("blue",),
        ((-1, 4), (1, 4)),
    )
    assert legal(state, "blue", "choose") == [{"option": 0}, {"option": 1}]
    assert refused(state, "blue", "end").message().startswith("first something else")
    state, events = acted(state, "blue", "choose", option=1)
    assert (where(state, "blue1"), tags(events)[:2]) == ((1, 4), ["moved", "grew"])


def test_the_leader_may_choose_among_all_shortest_ways() -> None:
    """CFA-Q4: with ghost_tiebreak leader the number of turns does not matter."""
    block = [tile((x, y)) for x in range(0, 3) for y in range(2, 4)]
    rest = [tile((2, 0)), tile((0, -2)), tile((-2, 0))]
    for options, ways in (({}, ((1, 3),)), ({"ghost_tiebreak": "leader"}, ((1, 3), (2, 2)))):
        state = enter(options, manor=[*block, *rest], ghosts=[ghost("blue", (2, 3), heading="W")])
        assert next_steps(state, state.ghosts[0]) == ways


def test_a_ghost_without_a_way_stays_and_grows() -> None:
    """CFA-Q5: the centre is not crossed; a red ghost in the blue corridor waits for a way."""
    state = enter(ghosts=[ghost("red", (0, 3))])
    after, events = acted_out(state)
    assert (where(after, "red1"), power(after)) == ((0, 3), {"red1": 3})
    assert tags(events)[:2] == ["stayed", "grew"]


def test_a_ghost_without_a_way_may_use_the_nearest_door() -> None:
    """CFA-Q5: if the table says so."""
    state = enter({"ghost_no_route": "use_nearest_door"}, ghosts=[ghost("red", (0, 3))])
    assert walked(state, "red1", 3) == [(0, 2), (0, 1), (0, 0)]


def test_ghosts_go_by_colour_from_the_leader_on_the_nearest_first() -> None:
    """CFA-23, CFA-Q6."""
    ghosts = [
        ghost("blue", (0, 4)),
        ghost("blue", (0, 3), n=2),
        ghost("red", (4, 0)),
        ghost("green", (-4, 0)),
    ]
    _, events = acted_out(enter(ghosts=ghosts, leader="green", to_act=["green"]))
    order = [plain(event)["ghost"] for event in events if tags([event]) == ["moved"]]
    assert order == ["green1", "blue2", "blue1", "red1"]


def test_of_two_ghosts_equally_near_the_leader_says_which_goes_first() -> None:
    """CFA-Q6: in the order that the leader wants, and only where there is something to choose."""
    manor = corridors((1, 4), (-1, 4))
    pair = [ghost("blue", (1, 4)), ghost("blue", (-1, 4), n=2)]
    for option, order in ((0, ["blue1", "blue2"]), (1, ["blue2", "blue1"])):
        state = end_turn(enter(manor=manor, ghosts=pair, leader="red", to_act=["red"]))
        pending = shows(state).pending
        assert (pending.what, pending.ghosts, pending.options) == (
            "order",
            ("blue1", "blue2"),
            ((1, 4), (-1, 4)),
        )
        assert GAME.to_act(state) == ("red",)
        assert refused(state, "red", "choose", option=2).rule == "CFA-Q4"
        _, events = acted(state, "red", "choose", option=option)
        assert [plain(event)["ghost"] for event in events if tags([event]) == ["moved"]] == order


def test_two_ghosts_that_are_alike_in_everything_need_no_choice() -> None:
    """CFA-Q6: and neither do two that have no way."""
    twins = [ghost("blue", (0, 4)), ghost("blue", (0, 4), n=2)]
    assert shows(end_turn(enter(ghosts=twins))).pending.what == "reveal"
    lost = [ghost("red", (0, 4)), ghost("red", (0, 3), n=2)]
    assert shows(end_turn(enter(ghosts=lost))).pending.what == "reveal"


def test_the_leader_may_always_say_which_of_two_goes_first() -> None:
    """CFA-Q6: if the table wants it, however far they are."""
    state = end_turn(
        enter({"ghost_order": "leader"}, ghosts=[ghost("blue", (0, 4)), ghost("blue", (0, 3), n=2)])
    )
    assert shows(state).pending.ghosts == ("blue2", "blue1")


def test_every_ghost_moves_before_any_grows_and_then_the_marker_passes() -> None:
    """CFA-23, CFA-53."""
    ghosts = [ghost("blue", (0, 4), 5), ghost("red", (4, 0), 5)]
    state, events = acted_out(enter(ghosts=ghosts))
    assert tags(events) == ["moved", "moved", "grew", "grew", "round"]
    assert (state.leader, state.round) == ("red", 2)


def test_a_ghost_that_appeared_this_turn_moves_and_grows() -> None:
    """CFA-Q9."""
    laid = enter(phase="laying", open=[GHOST], manor=corridors((1, 3)))
    state = act(laid, "blue", "lay", tile=GHOST["id"], at=(1, 4))
    state = end_turn(state)
    assert power(state) == {"blue1": 3}
    assert where(state, "blue1") != (1, 4)


def test_power_stops_at_six_and_new_ghosts_are_stronger_after_a_pick_up() -> None:
    """CFA-44, CFA-53, CFA-Q7, CFA-T10: 2, 5, 6 become 3, 6, 6; new ghosts 3, then 4, at last 6."""
    manor = corridors((1, 4), tile((1, 5), "artefact", colour="blue"))
    ghosts = [ghost("red", (4, 0), 2), ghost("yellow", (0, -4), 5), ghost("green", (-4, 0), 6)]
    state = act(enter(manor=manor, ghosts=ghosts, pawns={"blue": (1, 5)}), "blue", "pick")
    assert power(state) == {"red1": 3, "yellow1": 6, "green1": 6}
    for picked, expected in ((1, 3), (2, 4), (4, 6)):
        homes = {c: {"home": True} for c in ("blue", "red", "yellow", "green")[:picked] if picked < 4}
        homes = homes or {c: {"by": c} for c in ("blue", "red", "yellow", "green")}
        laid = enter(phase="laying", open=[GHOST], artefacts=homes)
        assert power(act(laid, "blue", "lay", tile=GHOST["id"], at=(1, 4))) == {"blue1": expected}


def test_ghosts_of_every_origin_begin_with_the_same_power() -> None:
    """CFA-Q8: from an empty pile as from a tile."""
    state = end_turn(enter(piles={"tiles": 0}, artefacts={"green": {"home": True}}))
    assert power(state) == {"red1": 3}


@pytest.mark.parametrize(
    ("used", "expected"),
    [("blue", "red1"), ("blue red", "yellow1"), ("blue red yellow", "green1")],
)
def test_without_a_free_die_the_ghost_takes_the_colour_of_the_next_to_the_left(used, expected) -> None:
    """CFA-40, CFA-T13."""
    squares = {"blue": (0, 4), "red": (4, 0), "yellow": (0, -4)}
    ghosts = [ghost(colour, squares[colour], n=n) for colour in used.split() for n in (1, 2)]
    state = enter(phase="laying", open=[GHOST], ghosts=ghosts)
    after = act(state, "blue", "lay", tile=GHOST["id"], at=(1, 2))
    assert where(after, expected) == (1, 2)


def test_without_any_die_the_game_is_lost() -> None:
    """CFA-71, CFA-T13, CFA-Q10: when a ghost must appear and all eight dice are in use."""
    squares = {"blue": (0, 4), "red": (4, 0), "yellow": (0, -4), "green": (-4, 0)}
    eight = [ghost(colour, at, n=n) for colour, at in squares.items() for n in (1, 2)]
    state = enter(phase="laying", open=[GHOST], ghosts=eight)
    after, events = acted(state, "blue", "lay", tile=GHOST["id"], at=(1, 2))
    assert (after.result.winner, after.result.reason, tags(events)) == ("ghosts", "no_dice", ["laid", "over"])
    seven = enter({"out_of_dice": "when_stock_empty"}, phase="laying", open=[GHOST], ghosts=eight[:-1])
    after = act(seven, "blue", "lay", tile=GHOST["id"], at=(1, 2))
    assert after.result.reason == "no_dice"
    patient = enter(phase="laying", open=[GHOST], ghosts=eight[:-1])
    assert act(patient, "blue", "lay", tile=GHOST["id"], at=(1, 2)).result is None


def test_dice_in_the_centre_are_not_free() -> None:
    """CFA-40, CFA-Q10."""
    ghosts = [ghost("blue", (0, 0)), ghost("blue", (0, 0), n=2)]
    state = enter(phase="laying", open=[GHOST], ghosts=ghosts)
    assert where(act(state, "blue", "lay", tile=GHOST["id"], at=(1, 2)), "red1") == (1, 2)


def test_ghosts_pass_closed_artefact_tiles_unless_the_table_says_no() -> None:
    """CFA-43, CFA-Q22."""
    manor = corridors(tile((0, 3), "artefact", colour="red"))
    assert walked(enter(manor=manor, ghosts=[ghost("blue", (0, 4))]), "blue1", 1) == [(0, 3)]
    barred = enter({"artefact_tile_blocks_ghosts": True}, manor=manor, ghosts=[ghost("blue", (0, 4))])
    assert walked(barred, "blue1", 1) == [(0, 4)]
    on_it = enter({"artefact_tile_blocks_ghosts": True}, manor=manor, ghosts=[ghost("blue", (0, 3))])
    assert walked(on_it, "blue1", 1) == [(0, 2)]


def test_a_ghost_on_a_trap_tile_springs_it_on_the_player_of_its_colour() -> None:
    """CFA-41, CFA-Q27, CFA-Q28: on the way too, and it goes on afterwards."""
    manor = corridors(tile((0, 3), "trap"))
    state = enter(manor=manor, ghosts=[ghost("blue", (0, 4), 6)], pawns={"blue": (0, 1)})
    state = end_turn(state)
    assert (state.phase, GAME.to_act(state), state.pending.colour) == ("ending", (TABLE,), "blue")
    state, events = acted(state, TABLE, "trap", card="wound")
    assert (state.life["blue"], where(state, "blue1")) == (2, (0, 2))
    assert tags(events)[:3] == ["sprung", "life", "moved"]


def test_a_ghosts_trap_can_be_harmless() -> None:
    """CFA-Q27: with ghost_trap_victim none no card is drawn."""
    manor = corridors(tile((0, 3), "trap"))
    state = end_turn(enter({"ghost_trap_victim": "none"}, manor=manor, ghosts=[ghost("blue", (0, 4))]))
    assert state.pending.what == "reveal"


def test_a_ghosts_trap_does_nothing_to_the_dead_but_wake_another() -> None:
    """CFA-Q27."""
    manor = corridors(tile((0, 3), "trap"))
    dead = enter(manor=manor, ghosts=[ghost("blue", (0, 4))], life={"blue": 0}, to_act=["red"])
    state = end_turn(dead)
    assert act(state, TABLE, "trap", card="wound").life["blue"] == 0
    assert act(state, TABLE, "trap", card="prankster").pending.what == "reveal"
    assert act(state, TABLE, "trap", card="hole").pawns["blue"] == (0, 1)
    assert len(act(state, TABLE, "trap", card="ghost").ghosts) == 2


def test_appearing_or_staying_on_a_trap_does_not_spring_it() -> None:
    """CFA-Q28."""
    manor = corridors(tile((0, 3), "trap"), tile((3, 0), "trap"))
    state = end_turn(enter(manor=manor, ghosts=[ghost("red", (0, 3))], pawns={"blue": (3, 0)}))
    assert state.pending.what == "reveal"
