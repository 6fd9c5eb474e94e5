"""Doors: what lets somebody in. Keys, codes that expire, the PIN, and patience with those who guess.

A *key* is what a phone's cookie or a program's header holds: unguessable, and known here by its hash alone.
A *code* is what people read out or scan: short, so it expires and guessing is slow. The *PIN* is shown in
the terminal, to whoever can already do anything; a table may keep one of its own beside it.
"""

from __future__ import annotations

import contextlib
import hashlib
import hmac
import ipaddress
import secrets
import socket
import struct
import sys
import threading
from collections import deque
from collections.abc import Callable
from functools import lru_cache
from itertools import pairwise
from pathlib import Path

import msgspec

from companion.clock import Clock
from companion.contract import Seat
from companion.refusals import Forbidden, Illegal, Malformed, Refusal
from web import hotspot

ALPHABET = "ABCDEFGHJKMNPQRSTUVWXYZ23456789"
"""Without the letters and digits that look alike on paper."""
CODE_LENGTH = 6
OFFER_LENGTH = 8
CODE_SECONDS = 30 * 60.0
OFFER_SECONDS = 5 * 60.0
PIN_DIGITS = (6, 12)
PIN_ROUNDS = 200_000
LOOPBACK = "127.0.0.1"
OWN_ADDRESS = 0x8915
"""What Linux calls the question for an interface's address (SIOCGIFADDR)."""
AVAHI = Path("/run/avahi-daemon/socket")


class TooMany(Refusal):
    """Asked too often: wait."""

    code = "too_many"


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


def neighbourhood(address: str) -> str:
    """An address as far as one household can vary it: IPv4 whole, IPv6 its network."""
    ip = _ip(address)
    if isinstance(ip, ipaddress.IPv6Address):
        return str(ipaddress.ip_network((ip, 64), strict=False).network_address)
    return str(ip or address)


@lru_cache(256)
def _ip(text: str) -> ipaddress.IPv4Address | ipaddress.IPv6Address | None:
    """A number as an address, without the zone, and IPv4 in IPv6's clothes as what it is."""
    try:
        ip = ipaddress.ip_address(text.strip("[]").partition("%")[0])
    except ValueError:
        return None
    return getattr(ip, "ipv4_mapped", None) or ip


class Attempts:
    """Counts wrong guesses, from each address and in all, over the last minute."""

    def __init__(self, clock: Clock, each: int, in_all: int, seconds: float = 60.0) -> None:
        self._clock, self._each, self._in_all, self._seconds = clock, each, in_all, seconds
        self._wrong: deque[tuple[float, str]] = deque()
        self._lock = threading.Lock()

    def check(self, address: str) -> None:
        """Refuse before looking at the guess, right or wrong, where there were too many."""
        with self._lock:
            since = self._clock.now() - self._seconds
            while self._wrong and self._wrong[0][0] <= since:
                self._wrong.popleft()
            near = sum(1 for _, other in self._wrong if other == neighbourhood(address))
            if near >= self._each or len(self._wrong) >= self._in_all:
                raise TooMany("evening.too_many_guesses")

    def wrong(self, address: str) -> None:
        """Remember a wrong one."""
        with self._lock:
            self._wrong.append((self._clock.now(), neighbourhood(address)))


class Ticket(msgspec.Struct, frozen=True):
    """What a code is good for: a place at the table, or one certain seat, once."""

    code: str
    made: float
    until: float
    seat: Seat | None = None
    by: str | None = None
    """The guest who offers the seat."""


