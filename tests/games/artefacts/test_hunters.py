"""The action phase: points, walking, teleporters, fights, artefacts, death and return."""

from __future__ import annotations

from random import Random

import pytest

from companion.contract import TABLE
from companion.games.artefacts import GAME
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
    start,
    tags,
    tile,
)

UP = [(0, 2), (0, 3), (0, 4), (0, 5), (0, 6)]
LONG = corridors((0, 5), (0, 6))


def walk(state, *squares, seat="blue"):
    for to in squares:
        state = act(state, seat, "step", to=to)
    return state


def draw(state, card, seat="blue"):
    return act(act(state, seat, "draw"), TABLE, "drawn", card=card)


# Points


def test_three_points_are_three_steps() -> None:
    """CFA-22, CFA-T16."""
    state = walk(enter(manor=LONG), *UP[:3])
    assert (state.points, state.pawns["blue"]) == (0, (0, 4))
    assert refused(state, "blue", "step", to=(0, 5)).rule == "CFA-22"


def test_a_draw_costs_a_point_and_is_made_once() -> None:
    """CFA-22, CFA-T16: draw and two steps; a second draw is refused."""
    state = draw(enter(manor=LONG), "vacuum")
    assert (state.points, state.hands["blue"]) == (2, ("vacuum",))
    assert refused(state, "blue", "draw").rule == "CFA-22"
    assert walk(state, *UP[:2]).points == 0


def test_draw_kit_and_one_step() -> None:
    """CFA-22, CFA-Q2, CFA-T16."""
    state = draw(enter(manor=LONG, life={"blue": 1}), "kit")
    state = act(state, "blue", "use", card="kit")
    assert (state.points, state.life["blue"]) == (1, 2)
    assert walk(state, (0, 2)).points == 0


def test_an_energy_bar_is_two_more_steps_and_pays_for_nothing_else() -> None:
    """CFA-62, CFA-Q26, CFA-T16: five steps, or a draw and four steps; movement points pay for no draw."""
    state = act(enter(manor=LONG, hands={"blue": ["energy_bar"]}), "blue", "use", card="energy_bar")
    assert walk(state, *UP).pawns["blue"] == (0, 6)
    drawn = draw(state, "kit")
    assert walk(drawn, *UP[:4]).pawns["blue"] == (0, 5)
    spent = walk(state, *UP[:2])
    assert (spent.points, spent.moves) == (3, 0)
    tired = enter(manor=LONG, points=0, moves=2)
    assert refused(tired, "blue", "draw").rule == "CFA-22"
    assert act(state, "blue", "end").moves == 0


def test_one_object_card_a_turn_outside_a_fight() -> None:
    """CFA-22, CFA-Q3."""
    hand = {"blue": ["energy_bar", "energy_bar"]}
    state = act(enter(hands=hand), "blue", "use", card="energy_bar")
    assert refused(state, "blue", "use", card="energy_bar").rule == "CFA-22"
    free = act(enter({"object_uses_per_turn": "unlimited"}, hands=hand), "blue", "use", card="energy_bar")
    assert act(free, "blue", "use", card="energy_bar").moves == 4


def test_what_cards_cost_is_for_the_table_to_say() -> None:
    """CFA-Q2."""
    dear = enter({"cost": {"energy_bar": 2}}, hands={"blue": ["energy_bar"]})
    assert act(dear, "blue", "use", card="energy_bar").points == 1
    poor = enter({"cost": {"energy_bar": 2}}, hands={"blue": ["energy_bar"]}, points=1)
    assert refused(poor, "blue", "use", card="energy_bar").rule == "CFA-Q2"
    fight = enter({"cost": {"vacuum": 2}}, hands={"blue": ["vacuum"] * 2}, ghosts=[ghost("blue", (0, 1))])
    assert legal(fight, "blue", "fight")[-1] == {"ghost": "blue1", "vacuums": 1, "life": 1, "crucifix": False}
    assert refused(fight, "blue", "fight", ghost="blue1", vacuums=2).rule == "CFA-Q2"


