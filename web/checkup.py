"""What is asked about a board, whatever game lies on it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Literal, Protocol

import msgspec


class Mark(msgspec.Struct, frozen=True):
    """What somebody saw on the real board where it differs; a game has words of its own for it."""

    lies: str = "unknown"
    """`same` where it does not differ after all."""
    value: int | None = None


class Difference(msgspec.Struct, frozen=True):
    """One difference, and what can be done about it."""

    key: str
    """What differs: a room, or a figure."""
    room: int
    """The room whose lamp asks."""
    kind: str
    """How it differs, as the game names it."""
    recorded: Any = None
    lies: Any = None
    """What lies there really, as far as anybody knows."""
    felt: bool = False
    """Whether the board feels it, and will feel when it is put right."""
    correctable: bool = False
    """Whether the record can be made to follow the board."""
    moderator_only: bool = False
    """Whether only the moderator may say that the board is right: the answer could tell a secret."""
    last: bool = False
    """Whether it is the last move that did not happen: it can be taken back."""


class Checkup(msgspec.Struct, frozen=True):
    """What the page of the check shows."""

    step: Literal["look", "ask", "agreed"]
    marked: tuple[str, ...] = ()
    feels: bool = False
    """Whether the board itself tells what differs."""
    question: Difference | None = None
    left: int = 0
    """How many differences there are still, with the one that is asked about."""
    mended: int = 0


class BoardCheck(Protocol):
    """How the board of one game is checked, from what lies open on it."""

    TEMPLATE: str
    """The page: it extends `board/check.html`."""

    def facts(self, scene: Any) -> dict[str, Any]:
        """What the page shows of this game's board, and of the question in words."""
        ...

    def can_check(self, shows: Any) -> bool:
        """Whether there is a board to compare now."""
        ...

    def keys(self, shows: Any) -> Sequence[str]:
        """Everything that can differ."""
        ...

    def recorded(self, shows: Any, key: str) -> object:
        """What the record says of it."""
        ...

    def ordered(self, keys: Iterable[str]) -> list[str]:
        """In the order in which people look for them."""
        ...

    def felt(self, shows: Any, rooms: Sequence[int]) -> tuple[str, ...]:
        """What differs by what the board feels in some rooms."""
        ...

    def mark(self, fields: Mapping[str, str]) -> Mark:
        """What a form says that really lies there."""
        ...

    def question(self, shows: Any, key: str, mark: Mark, felt: bool) -> Difference:
        """What there is to ask about one difference."""
        ...

    def correction(self, question: Difference, told: Mapping[str, str]) -> dict[str, Any] | None:
        """The moderator's action that makes the record follow the board; null where there is none."""
        ...
