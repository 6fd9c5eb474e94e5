"""What a table agrees on before a game of Gespensterjagd, checked and digested."""

from __future__ import annotations

from typing import Annotated, Any, Literal, get_args

import msgspec

from companion.contract import Seat
from companion.games.canterville.castle import Castle, Ways, find, ways
from companion.refusals import Illegal
from companion.words import Saying

Animal = Literal["bats", "cats", "hedgehogs", "mice", "owls"]
Figure = Literal["a", "b", "c", "d"]
FrameSize = Annotated[int, msgspec.Meta(ge=1, le=8)]
Cards = Annotated[int, msgspec.Meta(ge=0, le=2)]
Players = Annotated[int, msgspec.Meta(extra={"least": 2, "most": 5})]

MAX = "max"
ANIMALS: tuple[Animal, ...] = get_args(Animal)
FIGURES: tuple[Figure, ...] = get_args(Figure)
KNOWN_SIZES: dict[Animal, int] = {"cats": 4, "hedgehogs": 6}
"""The two frames whose size the rules tell; a table counts the other animals itself. GJ-3."""

MEASURED_FRAMES: dict[Animal, int] = {"bats": 5, "cats": 4, "hedgehogs": 6, "mice": 5, "owls": 5}
"""Frames for measuring, 25 rounds in all: labelled so, because three of the sizes are published nowhere."""

FIGURES_EACH = {1: 3, 2: 2, 3: 1, 4: 1}
FRAMES_USED = {1: 5, 2: 4, 3: 5, 4: 4}
"""For each number of hunters. GJ-11 to GJ-14."""


class Options(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Every choice, each with the default of the rules file."""

    players: Players | None = None
    hunters: int | None = None
    preset: Literal["first_game", "family", "as_printed", "expert"] | None = None
    castle: str | Castle = "demo"
    frames: dict[Animal, FrameSize] = {}
    names: dict[str, str] | None = None
    map: Literal["off", "possible", "likely"] = "off"
    pencil: bool = True
    hints: bool = False
    x2: Cards = 2
    pause: Cards = 2
    chimney: bool = False
    door: bool = False
    trap: bool | Literal["h1", "h2", "h3", "h4"] = False
    x2_target: Literal["any_visited", "not_previous_room"] = "any_visited"
    x2_card_handling: Literal["app_hidden", "take_from_row"] = "app_hidden"
    visited_display: Literal["during_reveal", "always", "never"] = "during_reveal"
    frame_locked: bool | Literal["free_kind_each_round"] = True
    figure_order: Literal["player_choice"] = "player_choice"
    door_scope: Literal["single_edge", "all_doors_of_room"] = "single_edge"
    unlock_side: Literal["either", "listed_room_only"] = "either"
    unlock_same_round_for_others: bool = True
    door_uses: Annotated[int, msgspec.Meta(ge=1, le=8)] = 1
    trap_where: Literal["any_room", "own_room", "own_or_adjacent"] = "any_room"
    trap_when: Literal["own_turn", "any_time_between_turns"] = "own_turn"
    trap_on_occupied: Literal["no_effect", "reveal"] = "no_effect"
    illegal_max_move: Literal["hunters_win", "replay_round"] = "hunters_win"

    @property
    def ways(self) -> Ways:
        """Who gets where in this castle. GJ-31, GJ-42, GJ-50."""
        return ways(self.castle, self.chimney)

    @property
    def hunter_seats(self) -> tuple[Seat, ...]:
        """The hunters, clockwise from Max's left."""
        return tuple(f"h{number}" for number in range(1, (self.hunters or 0) + 1))

    @property
    def free_kind(self) -> bool:
        """Whether the kind of animal is chosen every round. GJ-Q10."""
        return self.frame_locked is not True


PRESETS: dict[str, dict[str, Any]] = {
    "first_game": {"visited_display": "always"},
    "family": {"visited_display": "always", "chimney": True, "door": True, "trap": "h1"},
    "as_printed": {"chimney": True, "door": True, "trap": "h1"},
    "expert": {"chimney": True, "door": True, "visited_display": "never"},
}
"""Sets of options by name; an option given beside a preset wins over it. GJ-15, GJ-16."""


ELSEWHERE = {
    "hunters": "all players but Max: the number of players says it",
    "castle": "chosen and drawn on the pages of castles",
    "frames": "counted on the box sheet",
    "names": "given on the pages of castles",
    "figure_order": "there is only one way",
}
NEEDED: dict[str, tuple[str, str | None]] = {
    "door_scope": ("door", "true"),
    "door_uses": ("door", "true"),
    "unlock_side": ("door", "true"),
    "unlock_same_round_for_others": ("door", "true"),
    "trap_where": ("trap", None),
    "trap_when": ("trap", None),
    "trap_on_occupied": ("trap", None),
}


def sensible(option: str, values: tuple[str, ...], options: Options) -> tuple[str, ...]:
    """The trap lies before a hunter who plays, or in the box; and the same choice is offered once."""
    match option:
        case "trap":
            hunters = options.hunters or (options.players or 4) - 1
            # A mere yes would not say before whom. GJ-52.
            playing = ("false", *(f"h{number}" for number in range(1, hunters + 1)))
            return tuple(value for value in playing if value in values)
        case "frame_locked":
            # No, and to choose each round, are the same. GJ-Q10.
            return ("true", "free_kind_each_round")
    return values


def dealt(options: Options) -> dict[Seat, tuple[Figure, ...]]:
    """Whose each figure is: dealt to the hunters in order. GJ-11 to GJ-14."""
    each = FIGURES_EACH[len(options.hunter_seats)]
    return {seat: FIGURES[n * each : (n + 1) * each] for n, seat in enumerate(options.hunter_seats)}


def settled(options: Options, otherwise: int = 3) -> Options:
    """The options with the number of hunters said both ways; refuses a contradiction. GJ-5, GJ-10."""
    hunters = options.hunters
    if hunters is None:
        hunters = otherwise if options.players is None else options.players - 1
    if hunters not in FIGURES_EACH:
        raise Illegal("canterville.hunters", rule="GJ-5", n=hunters)
    if options.players not in (None, hunters + 1):
        raise Illegal("canterville.players_differ", rule="GJ-10", players=options.players, hunters=hunters)
    return msgspec.structs.replace(options, hunters=hunters, players=hunters + 1)


def check(options: Options) -> None:
    """Refuse options that contradict each other, saying which and what to do."""
    find(options.castle)
    figures = sum(map(len, dealt(options).values()))
    if options.ways.rooms.bit_count() <= figures:
        raise Illegal("canterville.castle_small", rule="GJ-22", n=figures)
    if options.trap and options.trap not in options.hunter_seats:
        raise Illegal("canterville.trap_holder", rule="GJ-52", seat=options.trap, seats=options.hunter_seats)


def frame_sizes(options: Options) -> dict[Animal, int]:
    """The frames to play with or to draw from; the table tells the sizes nobody else knows. GJ-3, GJ-11."""
    needed, sizes = FRAMES_USED[len(options.hunter_seats)], dict(options.frames)
    if len(sizes) < needed:
        sizes = {**KNOWN_SIZES, **sizes}
    if len(sizes) < needed:
        missing = tuple(animal_word(animal) for animal in ANIMALS if animal not in sizes)
        raise Illegal("canterville.frame_sizes", rule="GJ-3", n=needed, animals=missing)
    return dict(sorted(sizes.items()))


def animal_word(animal: str) -> Saying:
    """A kind of animal, to be said in the language of the sentence around it."""
    return Saying(f"canterville.animal_{animal}")
