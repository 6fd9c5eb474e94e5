"""What a table agrees on before a game of The Phantom Society, checked and digested."""

from __future__ import annotations

from functools import cache
from typing import Annotated, Any, Literal

import msgspec

from companion.contract import Seat
from companion.games.phantom.board import COLOURS, EVERY_ROOM, REACHES, SIZE, Colour, Reach
from companion.refusals import Illegal

PackName = Literal["A", "B"]
Value = Annotated[int, msgspec.Meta(ge=1, le=6)]
SEATS = ("p1", "p2", "p3", "p4")
SeatName = Annotated[str, msgspec.Meta(extra={"choices": SEATS})]
"""A seat that a form offers; whether it plays is checked beside the other options."""
Players = Annotated[int, msgspec.Meta(extra={"least": 2, "most": 4})]
Thousands = Annotated[int, msgspec.Meta(extra={"least": 1, "most": 216})]
PER_COLOUR = 9
EVERY_TILE_WORTH = EVERY_ROOM.bit_count() * 6
"""More damage than this no box can hold."""

DEFAULT_TILES: dict[Colour, list[int]] = {colour: [1, 1, 2, 2, 3, 3, 4, 5, 6] for colour in COLOURS}
"""A box for measuring and trying out, 108 in all: labelled so, because no printed box is known to have it."""

PACKS: dict[str, range] = {"A": range(30, 60, 2), "B": range(31, 60, 2)}
"""The bids each pack of objective cards can make. PS-4, PS-102."""


