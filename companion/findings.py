"""Findings: what follows from one state of a game, worked out once, whoever asks for it."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from typing import Any, TypeVar

import msgspec

from companion.contract import PUBLIC, Action, Chair, Cue, Game, Result, Seat, View
from companion.picture import Picture, Pointer

T = TypeVar("T")


class Standing(msgspec.Struct, frozen=True):
    """Where a game stands, in what everybody may know."""

    phase: str
    to_act: tuple[Seat, ...]
    awaited: tuple[Seat, ...]
    result: Result | None


class Findings:
    """Answers about a state."""

    def __init__(self, game: Game[Any], state: Any) -> None:
        self.game, self.state = game, state
        self._found: dict[Hashable, Any] = {}

    def standing(self) -> Standing:
        """Phase, who is to act, and the result."""
        return self._once("standing", self._standing)

    def _standing(self) -> Standing:
        to_act, awaited = (tuple(sorted(who(self.state))) for who in (self.game.to_act, self.game.awaited))
        return Standing(self.game.phase(self.state), to_act, awaited, self.game.result(self.state))

    def chairs(self) -> tuple[Chair, ...]:
        """The seats that play, with their roles."""
        return self._once("chairs", lambda: self.game.chairs(self.state))

    def plays(self, seat: Seat) -> bool:
        """Whether this is a seat of somebody who plays."""
        return seat in self._once("seats", lambda: frozenset(chair.seat for chair in self.chairs()))

    def view(self, seat: Seat) -> View:
        """What a seat may know."""
        return self._once(("view", seat), lambda: self.game.view(self.state, seat))

    def legal(self, seat: Seat) -> Sequence[Action]:
        """What a seat may do; nothing for a seat that is not to act."""
        return self._once(("legal", seat), lambda: self.game.legal(self.state, seat))

    def cues(self) -> tuple[Cue, ...]:
        """The steps that people copy on the real board."""
        return self._once("cues", lambda: self.game.to_copy(self.view(PUBLIC)))

    def picture(self, pointer: Pointer | None, peek: Seat | None) -> Picture:
        """What the shared lamps show."""
        seat = self.game.audience(self.state, peek)
        return self._once(("picture", seat, pointer), lambda: self.game.picture(self.view(seat), pointer))

    def _once(self, what: Hashable, find: Callable[[], T]) -> T:
        if what not in self._found:
            self._found[what] = find()
        answer: T = self._found[what]
        return answer
