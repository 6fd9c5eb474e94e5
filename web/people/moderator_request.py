"""Whoever becomes moderator in a running game sees every secret: each other side agrees to it first."""

from __future__ import annotations

import msgspec
from msgspec.structs import replace

from companion.contract import Seat
from companion.refusals import Forbidden
from web.versions import Stale, Versions


class ModeratorAsk(msgspec.Struct, frozen=True):
    """Somebody wants to be moderator, and needs others to agree."""

    guest: str
    name: str
    plays: bool
    sides: tuple[frozenset[Seat], ...]
    """The seats of each other side: one of each must agree."""
    game: int
    """The version at which the game began that it is about."""
    agreed: frozenset[Seat] = frozenset()

    @property
    def granted(self) -> bool:
        """Whether every side has agreed."""
        return all(side & self.agreed for side in self.sides)

    @property
    def asked(self) -> frozenset[Seat]:
        """The seats whose word is still wanted."""
        return frozenset().union(*(side for side in self.sides if not side & self.agreed))


class ModeratorRequest:
    """At most one request at a time; it ends with its game."""

    def __init__(self, versions: Versions) -> None:
        self._versions = versions
        self._pending: ModeratorAsk | None = None

    @property
    def pending(self) -> ModeratorAsk | None:
        """What is asked now."""
        return self._pending if self._pending and self._pending.game == self._versions.game else None

    def ask(self, guest: str, name: str, plays: bool, sides: tuple[frozenset[Seat], ...]) -> None:
        """Wait for one seat of each of these sides."""
        self._wait(ModeratorAsk(guest, name, plays, sides, self._versions.game))

    def agree(self, seat: Seat) -> ModeratorAsk:
        """A seat agrees; once it is granted nobody is asked any more."""
        asked = self._asked(seat)
        now = replace(asked, agreed=asked.agreed | {seat})
        self._wait(None if now.granted else now)
        return now

    def decline(self, seat: Seat) -> ModeratorAsk:
        """A seat does not agree: it is settled."""
        asked = self._asked(seat)
        self._wait(None)
        return asked

    def _asked(self, seat: Seat) -> ModeratorAsk:
        if self.pending is None:
            raise Stale("evening.nobody_asks")
        if seat not in self.pending.asked:
            raise Forbidden("evening.not_asked")
        return self.pending

    def _wait(self, ask: ModeratorAsk | None) -> None:
        self._pending = ask
        self._versions.bump()
