"""The whole truth about a game of Chasseurs Fantômes Artéfacts, as one frozen value.

The piles are what is left in them, never an order: nobody can look ahead, not even the companion.
"""

from __future__ import annotations

from typing import Literal

import msgspec
from msgspec.structs import replace

from companion.contract import TABLE, Result, Seat
from companion.games.artefacts.box import DICE_A_COLOUR
from companion.games.artefacts.events import AnyStep
from companion.games.artefacts.manor import (
    CENTRE,
    COLOURS,
    Colour,
    Manor,
    Placed,
    Side,
    Square,
    Tile,
    manor_of,
)
from companion.games.artefacts.options import Options

UNSEEN = "?"
"""A card in somebody else's hand, in what a seat knows."""


class Ghost(msgspec.Struct, frozen=True):
    """A ghost is a die: its colour, its face, where it stands and which way it last went. CFA-40, CFA-53."""

    id: str
    colour: Colour
    power: int
    at: Square
    heading: Side | None = None

    @property
    def escaped(self) -> bool:
        """Whether it stands in the centre of the cross. CFA-52."""
        return self.at == CENTRE


class Artefact(msgspec.Struct, frozen=True):
    """An artefact: not yet in the manor, lying somewhere, carried by a colour, or home on the cross.

    `picked` says that it has been picked up once, which made the ghosts stronger. CFA-44.
    """

    at: Square | None = None
    by: Colour | None = None
    home: bool = False
    picked: bool = False


class Pending(msgspec.Struct, frozen=True):
    """What somebody must answer before the game goes on.

    By the table: `reveal` (so many tiles), `drawn` and `trap` (a card for a colour). By a colour: `give` a
    card away. By the leader: `fork`, where a ghost goes, `haunt`, where one appears, and `order`, which of
    two `ghosts` goes first; then `options` are where they stand.
    """

    what: Literal["reveal", "drawn", "trap", "give", "fork", "haunt", "order"]
    n: int = 0
    colour: Colour | None = None
    ghost: str | None = None
    options: tuple[Square, ...] = ()
    ghosts: tuple[str, ...] = ()


class Stepping(msgspec.Struct, frozen=True):
    """A ghost on its way at the end of a turn, and how many tiles it still goes. CFA-50."""

    ghost: str
    left: int


class State(msgspec.Struct, frozen=True):
    """A moment of the game.

    `turn` counts the colours, from the leader on, that have had their go in this phase. `pile` holds the ids
    of the tiles left, `aside` artefact tiles that found no spot when it was empty. `objects` and `traps` are
    the cards left by kind, `used` and `sprung` their discards, `gone` what has left the game. `moves` are
    the movement points of an energy bar, `spent` the once-a-turn actions taken. `moved` are the ghosts that
    have gone their way this turn, `stepping` the one on it. `steps` are what the companion did by itself at
    the last end of a turn, for the table to copy.
    """

    options: Options
    phase: str = "drafting"
    round: int = 0
    leader: Colour = "blue"
    turn: int = 0
    pile: tuple[str, ...] = ()
    aside: tuple[str, ...] = ()
    discarded: tuple[str, ...] = ()
    open: tuple[Tile, ...] = ()
    held: dict[Colour, tuple[Tile, ...]] = {}
    manor: tuple[Placed, ...] = ()
    pawns: dict[Colour, Square] = {}
    life: dict[Colour, int] = {}
    hands: dict[Colour, tuple[str, ...]] = {}
    objects: dict[str, int] = {}
    used: dict[str, int] = {}
    gone: dict[str, int] = {}
    traps: dict[str, int] = {}
    sprung: dict[str, int] = {}
    ghosts: tuple[Ghost, ...] = ()
    artefacts: dict[Colour, Artefact] = {}
    points: int = 0
    moves: int = 0
    spent: tuple[str, ...] = ()
    moved: tuple[str, ...] = ()
    stepping: Stepping | None = None
    steps: tuple[AnyStep, ...] = ()
    pending: Pending | None = None
    result: Result | None = None

    @property
    def plan(self) -> Manor:
        """The manor, ready to be walked."""
        return manor_of(self.manor)

    @property
    def active(self) -> Colour | None:
        """Whose go it is, where one colour has it."""
        if self.phase not in ("building", "laying", "acting") or self.turn >= len(COLOURS):
            return None
        return self.options.clockwise(self.leader)[self.turn]


def alive(state: State, colour: Colour) -> bool:
    """Whether a colour has life left. CFA-Q32."""
    return state.life[colour] > 0


def living(state: State) -> tuple[Colour, ...]:
    """The colours that live, from the leader on."""
    return tuple(colour for colour in state.options.clockwise(state.leader) if alive(state, colour))


def decider(state: State) -> Colour:
    """The leader, or the first living colour to the left of a dead one. CFA-Q32."""
    return living(state)[0]


def ghost_of(state: State, id: str) -> Ghost:
    """A ghost by its die."""
    return next(ghost for ghost in state.ghosts if ghost.id == id)


def with_ghost(state: State, ghost: Ghost) -> State:
    """The state with one ghost changed."""
    return replace(state, ghosts=tuple(ghost if other.id == ghost.id else other for other in state.ghosts))


def escaped(state: State) -> int:
    """How many ghosts have reached the centre. CFA-52."""
    return sum(ghost.escaped for ghost in state.ghosts)


def bonus(state: State) -> int:
    """By how much picked-up artefacts strengthen every ghost to come. CFA-44."""
    return sum(artefact.picked for artefact in state.artefacts.values())


def free_dice(state: State) -> dict[Colour, int]:
    """How many dice of each colour no ghost uses; those in the centre stay there. CFA-40, CFA-Q10."""
    used = [ghost.colour for ghost in state.ghosts]
    return {colour: DICE_A_COLOUR - used.count(colour) for colour in COLOURS}


def to_act(state: State) -> tuple[Seat, ...]:
    """Who may act now."""
    if state.result is not None:
        return ()
    pending = state.pending
    if pending is not None:
        if pending.what in ("reveal", "drawn", "trap"):
            return (TABLE,)
        return (pending.colour,) if pending.what == "give" and pending.colour else (decider(state),)
    if state.phase == "drafting":
        fewest = min(len(tiles) for tiles in state.held.values())
        return tuple(colour for colour in COLOURS if len(state.held[colour]) == fewest)
    active = state.active
    assert active is not None
    return (active,) if alive(state, active) else (decider(state),)