def test_each_finishes_before_the_next_and_the_dead_are_passed_over() -> None:
    """CFA-22, CFA-Q32, CFA-Q36: from the leader on."""
    state = enter(leader="yellow", to_act=["yellow"], life={"green": 0})
    order = []
    while state.phase == "acting":
        order.append(state.active)
        state = act(state, state.active, "end")
    assert order == ["yellow", "blue", "red"]


def test_every_hunter_begins_a_turn_with_three_points_and_nothing_spent() -> None:
    """CFA-22, CFA-Q36: also after one that drew, ate an energy bar and walked."""
    state = start(decks="virtual")
    chance = Random(2)
    while state.phase != "acting":
        (seat,) = GAME.to_act(state)[:1]
        drawn = GAME.chance(state, chance) if seat == TABLE else None
        state = GAME.apply(state, seat, drawn or GAME.legal(state, seat)[0])[0]
    assert (shows(state).points, shows(state).moves, shows(state).spent) == (3, 0, ())
    tired = enter(hands={"blue": ["energy_bar"]}, pawns={"blue": (0, 3)})
    tired = act(act(act(tired, "blue", "use", card="energy_bar"), "blue", "step", to=(0, 4)), "blue", "draw")
    tired = act(act(tired, TABLE, "drawn", card="kit"), "blue", "end")
    assert (shows(tired).points, shows(tired).moves, shows(tired).spent) == (3, 0, ())


def test_pawns_share_a_tile_and_ghosts_hurt_nobody() -> None:
    """CFA-Q35."""
    state = walk(enter(ghosts=[ghost("blue", (0, 2))], pawns={"red": (0, 2)}), (0, 2))
    assert state.life == {"blue": 3, "red": 3, "yellow": 3, "green": 3}


def test_a_step_follows_exits_and_may_cross_the_centre() -> None:
    """CFA-22."""
    state = enter(manor=corridors(tile((0, 2), exits="S")), pawns={"blue": (0, 0)})
    assert {tuple(each["to"]) for each in legal(state, "blue", "step")} == {(0, 1), (1, 0), (0, -1), (-1, 0)}
    assert refused(walk(state, (0, 1), (0, 2)), "blue", "step", to=(0, 3)).rule == "CFA-22"


# Tiles


def test_a_trap_springs_on_whoever_steps_on_it() -> None:
    """CFA-41, CFA-Q28: each entry counts; laying it or standing there does not."""
    state = enter(manor=corridors(tile((0, 2), "trap")))
    state = act(state, "blue", "step", to=(0, 2))
    assert (GAME.to_act(state), state.pending.what, state.pending.colour) == ((TABLE,), "trap", "blue")
    state = act(state, TABLE, "trap", card="wound")
    assert (state.life["blue"], state.points, GAME.to_act(state)) == (2, 2, ("blue",))
    assert walk(state, (0, 3), (0, 2)).pending.what == "trap"


A, B = (2, 2), (-2, 3)
GATES = corridors(tile(A, "teleporter"), tile(B, "teleporter"))


def test_a_teleporter_leads_to_another_free_one_at_no_cost() -> None:
    """CFA-42."""
    state = act(enter(manor=GATES, pawns={"blue": A}), "blue", "teleport", to=B)
    assert (state.pawns["blue"], state.points) == (B, 3)
    assert act(state, "blue", "teleport", to=A).pawns["blue"] == A
    assert refused(state, "blue", "teleport", to=(0, 2)).rule == "CFA-42"
    assert refused(enter(manor=GATES), "blue", "teleport", to=B).rule == "CFA-42"


def test_a_ghost_on_a_teleporter_takes_it_unless_the_table_thinks_otherwise() -> None:
    """CFA-42, CFA-Q21, CFA-T21."""
    there = {"manor": GATES, "pawns": {"blue": A}, "ghosts": [ghost("green", B)]}
    assert refused(enter(**there), "blue", "teleport", to=B).rule == "CFA-42"
    assert act(enter({"free_teleporter": "no_pawn"}, **there), "blue", "teleport", to=B).pawns["blue"] == B
    pawn = {"manor": GATES, "pawns": {"blue": A, "red": B}}
    assert refused(enter({"free_teleporter": "no_pawn"}, **pawn), "blue", "teleport", to=B).rule == "CFA-42"


