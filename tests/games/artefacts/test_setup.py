"""Before the first turn: the cross, sharing out tiles, building the four paths."""

from __future__ import annotations

import pytest

from companion.contract import TABLE, plain, read_options
from companion.games.artefacts import GAME
from companion.games.artefacts.box import INVENTED, tiles_of
from companion.refusals import Illegal, Malformed
from tests.games.artefacts.house import (
    ARMS,
    COLOURS,
    WIDE,
    act,
    corridors,
    enter,
    legal,
    refused,
    shows,
    start,
    tile,
)


def first_reveal(state):
    return plain(GAME.legal(state, TABLE)[0])["tiles"]


def drafted(**options):
    """A game whose tiles are shared out: each takes the first there is."""
    state = start(**options)
    while state.phase == "drafting":
        seat = GAME.to_act(state)[0]
        state = GAME.apply(state, seat, GAME.legal(state, seat)[0])[0]
    return state


def test_the_box_holds_what_the_list_of_parts_says() -> None:
    """CFA-1: 48 tiles, 31 object cards, 12 trap cards, 8 dice, 4 artefacts, 4 pawns, 12 life markers."""
    seen = shows(start())
    assert len(tiles_of(INVENTED)) == 48
    assert sum(INVENTED.objects.values()) == 31
    assert sum(INVENTED.traps.values()) == 12
    assert seen.dice == dict.fromkeys(COLOURS, 2)
    assert len(seen.artefacts) == len(seen.pawns) == 4
    assert sum(seen.life.values()) == 12


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"tiles": WIDE["tiles"][1:]}, "28 tiles"),
        ({"objects": {"vacuum": 30}}, "30 object cards"),
        ({"traps": {"hole": 13}}, "13 trap cards"),
        ({"tiles": [{"kind": "plain", "exits": "NESW", "count": 48}]}, "artefact tile of each colour"),
        ({"tiles": [*WIDE["tiles"][:-1], WIDE["tiles"][-2]]}, "artefact tile of each colour"),
        (
            {"tiles": [*WIDE["tiles"][1:], {"kind": "plain", "exits": "NS", "count": 20, "colour": "red"}]},
            "colour",
        ),
        ({"tiles": [{"kind": "plain", "exits": "NS", "count": 44}, *WIDE["tiles"][-4:]]}, "four exits"),
    ],
)
def test_a_box_with_wrong_sums_is_refused_with_every_fault(change, said) -> None:
    """CFA-2, CFA-3: the counts are the table's to tell, the sums are not."""
    with pytest.raises(Illegal) as caught:
        start(box={**WIDE, **change})
    assert said in caught.value.message()


def test_a_tile_without_exits_is_malformed() -> None:
    """CFA-2: exits are some of N, E, S and W, in that order."""
    for exits in ("", "WN", "X", "NN"):
        with pytest.raises(Malformed):
            read_options(GAME, {"box": {**WIDE, "tiles": [{"kind": "plain", "exits": exits}]}})


def test_the_box_tells_its_problems_and_its_options() -> None:
    """CFA-1: a profile on the shelf is checked by the same sums."""
    assert GAME.box_problems(INVENTED) == ()
    assert GAME.box_options(INVENTED) == {"box": plain(INVENTED)}
    assert "invented" in INVENTED.label


def test_the_box_says_what_cards_cost_where_arms_point_and_who_sits_where() -> None:
    """CFA-10, CFA-Q2: an option given beside it wins."""
    arms = {"blue": "S", "red": "W", "yellow": "N", "green": "E"}
    box = {**WIDE, "cost": {"kit": 3}, "arms": arms, "seating": ["green", "yellow", "red", "blue"]}
    told = start(box=box).options
    assert (told.costs.kit, told.costs.chalice, told.arm("blue")) == (3, 1, (0, -1))
    assert [chair.seat for chair in GAME.chairs(start(box=box))] == ["green", "yellow", "red", "blue"]
    other = start(
        box=box, cost={"kit": 0}, arms=dict(zip(COLOURS, "NESW", strict=True)), seating=COLOURS
    ).options
    assert (other.costs.kit, other.arm("blue"), other.seats) == (0, (0, 1), COLOURS)


@pytest.mark.parametrize(
    "change",
    [
        {"arms": {"blue": "N"}},
        {"arms": dict.fromkeys(COLOURS, "N")},
        {"seating": ["blue", "red", "red", "green"]},
    ],
)
def test_a_cross_with_two_colours_on_an_arm_is_no_box(change) -> None:
    """CFA-10."""
    with pytest.raises(Illegal, match="colour"):
        start(box={**WIDE, **change})


def test_everybody_has_three_life_points() -> None:
    """CFA-4, CFA-T2."""
    assert shows(start()).life == dict.fromkeys(COLOURS, 3)


def test_all_are_on_one_side() -> None:
    """CFA-5: they win or lose together."""
    state = start()
    assert {GAME.side(state, colour) for colour in COLOURS} == {"players"}


def test_pawns_begin_on_the_arm_of_their_colour() -> None:
    """CFA-10."""
    assert shows(start()).pawns == ARMS
    turned = start(arms={"blue": "W", "red": "N", "yellow": "E", "green": "S"})
    assert shows(turned).pawns == {"blue": (-1, 0), "red": (0, 1), "yellow": (1, 0), "green": (0, -1)}


def test_seating_and_arms_name_every_colour_once() -> None:
    """CFA-10: how the cross is printed is for the table to say."""
    for options in (
        {"seating": ["blue"] * 4},
        {"arms": {"blue": "N", "red": "N", "yellow": "S", "green": "W"}},
    ):
        with pytest.raises(Illegal):
            start(**options)


