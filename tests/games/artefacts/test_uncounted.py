"""A real box that nobody has counted: what turns up is right, and a surprise is said aloud."""

from __future__ import annotations

from collections import Counter
from random import Random
from typing import Any

import pytest

from companion.contract import MODERATOR, PUBLIC, TABLE, plain
from companion.games.artefacts import GAME
from companion.games.artefacts.box import INVENTED, tiles_of
from companion.games.artefacts.telling import tell
from tests.games.artefacts.house import (
    ARMS,
    COLOURS,
    COUNTED,
    WIDE,
    act,
    acted,
    enter,
    legal,
    refused,
    shows,
    start,
    tags,
    tile,
)

GUESS = plain(INVENTED)
REAL: dict[str, Any] = {
    **WIDE,
    "label": "a real box unlike the guess",
    "tiles": [
        {"kind": "plain", "exits": "NESW", "count": 4},
        {"kind": "plain", "exits": "N", "count": 9},
        {"kind": "trap", "exits": "NS", "count": 9},
        {"kind": "teleporter", "exits": "NE", "count": 8},
        {"kind": "ghost", "exits": "N", "count": 14},
        *({"kind": "artefact", "colour": colour, "exits": "NS"} for colour in COLOURS),
    ],
    "objects": {"vacuum": 1, "crucifix": 0, "chalice": 20, "kit": 0, "energy_bar": 0, "teleportable": 10},
    "traps": {"hole": 0, "wound": 12, "prankster": 0, "ghost": 0},
}


def drawing(**changes: Any):
    """Blue draws an object card from a real pile."""
    return act(enter({"box": GUESS}, **changes), "blue", "draw")


def test_a_fourth_chalice_is_taken_and_said_to_be_a_surprise() -> None:
    """CFA-3: three are gone by the guess, so there must be more."""
    state, heard = acted(drawing(piles={"gone": {"chalice": 3}}), TABLE, "drawn", card="chalice")
    assert state.hands["blue"] == ("chalice",)
    assert tags(heard) == ["surprise", "got"]
    assert "More than we thought: chalice" in tell(heard[0])
    box = state.options.box
    assert (box.objects["chalice"], sum(box.objects.values())) == (4, 31)
    # What there is most of makes room.
    assert box.objects["vacuum"] == INVENTED.objects["vacuum"] - 1
    assert GAME.problems(state) == ()


def test_what_the_guess_has_is_no_surprise() -> None:
    """CFA-3."""
    state, heard = acted(drawing(), TABLE, "drawn", card="chalice")
    assert (tags(heard), state.options.box) == (["got"], INVENTED)


def test_any_trap_card_may_come_until_the_pile_has_been_gone_through() -> None:
    """CFA-3, CFA-Q29: then all of them are known."""
    manor = [tile((0, 2), "trap"), tile((0, 3), "trap")]
    state = enter({"box": GUESS}, manor=manor, piles={"sprung": {"wound": 3}})
    state, heard = acted(act(state, "blue", "step", to=(0, 2)), TABLE, "trap", card="wound")
    assert tags(heard)[:2] == ["surprise", "sprung"]
    assert state.options.box.traps["wound"] == 4
    empty = enter({"box": GUESS}, manor=manor, piles={"sprung": {"wound": 12}, "traps": 0})
    empty = act(empty, "blue", "step", to=(0, 2))
    assert [each["card"] for each in legal(empty, TABLE, "trap")] == ["wound"]
    assert refused(empty, TABLE, "trap", card="hole").rule == "CFA-3"


def test_a_box_that_was_counted_has_no_more_than_it_has_and_a_repair_of_it_helps() -> None:
    """CFA-3: the refusal says what to do, and then the card can be told."""
    state = act(enter({"box": COUNTED}, piles={"gone": {"chalice": 3}}), "blue", "draw")
    assert "the box is wrong" in refused(state, TABLE, "drawn", card="chalice").message()
    objects = {**COUNTED["objects"], "chalice": 4, "vacuum": 11}
    mended = act(state, MODERATOR, "repair", set={"box": {**COUNTED, "objects": objects}})
    assert act(mended, TABLE, "drawn", card="chalice").hands["blue"] == ("chalice",)


def test_a_repair_may_say_more_than_the_guess_had() -> None:
    """CFA-3: the table is right; four chalices in the hands are four in the box."""
    hands = {"blue": ["chalice", "chalice", "chalice"], "red": ["chalice"]}
    mended = act(enter({"box": GUESS}), MODERATOR, "repair", set={"hands": hands})
    assert mended.options.box.objects["chalice"] == 4
    assert sum(mended.options.box.objects.values()) == 31
    told = refused(enter({"box": COUNTED}), MODERATOR, "repair", set={"hands": hands})
    assert "1 too many" in told.message()


def test_more_cards_than_31_are_too_many_for_any_box() -> None:
    """CFA-1: the sums are known even where nothing else is."""
    used = {"vacuum": 32}
    assert (
        "too many"
        in refused(enter({"box": GUESS}), MODERATOR, "repair", set={"piles": {"used": used}}).message()
    )


def test_a_tile_that_the_guess_lacks_takes_the_place_of_another() -> None:
    """CFA-2: a trap in a dead end; 48 tiles stay 48, and the next of its sort has a name of its own."""
    state = start()
    for n in (1, 2):
        told = next(a for a in legal(state, TABLE, "reveal") if a["tiles"][0]["id"] == f"trap-E-{n}")
        state, heard = acted(state, TABLE, "reveal", **told)
        assert tags(heard) == ["surprise", "revealed"]
    assert [each.id for each in state.open] == ["trap-E-1", "trap-E-2"]
    kinds = Counter(each.kind for each in tiles_of(state.options.box).values())
    assert (kinds.total(), kinds["trap"], kinds["artefact"]) == (48, 8, 4)
    assert len(state.pile) == 42
    assert GAME.box_problems(state.options.box) == ()


