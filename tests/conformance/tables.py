"""Tables to try each game at: sets of options that together take every branch of its rules.

A game that is not listed is tried with its defaults and each of its presets.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from companion import games

Options = dict[str, Any]

COLOURS = ("blue", "red", "green", "white")
LAYOUT = [(COLOURS[room % 4], room % 6 + 1) for room in range(36)]
"""A board on which every tile has four neighbours of other colours."""
QUARTERS = [(COLOURS[room // 18 * 2 + room % 6 // 3], room % 6 + 1) for room in range(36)]
FRAMES = {"bats": 2, "cats": 2, "hedgehogs": 3, "mice": 1, "owls": 2}

PHANTOM: list[Options] = [
    {},
    {"players": 2},
    {"players": 3, "tiles": {colour: [1, 1, 2, 2, 3, 4, 5, 6, 6] for colour in COLOURS}},
    {"players": 3, "tiles_3p": "shared_fourth_colour"},
    {"deal": True},
    {"players": 3, "deal": True, "tiles": {colour: [1, 1, 2, 2, 3, 4, 5, 6, 6] for colour in COLOURS}},
    {"trays": {"blue": "p4", "red": "p3", "green": "p2", "white": "p1"}},
    {"layout": LAYOUT},
    {"layout": LAYOUT, "owners": {"blue": "p2", "red": "p2", "green": "p4", "white": "p4"}},
    {"layout": LAYOUT, "masters_see_all_ghosts": "own_only", "objective": 216},
    {
        "layout": QUARTERS,
        "masters_see_all_ghosts": "own_only",
        "owners": {"blue": "p2", "red": "p4", "green": "p4", "white": "p2"},
        "friendly_fire": "forbidden",
        "objective": 150,
    },
    {"layout": QUARTERS, "players": 2, "objective": 216, "privacy": "eyes_closed"},
    {"layout": QUARTERS, "players": 3, "objective": 216, "blocked_master": "partner_plays"},
    {"layout": LAYOUT, "objective": 216, "master_without_ghosts": "skip_turn", "privacy": "learning"},
    {"layout": QUARTERS, "objective": 216, "reach": "flood_fill", "hunter_may_pass": True},
    {"layout": QUARTERS, "objective": 216, "friendly_fire": "forbidden", "blocked_master": "partner_plays"},
    {"layout": LAYOUT, "objective": 216, "pass_if_only_allied_tiles": True},
    {"layout": LAYOUT, "first_master": "chosen", "first_seat": "p4", "show_removal_log": "hidden_until_end"},
    {"layout": LAYOUT, "keeper": "honour"},
    {"layout": QUARTERS, "keeper": "honour", "players": 3, "objective": 150},
    {"layout": LAYOUT, "keeper": "honour", "master_without_ghosts": "skip_turn", "objective": 150},
    {"layout": LAYOUT, "keeper": "both", "show_ghosts_to_masters": "never_after_setup"},
    {"layout": LAYOUT, "master_game": True},
    {"layout": LAYOUT, "master_game": True, "players": 3},
    {"layout": LAYOUT, "master_game": True, "players": 2, "packs": {"p1": "B"}},
    {"master_game": True, "bid_timing": "before_board", "tournament": {"games": 2}},
    {"preset": "family"},
    {"preset": "as_printed"},
    {"preset": "expert", "layout": QUARTERS},
]

CANTERVILLE: list[Options] = [
    {"hunters": 1, "frames": FRAMES},
    {"hunters": 2, "frames": FRAMES, "chimney": True, "door": True, "trap": "h1"},
    {"hunters": 3, "frames": FRAMES},
    {"hunters": 4, "frames": FRAMES, "door": True, "x2": 0, "pause": 1},
    {"hunters": 2, "frames": FRAMES, "preset": "expert"},
    {"hunters": 3, "frames": FRAMES, "trap": "h2", "trap_where": "own_or_adjacent", "door": True},
]

ARTEFACTS: list[Options] = [
    {"decks": "virtual"},
    {"decks": "real"},
    {"preset": "expert", "draw_at_limit": "draw_then_discard"},
    {
        "decks": "virtual",
        "rotation": False,
        "ghost_tiebreak": "leader",
        "kit_target": "same_tile",
        "fights_per_turn": "per_ghost",
        "object_uses_per_turn": "unlimited",
    },
]

KNOWN = {"phantom": PHANTOM, "canterville": CANTERVILLE, "artefacts": ARTEFACTS}


def options_to_try(name: str) -> list[Options]:
    """The sets of options that a game is tried with."""
    presets = [{"preset": preset} for preset in games.find(name).presets]
    return KNOWN.get(name, [{}, *presets])


class Seating(NamedTuple):
    """A game and what its table agreed on."""

    name: str
    options: Options

    def __repr__(self) -> str:
        return f"{self.name} { ({k: v for k, v in self.options.items() if k not in ('layout', 'frames')}) }"


TABLES = [Seating(name, options) for name in games.names() for options in options_to_try(name)]