class Tournament(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Several Master Games by the same teams: how many, how many are done, points a team. PS-110."""

    games: Annotated[int, msgspec.Meta(ge=1, le=99)]
    played: Annotated[int, msgspec.Meta(ge=0, le=99)] = 0
    points: dict[str, int] = {}


class Options(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Every choice, each with the default of the rules file."""

    players: Players = 4
    preset: Literal["family", "as_printed", "expert"] | None = None
    objective: Thousands | None = None
    master_game: bool = False
    packs: dict[str, PackName] = {}
    tournament: Tournament | None = None
    keeper: Literal["companion", "both", "honour"] = "companion"
    privacy: Literal["fair", "eyes_closed", "learning"] = "fair"
    masters_use_buttons: bool | None = None
    map: Literal["off", "possible", "likely"] = "off"
    pencil: bool = True
    hints: bool = False
    tiles: dict[Colour, list[Value]] | None = None
    trays: dict[Colour, SeatName] | None = None
    layout: list[tuple[Colour, Value]] | None = None
    deal: bool = False
    owners: dict[Colour, str] | None = None
    names: dict[str, str] | None = None
    master_without_ghosts: Literal["partner_plays", "skip_turn"] = "partner_plays"
    blocked_master: Literal["pass", "partner_plays"] = "pass"
    tiles_3p: Literal["hunter_two_colours", "shared_fourth_colour"] = "hunter_two_colours"
    first_master: Literal["left_of_first_hunter", "chosen"] = "left_of_first_hunter"
    first_seat: SeatName | None = None
    reach: Literal["straight_first_tile", "flood_fill"] = "straight_first_tile"
    friendly_fire: Literal["legal", "forbidden"] = "legal"
    pass_if_only_allied_tiles: bool = False
    tournament_points_to: Literal["game_winner", "ghosts_only_if_win"] = "game_winner"
    tournament_packs: Literal["random", "swap"] = "random"
    bid_timing: Literal["after_board", "before_board"] = "after_board"
    masters_see_all_ghosts: bool | Literal["own_only"] = True
    show_ghosts_to_masters: Literal["always", "never_after_setup"] = "always"
    show_removal_log: Literal["public", "hidden_until_end"] = "public"
    illegal_removal: Literal["undo", "stands", "forfeit"] = "undo"
    hunter_may_pass: bool = False

    @property
    def own_only(self) -> bool:
        """Whether a master knows his own ghosts alone. PS-Q16."""
        return self.masters_see_all_ghosts is not True

    @property
    def buttons_for_masters(self) -> bool:
        """Whether a master may choose on the board's own buttons, for all to see."""
        if self.masters_use_buttons is None:
            return self.privacy == "learning"
        return self.masters_use_buttons

    @property
    def reaches(self) -> Reach:
        """Which tiles a ghost reaches. PS-Q5."""
        return REACHES[self.reach]


PRESETS: dict[str, dict[str, Any]] = {
    "family": {"friendly_fire": "forbidden", "pass_if_only_allied_tiles": True, "privacy": "learning"},
    "as_printed": {"keeper": "both", "show_ghosts_to_masters": "never_after_setup"},
    "expert": {
        "master_game": True,
        "masters_see_all_ghosts": "own_only",
        "show_ghosts_to_masters": "never_after_setup",
        "show_removal_log": "hidden_until_end",
    },
}
"""Sets of options by name; an option given beside a preset wins over it."""


ELSEWHERE = {
    "packs": "drawn by chance, as the rules say; only programs set them",
    "tiles": "read off the tiles on the box sheet",
    "layout": "laid on the page of the board, tile by tile",
    "owners": "secret: a master claims a ghost by hiding it; only programs set them",
    "names": "read off the board on the box sheet",
    "tournament.played": "counted by the companion",
    "tournament.points": "counted by the companion",
}
NEEDED: dict[str, tuple[str, str | None]] = {
    "first_seat": ("first_master", "chosen"),
    "bid_timing": ("master_game", "true"),
    "tournament.games": ("master_game", "true"),
    "tournament_points_to": ("tournament.games", None),
    "tournament_packs": ("tournament.games", None),
    "tiles_3p": ("players", "3"),
}

VOCABULARY: dict[frozenset[str], str] = {frozenset(COLOURS): "colour", frozenset(SEATS): "seat"}


def sensible(option: str, values: tuple[str, ...], options: Options) -> tuple[str, ...]:
    """Only seats that there are; the first master is a master; and the same choice is offered once. PS-Q4."""
    if option == "first_seat":
        playing = seats(options.players) if options.master_game else teams(options.players)[1]
        return tuple(seat for seat in values if seat in playing)
    if option.startswith("trays."):
        return tuple(seat for seat in values if seat in seats(options.players))
    # No, and only their own, are the same. PS-Q16.
    return ("true", "own_only") if option == "masters_see_all_ghosts" else values


@cache
def seats(players: int) -> tuple[Seat, ...]:
    """The seats clockwise, beginning with whoever lays first."""
    return tuple(f"p{number}" for number in range(1, players + 1))


def teams(players: int) -> tuple[tuple[Seat, ...], tuple[Seat, ...]]:
    """Who plays with whom: first the team of p1, then the other. PS-11, PS-91, PS-92."""
    if players == 4:
        return ("p1", "p3"), ("p2", "p4")
    return ("p1",), seats(players)[1:]


def laying_order(options: Options) -> tuple[Seat, ...]:
    """Whose turn it is to lay, over and over until the board is full. PS-22, PS-93."""
    if options.players == 3 and options.tiles_3p == "hunter_two_colours":
        return ("p1", "p2", "p1", "p3")
    return seats(options.players)


def trays_of(options: Options, seat: Seat | None) -> tuple[Colour, ...]:
    """The colours whose tiles a seat lays, sorted; nobody's is shared by all three. PS-21, PS-93, PS-Q3."""
    if options.trays is not None:
        return tuple(colour for colour in sorted(COLOURS) if options.trays.get(colour) == seat)
    return _usual_trays(options.players, options.tiles_3p, seat)


@cache
def _usual_trays(players: int, tiles_3p: str, seat: Seat | None) -> tuple[Colour, ...]:
    if players == 3:
        fourth = "p1" if tiles_3p == "hunter_two_colours" else None
        held: dict[Colour, Seat | None] = {"blue": "p1", "red": "p2", "green": fourth, "white": "p3"}
    else:
        held = dict(zip(COLOURS, seats(players) * 2, strict=False))
    return tuple(colour for colour in sorted(COLOURS) if held[colour] == seat)


def check(options: Options) -> None:
    """Refuse options that contradict each other or the box, saying which and what to do."""
    if options.players not in (2, 3, 4):
        raise Illegal("phantom.players", rule="PS-5", players=options.players)
    _check_objective(options)
    _check_tournament(options)
    _check_owners(options)
    _check_first_seat(options)
    packs_of_teams(options)
    _check_trays(options)
    _check_tiles(options)


def _check_objective(options: Options) -> None:
    if options.objective is None:
        return
    if options.master_game:
        raise Illegal("phantom.bids_set_objective", rule="PS-105")
    if not 1 <= options.objective <= EVERY_TILE_WORTH:
        raise Illegal("phantom.objective", rule="PS-80", objective=options.objective, most=EVERY_TILE_WORTH)


def _check_tournament(options: Options) -> None:
    if options.tournament is None:
        return
    if not options.master_game:
        raise Illegal("phantom.tournament_needs_master_game", rule="PS-110")
    captains = {team[0] for team in teams(options.players)}
    if not set(options.tournament.points) <= captains:
        raise Illegal("phantom.tournament_points", rule="PS-110", seats=tuple(sorted(captains)))
    if options.tournament.played >= options.tournament.games:
        raise Illegal("phantom.tournament_over", rule="PS-110", n=options.tournament.games)


def _check_owners(options: Options) -> None:
    if options.owners is None:
        return
    if options.master_game:
        raise Illegal("phantom.owners_before_bids", rule="PS-103")
    masters = teams(options.players)[1]
    share = len(COLOURS) // len(masters)
    if any(list(options.owners.values()).count(master) != share for master in masters):
        raise Illegal("phantom.owners", rule="PS-25", seats=masters, n=share)


def _check_first_seat(options: Options) -> None:
    chosen = options.first_seat
    if (options.first_master == "chosen") != (chosen is not None):
        raise Illegal("phantom.first_seat_missing", rule="PS-Q4")
    possible = seats(options.players) if options.master_game else teams(options.players)[1]
    if chosen is not None and chosen not in possible:
        raise Illegal("phantom.first_seat", rule="PS-Q4", seats=possible)


def packs_of_teams(options: Options) -> dict[Seat, str] | None:
    """Which pack each team's first seat has, or null where they are still to be drawn. PS-101."""
    if options.packs and not options.master_game:
        raise Illegal("phantom.packs_without_bids", rule="PS-101")
    packs: dict[Seat, str] = {}
    for team in teams(options.players):
        for seat in team:
            if seat in options.packs:
                packs.setdefault(team[0], options.packs[seat])
    if not set(options.packs) <= set(seats(options.players)) or _contradict(options, packs):
        raise Illegal("phantom.packs", rule="PS-101")
    if not packs:
        return None
    one, two = (team[0] for team in teams(options.players))
    other = {"A": "B", "B": "A"}
    return {one: packs.get(one) or other[packs[two]], two: packs.get(two) or other[packs[one]]}


def _contradict(options: Options, packs: dict[Seat, str]) -> bool:
    captain = {seat: team[0] for team in teams(options.players) for seat in team}
    apart = any(packs[captain[seat]] != pack for seat, pack in options.packs.items())
    return apart or (len(packs) == 2 and len(set(packs.values())) == 1)


def _check_trays(options: Options) -> None:
    if options.trays is None:
        return
    laying = laying_order(options)
    fair = {seat: laying.count(seat) * len(COLOURS) // len(laying) for seat in seats(options.players)}
    held = list(options.trays.values())
    shared = options.players == 3 and options.tiles_3p == "shared_fourth_colour"
    enough = len(held) == (3 if shared else 4)
    if not enough or any(held.count(seat) != fair[seat] for seat in fair):
        raise Illegal("phantom.trays", rule="PS-93")


def _check_tiles(options: Options) -> None:
    if options.tiles is not None:
        short = [colour for colour in COLOURS if len(options.tiles.get(colour, ())) != PER_COLOUR]
        if short:
            raise Illegal("phantom.tiles", rule="PS-2", colours=tuple(short))
    if options.layout is None:
        return
    laid = [colour for colour, _ in options.layout]
    if len(laid) != SIZE * SIZE or any(laid.count(colour) != PER_COLOUR for colour in COLOURS):
        raise Illegal("phantom.layout", rule="PS-2")
