"""What can be done in Chasseurs Fantômes Artéfacts."""

from __future__ import annotations

from typing import Annotated, Literal

import msgspec
from msgspec import UNSET, UnsetType

from companion.contract import Action, Result, Seat
from companion.games.artefacts.box import Box, ObjectCard, TrapCard
from companion.games.artefacts.events import AnyStep
from companion.games.artefacts.manor import Colour, Exits, Kind, Square, Tile
from companion.games.artefacts.state import Artefact, Ghost, Pending, Stepping

# By the table: what chance, or a person with real cards, says.


class Reveal(Action, frozen=True, tag="reveal"):
    """Turn up tiles from the pile, told with their exits as they are held: all at once, or one by one.

    An id is any of those that tiles which look the same have. CFA-13, CFA-20.
    """

    tiles: tuple[Tile, ...]


class Drawn(Action, frozen=True, tag="drawn"):
    """Which object card was drawn. CFA-22."""

    card: ObjectCard


class Trap(Action, frozen=True, tag="trap"):
    """Which trap card was drawn. CFA-41."""

    card: TrapCard


# By a colour.


class Take(Action, frozen=True, tag="take"):
    """Take one of the open tiles before the game. CFA-13."""

    tile: str


class Lay(Action, frozen=True, tag="lay"):
    """Lay a tile on a square after so many quarter turns clockwise. CFA-15, CFA-20."""

    tile: str
    at: Square
    turn: int = 0


class Discard(Action, frozen=True, tag="discard"):
    """Give up a tile that has no spot. CFA-32."""

    tile: str


class Step(Action, frozen=True, tag="step"):
    """Walk to the next square. CFA-22."""

    to: Square


class Teleport(Action, frozen=True, tag="teleport"):
    """Go from a teleporter to another free one. CFA-42."""

    to: Square


class Fight(Action, frozen=True, tag="fight"):
    """Fight a ghost on your square with vacuums and life, or with a crucifix. CFA-60."""

    ghost: str
    vacuums: int = 0
    life: int = 0
    crucifix: bool = False


class Use(Action, frozen=True, tag="use"):
    """Play an object card; `target` is an ally, or the teleporter to go to. CFA-62."""

    card: ObjectCard
    target: Colour | Square | None = None


class Draw(Action, frozen=True, tag="draw"):
    """Draw an object card. CFA-22."""


class Pick(Action, frozen=True, tag="pick"):
    """Pick up the artefact on your square. CFA-44, CFA-Q23."""


class Give(Action, frozen=True, tag="give"):
    """Discard a card: to the prankster, or above three in hand. CFA-61, CFA-64."""

    card: ObjectCard


class End(Action, frozen=True, tag="end"):
    """End your turn. CFA-Q36."""


class Choose(Action, frozen=True, tag="choose"):
    """The leader chooses among what is pending, counted from 0. CFA-Q4, CFA-Q16."""

    option: int


# Positions and repairs.


class Entered(msgspec.Struct, frozen=True):
    """A tile in a position. Without an id it is any such tile of the box; laid, exits are as it lies."""

    kind: Kind
    exits: Exits
    colour: Colour | None = None
    id: str | None = None
    at: Square | None = None
    turn: Annotated[int, msgspec.Meta(ge=0, le=3)] = 0


class Piles(msgspec.Struct, frozen=True):
    """How much is left in the piles, and what lies beside them.

    In a position a number that is 0 says that the pile is empty: whatever is nowhere else is out of the game.
    Any other number must be what the box leaves, or be left out.
    """

    tiles: int | None = None
    objects: int | None = None
    traps: int | None = None
    discarded: tuple[str, ...] = ()
    aside: tuple[str, ...] = ()
    used: dict[ObjectCard, int] = {}
    gone: dict[ObjectCard, int] = {}
    sprung: dict[TrapCard, int] = {}


class Position(msgspec.Struct, frozen=True, kw_only=True):
    """A game already under way: what a view shows can be sent back as a position."""

    phase: Literal["drafting", "building", "laying", "acting", "ending", "over"]
    to_act: tuple[Seat, ...]
    open: tuple[Entered, ...]
    manor: tuple[Entered, ...]
    pawns: dict[Colour, Square]
    ghosts: tuple[Ghost, ...]
    life: dict[Colour, int]
    hands: dict[Colour, tuple[ObjectCard, ...]]
    artefacts: dict[Colour, Artefact | None]
    leader: Colour
    points: int
    escaped: int
    piles: Piles
    pending: Pending | None
    active: Colour | None = None
    round: int | None = None
    held: dict[Colour, tuple[Entered, ...]] = {}
    moves: int = 0
    spent: tuple[str, ...] = ()
    moved: tuple[str, ...] = ()
    stepping: Stepping | None = None
    steps: tuple[AnyStep, ...] = ()
    result: Result | None = None


class Fixes(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What a repair sets straight; what is not named stays as it is. `box` mends the profile itself."""

    phase: Literal["drafting", "building", "laying", "acting", "ending"] | UnsetType = UNSET
    to_act: tuple[Seat, ...] | UnsetType = UNSET
    open: tuple[Entered, ...] | UnsetType = UNSET
    manor: tuple[Entered, ...] | UnsetType = UNSET
    pawns: dict[Colour, Square] | UnsetType = UNSET
    ghosts: tuple[Ghost, ...] | UnsetType = UNSET
    life: dict[Colour, int] | UnsetType = UNSET
    hands: dict[Colour, tuple[ObjectCard, ...]] | UnsetType = UNSET
    artefacts: dict[Colour, Artefact | None] | UnsetType = UNSET
    leader: Colour | UnsetType = UNSET
    points: int | UnsetType = UNSET
    escaped: int | UnsetType = UNSET
    piles: Piles | UnsetType = UNSET
    pending: Pending | UnsetType | None = UNSET
    held: dict[Colour, tuple[Entered, ...]] | UnsetType = UNSET
    round: int | UnsetType = UNSET
    moves: int | UnsetType = UNSET
    spent: tuple[str, ...] | UnsetType = UNSET
    box: Box | UnsetType = UNSET


class Repair(Action, frozen=True, tag="repair"):
    """The moderator sets facts straight."""

    set: Fixes


AnyAction = (
    Reveal | Drawn | Trap | Take | Lay | Discard | Step | Teleport | Fight | Use | Draw | Pick | Give | End
    | Choose | Repair
)  # fmt: skip
