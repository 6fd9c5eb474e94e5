"""What a removal does, by ghosts and by hunters."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from companion.games.phantom import GAME
from companion.games.phantom.actions import Over, Pass, Remove, Removed, Revealed
from companion.games.phantom.state import State
from companion.refusals import Illegal
from tests.games.phantom.hotel import GHOSTS, aims, all_but, enter, hunt, play, position, room, told

CORNERED = position(all_but("B2 C4 D3"), {"white": "E5 p2 found"}, to_act=["p4"])
"""Three tiles left: all that p4's ghosts reach is each other."""


def refusal(state: State, seat: str, where: str) -> Illegal:
    with pytest.raises(Illegal) as caught:
        GAME.apply(state, seat, Remove(room(where)))
    return caught.value


def test_a_master_may_not_use_his_partners_ghosts() -> None:
    """PS-T9, PS-50: only p4's red reaches D3."""
    assert refusal(hunt(), "p2", "D3").rule == "PS-52"


def test_devastating_an_allied_ghosts_tile_reveals_it() -> None:
    """PS-T9, PS-54, PS-70, PS-Q6: no damage, whoever did it."""
    state = play(hunt(), "p2 A1", "p3 F6")
    after = play(state, "p4 D3")
    assert after.ghosts[2].revealed
    assert after.damage == state.damage
    assert told(state, "p4", Remove(room("D3"))) == [
        Removed("p4", room("D3"), "green", 3, 0, state.damage), Revealed("green", room("D3"))
    ]  # fmt: skip


def test_a_tile_out_of_reach_is_refused() -> None:
    """PS-T10, PS-50."""
    state = play(hunt(), "p2 A1", "p3 F6")
    assert refusal(state, "p4", "E5").rule == "PS-52"


def test_a_ghost_cannot_remove_its_own_tile() -> None:
    """PS-T10, PS-55: and white on E5 does not reach B2 either."""
    assert refusal(hunt(), "p2", "B2").rule == "PS-52"


def test_a_master_may_remove_the_tile_over_his_own_other_ghost() -> None:
    """PS-55, PS-Q6."""
    state = hunt({**GHOSTS, "white": "D4", "blue": "C3"})
    assert "D4" in aims(state, "p2").split()
    assert play(state, "p2 D4").ghosts[3].revealed


def test_the_acting_ghost_is_named_nowhere() -> None:
    """PS-50, PS-Q9: a removal has no ghost in it, nor have its events."""
    assert Remove.__struct_fields__ == ("room",)
    events = msgspec.to_builtins(told(hunt(), "p2", Remove(room("B3"))))
    assert events == [
        {"type": "removed", "by": "p2", "room": 9, "colour": "blue", "value": 6, "added": 6, "damage": 6}
    ]


def test_a_hunter_removes_any_tile() -> None:
    """PS-60."""
    state = play(hunt(), "p2 B3")
    assert [move.room for move in GAME.legal(state, "p3")] == [n for n in range(1, 37) if n != room("B3")]


def test_a_removed_tile_leaves_the_board() -> None:
    """PS-56, PS-40: one tile a turn."""
    state = play(hunt(), "p2 B3")
    assert GAME.view(state, "public").shows.rooms[room("B3") - 1] is None
    assert state.tiles.bit_count() == 35
    assert refusal(state, "p3", "B3").rule == "PS-56"


@pytest.mark.parametrize("number", [0, 37, -1, 2**70])
def test_a_room_outside_the_hotel_is_refused(number: int) -> None:
    """PS-1."""
    for state, seat in ((hunt(), "p2"), (play(hunt(), "p2 B3"), "p3")):
        with pytest.raises(Illegal) as caught:
            GAME.apply(state, seat, Remove(number))
        assert caught.value.rule == "PS-1"


def test_a_tile_over_nothing_counts_whoever_removed_it() -> None:
    """PS-71, PS-Q10."""
    state = play(hunt(), "p2 B3")
    assert state.damage == 6
    assert play(state, "p3 B4").damage == 10


