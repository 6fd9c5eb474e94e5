"""What a table agrees on before a game of Chasseurs Fantômes Artéfacts, checked."""

from __future__ import annotations

from typing import Annotated, Any, Literal

import msgspec

from companion.contract import plain
from companion.games.artefacts import box as boxes
from companion.games.artefacts.box import INVENTED, Box
from companion.games.artefacts.manor import ARMS, COLOURS, Colour, Side, Square
from companion.refusals import Illegal

Cost = Annotated[int, msgspec.Meta(ge=0, le=3)]
POINTS = 3
"""Action points of a turn. CFA-22."""
HAND = 3
"""Object cards in a hand. CFA-61."""
ESCAPES = 3
"""So many ghosts escaped and the game is lost. CFA-71."""
STRONGEST = 6
"""Power is the face of a die. CFA-53."""


USUAL_ARMS: dict[Colour, Side] = {"blue": "N", "red": "E", "yellow": "S", "green": "W"}
"""Where each colour's arm points; nobody knows how the cross is printed. CFA-10."""


class Costs(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Action points each object card costs. CFA-Q2."""

    vacuum: Cost = 0
    crucifix: Cost = 0
    kit: Cost = 1
    chalice: Cost = 1
    energy_bar: Cost = 0
    teleportable: Cost = 1


class Options(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Every choice, each with the default of the rules file."""

    players: int = 4
    preset: Literal["family", "no_cards", "expert"] | None = None
    decks: Literal["real", "virtual"] = "real"
    box: Box = INVENTED
    leader: Colour | None = None
    seating: tuple[Colour, ...] = COLOURS
    arms: dict[Colour, Side] = msgspec.field(default_factory=lambda: dict(USUAL_ARMS))
    fewer_players: Literal["control_several", "reduced_colours"] = "control_several"
    cost: Costs = Costs()
    object_uses_per_turn: Literal[1, "unlimited"] = 1
    fights_per_turn: Literal[1, "per_ghost"] = 1
    ghost_tiebreak: Literal["fewest_turns_then_leader", "leader"] = "fewest_turns_then_leader"
    ghost_no_route: Literal["stay", "use_nearest_door"] = "stay"
    out_of_dice: Literal["when_needed", "when_stock_empty"] = "when_needed"
    fight_in_centre: bool = False
    rotation: bool = True
    cross_sides: Literal["wall", "ignore"] = "wall"
    teleporter_connects: bool = False
    setup_straight: bool = False
    unlayable_artefact: Literal["return", "discard"] = "return"
    free_teleporter: Literal["no_pawn_no_ghost", "no_pawn"] = "no_pawn_no_ghost"
    teleportable_needs_free: bool = False
    artefact_tile_blocks_ghosts: bool = False
    delivery_cell: Literal["any_cross_cell", "own_arm"] = "any_cross_cell"
    hole_delivers: bool | Literal["artefact_left_behind"] = True
    win_needs_all_pawns_on_cross: bool = False
    ghost_trap_victim: Literal["player", "none"] = "player"
    draw_at_limit: Literal["refuse", "draw_then_discard"] = "refuse"
    max_life: Annotated[int, msgspec.Meta(ge=1, le=12)] = 3
    kit_target: Literal["self", "same_tile"] = "self"
    revive_life: Annotated[int, msgspec.Meta(ge=1, le=12)] = 1
    revive_place: Literal["tile", "own_arm"] = "tile"
    hands: Literal["open", "private"] = "open"

    def arm(self, colour: Colour) -> Square:
        """The arm of the cross in a colour. CFA-10."""
        return ARMS[self.arms[colour]]

    @property
    def first_leader(self) -> Colour:
        """Who leads first: the youngest. CFA-15."""
        return self.leader or self.seating[0]

    def clockwise(self, colour: Colour) -> tuple[Colour, ...]:
        """The colours clockwise, beginning with one of them. The next one sits to its left."""
        start = self.seating.index(colour)
        return self.seating[start:] + self.seating[:start]

    def people(self) -> dict[str, int]:
        """Which person runs which colour, dealt clockwise: one to four people run all four. CFA-Q1."""
        return {colour: number % self.players + 1 for number, colour in enumerate(self.seating)}


PRESETS: dict[str, dict[str, Any]] = {
    "family": {"draw_at_limit": "draw_then_discard", "kit_target": "same_tile", "revive_life": 3},
    "no_cards": {"decks": "virtual"},
    "expert": {
        "decks": "virtual",
        "hands": "private",
        "out_of_dice": "when_stock_empty",
        "win_needs_all_pawns_on_cross": True,
    },
}
"""Sets of options by name; an option given beside a preset wins over it."""


def check(options: Options) -> None:
    """Refuse options that contradict each other or the game, saying which and what to do."""
    if not 1 <= options.players <= len(COLOURS):
        raise Illegal("artefacts.players", rule="CFA-Q1", players=options.players)
    if options.fewer_players == "reduced_colours":
        raise Illegal("artefacts.reduced_colours", rule="CFA-Q1")
    if sorted(options.seating) != sorted(COLOURS):
        raise Illegal("artefacts.seating", rule="CFA-10")
    if sorted(options.arms) != sorted(COLOURS) or len(set(options.arms.values())) != len(COLOURS):
        raise Illegal("artefacts.arms", rule="CFA-10")
    if options.revive_life > options.max_life:
        raise Illegal("artefacts.revive_life", rule="CFA-Q33", most=options.max_life)
    if options.hands == "private" and options.decks == "real":
        # Whoever tells the companion what was drawn sees what is left, and so what the others hold.
        raise Illegal("artefacts.private_needs_virtual", rule="CFA-61")
    boxes.check(options.box)


def changed(options: Options) -> dict[str, Any]:
    """Only the options that differ from their defaults, as plain data; a preset has already done its work."""
    default = Options()
    fields = [name for name in options.__struct_fields__ if name != "preset"]
    named = {name: value for name in fields if (value := getattr(options, name)) != getattr(default, name)}
    data: dict[str, Any] = plain(named)
    return data
