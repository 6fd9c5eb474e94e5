"""The request to take back the last move, while it waits for others to agree."""

from __future__ import annotations

import msgspec

from companion.contract import MODERATOR, Seat
from companion.refusals import Forbidden, Refusal
from companion.table import Table
from web.versions import Stale, Versions


class UndoAsk(msgspec.Struct, frozen=True):
    """Somebody wants to take back the last move, and needs others to agree."""

    by: Seat
    agreed: tuple[Seat, ...] = ()


class UndoRequest:
    """At most one request at a time; whatever happens at the table ends it."""

    def __init__(self, table: Table, versions: Versions) -> None:
        self._table, self._versions = table, versions
        self.pending: UndoAsk | None = None

    def ask(self, by: Seat, agreed: tuple[Seat, ...]) -> None:
        """Take the last move back if the consent of these seats is enough, else wait for that of others."""
        try:
            self._table.undo(by, [seat for seat in agreed if seat != MODERATOR])
        except Forbidden as refusal:
            if not needs_consent(refusal):
                raise
            self._wait(UndoAsk(by, agreed))

    def agree(self, seat: Seat) -> None:
        """A seat agrees that the last move is taken back."""
        with self._table.lock:
            asked = self._asked()
            self.ask(asked.by, (*asked.agreed, seat))

    def decline(self) -> None:
        """Somebody does not want the last move taken back: it stands."""
        with self._table.lock:
            self._asked()
            self._wait(None)

    def table_changed(self) -> None:
        """The table has changed: what was asked is settled."""
        self.pending = None

    def _wait(self, ask: UndoAsk | None) -> None:
        self.pending = ask
        self._versions.bump()

    def _asked(self) -> UndoAsk:
        if self.pending is None:
            raise Stale("evening.no_undo_asked")
        return self.pending


def needs_consent(refusal: Refusal) -> bool:
    """Whether an undo was refused only because others have not agreed."""
    return refusal.saying.key == "companion.needs_consent"