def test_the_tele_portable_goes_to_any_teleporter() -> None:
    """CFA-62, CFA-Q21, CFA-T21: from anywhere, free or not, unless the table says it must be free."""
    there = {"manor": GATES, "hands": {"blue": ["teleportable"]}, "ghosts": [ghost("green", B)]}
    state = act(enter(**there), "blue", "use", card="teleportable", target=B)
    assert (state.pawns["blue"], state.points, state.used) == (B, 2, {"teleportable": 1})
    strict = enter({"teleportable_needs_free": True}, **there)
    assert legal(strict, "blue", "use") == [{"card": "teleportable", "target": (2, 2)}]
    assert refused(strict, "blue", "use", card="teleportable", target=B).rule == "CFA-62"


HALL = corridors((1, 3), tile((1, 4), "artefact", colour="blue"), tile((-1, 3), "artefact", colour="red"))


def test_only_its_own_colour_enters_an_artefact_tile_until_the_artefact_is_home() -> None:
    """CFA-43, CFA-Q22."""
    state = enter(manor=HALL, pawns={"blue": (0, 3), "red": (1, 3)})
    assert refused(state, "blue", "step", to=(-1, 3)).rule == "CFA-43"
    red = enter(manor=HALL, pawns={"blue": (0, 3), "red": (0, 3)}, to_act=["red"])
    assert act(red, "red", "step", to=(-1, 3)).pawns["red"] == (-1, 3)
    home = enter(manor=HALL, pawns={"blue": (0, 3)}, artefacts={"red": {"home": True}})
    assert act(home, "blue", "step", to=(-1, 3)).pawns["blue"] == (-1, 3)


def test_laying_an_artefact_tile_puts_its_artefact_on_it() -> None:
    """CFA-43."""
    artefact = {"id": "artefact-green-NESW-1", "kind": "artefact", "colour": "green", "exits": "NESW"}
    state = enter(phase="laying", open=[artefact], manor=corridors((1, 2)))
    assert act(state, "blue", "lay", tile=artefact["id"], at=(1, 3)).artefacts["green"].at == (1, 3)


def test_a_plain_tile_does_nothing() -> None:
    """CFA-45."""
    state, events = acted(enter(), "blue", "step", to=(0, 2))
    assert (tags(events), state.pending) == (["stepped"], None)


# Artefacts


def test_picking_up_is_free_and_makes_every_ghost_stronger() -> None:
    """CFA-44, CFA-Q23."""
    state = enter(
        manor=HALL, pawns={"blue": (1, 4)}, ghosts=[ghost("red", (4, 0)), ghost("red", (0, 0), n=2)]
    )
    state, events = acted(state, "blue", "pick")
    assert (state.points, state.artefacts["blue"].by, power(state)) == (3, "blue", {"red1": 3, "red2": 3})
    assert tags(events) == ["picked", "grew", "grew"]
    assert refused(state, "blue", "pick").rule == "CFA-44"


def test_an_artefact_is_home_on_any_square_of_the_cross_or_on_the_own_arm() -> None:
    """CFA-70, CFA-Q23."""
    there = {"manor": HALL, "pawns": {"blue": (2, 0)}, "artefacts": {"blue": {"by": "blue"}}}
    state, events = acted(enter(**there), "blue", "step", to=(1, 0))
    assert (state.artefacts["blue"].home, tags(events)) == (True, ["stepped", "home"])
    strict = walk(enter({"delivery_cell": "own_arm"}, **there), (1, 0), (0, 0))
    assert not strict.artefacts["blue"].home
    assert walk(strict, (0, 1)).artefacts["blue"].home


# Fights


def fighting(**changes):
    there = {
        "ghosts": [ghost("red", (0, 2), 4)],
        "pawns": {"blue": (0, 2)},
        "hands": {"blue": ["vacuum", "vacuum"]},
    }
    return enter(changes.pop("options", {}), **{**there, **changes})


