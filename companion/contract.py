"""The contract of a game: one door in (an action by a seat), one door out (a view for a seat).

A game is a pure value. Its state is frozen, `apply` returns the next one, and there is no clock, no input or
output and no random number inside: chance is an action by the seat `table`. Whatever leaves the core leaves
as a `View`, built up from nothing for the seat that will read it.

A new game subclasses `Game`, and is found by the entry point group `companion.games`.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator, Sequence
from functools import cache
from pathlib import Path
from random import Random
from threading import Lock
from typing import Any, ClassVar, Generic, Literal, TypeVar

import msgspec

from companion.picture import Picture, Pointer
from companion.refusals import Illegal, Malformed
from companion.words import Saying

Seat = str
"""A place at the table. Besides its own seats every game has the four below."""

PUBLIC, HOST, MODERATOR, TABLE = "public", "host", "moderator", "table"
"""What lies on the table; who runs the evening; the moderator who sees everything; chance."""

RESERVED = (PUBLIC, HOST, MODERATOR, TABLE)


class Action(msgspec.Struct, frozen=True, tag_field="type", forbid_unknown_fields=True):
    """Something a seat does. Each kind is a subclass with its tag."""


class Event(msgspec.Struct, frozen=True, tag_field="type"):
    """Something that happened, as everybody at the table may hear it."""


class Whisper(msgspec.Struct, frozen=True):
    """An event for some seats only."""

    to: tuple[Seat, ...]
    event: Event


Told = Event | Whisper

Move = tuple[Seat, Action]
"""Who does what."""


class Result(msgspec.Struct, frozen=True):
    """How a game ended: the winner and the reason, in the words of the protocol."""

    winner: str
    reason: str


class Chair(msgspec.Struct, frozen=True):
    """A seat with its role; the role is null while nobody has one."""

    seat: Seat
    role: str | None


class Cue(msgspec.Struct, frozen=True):
    """A step that people copy on the real board, and the gauge or the room that points to it meanwhile."""

    event: Event
    gauge: str | None = None
    room: int | None = None


class View(msgspec.Struct, frozen=True):
    """All that one seat may know.

    `shows` is what it sees now, and what goes out as JSON. `knows` is what it has seen so far, kept apart
    because it survives an undo: seen is seen.
    """

    seat: Seat
    shows: Any
    knows: Any = ()


Model = Literal["uniform", "careful", "human"]
"""How those who hide are taken to behave: every world counts once, or as they choose what tells least, or as
people do."""


class Odds(msgspec.Struct, frozen=True):
    """The hunters' map: how many worlds there are, and in which share of them somebody hides in a room.

    The shares are those of a model; `possible` are the rooms where somebody can be, whatever the model.
    """

    worlds: int
    rooms: dict[int, float]
    possible: tuple[int, ...] = ()

    def __post_init__(self) -> None:
        """Where a share is more than nothing somebody can be."""
        if not self.possible:
            rooms = tuple(sorted(room for room, share in self.rooms.items() if share))
            msgspec.structs.force_setattr(self, "possible", rooms)


class Clue(msgspec.Struct, frozen=True):
    """What the last action told everybody: the worlds before and after it, and the rooms it ruled out."""

    before: int
    after: int
    ruled_out: tuple[int, ...]


class Aids(msgspec.Struct, frozen=True):
    """The help that a table agreed on, as far as it is of use now: the map, pencil marks, a bot's opinion."""

    map: Literal["off", "possible", "likely"] = "off"
    pencil: bool = False
    hints: bool = False


S = TypeVar("S")


class Worlds(Sequence[S]):
    """The hidden states that fit a view, each of them equally possible."""

    def sample(self, chance: Random) -> S:
        """One of them, drawn blindly."""
        return self[chance.randrange(len(self))]


class Listed(Worlds[S]):
    """Worlds few enough to be written down one by one."""

    def __init__(self, states: Sequence[S]) -> None:
        self._states = states

    def __len__(self) -> int:
        return len(self._states)

    def __getitem__(self, index: Any) -> Any:
        return self._states[index]


