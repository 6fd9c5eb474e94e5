"""What can be done in Gespensterjagd, and what can be heard of it."""

from __future__ import annotations

from typing import Literal

import msgspec
from msgspec import UNSET, UnsetType

from companion.contract import Action, Event, Seat
from companion.games.canterville.options import Animal, Figure

RouteStep = int | Literal["pause"]


class Drawn(Action, frozen=True, tag="drawn"):
    """Chance: which frames are played with. GJ-11, GJ-13."""

    frames: tuple[Animal, ...]


class Start(Action, frozen=True, tag="start", omit_defaults=True):
    """Put a figure, or Max, in the room where it begins. GJ-21, GJ-22."""

    room: int
    figure: Figure | None = None


class Frame(Action, frozen=True, tag="frame"):
    """Choose the frame that is filled next. GJ-23, GJ-60."""

    animal: Animal


class Move(Action, frozen=True, tag="move"):
    """Max goes through a wall or a door to a room where he has not been. GJ-31."""

    room: int


class Cheat(Action, frozen=True, tag="cheat"):
    """Max goes back to a room where he has been, with an x2 card. GJ-40."""

    room: int


class Pause(Action, frozen=True, tag="pause"):
    """Max stays, with a pause card. GJ-41."""


class Lock(Action, frozen=True, tag="lock"):
    """Max closes a red door. GJ-43."""

    room: int


class Walk(Action, frozen=True, tag="walk"):
    """A figure goes along a dotted line. GJ-50."""

    figure: Figure
    room: int


class Stay(Action, frozen=True, tag="stay"):
    """A figure stays. GJ-50."""

    figure: Figure


class Unlock(Action, frozen=True, tag="unlock"):
    """A figure stays to open the closed door. GJ-44."""

    figure: Figure


class Trap(Action, frozen=True, tag="trap"):
    """Lay the trap in a room. GJ-52."""

    room: int


# What only the moderator or the table does


class MaxAt(msgspec.Struct, frozen=True):
    """Where Max is, and whether his figure stands on the board."""

    room: int
    shown: bool


class CardsLeft(msgspec.Struct, frozen=True):
    """The special cards that are left; the trap lies with the seat that holds it. GJ-4."""

    x2: int
    pause: int
    chimney: bool
    door: bool
    trap: bool | Seat


class FrameAt(msgspec.Struct, frozen=True):
    """A frame: how many animals it holds, and how many have been taken off the board into it. GJ-3."""

    size: int
    taken: int


class Position(msgspec.Struct, frozen=True):
    """A game already under way: a view of the moderator may be entered as it is."""

    phase: Literal["framing", "max", "hunters", "over"]
    to_act: list[Seat]
    figures: dict[Figure, int]
    max: MaxAt
    route: list[RouteStep]
    visited: list[int]
    cards: CardsLeft
    frames: dict[Animal, FrameAt]
    frame: Animal | None
    trap: int | None
    locked: int | None
    guess: int | None = None


