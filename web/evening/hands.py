"""Hands: who holds a phone that several people share. It shows one seat at a time, or none.

A phone whose seats have secrets from each other is nobody's until somebody takes it. Whoever does gets a
token, which the page they are shown carries in its forms and its stream; without it no page, push or answer
has anything of a seat. All of this is memory: after a restart nobody holds anything.
"""

from __future__ import annotations

import secrets
from itertools import combinations
from typing import TYPE_CHECKING

import msgspec
from msgspec.structs import replace

import web.handover  # noqa: F401  its sentences
from companion.contract import Seat
from companion.refusals import Forbidden
from web.doors import same

if TYPE_CHECKING:
    from web.evening.evening import Evening


class Hold(msgspec.Struct, frozen=True):
    """Somebody has the phone in hand."""

    seat: Seat
    token: str
    led: bool = False
    """Whether a form has just led to the page, which may then be loaded once."""


class Hands:
    """The phones in somebody's hand, by guest. A phone that is not in here is nobody's."""

    def __init__(self, evening: Evening) -> None:
        self._evening = evening
        self._held: dict[str, Hold] = {}

    def shared(self, guest: str) -> tuple[Seat, ...]:
        """The seats, clockwise, of a phone that is handed over; none where its owner may see them all."""
        evening = self._evening
        with evening.lock:
            who, own = evening.guest(guest), evening.seats_of(guest)
            if who is None or who.alone or len(own) < 2 or not evening.under_way:
                return ()
            seats = tuple(chair.seat for chair in evening.chairs() if chair.seat in own)
            return seats if any(evening.table.apart(*pair) for pair in combinations(seats, 2)) else ()

    def seat(self, guest: str, token: str) -> Seat | None:
        """The seat whose page a token opens, if the phone is still in that hand."""
        with self._evening.lock:
            hold = self._held.get(guest)
            if hold is None or not same(hold.token, token) or hold.seat not in self.shared(guest):
                return None
            return hold.seat

    def sees(self, guest: str, seat: Seat, token: str) -> bool:
        """Whether a page with this token may have anything of a seat of its phone."""
        with self._evening.lock:
            return seat not in self.shared(guest) or self.seat(guest, token) == seat

    def check(self, guest: str, seat: Seat, token: str) -> None:
        """Refuse to speak for a seat of a shared phone without having it in hand."""
        if not self.sees(guest, seat, token):
            raise Forbidden("handover.not_in_hand")

    def take(self, guest: str, seat: Seat) -> str:
        """Somebody takes the phone: the token of their page. Whoever had it has it no more."""
        with self._evening.lock:
            self.put_down(guest)
            if seat not in self.shared(guest):
                return ""
            self._held[guest] = Hold(seat, secrets.token_hex(16))
            return self._held[guest].token

    def put_down(self, guest: str, token: str | None = None) -> None:
        """The phone is nobody's; with a token only if it is still in that hand, for news may come late."""
        with self._evening.lock:
            hold = self._held.get(guest)
            if hold is not None and (token is None or same(hold.token, token)):
                del self._held[guest]
                self._evening.bump()

    def lead(self, guest: str, token: str) -> str:
        """What a form adds to the address it leads to, so that whoever sent it goes on holding the phone."""
        with self._evening.lock:
            if self.seat(guest, token) is None:
                return ""
            self._held[guest] = replace(self._held[guest], led=True)
            return f"?hold={token}"

    def opened(self, guest: str, token: str) -> str:
        """A page is loaded. Only one that a form has just led to is anybody's; every other ends the hold."""
        with self._evening.lock:
            hold = self._held.get(guest)
            if hold is not None and hold.led and same(hold.token, token):
                self._held[guest] = replace(hold, led=False)
                return token
            self.put_down(guest)
            return ""

    def turned(self, fresh: bool) -> None:
        """The table has changed: a phone is put down where another of its seats is to act now."""
        if fresh:
            self._held.clear()
        for guest, hold in list(self._held.items()):
            seats, to_act = self.shared(guest), self._evening.choices
            if not seats or (hold.seat not in to_act and any(seat in to_act for seat in seats)):
                del self._held[guest]
