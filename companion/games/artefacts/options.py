"""What a table agrees on before a game of Chasseurs Fantômes Artéfacts, checked."""

from __future__ import annotations

from typing import Annotated, Any, Literal, get_args

import msgspec

from companion.contract import plain
from companion.games.artefacts import box as boxes
from companion.games.artefacts.box import INVENTED, USUAL_ARMS, Box, Costs, Deck
from companion.games.artefacts.manor import ARMS, COLOURS, Colour, Side, Square
from companion.refusals import Illegal

POINTS = 3
"""Action points of a turn. CFA-22."""
HAND = 3
"""Object cards in a hand. CFA-61."""
ESCAPES = 3
"""So many ghosts escaped and the game is lost. CFA-71."""
STRONGEST = 6
"""Power is the face of a die. CFA-53."""


Players = Annotated[int, msgspec.Meta(extra={"least": 1, "most": 4})]
FirstTile = Literal["plain", "trap", "teleporter"]
"""The kinds that the four-exit tile of the beginning can be. CFA-12."""


class Options(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Every choice, each with the default of the rules file.

    `seating`, `arms` and `cost` are as the box says unless they are given here.
    """

    players: Players = 4
    preset: Literal["family", "no_cards", "expert"] | None = None
    decks: Literal["real", "virtual"] = "real"
    box: Box = INVENTED
    leader: Colour | None = None
    seating: tuple[Colour, ...] | None = None
    arms: dict[Colour, Side] | None = None
    first_tiles: dict[Colour, FirstTile] = {}
    fewer_players: Literal["control_several", "reduced_colours"] = "control_several"
    cost: Costs | None = None
    object_uses_per_turn: Literal[1, "unlimited"] = 1
    fights_per_turn: Literal[1, "per_ghost"] = 1
    ghost_tiebreak: Literal["fewest_turns_then_leader", "leader"] = "fewest_turns_then_leader"
    ghost_order: Literal["nearest_then_leader", "leader"] = "nearest_then_leader"
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
    hints: bool = False

    def arm(self, colour: Colour) -> Square:
        """The arm of the cross in a colour. CFA-10."""
        return ARMS[self.sides[colour]]

    @property
    def sides(self) -> dict[Colour, Side]:
        """Where each colour's arm of the cross points. CFA-10."""
        return self.arms or self.box.arms or USUAL_ARMS

    @property
    def seats(self) -> tuple[Colour, ...]:
        """The colours clockwise around the table. CFA-10."""
        return self.seating or self.box.seating or COLOURS

    @property
    def costs(self) -> Costs:
        """What each card costs. CFA-Q2."""
        return self.cost or self.box.cost

    @property
    def first_leader(self) -> Colour:
        """Who leads first: the youngest. CFA-15."""
        return self.leader or self.seats[0]

    def uncounted(self, deck: Deck) -> bool:
        """Whether nobody knows what is in a real pile: then whatever turns up is right. CFA-2, CFA-3."""
        return self.decks == "real" and deck in self.box.unknown

    def clockwise(self, colour: Colour) -> tuple[Colour, ...]:
        """The colours clockwise, beginning with one of them. The next one sits to its left."""
        start = self.seats.index(colour)
        return self.seats[start:] + self.seats[:start]

    def people(self) -> dict[str, int]:
        """Which person runs which colour, dealt clockwise: one to four people run all four. CFA-Q1."""
        return {colour: number % self.players + 1 for number, colour in enumerate(self.seats)}


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


ELSEWHERE = {
    "box": "counted on the box sheet",
    "fewer_players": "all four colours always play: the other value is refused",
}
NEEDED: dict[str, tuple[str, str | None]] = {
    "hands": ("decks", "virtual"),
    **{f"first_tiles.{colour}": ("decks", "real") for colour in COLOURS},
}
VOCABULARY: dict[frozenset[str], str] = {
    frozenset(COLOURS): "colour",
    frozenset(ARMS): "side",
    frozenset(boxes.OBJECTS): "card",
    frozenset(get_args(FirstTile)): "kind",
}


def sensible(option: str, values: tuple[str, ...], options: Options) -> tuple[str, ...]:
    """The same choice once: no delivery by a hole, and the artefact left behind, are the same. CFA-Q24."""
    return ("true", "artefact_left_behind") if option == "hole_delivers" else values


def check(options: Options) -> None:
    """Refuse options that contradict each other or the game, saying which and what to do."""
    if not 1 <= options.players <= len(COLOURS):
        raise Illegal("artefacts.players", rule="CFA-Q1", players=options.players)
    if options.fewer_players == "reduced_colours":
        raise Illegal("artefacts.reduced_colours", rule="CFA-Q1")
    if options.seating is not None and sorted(options.seating) != sorted(COLOURS):
        raise Illegal("artefacts.seating", rule="CFA-10")
    if options.arms is not None and not boxes.one_arm_each(options.arms):
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
