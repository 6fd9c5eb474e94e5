"""A physical board as the rest of the companion sees it: contacts that go in, lamps that come out.

`hardware` provides one, found by the entry point group `companion.boards`; either side can be missing.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from importlib.metadata import entry_points
from typing import Literal, Protocol

import msgspec

from companion.clock import Clock
from companion.contract import Event, Seat
from companion.picture import Palette, Pointer
from companion.table import Table
from companion.words import Saying

GROUP = "companion.boards"
KITS = "companion.kits"
MAKERS = "companion.kit_makers"

Sign = Literal["booting", "ready", "no_network", "not_saved", "set_aside"]
"""What a board says of itself with its lamps, as long as no game is on."""


Touch = Literal["screen", "strip", "contacts", "rows", "joystick"]
"""What one touches to play: a page, next to nothing, the tiles, buttons around the board, a stick."""


class KitOffer(msgspec.Struct, frozen=True):
    """A kit that a board can have, as a person chooses it."""

    name: str
    title: str
    about: str
    """What one touches, in a sentence."""
    touch: Touch
    rooms: int | None
    """How many rooms it has; null where it fits any game."""
    wired: bool
    """Whether it needs a Pi with wires."""


class Pick(msgspec.Struct, frozen=True):
    """One answer to a question about a new kit, with the name of its picture."""

    value: str
    title: str
    picture: str
    chosen: bool


class Ask(msgspec.Struct, frozen=True):
    """A question about a new kit: one or many of its picks, a number, or a text."""

    name: str
    title: str
    kind: Literal["one", "many", "number", "text"]
    picks: tuple[Pick, ...] = ()
    value: str = ""
    least: float = 0
    most: float = 0


class WireAsk(msgspec.Struct, frozen=True):
    """A wire of a new kit: what is on it, as the form and as a person calls it, and where it goes."""

    user: str
    title: str
    gpio: int
    leg: int
    """Its pin on the header."""
    movable: bool


class Sketch(msgspec.Struct, frozen=True):
    """A kit in the making: what is asked, what is wrong so far, and what comes of it."""

    name: str
    asks: tuple[Ask, ...]
    pins: tuple[WireAsk, ...]
    problems: tuple[Saying, ...]
    current: tuple[str, ...]
    parts: tuple[str, ...]
    notes: tuple[str, ...]
    files: tuple[str, ...]
    """The files to take along; none while something is wrong."""
    text: str
    """The kit as the text of its file."""


class KitMaker(Protocol):
    """Makes kits by answers: fields of a form, each with all that was sent."""

    def sketch(self, answers: Mapping[str, Sequence[str]], language: str) -> Sketch:
        """What comes of some answers."""
        ...

    def file(self, answers: Mapping[str, Sequence[str]], name: str, language: str) -> tuple[str, bytes]:
        """One of its files: the type, and what is in it."""
        ...


class Question(Protocol):
    """What the doctor wants to know: words, numbers and contacts can answer it."""

    @property
    def saying(self) -> Saying:
        """What the person is asked to do."""
        ...

    @property
    def answers(self) -> Sequence[str]:
        """The words that answer it."""
        ...

    @property
    def wants_number(self) -> bool:
        """Whether a number answers it too."""
        ...


class Visit(Protocol):
    """A doctor's visit to a board: one question after another, and what was found so far."""

    @property
    def question(self) -> Question | None:
        """What is asked now; nothing when all is known."""
        ...

    @property
    def findings(self) -> Sequence[Saying]:
        """What is wrong with the board."""
        ...

    def strips(self) -> dict[str, list[str]]:
        """The lamps as the question lights them, and nothing of the game: as in `Board.strips`."""
        ...

    def written(self) -> str:
        """The kit as it turned out to be, as the text of its file."""
        ...


class Board(Protocol):
    """A board with a kit of buttons, sensors and lamps, connected to a table."""

    brightness: float
    """From 0, the kit's night brightness, to 1, its full one."""
    palette: Palette
    """For whose eyes the lamps shine."""
    sign: Sign | None
    """What the lamps say while no game is on; nothing, unless somebody sets it."""

    @property
    def simulated(self) -> bool:
        """Whether `press` is its only finger."""
        ...

    @property
    def buttons(self) -> Sequence[str]:
        """The names of all contacts."""
        ...

    @property
    def pointer(self) -> Pointer | None:
        """Where the cursor is, if one is shown."""
        ...

    @property
    def peek(self) -> Seat | None:
        """The seat that holds PEEK now: screens stay dark meanwhile."""
        ...

    @property
    def shown(self) -> int:
        """The version of the table that the lamps show."""
        ...

    def press(self, button: str) -> Sequence[Event]:
        """Close a contact; what the table heard of it comes back."""
        ...

    def release(self, button: str) -> Sequence[Event]:
        """Open a contact."""
        ...

    def strips(self, peek: Seat | None = None) -> dict[str, list[str]]:
        """The colours now sent to the lamps, as six hexadecimal digits each, by part of the board.

        With `peek`, as they would be if that seat held PEEK.
        """
        ...

    def ask(self, room: int | None) -> None:
        """Let the lamp of a room ask whether board and record agree there, or of none."""
        ...

    def differing(self) -> Sequence[int] | None:
        """The rooms where the board feels something else than the record says; null if it cannot tell."""
        ...

    def faults(self) -> Sequence[Saying]:
        """Everything on the board that seems to be broken; nothing is the normal case."""
        ...

    def unready(self) -> Sequence[Saying]:
        """What the machine under the board lacks for it, with remedies; it may take a moment."""
        ...

    def examine(self) -> Visit:
        """Begin a doctor's visit: it has lamps and contacts until `dismiss`."""
        ...

    def answer(self, said: str) -> None:
        """What a person says to the doctor."""
        ...

    def dismiss(self) -> None:
        """End the visit: lamps and contacts belong to the game again."""
        ...

    def close(self) -> None:
        """Lamps dark, pins free."""
        ...


def kits(language: str = "en") -> tuple[KitOffer, ...]:
    """Every kit there is, the simulated one first; none where no hardware package is installed."""
    offers = [offer for point in entry_points(group=KITS) for offer in point.load()(language)]
    return tuple(sorted(offers, key=lambda offer: (offer.wired, offer.rooms or 0, offer.name)))


def kit_maker() -> KitMaker | None:
    """Where kits are made; null where no hardware package is installed."""
    for point in entry_points(group=MAKERS):
        maker: KitMaker = point.load()
        return maker
    return None


def open_board(
    kit: str,
    table: Table,
    clock: Clock,
    *,
    on_rest: Callable[[], None] | None = None,
    patient: bool = False,
) -> Board | None:
    """The board with a kit, or null where no hardware package is installed.

    `on_rest` is called when a long press asked for the plug to be pulled. A kit that cannot be used is
    refused. With `patient` one whose pins cannot be had yet is no refusal: the board says so in its `faults`,
    and tries again by itself.
    """
    for point in entry_points(group=GROUP):
        board: Board = point.load()(kit, table, clock, on_rest=on_rest, patient=patient)
        return board
    return None
