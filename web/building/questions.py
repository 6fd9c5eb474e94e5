"""What is asked about a board, whatever game lies on it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, Literal, Protocol

import msgspec

from companion.games.phantom.actions import Tile

Kind = Literal["what", "gone", "extra", "value", "colour", "figure"]
"""Something differs, and is to be told; a tile is missing; one lies there too many; it has another value or
colour; a figure stands elsewhere."""


class Mark(msgspec.Struct, frozen=True):
    """What somebody saw on the real board where it differs."""

    lies: Literal["unknown", "same", "nothing", "value", "colour"] = "unknown"
    value: int | None = None


class Question(msgspec.Struct, frozen=True):
    """One difference, and what can be done about it."""

    key: str
    """The room, or the figure."""
    room: int
    """The room whose lamp asks."""
    kind: Kind
    recorded: Tile | None = None
    lies: Tile | None = None
    """What lies there really, as far as anybody knows."""
    felt: bool = False
    """Whether the board feels it, and will feel when it is put right."""
    correctable: bool = False
    """Whether the record can be made to follow the board."""
    moderator_only: bool = False
    """Whether only the moderator may say that the board is right: the answer could tell a secret."""
    last: bool = False
    """Whether it is the last move that did not happen: it can be taken back."""


class Table(Protocol):
    """How the board of one game is checked, from what lies open on it."""

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

    def question(self, shows: Any, key: str, mark: Mark, felt: bool) -> Question:
        """What there is to ask about one difference."""
        ...

    def correction(self, question: Question, told: dict[str, str]) -> dict[str, Any] | None:
        """The moderator's action that makes the record follow the board; null where there is none."""
        ...
