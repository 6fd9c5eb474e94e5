"""What a game offers the phones: one record, of which everything but the name has a default.

A package brings a game's pages by an entry point of the group `companion.pages` that names its record. Its
templates, static files and words are in the folders `templates`, `static` and `words` beside the record.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any, Protocol

import msgspec
from markupsafe import Markup, escape

from companion import words
from companion.contract import Seat
from companion.table import Line
from companion.words import Saying
from web.checkup import BoardCheck
from web.scene import Scene
from web.texts import Texts, known

Drawn = tuple[str, dict[str, Any]]
"""The name of a template, and what it shows."""


class Part(msgspec.Struct, frozen=True):
    """A template that a page of the evening includes for a game, and what it shows."""

    template: str
    facts: Callable[[Scene, Texts], dict[str, Any]]


class News(msgspec.Struct, frozen=True):
    """Something that everybody may know has happened, in words."""

    kind: str
    """The type of the event."""
    icon: str
    words: Markup


class BoxForm(msgspec.Struct, frozen=True, kw_only=True):
    """How a box is written down. A form never refuses: the game itself checks what the fields say."""

    template: str
    written: Callable[[Any], dict[str, str]]
    """The fields of the form that say this box."""
    read: Callable[[Mapping[str, str], Any], tuple[dict[str, Any], list[Saying]]]
    """The box that the fields say, and what only a form can have wrong; the box as it was before is given."""
    facts: Callable[[str], dict[str, Any]]
    """What the template needs, in a language."""
    summary: Callable[[Any, str], Iterable[tuple[str, str]]]
    """A box in a few lines, in a language."""
    lies_open: bool = False
    """Whether the whole box lies on the table for all to see, so that it can be learned from there."""
    link: tuple[str, str] | None = None
    """Where more is told about this game's boxes: a path, and the key of its words."""


class BoardEntry(Protocol):
    """How the board of a game is entered or dealt on the page `lay`."""

    def sketch(self, evening: Any) -> Any:
        """The board as it is being entered; null where none is."""
        ...

    def at_once(self, evening: Any) -> bool:
        """Whether chance can lay all of it by one tap: no real tile has to be told first."""
        ...

    def due(self, scene: Scene) -> tuple[bool, bool]:
        """Whether the board is being laid now, and whether chance has dealt it."""
        ...

    def draw(self, scene: Scene, t: Texts) -> Drawn:
        """The page."""
        ...


class Hunt(msgspec.Struct, frozen=True):
    """Who hunts, and whom: hunters get the map on their phones, and a pencil."""

    role: str
    suspects: dict[str, str]
    """Whom a hunter can suspect in a room, each with the id of its picture; in words `suspect_<name>`."""


class Demonstration(msgspec.Struct, frozen=True):
    """A game under way for "Show me": the visitor has one seat, bots have the others.

    Its captions are the sentences `demo_1` to `demo_3` of the game's pages: what one sees, what one does,
    what the others do.
    """

    seat: Seat
    options: dict[str, Any]
    moves: int
    """So many moves have bots made before it is shown, and on to the visitor's next turn in this phase."""
    phase: str
    pace: float = 2.5
    """Seconds between the moves of bots."""
    deeds: Callable[[Mapping[str, str]], list[dict[str, Any]]] | None = None
    """The actions that a form of the player's page asks for, where that can be several."""


class GamePages(msgspec.Struct, frozen=True, kw_only=True):
    """The phone side of one game."""

    game: str
    folder: Path | None = None
    """Where its templates, static files and words are."""
    rank: int = 100
    """Games of a lower rank are offered first; the first of all is planned before anybody has chosen."""
    icon: str = "keys"
    faces: dict[str, str] = {}
    """The picture of each role; in words it is `role_<role>`."""
    seat_symbols: str = ""
    """How the names of its pictures of seats begin, where seats are told apart by more than their role."""
    players: tuple[int, ...] = ()
    """How many can play; empty for what the type of its option says."""
    open_hands: bool = False
    """A seat has nothing to hide: no button to hold, and a phone with several seats follows the turn."""
    setup: frozenset[str] = frozenset()
    """The phases in which the board is laid and secrets are hidden."""

    draw: Callable[[Scene, Texts], Any] | None = None
    """The pages `play`, `watch`, `table`, `moderator` and `demo`; the generic ones where there is none."""
    news: Callable[[Scene, Texts, Line], Iterable[News]] = lambda scene, t, line: ()
    """What a line of the open record tells, in words."""
    moments: frozenset[str] = frozenset()
    """The events that nobody may miss: their news come to every phone and stay there until they were seen."""
    errand: Callable[[Scene, Texts, dict[str, Any]], Markup] = lambda scene, t, event: escape(
        known(t, f"event_{event['type']}", event["type"])
    )
    """What hands do on the real board for an event that the companion decided (`Game.errand`)."""
    story: Part | None = None
    """The story of a finished game as a file."""
    styles: tuple[str, ...] = ()
    scripts: tuple[str, ...] = ()
    """Static files that every page of an evening links: the next game may be this one, and nobody reloads."""
    sprite: str = ""
    """The template of the pictures that its pages use; every whole page has them from the start."""
    samples: str = ""
    """The template of a few of its colours, beside each choice of colours on "My phone"."""
    routes: tuple[str, ...] = ()
    """Modules with forms and pages of its own, registered by `web.site.routes` when they are imported."""

    upfront: tuple[str, ...] = ()
    """Options that stand among the first choices of the plan, each value with a sentence about it.

    In words `plan_<option>`, `<option>_<value>` and `<option>_<value>_hint`.
    """
    plan: Part | None = None
    """What the host is asked besides before the game; `asks_first` hides that the plan is not whole yet."""
    host: Part | None = None
    """What the host's page shows besides while it is played."""
    first_step: str = ""
    """The name of its own step among the first steps of a new table (`welcome.html`)."""
    folders: tuple[str, ...] = ()
    """Folders of the table's state that are its own."""
    box: BoxForm | None = None
    check: BoardCheck | None = None
    entry: BoardEntry | None = None
    deal_now: Callable[[Any, Any], None] | None = None
    """Chance lays the whole board at one tap: in this evening, because this guest asks for it."""
    seats_on: Callable[[Any, Sequence[Seat]], int] = lambda shows, seats: 1
    """By how many seats everybody moves at a rematch, from what all saw at the end: one, usually."""
    again: Callable[[Any, Texts], str] = lambda shows, t: t("rematch")
    """What the button for the next game of the same people says; empty where there is none."""
    own_score: Callable[[Any], bool] = lambda shows: False
    """Whether this game counts by itself, from what all saw at the end: then the evening does not."""
    same_board: Callable[[Any], dict[str, Any] | None] = lambda shows: None
    """The options that lay the board of a finished game again, from what all saw at its end."""
    private_lamps: Callable[[Any], bool] = lambda shows: False
    """Whether the real lamps may show somebody what is for their eyes alone: then no screen follows them."""
    demo: Demonstration | None = None
    hunt: Hunt | None = None

    def __post_init__(self) -> None:
        if self.folder is not None:
            words.register(self.speaker, self.folder / "words")

    @property
    def speaker(self) -> str:
        """Who says the sentences of its pages."""
        return f"{self.game}_pages"

    @property
    def links(self) -> tuple[str, ...]:
        """The addresses of its style sheets."""
        return tuple(f"/static/{self.game}/{file}" for file in self.styles)