def test_a_found_ghost_stays_visible_and_its_tile_never_counts() -> None:
    """PS-70, PS-T21, PS-Q10."""
    state = play(hunt(), "p2 B3", "p3 E5")
    seen = GAME.view(state, "public").shows.ghosts["white"]
    assert (seen.revealed, seen.room, state.damage) == (True, room("E5"), 6)
    assert state.removed[-1].ghost == "white"


def test_a_found_ghost_never_acts_again() -> None:
    """PS-70, PS-50: with white found, p2 has blue alone."""
    state = play(hunt(), "p2 B3", "p3 E5", "p4 E3", "p1 F6")
    assert aims(state, "p2") == "A1 A2 A3 B1 B4 C1 C2 C3"


def test_a_found_ghost_clears_its_colour() -> None:
    """PS-72: no other white tile hides a ghost, in any world."""
    state = play(hunt(), "p2 B3", "p3 E5")
    chances = GAME.odds(GAME.view(state, "public")).rooms
    assert {chances[number] for number in chances if state.laid[number].colour == "white"} == {0}  # type: ignore[union-attr]


def test_a_removal_finds_a_ghost_or_counts_never_both() -> None:
    """PS-73: so the fourth find and the objective cannot come together."""
    found = {"blue": "B2 p2 found", "red": "C4 p4 found", "green": "D3 p4 found"}
    state = enter(position("B2 C4 D3", found, damage=44, to_act=["p3"]))
    assert told(state, "p3", Remove(room("E5")))[-1] == Over("hunters", "all_revealed")
    assert told(state, "p3", Remove(room("A1")))[-1] == Over("ghosts", "damage")
    assert play(state, "p3 E5").damage == 44


def test_friendly_fire_may_be_forbidden() -> None:
    """PS-Q6: `friendly_fire=forbidden`; the master, and only he, is told why."""
    state = play(hunt(friendly_fire="forbidden"), "p2 A1", "p3 F6")
    assert "D3" not in aims(state, "p4").split()
    assert refusal(state, "p4", "D3").rule == "PS-Q6"


def test_own_only_does_not_protect_ghosts_the_master_cannot_know() -> None:
    """PS-Q6, PS-Q16: a refusal would tell p2 where his partner's ghost is."""
    ghosts = {**GHOSTS, "red": "C4", "blue": "C3", "green": "D2"}
    state = hunt(ghosts, friendly_fire="forbidden", masters_see_all_ghosts="own_only")
    assert {"C4", "D2"} <= set(aims(state, "p2").split())


def test_a_master_must_devastate_allied_tiles_if_he_reaches_nothing_else() -> None:
    """PS-Q7: strict by default."""
    state = enter(CORNERED)
    assert aims(state, "p4") == "C4 D3"
    with pytest.raises(Illegal):
        GAME.apply(state, "p4", Pass())


@pytest.mark.parametrize("options", [{"pass_if_only_allied_tiles": True}, {"friendly_fire": "forbidden"}])
def test_a_master_who_reaches_only_allied_tiles_may_be_spared(options: dict[str, Any]) -> None:
    """PS-Q7, PS-Q6: `pass_if_only_allied_tiles`."""
    state = enter(CORNERED, **options)
    assert aims(state, "p4") == "pass"
    assert refusal(state, "p4", "D3").code == "illegal"
    assert play(state, "p4 pass").movers == ("p1",)


def test_allied_tiles_are_legal_beside_others_even_where_a_pass_is_allowed() -> None:
    """PS-Q7: the option speaks of a master who reaches *only* allied tiles."""
    state = play(hunt(pass_if_only_allied_tiles=True), "p2 A1", "p3 F6")
    assert "D3" in aims(state, "p4").split()


def test_everybody_can_look_up_who_removed_what() -> None:
    """PS-123."""
    state = play(hunt(), "p2 B3", "p3 B4")
    assert [(line.by, line.room) for line in GAME.view(state, "p1").shows.removed] == [("p2", 9), ("p3", 10)]
