"""SharedPhones: who holds a phone that several people share. It shows one seat at a time, or none.

A phone whose seats have secrets from each other is nobody's until somebody takes it. Whoever does gets a
token, which the page they are shown carries in its forms and its stream; without it no page, push or answer
has anything of a seat. All of this is memory: after a restart nobody holds anything.
"""

from __future__ import annotations

import secrets
from collections.abc import Callable, Container
from itertools import combinations

import msgspec
from msgspec.structs import replace

from companion.contract import Seat
from companion.refusals import Forbidden
from companion.table import Table
from web.access.credentials import same
from web.people.guests import Guests
from web.versions import Versions


class Hold(msgspec.Struct, frozen=True):
    """Somebody has the phone in hand."""

    seat: Seat
    token: str
    led: bool = False
    """Whether a form has just led to the page, which may then be loaded once."""


class SharedPhones:
    """The phones in somebody's hand, by guest. A phone that is not in here is nobody's."""

    def __init__(
        self, table: Table, guests: Guests, versions: Versions, to_act: Callable[[], Container[Seat]]
    ) -> None:
        self._table, self._guests, self._versions, self._to_act = table, guests, versions, to_act
        self._held: dict[str, Hold] = {}

    def shared(self, guest: str) -> tuple[Seat, ...]:
        """The seats, clockwise, of a phone that is handed over; none where its owner may see them all."""
        with self._table.lock:
            who, own = self._guests.find(guest), self._guests.seats_of(guest)
            if who is None or who.alone or len(own) < 2 or not self._playing():
                return ()
            seats = tuple(chair.seat for chair in self._table.chairs() if chair.seat in own)
            return seats if any(self._table.apart(*pair) for pair in combinations(seats, 2)) else ()

    def _playing(self) -> bool:
        return self._table.game is not None and self._table.standing().phase != "over"

    def seat(self, guest: str, token: str) -> Seat | None:
        """The seat whose page a token opens, if the phone is still in that hand."""
        with self._table.lock:
            hold = self._held.get(guest)
            if hold is None or not same(hold.token, token) or hold.seat not in self.shared(guest):
                return None
            return hold.seat

    def sees(self, guest: str, seat: Seat, token: str) -> bool:
        """Whether a page with this token may have anything of a seat of its phone."""
        with self._table.lock:
            return seat not in self.shared(guest) or self.seat(guest, token) == seat

    def check(self, guest: str, seat: Seat, token: str) -> None:
        """Refuse to speak for a seat of a shared phone without having it in hand."""
        if not self.sees(guest, seat, token):
            raise Forbidden("handover.not_in_hand")

    def take(self, guest: str, seat: Seat) -> str:
        """Somebody takes the phone: the token of their page. Whoever had it has it no more."""
        with self._table.lock:
            self.put_down(guest)
            if seat not in self.shared(guest):
                return ""
            self._held[guest] = Hold(seat, secrets.token_hex(16))
            return self._held[guest].token

    def put_down(self, guest: str, token: str | None = None) -> None:
        """The phone is nobody's; with a token only if it is still in that hand, for news may come late."""
        with self._table.lock:
            hold = self._held.get(guest)
            if hold is not None and (token is None or same(hold.token, token)):
                del self._held[guest]
                self._versions.bump()

    def lead(self, guest: str, token: str) -> str:
        """What a form adds to the address it leads to, so that whoever sent it goes on holding the phone."""
        with self._table.lock:
            if self.seat(guest, token) is None:
                return ""
            self._held[guest] = replace(self._held[guest], led=True)
            return f"?hold={token}"

    def opened(self, guest: str, token: str) -> str:
        """A page is loaded. Only one that a form has just led to is anybody's; every other ends the hold."""
        with self._table.lock:
            hold = self._held.get(guest)
            if hold is not None and hold.led and same(hold.token, token):
                self._held[guest] = replace(hold, led=False)
                return token
            self.put_down(guest)
            return ""

    def table_changed(self, fresh: bool) -> None:
        """The table has changed: a phone is put down where another of its seats is to act now.

        One who knows the same as whoever holds it goes on with the page: there is nothing to close a door on.
        """
        if fresh:
            self._held.clear()
        for guest, hold in list(self._held.items()):
            seats, to_act = self.shared(guest), self._to_act()
            asked = [seat for seat in seats if seat in to_act]
            if seats and (hold.seat in to_act or not asked):
                continue
            alike = [seat for seat in asked if not self._table.apart(hold.seat, seat)]
            if alike:
                self._held[guest] = replace(hold, seat=alike[0])
            else:
                del self._held[guest]
