"""What lets somebody in: keys, codes that expire, the PIN, and patience with those who guess.

A *key* is what a phone's cookie or a program's header holds: unguessable, and known here by its hash alone.
A *code* is what people read out or scan: short, so it expires and guessing is slow. The *PIN* is shown in
the terminal, to whoever can already do anything; a table may keep one of its own beside it.
"""

from __future__ import annotations

import hashlib
import hmac
import secrets
import threading
from collections.abc import Callable
from itertools import pairwise
from math import inf
from typing import Any

import msgspec

from companion.clock import Clock
from companion.contract import Seat
from companion.refusals import Forbidden, Illegal, Malformed
from web.access.guess_limit import GuessLimit

ALPHABET = "ABCDEFGHJKMNPQRSTUVWXYZ23456789"
"""Without the letters and digits that look alike on paper."""
CODE_LENGTH = 6
OFFER_LENGTH = 8
HOST_LENGTH = 12
"""So long that nobody guesses it: it is good until somebody has used it."""
CODE_SECONDS = 30 * 60.0
OFFER_SECONDS = 5 * 60.0
PIN_DIGITS = (6, 12)
PIN_ROUNDS = 200_000


def new_key() -> str:
    """A key that nobody can guess."""
    return secrets.token_urlsafe(32)


def hashed(key: str) -> str:
    """How a key is known here."""
    return hashlib.sha256(key.encode()).hexdigest()


def csrf_token(key: str) -> str:
    """What the forms of a key's owner must carry: made from the key, so that it outlives a restart."""
    return hmac.digest(key.encode(), b"csrf", "sha256").hex()[:32]


def same(one: str, other: str) -> bool:
    """Whether two secrets are the same, in a time that tells nothing."""
    return hmac.compare_digest(one.encode(), other.encode())


class Ticket(msgspec.Struct, frozen=True):
    """What a code is good for: a place at the table; one certain seat, once; the host's part, once."""

    code: str
    made: float
    until: float
    seat: Seat | None = None
    by: str | None = None
    """The guest who offers the seat."""
    host: bool = False


class Codes:
    """The codes that are good now. They live in memory: after a restart there are new ones."""

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self._tickets: dict[str, Ticket] = {}
        self._lock = threading.Lock()
        self._limit = GuessLimit(clock, each=10)

    def table_code(self) -> Ticket:
        """The code that lets phones join; renewed at half its life, so that it stays good a while."""
        with self._lock:
            now = self._clock.now()
            newest = max(
                (t for t in self._tickets.values() if t.seat is None and not t.host),
                key=lambda t: t.made,
                default=None,
            )
            if newest and now < newest.made + CODE_SECONDS / 2:
                return newest
            return self._make(CODE_LENGTH, CODE_SECONDS)

    def host_code(self) -> Ticket:
        """The code that makes whoever uses it first the host."""
        with self._lock:
            ticket = next((t for t in self._tickets.values() if t.host), None)
            return ticket or self._make(HOST_LENGTH, inf, host=True)

    def used(self, ticket: Ticket) -> None:
        """A code that is good once has been used."""
        with self._lock:
            self._forget(lambda t: t == ticket)

    def offer(self, seat: Seat, by: str) -> Ticket:
        """A code that hands over one seat, once."""
        with self._lock:
            self._forget(lambda t: t.seat == seat)
            return self._make(OFFER_LENGTH, OFFER_SECONDS, seat=seat, by=by)

    def offers(self, by: str) -> tuple[Ticket, ...]:
        """The seats that a guest is offering now."""
        with self._lock:
            now = self._clock.now()
            return tuple(t for t in self._tickets.values() if t.by == by and now < t.until)

    def good(self) -> tuple[str, ...]:
        """Every code that is good now, and still good enough to be shown."""
        newest = self.table_code().code
        with self._lock:
            now = self._clock.now()
            return (newest, *sorted(t.code for t in self._tickets.values() if t.seat and now < t.until))

    def withdraw(self, seat: Seat) -> None:
        """Offers of this seat are good no longer."""
        with self._lock:
            self._forget(lambda t: t.seat == seat)

    def renew(self) -> None:
        """Every code shown so far is good no longer."""
        with self._lock:
            self._tickets.clear()

    def check(self, code: str, address: str) -> Ticket:
        """What a code is good for. Guessing is slow."""
        self._limit.guess(address)
        with self._lock:
            ticket = self._tickets.get("".join(code.split()).replace("-", "").upper())
        if ticket is None or self._clock.now() >= ticket.until:
            raise Forbidden("evening.wrong_code")
        self._limit.right(address)
        return ticket

    def _make(self, length: int, seconds: float, **what_for: Any) -> Ticket:
        now = self._clock.now()
        self._tickets = {code: t for code, t in self._tickets.items() if now < t.until}
        code = "".join(secrets.choice(ALPHABET) for _ in range(length))
        ticket = self._tickets[code] = Ticket(code, now, now + seconds, **what_for)
        return ticket

    def _forget(self, which: Callable[[Ticket], bool]) -> None:
        self._tickets = {code: t for code, t in self._tickets.items() if not which(t)}


def kept_pin(pin: str, salt: bytes | None = None) -> str:
    """How a table's own PIN is kept: slow to try out, for whoever finds the file."""
    salt = salt or secrets.token_bytes(16)
    return f"{salt.hex()} {hashlib.pbkdf2_hmac('sha256', pin.encode(), salt, PIN_ROUNDS).hex()}"


def checked_pin(text: str) -> str:
    """A PIN that a table may have: long enough, and not the first one that somebody tries."""
    pin = "".join(text.split())
    if not (pin.isascii() and pin.isdecimal() and PIN_DIGITS[0] <= len(pin) <= PIN_DIGITS[1]):
        raise Malformed("evening.bad_pin", least=PIN_DIGITS[0], most=PIN_DIGITS[1])
    steps = {int(after) - int(before) for before, after in pairwise(pin)}
    if steps in ({0}, {1}, {-1}):
        raise Illegal("evening.easy_pin")
    return pin


class Pin:
    """The host's and moderator's PIN, new at every start; and the table's own, as a hash, if it has one."""

    def __init__(
        self,
        clock: Clock,
        pin: str | None = None,
        own: Callable[[], str] = lambda: "",
        alarm: Callable[[int], None] | None = None,
    ) -> None:
        """`alarm` is told how many wrong ones there were, when somebody seems to try them out."""
        self.shown = pin or f"{secrets.randbelow(1_000_000):06}"
        self._own = own
        self._limit = GuessLimit(clock, each=5, strangers=300, alarm=alarm)

    def check(self, guess: str, address: str, guest: str = "", trusted: bool = False) -> None:
        """Refuse a wrong one. Guessing is slow, but for whoever is trusted."""
        if not trusted:
            self._limit.guess(address, guest)
        pin = "".join(guess.split())
        if not (same(pin, self.shown) or self._is_own(pin)):
            self._limit.wrong()
            raise Forbidden("evening.wrong_pin")
        if not trusted:
            self._limit.right(address, guest)

    def _is_own(self, pin: str) -> bool:
        own = self._own()
        salt, _, _ = own.partition(" ")
        try:
            return bool(salt) and same(kept_pin(pin[: PIN_DIGITS[1] + 1], bytes.fromhex(salt)), own)
        except ValueError:
            # Somebody changed the file by hand: the PIN that is shown still opens.
            return False