def test_one_to_four_people_run_the_four_colours() -> None:
    """CFA-Q1."""
    assert shows(start(players=1)).people == dict.fromkeys(COLOURS, 1)
    assert shows(start(players=2)).people == {"blue": 1, "red": 2, "yellow": 1, "green": 2}
    assert [chair.seat for chair in GAME.chairs(start(players=3))] == list(COLOURS)
    for players in (0, 5):
        with pytest.raises(Illegal):
            start(players=players)
    with pytest.raises(Illegal):
        start(fewer_players="reduced_colours")


def test_the_piles_are_full_and_have_no_order() -> None:
    """CFA-11: what is left is counted by kind; there is nothing to look ahead into."""
    state = start()
    assert (sum(state.objects.values()), sum(state.traps.values())) == (31, 12)
    assert list(state.pile) == sorted(state.pile)


def test_each_colour_gets_a_four_exit_tile_and_no_ghost_or_artefact_is_turned_up_before_the_game() -> None:
    """CFA-12."""
    state = start()
    assert all([len(tile.exits) for tile in tiles] == [4] for tiles in state.held.values())
    kinds = {each["kind"] for action in legal(state, TABLE, "reveal") for each in action["tiles"]}
    assert kinds == {"plain", "trap", "teleporter"}


def test_twice_four_tiles_are_shared_one_each_in_any_order() -> None:
    """CFA-13."""
    state = start()
    for _ in range(2):
        for _ in range(4):
            assert GAME.to_act(state) == (TABLE,)
            state = act(state, TABLE, "reveal", tiles=first_reveal(state))
        for colour in ("green", "blue", "yellow", "red"):
            assert colour in GAME.to_act(state)
            state = act(state, colour, "take", tile=state.open[0].id)
            assert colour not in GAME.to_act(state) or not state.open
    assert state.phase == "building"
    assert [len(tiles) for tiles in state.held.values()] == [3, 3, 3, 3]


def test_only_an_open_tile_can_be_taken() -> None:
    """CFA-13."""
    state = start()
    for _ in range(4):
        state = act(state, TABLE, "reveal", tiles=first_reveal(state))
    assert refused(state, "blue", "take", tile="nothing").rule == "CFA-20"


def test_ghosts_and_artefacts_are_in_the_pile_once_everybody_builds() -> None:
    """CFA-14: 36 tiles are left, all ten ghosts and four artefacts among them."""
    state = drafted()
    kinds = [tiles_of(INVENTED)[id].kind for id in state.pile]
    assert (len(kinds), kinds.count("ghost"), kinds.count("artefact")) == (36, 10, 4)


def test_from_the_leader_on_each_lays_a_tile_on_the_path_of_its_colour() -> None:
    """CFA-15, CFA-Q15: twelve tiles, then the first turn."""
    state = drafted(leader="yellow")
    order = []
    while state.phase == "building":
        (seat,) = GAME.to_act(state)
        order.append(seat)
        state = GAME.apply(state, seat, GAME.legal(state, seat)[-1])[0]
    assert order == ["yellow", "green", "blue", "red"] * 3
    assert (state.leader, len(state.manor) + len(state.discarded), len(state.pile)) == ("yellow", 12, 36)


def test_nobody_builds_on_the_path_of_another() -> None:
    """CFA-15, CFA-Q15: in building the centre leads nowhere."""
    state = drafted(box=WIDE)
    assert {tuple(each["at"]) for each in legal(state, "blue", "lay")} == {(0, 2)}
    assert refused(state, "blue", "lay", tile=state.held["blue"][0].id, at=(2, 0)).rule == "CFA-30"


def test_a_straight_set_up_goes_straight() -> None:
    """CFA-Q15: only if the table wants it."""
    manor = [tile((0, 2))]
    held = {"blue": [{"kind": "plain", "exits": "NESW"}]}
    free = enter(phase="building", manor=manor, held=held)
    strict = enter({"setup_straight": True}, phase="building", manor=manor, held=held)
    assert {tuple(each["at"]) for each in legal(free, "blue", "lay")} == {(-1, 2), (0, 3), (1, 2)}
    assert {tuple(each["at"]) for each in legal(strict, "blue", "lay")} == {(0, 3)}


def test_thirty_six_tiles_are_nine_phases_of_four_and_the_leader_goes_round() -> None:
    """CFA-16, CFA-T1: turn 10 has no tiles; leaders of turns 10 to 13 are red, yellow, green, blue."""
    assert (48 - 12) / 4 == 9
    artefacts = [
        tile(at, "artefact", colour=c)
        for at, c in zip([(1, 3), (3, -1), (-1, -3), (-3, 1)], COLOURS, strict=True)
    ]
    manor = corridors(*artefacts, (0, 5))
    state = enter(manor=manor, piles={"tiles": 0}, round=9, leader="blue", artefacts={})
    leaders = []
    for _ in range(4):
        state = act_out(state)
        leaders.append(
            (state.round, state.leader, [ghost.colour for ghost in state.ghosts if not ghost.heading])
        )
    assert leaders == [
        (10, "red", ["red"]),
        (11, "yellow", ["yellow"]),
        (12, "green", ["green"]),
        (13, "blue", ["blue"]),
    ]
    assert all(not state.open for _ in leaders)


def act_out(state):
    """Everybody ends his turn, and the leader takes the first way of any ghost at a fork."""
    round = state.round
    while state.round == round or state.phase == "ending":
        (seat,) = GAME.to_act(state)
        state = act(state, seat, "choose", option=0) if state.pending else act(state, seat, "end")
    return state