class MaxFix(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What is to be set straight about Max."""

    room: int | UnsetType = UNSET
    shown: bool | UnsetType = UNSET


class CardsFix(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What is to be set straight about the special cards."""

    x2: int | UnsetType = UNSET
    pause: int | UnsetType = UNSET
    chimney: bool | UnsetType = UNSET
    door: bool | UnsetType = UNSET
    trap: bool | Seat | UnsetType = UNSET


class Fixes(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What a repair sets straight; what is not named stays as it is."""

    phase: Literal["framing", "max", "hunters"] | UnsetType = UNSET
    to_act: list[Seat] | UnsetType = UNSET
    figures: dict[Figure, int] | UnsetType = UNSET
    max: MaxFix | UnsetType = UNSET
    route: list[RouteStep] | UnsetType = UNSET
    visited: list[int] | UnsetType = UNSET
    cards: CardsFix | UnsetType = UNSET
    frames: dict[Animal, FrameAt] | UnsetType = UNSET
    frame: Animal | UnsetType | None = UNSET
    trap: int | UnsetType | None = UNSET
    locked: int | UnsetType | None = UNSET


class Repair(Action, frozen=True, tag="repair"):
    """The moderator sets facts straight."""

    set: Fixes


# What hunters think, beside the turns


class Guess(Action, frozen=True, tag="guess"):
    """Hunters put Max's figure where they think he is, or take it away with null. GJ-51."""

    room: int | None


# What a table without a map does when Max shows himself


class Doubt(Action, frozen=True, tag="doubt", rename={"start": "from", "end": "to"}):
    """A hunter says that a step of Max's was not possible. GJ-Q22."""

    start: int
    end: int


class Foul(Action, frozen=True, tag="foul", rename={"start": "from", "end": "to"}):
    """Max owns up to a step in doubt, or the table finds that its two rooms are no neighbours. GJ-Q22."""

    start: int
    end: int


class Stands(Action, frozen=True, tag="stands"):
    """The step in doubt was possible after all. GJ-Q22."""


class InDoubt(msgspec.Struct, frozen=True, rename={"start": "from", "end": "to"}):
    """A step of Max's that a hunter doubts, while nobody has settled it."""

    by: Seat
    start: int
    end: int


AnyAction = (
    Drawn | Start | Frame | Move | Cheat | Pause | Lock | Walk | Stay | Unlock | Trap | Repair
    | Guess | Doubt | Foul | Stands
)  # fmt: skip
JUDGING = (Doubt, Foul, Stands)
"""What is said about a step that no map could check; like a repair it takes nobody's turn."""


# Events


class FramesDrawn(Event, frozen=True, tag="frames"):
    """The frames that are played with."""

    frames: tuple[Animal, ...]


class Started(Event, frozen=True, tag="started"):
    """A figure, or Max where none is named, stands in its first room."""

    by: Seat
    figure: Figure | None
    room: int


class FrameChosen(Event, frozen=True, tag="frame"):
    """The hunters chose the frame that is filled next."""

    by: Seat
    animal: Animal


class Prowled(Event, frozen=True, tag="prowled"):
    """Max has moved, or not: nobody can tell. GJ-37, GJ-41."""


class Cheated(Event, frozen=True, tag="cheated"):
    """Max went back to a room; `turn` is when he laid its card, where the table can see that. GJ-Q6."""

    turn: int | None = None


class Now(Event, frozen=True, tag="now"):
    """For Max: where he is now, and whether the way there could not be checked."""

    room: int
    unchecked: bool = False


class Trapped(Event, frozen=True, tag="trapped"):
    """Max is in the room of the trap and stands on the board. GJ-52."""

    room: int


class Locked(Event, frozen=True, tag="locked"):
    """A red door is closed. GJ-43."""

    room: int


class Opened(Event, frozen=True, tag="opened"):
    """The closed door is open again. GJ-44."""

    room: int


class Walked(Event, frozen=True, tag="walked"):
    """A figure went to a room."""

    figure: Figure
    room: int


class Stayed(Event, frozen=True, tag="stayed"):
    """A figure stayed where it is; `unlocks` says that it works at the closed door."""

    figure: Figure
    unlocks: bool = False


class TrapLaid(Event, frozen=True, tag="trap_laid"):
    """The trap lies in a room."""

    room: int


class Guessed(Event, frozen=True, tag="guessed"):
    """A hunter put the marker for Max in a room, or took it away. GJ-51."""

    by: Seat
    room: int | None


class Caught(Event, frozen=True, tag="caught"):
    """A figure arrived in Max's room. GJ-70."""

    by: Seat
    figure: Figure
    room: int


class Taken(Event, frozen=True, tag="taken"):
    """An animal left the board; how many of its kind are left, and how many of all. GJ-30."""

    animal: Animal
    left: int
    all_left: int


class Shown(Event, frozen=True, tag="shown"):
    """Max shows himself and the way he took; `unchecked` are steps for the table to judge. GJ-60."""

    room: int
    route: tuple[RouteStep, ...]
    unchecked: tuple[tuple[int, int], ...]


class Doubted(Event, frozen=True, tag="doubted"):
    """A hunter doubts a step of the way that Max has shown."""

    by: Seat


class Stood(Event, frozen=True, tag="stood"):
    """The step in doubt stands."""

    by: Seat


class SentBack(Event, frozen=True, tag="sent_back"):
    """Max broke a rule and stands again where he last was lawfully. GJ-Q22."""

    room: int


class Repaired(Event, frozen=True, tag="repaired"):
    """The moderator set something straight."""


class Over(Event, frozen=True, tag="over"):
    """The game has ended. GJ-70 to GJ-72."""

    winner: str
    reason: str
