"""Presets, and that every option has the default of the rules."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from companion.contract import read_options
from companion.games.phantom import GAME
from companion.games.phantom.options import PRESETS, Options
from companion.refusals import Malformed
from tests.games.phantom.hotel import LAYOUT, new


def options(**given: Any) -> Options:
    return read_options(GAME, given)  # type: ignore[no-any-return]


def test_defaults_are_those_of_the_rules() -> None:
    """PS-Q2, PS-Q3, PS-Q4, PS-Q5, PS-Q6, PS-Q7, PS-Q12, PS-Q13, PS-Q16, PS-Q17, PS-Q18, PS-Q21."""
    expected = {
        "master_without_ghosts": "partner_plays",
        "blocked_master": "pass",
        "tiles_3p": "hunter_two_colours",
        "first_master": "left_of_first_hunter",
        "reach": "straight_first_tile",
        "friendly_fire": "legal",
        "pass_if_only_allied_tiles": False,
        "tournament_points_to": "game_winner",
        "tournament_packs": "random",
        "bid_timing": "after_board",
        "masters_see_all_ghosts": True,
        "show_ghosts_to_masters": "always",
        "show_removal_log": "public",
        "illegal_removal": "undo",
        "hunter_may_pass": False,
        "map": "off",
        "keeper": "companion",
        "privacy": "fair",
    }
    given = msgspec.to_builtins(options())
    assert {name: given[name] for name in expected} == expected


@pytest.mark.parametrize("preset", PRESETS)
def test_a_preset_sets_what_it_says_and_starts_a_game(preset: str) -> None:
    chosen = msgspec.to_builtins(options(preset=preset))
    assert {name: chosen[name] for name in PRESETS[preset]} == PRESETS[preset]
    assert new(preset=preset).phase in ("hiding", "bidding")


def test_there_are_presets_for_a_family_for_the_booklet_and_for_experts() -> None:
    assert set(PRESETS) == {"family", "as_printed", "expert"}


def test_an_option_given_beside_a_preset_wins() -> None:
    assert options(preset="family", friendly_fire="legal").friendly_fire == "legal"
    assert options(preset="family", friendly_fire="legal").privacy == "learning"


def test_masters_use_the_boards_buttons_only_where_it_tells_nothing() -> None:
    """PS-Q9: in a learning game all is seen anyhow."""
    assert not options().buttons_for_masters
    assert options(privacy="learning").buttons_for_masters
    assert options(masters_use_buttons=True).buttons_for_masters
    assert not options(privacy="learning", masters_use_buttons=False).buttons_for_masters


@pytest.mark.parametrize(
    "given",
    [
        {"nonsense": 1},
        {"preset": "nonsense"},
        {"friendly_fire": True},
        {"hunter_may_pass": "yes"},
        {"hunter_may_pass": 1},
        {"players": "4"},
        {"players": None},
        {"objective": 45.5},
        {"layout": [["blue", 0]] * 36},
        {"layout": [["pink", 1]] * 36},
        {"tiles": {"pink": [1] * 9}},
        {"tournament": {"games": 0}},
        {"tournament": {"games": 100}},
        {"tournament": {}},
        {"packs": {"p1": "C"}},
        {"masters_see_all_ghosts": "all"},
    ],
)
def test_options_of_the_wrong_shape_are_refused(given: dict[str, Any]) -> None:
    with pytest.raises(Malformed):
        options(**given)


def test_options_survive_json() -> None:
    chosen = options(layout=LAYOUT, preset="expert", tournament={"games": 3})
    assert msgspec.json.decode(msgspec.json.encode(chosen), type=Options) == chosen
