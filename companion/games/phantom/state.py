"""The whole truth about a game of The Phantom Society, as one frozen value."""

from __future__ import annotations

import msgspec

from companion.contract import Result, Seat, Told
from companion.games.phantom.actions import Tile
from companion.games.phantom.board import COLOURS, ROOMS, as_set
from companion.games.phantom.options import Options
from companion.refusals import Illegal
from companion.words import Saying


class Ghost(msgspec.Struct, frozen=True):
    """One ghost: where it hides, who leads it, and whether it has been found. PS-3."""

    room: int | None = None
    owner: Seat | None = None
    revealed: bool = False

    @property
    def hidden(self) -> bool:
        """Whether it lies under a tile."""
        return self.room is not None and not self.revealed


class Removal(msgspec.Struct, frozen=True):
    """A tile that left the board, who took it, and the ghost that lay under it."""

    room: int
    colour: str
    value: int
    by: Seat
    ghost: str | None


# What everybody at the table has seen, in order. It is kept through an undo.


class Began(msgspec.Struct, frozen=True, tag=True):
    """Knowledge starts here: the rooms in which each ghost can be, the masters, the agreed rules.

    A repair starts a new chapter, so that what was seen before it is not mistaken for the truth after it.
    """

    chapter: int
    rooms: tuple[tuple[int, ...], ...]
    masters: tuple[Seat, ...]
    reach: str = "straight_first_tile"
    friendly_fire: bool = True
    pass_if_only_allied: bool = False
    partner_for_blocked: bool = False
    own_only: bool = False
    dead_may_pass: bool = False


class Turn(msgspec.Struct, frozen=True, tag=True):
    """A ghost turn came: whose it was, and who plays it, or that nobody does."""

    due: Seat
    mover: Seat | None
    tiles: int
    found: int


class Seen(msgspec.Struct, frozen=True, tag=True):
    """A tile was removed: by whom, from which board, and what lay under it."""

    by: Seat
    room: int
    tiles: int
    found: int
    ghost: int | None


class SeenPass(msgspec.Struct, frozen=True, tag=True):
    """A master passed."""

    by: Seat
    tiles: int
    found: int


class SeenLift(msgspec.Struct, frozen=True, tag=True):
    """A master lifted a tile he did not reach."""

    by: Seat
    room: int
    tiles: int
    found: int
    ghost: int | None


class Unmasked(msgspec.Struct, frozen=True, tag=True):
    """The game ended, and everybody saw where every ghost was and whose it was."""

    rooms: tuple[int, ...]
    owners: tuple[Seat, ...]


Fact = Began | Turn | Seen | SeenPass | SeenLift | Unmasked


class State(msgspec.Struct, frozen=True):
    """A moment of the game.

    `trays` are the tiles of each colour that are still to be laid, 0 where a value is not known beforehand;
    `laid` keeps every tile that ever lay on a room, `tiles` the rooms still covered. `dealing` says that
    chance lays the board, `to_build` which tile goes on the next square, worth 0 where any of its colour will
    do. `dealt` says that the ghosts had masters before they were hidden. `movers` are the seats to act.
    `asking` says that the last tile is off and its remover has yet to tell what lay there.
    """

    options: Options
    phase: str = "placing"
    trays: tuple[tuple[int, ...], ...] = ((),) * 4
    laid: tuple[Tile | None, ...] = (None,) * 37
    tiles: int = 0
    dealing: bool = False
    to_build: Tile | None = None
    packs: dict[Seat, str] | None = None
    bids: dict[Seat, int] = {}
    masters: tuple[Seat, ...] = ()
    hunters: tuple[Seat, ...] = ()
    objective: int | None = None
    ghosts: tuple[Ghost, ...] = (Ghost(),) * 4
    dealt: bool = False
    ready: tuple[Seat, ...] = ()
    order: tuple[Seat, ...] = ()
    turn: int = 0
    movers: tuple[Seat, ...] = ()
    damage: int = 0
    removed: tuple[Removal, ...] = ()
    asking: bool = False
    result: Result | None = None
    facts: tuple[Fact, ...] = ()

    @property
    def due(self) -> Seat:
        """Whose turn it is by seating."""
        return self.order[self.turn % len(self.order)]


Step = tuple[State, tuple[Told, ...]]
"""What a rule gives: the next moment, and what happened."""


def covered(state: State) -> int:
    """The rooms where a tile lies, as everybody sees it."""
    return state.tiles & ~(1 << state.removed[-1].room) if state.asking else state.tiles


def next_room(state: State) -> int:
    """The square that a dealt board is built on next: the first without a tile."""
    return next(room for room in ROOMS if not state.tiles >> room & 1)


def hidden_under(state: State) -> int:
    """The rooms under whose tiles a ghost still lies."""
    return as_set(ghost.room for ghost in state.ghosts if ghost.room is not None and not ghost.revealed)


def ghost_under(state: State, room: int) -> int | None:
    """The number of the colour whose ghost lies hidden in a room."""
    for number, ghost in enumerate(state.ghosts):
        if ghost.room == room and not ghost.revealed:
            return number
    return None


def found(state: State) -> int:
    """The colours whose ghost has been found, as a set of numbers."""
    blue, red, green, white = state.ghosts
    return blue.revealed | red.revealed << 1 | green.revealed << 2 | white.revealed << 3


def partner(state: State, master: Seat) -> Seat | None:
    """The other master, if there is one."""
    for other in state.masters:
        if other != master:
            return other
    return None


def not_now(state: State) -> Illegal:
    """The refusal of what does not belong to this part of the game."""
    return Illegal("phantom.not_now", phase=Saying(f"phantom.phase_{state.phase}"))


def colour_number(colour: str) -> int:
    """The number of a colour, as facts and sets of colours use it."""
    return COLOURS.index(colour)