def test_vacuums_and_life_take_power_and_at_nothing_the_ghost_is_gone() -> None:
    """CFA-60, CFA-T12: two vacuums and two life against power 4; the die is free, one life is left."""
    state, events = acted(fighting(), "blue", "fight", ghost="red1", vacuums=2, life=2)
    assert (state.ghosts, state.life["blue"], state.hands["blue"], state.used) == ((), 1, (), {"vacuum": 2})
    assert tags(events) == ["fought", "banished", "life"]
    assert (state.points, shows(state).dice["red"]) == (3, 2)


def test_a_wounded_ghost_goes_on() -> None:
    """CFA-60, CFA-T12: both vacuums only leave power 2, at the end it moves and has 3."""
    state = act(fighting(ghosts=[ghost("blue", (0, 2), 4)]), "blue", "fight", ghost="blue1", vacuums=2)
    assert power(state) == {"blue1": 2}
    assert power(end_turn(state)) == {"blue1": 3}


def test_a_crucifix_banishes_at_once_and_leaves_the_game() -> None:
    """CFA-60, CFA-62, CFA-T12."""
    state = act(fighting(hands={"blue": ["crucifix"]}), "blue", "fight", ghost="red1", crucifix=True)
    assert (state.ghosts, state.gone, state.used) == ((), {"crucifix": 1}, {})
    mixed = fighting(hands={"blue": ["crucifix", "vacuum"]})
    assert refused(mixed, "blue", "fight", ghost="red1", crucifix=True, vacuums=1).rule == "CFA-60"
    assert refused(fighting(), "blue", "fight", ghost="red1", crucifix=True).rule == "CFA-62"


@pytest.mark.parametrize(
    "means", [{}, {"vacuums": 3}, {"life": 4}, {"vacuums": 2, "life": 3}, {"vacuums": -1, "life": 2}]
)
def test_a_fight_needs_means_and_wastes_none(means) -> None:
    """CFA-60."""
    assert refused(fighting(), "blue", "fight", ghost="red1", **means).rule == "CFA-60"


def test_one_fight_a_turn_or_one_a_ghost() -> None:
    """CFA-22, CFA-Q3."""
    two = [ghost("red", (0, 2), 4), ghost("green", (0, 2), 2)]
    state = act(fighting(ghosts=two), "blue", "fight", ghost="red1", vacuums=1)
    assert refused(state, "blue", "fight", ghost="red1", vacuums=1).rule == "CFA-22"
    assert refused(state, "blue", "fight", ghost="green1", vacuums=1).rule == "CFA-22"
    each = act(
        fighting(options={"fights_per_turn": "per_ghost"}, ghosts=two),
        "blue",
        "fight",
        ghost="red1",
        vacuums=1,
    )
    assert power(act(each, "blue", "fight", ghost="green1", vacuums=1)) == {"green1": 1, "red1": 3}
    assert refused(each, "blue", "fight", ghost="red1", vacuums=1).rule == "CFA-22"


def test_only_a_ghost_on_the_same_square_can_be_fought() -> None:
    """CFA-60."""
    assert (
        refused(fighting(pawns={"blue": (0, 3)}), "blue", "fight", ghost="red1", vacuums=1).rule == "CFA-60"
    )
    assert refused(fighting(), "blue", "fight", ghost="nobody", vacuums=1).rule == "CFA-60"


def test_an_escaped_ghost_cannot_be_fought_unless_the_table_says_so() -> None:
    """CFA-52, CFA-Q11."""
    there = {"ghosts": [ghost("red", (0, 0), 1)], "pawns": {"blue": (0, 0)}}
    assert refused(fighting(**there), "blue", "fight", ghost="red1", vacuums=1).rule == "CFA-Q11"
    after = act(
        fighting(options={"fight_in_centre": True}, **there), "blue", "fight", ghost="red1", vacuums=1
    )
    assert shows(after).escaped == 0


# Death and return