class OneWorld(Listed[S]):
    """The worlds of a seat from which nothing is hidden."""

    def __init__(self, state: S) -> None:
        super().__init__((state,))


class Game(ABC, Generic[S]):
    """What a game provides. The first half is the game; the second half has defaults that fit most."""

    name: ClassVar[str]
    """Its name in the protocol."""
    options: ClassVar[type[msgspec.Struct]]
    """The type of its options; one of them is `players`."""
    position: ClassVar[Any]
    """The type of a game already under way."""
    action: ClassVar[Any]
    """The tagged union of its actions."""
    asides: ClassVar[tuple[type[Action], ...]] = ()
    """Actions that take nobody's turn; like a repair they are not in `legal`."""
    shows: ClassVar[type[msgspec.Struct]]
    """The type of what a view shows."""
    presets: ClassVar[dict[str, dict[str, Any]]] = {}
    """Named sets of options, so that nobody must read them all."""
    elsewhere: ClassVar[dict[str, str]] = {}
    """The options, or parts of them, that no form asks for, each with the reason; see `companion.options`."""
    needed: ClassVar[dict[str, tuple[str, str | None]]] = {}
    """Options that mean something only beside another: which, and its value, or null for any but no."""
    vocabulary: ClassVar[dict[frozenset[str], str]] = {}
    """Sets of values that the game has words for, and how the keys of these words begin."""
    grid: ClassVar[tuple[int, int] | None] = None
    """Rows and columns of the shared board, its rooms numbered row by row; null where it grows in play."""
    secret_options: ClassVar[frozenset[str]] = frozenset()
    """The options that not everybody at the table may know."""
    league: ClassVar[dict[str, Any]] = {}
    """The options with which bots are measured unless told otherwise."""
    box: ClassVar[type[msgspec.Struct] | None] = None
    """The type of a box profile: what is printed on a table's own copy; null where nothing has to be told."""
    rules: ClassVar[Path | None] = None
    """The folder of its numbered rules in words, one TOML file a language; null where it has none."""

    @abstractmethod
    def start(self, options: Any) -> S:
        """A game about to begin. Refuses options that contradict each other."""

    @abstractmethod
    def enter(self, options: Any, position: Any) -> S:
        """A game already under way. Refuses a position that cannot be, naming every problem."""

    @abstractmethod
    def chairs(self, state: S) -> tuple[Chair, ...]:
        """The seats that play, clockwise, with their roles."""

    @abstractmethod
    def phase(self, state: S) -> str:
        """The name of the part of the game we are in; `over` at the end."""

    @abstractmethod
    def to_act(self, state: S) -> tuple[Seat, ...]:
        """Who may act now; nobody when the game is over."""

    def awaited(self, state: S) -> tuple[Seat, ...]:
        """Of those who may act, those without whom the game does not go on; mostly all of them."""
        return self.to_act(state)

    @abstractmethod
    def legal(self, state: S, seat: Seat) -> Sequence[Action]:
        """Everything this seat may do now, sorted. What is not in here is refused by `apply`."""

    @abstractmethod
    def apply(self, state: S, seat: Seat, action: Any) -> tuple[S, tuple[Told, ...]]:
        """The state after an action and what happened, or a `Refusal`."""

    def as_listed(self, state: S, action: Any) -> Any:
        """An action as `legal` lists it, where a game lets people say the same in other words."""
        return action

    @abstractmethod
    def view(self, state: S, seat: Seat) -> View:
        """What a seat may know. The only way out."""

    @abstractmethod
    def worlds(self, view: View) -> Worlds[S]:
        """The hidden states that fit a view: each of them gives the very same view."""

    @abstractmethod
    def picture(self, view: View, pointer: Pointer | None = None) -> Picture:
        """What the lamps show to the audience of a view."""

    @abstractmethod
    def result(self, state: S) -> Result | None:
        """How it ended, or null while it goes on."""

    @abstractmethod
    def side(self, state: S, seat: Seat) -> str | None:
        """Which side a seat is on; partners share one. Taking something back needs both sides."""

    def apart(self, state: S, one: Seat, other: Seat) -> bool:
        """Whether two seats may have secrets from each other now, as far as everybody at the table can tell.

        A phone that both of them share then shows to one at a time.
        """
        return self.result(state) is None

    @abstractmethod
    def told_nothing(self, before: S, action: Any, after: S) -> bool:
        """Whether an action told its own seat nothing, so that it may be taken back freely."""

    def sensible(self, option: str, values: tuple[str, ...], options: Any) -> tuple[str, ...]:
        """Of the values of an option those that make sense beside the other options."""
        return values

    def resolve(self, options: dict[str, Any]) -> dict[str, Any]:
        """Options with whatever they name outside the companion, such as a file, read in.

        Done once, before a game begins and is recorded, so that the record stands on its own.
        """
        return options

    def seen(self, earlier: S, later: S) -> S:
        """The earlier state with what was seen until the later one: an undo takes no knowledge away."""
        return earlier

    def recorded(
        self, state: S, action: Any, events: tuple[Event, ...]
    ) -> tuple[dict[str, Any], tuple[Event, ...]]:
        """An action and its public events for the open record: without what the table may not know.

        Of the state only the options count, and whether there is a result.
        """
        return open_fields(action), events

    def chance(self, state: S, chance: Random) -> Action | None:
        """What `table` draws when it is to act; null where people draw real cards and tell what they got."""
        return None

    def aids(self, view: View) -> Aids:
        """The help that phones and the table page give the players now."""
        return Aids()

    def odds(self, view: View, model: Model = "uniform") -> Odds:
        """The hunters' map, from what everybody knows of a view."""
        raise Illegal("companion.no_odds", game=self.name)

    def clue(self, view: View) -> Clue | None:
        """What the last action told everybody about who hides where; null where there is nothing to tell."""
        return None

    def corrections(self, view: View, said: Any = None) -> tuple[tuple[Saying, ...], ...]:
        """If the record contradicts itself: the smallest sets of corrections that would make sense of it.

        `said` is an action that was refused because no world allows it, where there is one.
        """
        return ()

    def asked(self, state: S, seat: Seat) -> Sequence[Action]:
        """What a seat may answer to a question that is put to it, whoever is to act; mostly there is none."""
        return ()

    def camp(self, state: S, seat: Seat) -> str | None:
        """The name under which a seat wins, as results say it; its side while nobody has a role."""
        return self.side(state, seat)

    def ground(self, view: View) -> Any:
        """What is printed, board or box, where tables have different ones; it is no secret."""
        return None

    def ahead(self, view: View) -> Any:
        """What can be foreseen from what a view knows, where a game helps its players."""
        return None

    def to_copy(self, view: View) -> tuple[Cue, ...]:
        """What the companion did by itself and people now copy on the real board, step by step."""
        return ()

    def errand(self, event: Event, seat: Seat, companion: frozenset[Seat]) -> Cue | None:
        """What hands do on the real board for an open event of `seat`, where the companion has decided it.

        `companion` are the seats that it plays for; the others do theirs without being asked.
        """
        return None

    def audience(self, state: S, peek: Seat | None = None) -> Seat:
        """The seat whose view the shared lamps show now; `peek` is a seat that holds PEEK."""
        return PUBLIC

    def pointed(self, view: View, room: int) -> tuple[Move, ...]:
        """What pointing at a room of the shared board can mean now, as far as a view knows: secrets never."""
        return ()

    def told_apart(self, view: View, room: int) -> dict[int, Move]:
        """Where pointing at a room can mean several things: for each of them a room to point at instead."""
        return {}

    def felt(self, view: View, taken: int | None, put: int | None) -> tuple[Move, ...]:
        """What it can mean that a board with sensors felt a piece leave one room, or arrive in another."""
        return ()

    def confirmed(self, view: View) -> tuple[Move, ...]:
        """What OK on the board means with nothing chosen: a step that everybody is led through is done."""
        return ()

    def lying(self, view: View) -> frozenset[int] | None:
        """The rooms where such a board should feel something; null while that is not to be compared."""
        return None

    def may_return(self, view: View, room: int) -> bool:
        """Whether what was just lifted from a room may be put back at once, because it told nobody much."""
        return False

    def problems(self, state: S) -> tuple[Saying, ...]:
        """Everything about a state that cannot be, at once; none is the normal case."""
        return ()

    def rematch(self, state: S) -> dict[str, Any]:
        """The options of the next game with the same people."""
        raise Illegal("companion.no_rematch", game=self.name)

    def playout(self, state: S, chance: Random) -> Result:
        """How it ends if from here on everybody does anything that is allowed. Bots call this very often."""
        for after in wander(self, state, chance):
            state = after
        result = self.result(state)
        assert result is not None, f"{self.name}: nobody is to act, and the game is not over"
        return result

    def box_problems(self, box: Any) -> tuple[Saying, ...]:
        """Everything about a box that cannot be, at once."""
        return ()

    def box_options(self, box: Any) -> dict[str, Any]:
        """The options, as plain data, that a game with this box is played with."""
        return {}

    def learn_box(self, view: View) -> Any | None:
        """The box that a view has seen all of, or null if it has not."""
        return None


