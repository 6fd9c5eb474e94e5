"""Object cards and trap cards: hands, discards, reshuffles, effects."""

from __future__ import annotations

import pytest

from companion.contract import TABLE
from companion.games.artefacts import GAME
from tests.games.artefacts.house import (
    act,
    acted,
    corridors,
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

TRAP = corridors(tile((0, 2), "trap"))


def sprung(card, **changes):
    """Blue steps on a trap, and this is the card."""
    state = act(enter(changes.pop("options", {}), manor=TRAP, **changes), "blue", "step", to=(0, 2))
    return acted(state, TABLE, "trap", card=card)


def test_a_full_hand_draws_nothing_and_pays_nothing() -> None:
    """CFA-61, CFA-T17, CFA-Q30."""
    state = enter(hands={"blue": ["kit", "kit", "vacuum"]})
    assert refused(state, "blue", "draw").rule == "CFA-61"
    assert state.points == 3


def test_a_table_may_draw_first_and_discard_then() -> None:
    """CFA-61, CFA-Q30."""
    state = enter({"draw_at_limit": "draw_then_discard"}, hands={"blue": ["kit", "kit", "vacuum"]})
    state = act(act(state, "blue", "draw"), TABLE, "drawn", card="chalice")
    assert (GAME.to_act(state), state.pending.what) == (("blue",), "give")
    assert [each["card"] for each in legal(state, "blue", "give")] == ["chalice", "kit", "vacuum"]
    assert refused(state, "blue", "give", card="crucifix").rule == "CFA-64"
    state = act(state, "blue", "give", card="kit")
    assert (state.hands["blue"], state.used) == (("chalice", "kit", "vacuum"), {"kit": 1})


def test_no_more_cards_come_than_the_box_has() -> None:
    """CFA-3: three crucifixes are in hands, so none can be drawn."""
    state = act(enter(hands={"red": ["crucifix"] * 3}), "blue", "draw")
    assert "crucifix" not in {each["card"] for each in legal(state, TABLE, "drawn")}
    assert refused(state, TABLE, "drawn", card="crucifix").rule == "CFA-3"


def test_an_empty_pile_is_made_anew_from_the_discard() -> None:
    """CFA-63."""
    state, events = acted(enter(piles={"objects": 0, "used": {"kit": 2}}), "blue", "draw")
    assert (tags(events), state.objects, state.used) == (["drew", "reshuffled"], {"kit": 2}, {})
    assert act(state, TABLE, "drawn", card="kit").hands["blue"] == ("kit",)


def test_without_pile_and_discard_nothing_is_drawn() -> None:
    """CFA-Q30."""
    assert refused(enter(piles={"objects": 0}), "blue", "draw").rule == "CFA-Q30"


def test_used_cards_go_to_the_discard_and_holy_ones_out_of_the_game() -> None:
    """CFA-63."""
    state = act(enter(hands={"blue": ["kit"]}), "blue", "use", card="kit")
    assert (state.used, state.gone) == ({"kit": 1}, {})
    dead = enter(hands={"blue": ["chalice"]}, life={"red": 0})
    state = act(dead, "blue", "use", card="chalice", target="red")
    assert (state.used, state.gone) == ({}, {"chalice": 1})


@pytest.mark.parametrize(("life", "after"), [(1, 2), (2, 3), (3, 3)])
def test_a_kit_heals_one_point_and_never_above_three(life, after) -> None:
    """CFA-62, CFA-T2, CFA-Q31."""
    state = enter(hands={"blue": ["kit"]}, life={"blue": life})
    assert act(state, "blue", "use", card="kit").life["blue"] == after


def test_a_kit_may_heal_whoever_stands_on_the_same_tile() -> None:
    """CFA-Q31: if the table says so."""
    there = {"hands": {"blue": ["kit"]}, "life": {"red": 1}, "pawns": {"blue": (1, 0)}}
    state = enter({"kit_target": "same_tile"}, **there)
    assert [each["target"] for each in legal(state, "blue", "use")] == ["blue", "red"]
    assert act(state, "blue", "use", card="kit", target="red").life["red"] == 2
    assert refused(enter(**there), "blue", "use", card="kit", target="red").rule == "CFA-62"


def test_the_most_life_is_for_the_table_to_say() -> None:
    """CFA-Q31."""
    state = enter({"max_life": 5}, hands={"blue": ["kit"]}, life={"blue": 4})
    assert act(state, "blue", "use", card="kit").life["blue"] == 5


def test_weapons_are_for_fights() -> None:
    """CFA-62."""
    state = enter(hands={"blue": ["vacuum", "crucifix"]})
    for card in ("vacuum", "crucifix"):
        assert refused(state, "blue", "use", card=card).rule == "CFA-62"
    assert refused(state, "blue", "use", card="kit").rule == "CFA-62"


def test_a_hole_sends_back_to_the_own_arm() -> None:
    """CFA-64."""
    state, events = sprung("hole")
    assert (state.pawns["blue"], tags(events)) == ((0, 1), ["sprung", "sent_home"])


def test_a_hole_delivers_what_is_carried_or_leaves_it_behind() -> None:
    """CFA-64, CFA-Q24."""
    carrying = {"artefacts": {"blue": {"by": "blue"}}}
    assert sprung("hole", **carrying)[0].artefacts["blue"].home
    left = sprung("hole", options={"hole_delivers": "artefact_left_behind"}, **carrying)[0]
    assert (left.artefacts["blue"].at, left.pawns["blue"]) == ((0, 2), (0, 1))


def test_a_wound_costs_a_life_and_may_kill() -> None:
    """CFA-64."""
    assert sprung("wound")[0].life["blue"] == 2
    state, events = sprung("wound", life={"blue": 1})
    assert (state.life["blue"], GAME.to_act(state), tags(events)) == (0, ("red",), ["sprung", "life", "died"])


def test_a_prankster_takes_a_card_of_the_victims_choice() -> None:
    """CFA-64, CFA-Q29: with an empty hand nothing happens."""
    state = sprung("prankster", hands={"blue": ["kit", "vacuum"]})[0]
    assert refused(state, "blue", "end").message().startswith("first something else")
    state = act(state, "blue", "give", card="kit")
    assert (state.hands["blue"], state.used, GAME.to_act(state)) == (("vacuum",), {"kit": 1}, ("blue",))
    assert sprung("prankster")[0].pending is None


def test_a_ghost_trap_wakes_a_ghost_at_the_end_of_the_corridor() -> None:
    """CFA-64, CFA-40: in the victim's colour, overflow to the left."""
    assert where(sprung("ghost")[0], "blue1") == (0, 4)
    used = [ghost("blue", (2, 0)), ghost("blue", (3, 0), n=2)]
    state = sprung("ghost", ghosts=used)[0]
    assert (where(state, "red1"), power(state)["red1"]) == ((0, 4), 2)


def test_an_empty_trap_pile_is_made_anew() -> None:
    """CFA-Q29."""
    state = enter(
        manor=TRAP, piles={"traps": 0, "sprung": {"hole": 3, "wound": 3, "prankster": 3, "ghost": 3}}
    )
    state, events = acted(state, "blue", "step", to=(0, 2))
    assert (tags(events), sum(state.traps.values())) == (["stepped", "reshuffled"], 12)


def test_no_more_traps_come_than_the_box_has() -> None:
    """CFA-3."""
    state = act(enter(manor=TRAP, piles={"sprung": {"hole": 3}}), "blue", "step", to=(0, 2))
    assert refused(state, TABLE, "trap", card="hole").rule == "CFA-3"


def test_private_hands_are_seen_by_their_own_seat_and_the_moderator_alone() -> None:
    """CFA-61: not by whoever runs the evening, not by the table, not by an ally."""
    state = enter({"hands": "private", "decks": "virtual"}, hands={"blue": ["kit"], "red": ["vacuum"]})
    seen = {seat: shows(state, seat).hands for seat in ("blue", "red", "public", "host", "moderator")}
    assert [seat for seat in seen if seen[seat]["blue"] is not None] == ["blue", "moderator"]
    assert [seat for seat in seen if seen[seat]["red"] is not None] == ["red", "moderator"]
    assert {str(GAME.view(state, seat).knows.hands["blue"]) for seat in ("red", "public", "host")} == {
        "('?',)"
    }