def test_of_artefact_tiles_there_is_one_a_colour_however_it_looks() -> None:
    """CFA-2: a blue one in a dead end stands for the blue one; a second blue one is refused."""
    state = enter({"box": GUESS}, phase="laying", to_act=["table"])
    blue = {"id": "artefact-blue-E-1", "kind": "artefact", "colour": "blue", "exits": "N"}
    state = act(state, TABLE, "reveal", tiles=[blue])
    assert refused(state, TABLE, "reveal", tiles=[blue]).rule == "CFA-2"
    assert not [id for id in state.pile if id.startswith("artefact-blue")]


def test_hunters_begin_with_the_tiles_they_say_they_have() -> None:
    """CFA-12: a four-exit tile need not be plain."""
    state = start(first_tiles={"red": "trap", "green": "teleporter"}, box=COUNTED)
    assert [state.held[colour][0].kind for colour in COLOURS] == ["plain", "trap", "plain", "teleporter"]
    assert all(len(tiles[0].exits) == 4 for tiles in state.held.values())
    four = start(first_tiles=dict.fromkeys(COLOURS, "teleporter"))
    assert {four.held[colour][0].kind for colour in COLOURS} == {"teleporter"}
    with pytest.raises(Exception, match="too few four-exit tiles"):
        start(first_tiles=dict.fromkeys(COLOURS, "teleporter"), box=COUNTED)


def test_the_tiles_of_the_beginning_are_told_anew_in_a_rematch() -> None:
    """CFA-12: what was dealt today says nothing about the next game."""
    over = enter({"first_tiles": {"red": "trap"}}, life=dict.fromkeys(COLOURS, 0))
    assert "first_tiles" not in GAME.rematch(over)


def test_a_box_is_learned_when_all_its_piles_have_been_gone_through() -> None:
    """CFA-1 to CFA-3: with real decks; what the companion drew from its own guess teaches nothing."""
    known = enter({"box": {**GUESS, "unknown": ["tiles"]}}, phase="laying", to_act=["table"], piles={})
    assert GAME.learn_box(GAME.view(known, PUBLIC)) is None
    assert GAME.learn_box(GAME.view(start(decks="virtual"), PUBLIC)) is None
    assert GAME.learn_box(GAME.view(start(box=COUNTED), PUBLIC)) == start(box=COUNTED).options.box
    empty = enter({"box": GUESS, "decks": "virtual"}, piles={"objects": 0, "used": {"kit": 2}})
    assert "objects" in act(empty, "blue", "draw").options.box.unknown
    told = enter({"box": GUESS}, piles={"objects": 0, "used": {"kit": 2}})
    assert "objects" not in act(told, "blue", "draw").options.box.unknown


@pytest.mark.parametrize("seed", range(6))
def test_a_whole_evening_with_a_real_box_unlike_the_guess_never_gets_stuck(seed: int) -> None:
    """CFA-2, CFA-3, CFA-71: the piles are those of the real box, and every telling is taken."""
    chance = Random(seed)
    tiles = list(tiles_of(start(box=REAL).options.box).values())
    chance.shuffle(tiles)
    objects, traps = (list(Counter(REAL[deck]).elements()) for deck in ("objects", "traps"))
    chance.shuffle(objects)
    chance.shuffle(traps)
    state = start()
    tiles = _dealt(tiles)
    steps = surprises = 0
    while waiting := GAME.to_act(state):
        steps += 1
        seat = chance.choice(waiting)
        if seat != TABLE:
            action = chance.choice(GAME.legal(state, seat))
        else:
            action = _told(state, tiles, objects, traps)
        state, heard = GAME.apply(state, seat, action)
        surprises += sum(plain(event)["type"] == "surprise" for event in heard)
        assert GAME.problems(state) == ()
        if steps % 25 == 0:
            shown = shows(state, MODERATOR)
            assert len(shown.piles.discarded) + len(shown.manor) <= 48
            assert GAME.view(state, PUBLIC).knows == state
    assert state.result is not None
    assert surprises > 5


def _dealt(tiles: list[Any]) -> list[Any]:
    """The real pile without the four that hunters begin with: four plain ones with four exits."""
    first = [each for each in tiles if (each.kind, each.exits) == ("plain", "NESW")][:4]
    assert len(first) == len(ARMS)
    return [each for each in tiles if each not in first]


def _told(state: Any, tiles: list[Any], objects: list[str], traps: list[str]) -> Any:
    """What a person says who turns up the next real tile or card; names are as the companion lists them."""
    legal_now = GAME.legal(state, TABLE)
    match state.pending.what:
        case "reveal":
            drafting = state.phase == "drafting"
            at = next(
                n for n, each in enumerate(tiles) if not (drafting and each.kind in ("ghost", "artefact"))
            )
            seen = tiles[at]
            found = next(
                a
                for a in legal_now
                if (a.tiles[0].kind, a.tiles[0].colour, a.tiles[0].exits)
                == (seen.kind, seen.colour, seen.exits)
            )
            del tiles[at]
            return found
        case "drawn":
            card = objects.pop() if objects else legal_now[0].card
            return next(a for a in legal_now if a.card == card)
    card = traps.pop() if traps else legal_now[0].card
    return next(a for a in legal_now if a.card == card)