def read(data: Any, kind: Any, what: str) -> Any:
    """Turn plain JSON data into a typed value, strictly, or refuse it with the place of the fault."""
    try:
        return converted(data, kind)
    except msgspec.ValidationError as fault:
        raise Malformed("companion.malformed", what=what, fault=str(fault)) from None


def converted(data: Any, kind: Any, strict: bool = True) -> Any:
    """`msgspec.convert`, for many threads: none looks at a kind that another one is just finding out about.

    msgspec would read from nowhere, and that is the end of the process.
    """
    with _finding_out:
        holding = _holding(kind)
    try:
        return msgspec.convert((data,), holding, strict=strict).it
    except msgspec.ValidationError as fault:
        said = str(fault).replace(" - at `$[0]`", "").replace("`$[0]", "`$")
        raise msgspec.ValidationError(said) from None


_finding_out = Lock()


@cache
def _holding(kind: Any) -> Any:
    """Something that holds one of a kind; what a kind made of others means is found out once, and now."""
    holding = msgspec.defstruct("Holding", [("it", kind)], array_like=True)
    msgspec.json.Decoder(holding)
    return holding


def read_options(game: Game[Any], data: dict[str, Any]) -> Any:
    """Options from plain data; what a preset sets, an option given beside it overrides."""
    preset = data.get("preset")
    filled = game.presets.get(preset, {}) if isinstance(preset, str) else {}
    return read({**filled, **data}, game.options, "options")