def test_giving_the_last_point_of_life_is_death() -> None:
    """CFA-60, CFA-Q31, CFA-Q32: cards to the discard, the artefact dropped, the turn over."""
    state = fighting(life={"blue": 1}, artefacts={"blue": {"by": "blue"}}, hands={"blue": ["kit"]})
    state, events = acted(state, "blue", "fight", ghost="red1", life=1)
    assert (state.life["blue"], state.hands["blue"], state.used) == (0, (), {"kit": 1})
    assert (state.artefacts["blue"].at, state.artefacts["blue"].by) == ((0, 2), None)
    assert (GAME.to_act(state), tags(events)) == (("red",), ["fought", "life", "died", "dropped"])


def test_a_dropped_artefact_can_be_taken_by_anybody_and_strengthens_no_ghost_again() -> None:
    """CFA-Q32."""
    lying = {"blue": {"at": [0, 2], "picked": True}}
    state = enter(
        artefacts=lying,
        life={"blue": 0},
        pawns={"red": (0, 2)},
        ghosts=[ghost("red", (4, 0))],
        to_act=["red"],
    )
    state = act(state, "red", "pick")
    assert (state.artefacts["blue"].by, power(state)) == ("red", {"red1": 2})
    assert act(state, "red", "step", to=(0, 1)).artefacts["blue"].home


def test_the_leader_lays_for_the_dead_from_where_they_lie() -> None:
    """CFA-Q32: in the dead colour, reached from its pawn; a dead leader's neighbour decides."""
    spooky = {"id": "ghost-NESW-1", "kind": "ghost", "exits": "NESW"}
    plain = {"id": "plain-NESW-20", "kind": "plain", "exits": "NESW"}
    chained = {"red": {"by": "yellow"}, "blue": {"by": "yellow"}}
    state = enter(
        phase="laying",
        open=[spooky, plain, plain | {"id": "plain-NESW-19"}],
        active="red",
        life={"red": 0},
        artefacts=chained,
    )
    assert GAME.to_act(state) == ("blue",)
    state = act(state, "blue", "lay", tile=spooky["id"], at=(2, 1))
    assert (state.ghosts[0].colour, GAME.to_act(state)) == ("red", ("yellow",))
    dead_leader = enter(
        phase="laying", open=[plain], active="blue", life={"blue": 0}, to_act=["red"], artefacts=chained
    )
    assert GAME.to_act(dead_leader) == ("red",)


def test_a_chalice_brings_a_dead_ally_back_and_leaves_the_game() -> None:
    """CFA-62, CFA-Q33: from anywhere, where the pawn lies, with one life."""
    there = {"hands": {"blue": ["chalice"]}, "life": {"red": 0}, "pawns": {"red": (3, 0)}}
    state = act(enter(**there), "blue", "use", card="chalice", target="red")
    assert (state.life["red"], state.pawns["red"], state.gone, state.points) == (1, (3, 0), {"chalice": 1}, 2)
    assert act(state, "blue", "end").active == "red"
    kind = enter({"revive_life": 3, "revive_place": "own_arm"}, **there)
    state = act(kind, "blue", "use", card="chalice", target="red")
    assert (state.life["red"], state.pawns["red"]) == (3, (1, 0))
    assert refused(kind, "blue", "use", card="chalice", target="green").rule == "CFA-62"


def test_an_artefact_makes_ghosts_stronger_once_however_often_it_is_picked_up() -> None:
    """CFA-44, CFA-Q32: its own hunter dropped it and picks it up again: nothing grows."""
    here = tile((1, 3), "artefact", colour="blue")
    state = enter(
        manor=corridors((1, 2), here),
        pawns={"blue": (1, 3)},
        artefacts={"blue": {"at": (1, 3), "picked": True}},
        ghosts=[ghost("red", (4, 0), 3)],
    )
    after, events = acted(state, "blue", "pick")
    assert (power(after), tags(events)) == ({"red1": 3}, ["picked"])
    fresh = enter(manor=corridors((1, 2), here), pawns={"blue": (1, 3)}, ghosts=[ghost("red", (4, 0), 3)])
    assert power(act(fresh, "blue", "pick")) == {"red1": 4}