class Codes:
    """The codes that are good now. They live in memory: after a restart there are new ones."""

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self._tickets: dict[str, Ticket] = {}
        self._lock = threading.Lock()
        self.attempts = Attempts(clock, each=10, in_all=100)

    def table_code(self) -> Ticket:
        """The code that lets phones join; renewed at half its life, so that it stays good a while."""
        with self._lock:
            now = self._clock.now()
            newest = max(
                (t for t in self._tickets.values() if t.seat is None), key=lambda t: t.made, default=None
            )
            if newest and now < newest.made + CODE_SECONDS / 2:
                return newest
            return self._make(CODE_LENGTH, CODE_SECONDS, None, None)

    def offer(self, seat: Seat, by: str) -> Ticket:
        """A code that hands over one seat, once."""
        with self._lock:
            self._forget(lambda t: t.seat == seat)
            return self._make(OFFER_LENGTH, OFFER_SECONDS, seat, by)

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
        self.attempts.check(address)
        with self._lock:
            ticket = self._tickets.get("".join(code.split()).replace("-", "").upper())
            if ticket is not None and self._clock.now() < ticket.until:
                return ticket
        self.attempts.wrong(address)
        raise Forbidden("evening.wrong_code")

    def _make(self, length: int, seconds: float, seat: Seat | None, by: str | None) -> Ticket:
        now = self._clock.now()
        self._tickets = {code: t for code, t in self._tickets.items() if now < t.until}
        code = "".join(secrets.choice(ALPHABET) for _ in range(length))
        ticket = self._tickets[code] = Ticket(code, now, now + seconds, seat, by)
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

    def __init__(self, clock: Clock, pin: str | None = None) -> None:
        self.shown = pin or f"{secrets.randbelow(1_000_000):06}"
        self.own = ""
        self._attempts = Attempts(clock, each=5, in_all=50)

    def check(self, guess: str, address: str) -> None:
        """Refuse a wrong one. Guessing is slow."""
        self._attempts.check(address)
        pin = "".join(guess.split())
        if not (same(pin, self.shown) or self._is_own(pin)):
            self._attempts.wrong(address)
            raise Forbidden("evening.wrong_pin")

    def _is_own(self, pin: str) -> bool:
        salt, _, _ = self.own.partition(" ")
        try:
            return bool(salt) and same(kept_pin(pin[: PIN_DIGITS[1] + 1], bytes.fromhex(salt)), self.own)
        except ValueError:
            # Somebody changed the file by hand: the PIN that is shown still opens.
            return False


class Names:
    """The names under which this machine may be asked for; others are somebody's DNS trick."""

    def __init__(self, *more: str) -> None:
        own = socket.gethostname().lower().removesuffix(".local")
        self.allowed = {"localhost", own, f"{own}.local", *(name.lower() for name in more if name)}
        self.allow = lru_cache(64)(self._allow)

    def _allow(self, host: str, own_address: str | None) -> bool:
        """Whether a Host header names us: one of our names, our own address, or one of a home network.

        A number cannot be made to point elsewhere, so addresses of home networks are safe even where a
        router or a container stands between.
        """
        name = _without_port(host)
        if name.rstrip(".").lower() in self.allowed:
            return True
        ip = _ip(name)
        if ip is None:
            return False
        return ip.is_private or ip.is_loopback or ip.is_link_local or ip == _ip(own_address or "")


def _without_port(host: str) -> str:
    if host.startswith("["):
        return host.partition("]")[0] + "]"
    name, colon, port = host.rpartition(":")
    return name if colon and port.isdigit() else host


def local_name() -> str:
    """The name under which phones find this machine by mDNS; empty where nobody here answers to one."""
    answers = sys.platform in ("darwin", "win32") or AVAHI.exists()
    return f"{socket.gethostname().lower().removesuffix('.local')}.local" if answers else ""


def home_address() -> str:
    """The address under which phones in the house find this machine; no packet is sent to find out."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as wire:
        try:
            wire.connect(("192.0.2.1", 9))
            return str(wire.getsockname()[0])
        except OSError:
            return hotspot.ADDRESS if hotspot.is_open() else _near_address() or LOOPBACK


def _near_address() -> str:
    """An address in a network that leads nowhere else, as behind a lonely switch; empty for none."""
    if sys.platform != "linux":
        return ""
    import fcntl

    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as wire:
        for _, name in socket.if_nameindex():
            with contextlib.suppress(OSError):
                asked = fcntl.ioctl(wire, OWN_ADDRESS, struct.pack("256s", name.encode()[:15]))
                if (found := socket.inet_ntoa(asked[20:24])) != LOOPBACK:
                    return found
    return ""