def plain(value: Any) -> Any:
    """A typed value as plain JSON data."""
    return msgspec.to_builtins(value, str_keys=True)


def open_fields(action: Action, *secret: str) -> dict[str, Any]:
    """An action as plain data without its secret fields."""
    fields: dict[str, Any] = plain(action)
    return {name: field for name, field in fields.items() if name not in secret}


def heard(told: Sequence[Told], seat: Seat) -> tuple[Event, ...]:
    """What one seat hears of what happened. The moderator hears everything."""
    return tuple(
        each.event if isinstance(each, Whisper) else each
        for each in told
        if not isinstance(each, Whisper) or seat in each.to or seat == MODERATOR
    )


def replay(game: Game[S], state: S, moves: Sequence[tuple[Seat, Action]]) -> Iterator[S]:
    """The states a list of actions leads through."""
    for seat, action in moves:
        state, _ = game.apply(state, seat, action)
        yield state


def wander(game: Game[S], state: S, chance: Random, most: int = 10_000) -> Iterator[S]:
    """The states of a game in which every seat does anything that is allowed, until the end."""
    for _ in range(most):
        seats = game.to_act(state)
        if not seats:
            return
        seat = chance.choice(seats)
        drawn = game.chance(state, chance) if seat == TABLE else None
        state, _ = game.apply(state, seat, drawn or chance.choice(game.legal(state, seat)))
        yield state
    if game.to_act(state):
        raise RuntimeError(f"{game.name}: no end after {most} actions")
