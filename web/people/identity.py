"""Who is calling: read from the headers of a request, the same for streams, pages and programs."""

from __future__ import annotations

import os
from collections.abc import Mapping
from functools import lru_cache

import msgspec

from companion.contract import HOST, MODERATOR, PUBLIC, TABLE, Seat
from companion.refusals import Forbidden
from web.access import credentials
from web.http import addresses
from web.http.language import asked_for
from web.http.statuses import NotRecognised
from web.people.guest_book import Guest
from web.people.guests import Guests
from web.people.shared_phones import SharedPhones

COOKIE = os.environ.get("COMPANION_COOKIE", "companion")
"""The cookie with a guest's key. A phone shows it to every port of a Pi: a second companion has another."""
SECURE_COOKIE = f"__Host-{COOKIE}"
"""The one over HTTPS: a browser neither sends it over HTTP nor lets anything from there take its place."""
LANGUAGE = "language"
"""The cookie of a stranger who chose another language than the browser asks for."""
LONGEST_KEY = 100
OWN_SCREEN = ("127.0.0.1", "::1", "::ffff:127.0.0.1")
FORWARDED = {"forwarded", "x-forwarded-for", "x-real-ip", "via"}
"""Headers by which somebody in between says that the caller is really elsewhere."""


class Caller(msgspec.Struct, frozen=True):
    """A request's origin: a guest by cookie, a program by its seat's key, or a stranger by address."""

    address: str
    language: str
    token: str
    """What the forms of this caller must carry."""
    guest: Guest | None = None
    program: str | None = None
    """The seat that a program's key opens."""
    bearer: str | None = None
    """The hash of that key: the seat may change hands while a stream is open."""
    own_screen: bool = False
    """Whether it comes from this very machine: a screen at the table, which everybody in the room sees."""
    from_here: bool = True
    """Whether, as far as the browser tells, a page of this site sent it, or nobody but the person."""

    @property
    def known(self) -> bool:
        """Whether they have shown a good key."""
        return self.guest is not None or self.program is not None

    @property
    def household(self) -> str:
        """Where they call from."""
        return addresses.neighbourhood(self.address)

    @property
    def holder(self) -> str:
        """For whom something is counted: a guest, a program, or the strangers of one household."""
        return self.guest.id if self.guest else self.program or self.household


class Callers:
    """Recognises callers."""

    def __init__(self, guests: Guests, shared_phones: SharedPhones) -> None:
        self._guests, self._shared_phones = guests, shared_phones
        self._salt = credentials.new_key()

    def caller(self, headers: Mapping[str, str], address: str, scheme: str = "http") -> Caller:
        """Who sends these headers (by lower-case name) from this address."""
        shown = _shown(headers.get("cookie", ""), headers.get("authorization", ""), cookie_of(scheme))
        guest = self._guests.by_key(shown.key) if shown.key else None
        return Caller(
            address=address,
            language=asked_for(shown.language or headers.get("accept-language", "")),
            token=shown.token if guest else self._stranger(address),
            guest=guest,
            program=self._guests.seat_of_program(shown.bearer) if shown.bearer else None,
            bearer=shown.bearer,
            own_screen=address in OWN_SCREEN and FORWARDED.isdisjoint(headers),
            from_here=_from_here(headers, scheme),
        )

    def seat_of(self, caller: Caller, wanted: Seat | None) -> Seat:
        """For which seat a caller speaks."""
        return seat_of(self._guests, self._shared_phones, caller, wanted)

    def _stranger(self, address: str) -> str:
        return credentials.csrf_token(f"{self._salt} {addresses.neighbourhood(address)}")


class Shown(msgspec.Struct, frozen=True):
    """What a caller shows: hashes of keys, what the forms of a key's owner carry, a chosen language."""

    key: str | None
    token: str
    bearer: str | None
    language: str | None


@lru_cache(256)
def _shown(cookies: str, authorization: str, cookie: str) -> Shown:
    """The keys of a request. A phone shows the same with each, so they are not hashed again every time."""
    key, program = _cookie(cookies, cookie), _bearer(authorization)
    return Shown(
        key=credentials.hashed(key) if key else None,
        token=credentials.csrf_token(key) if key else "",
        bearer=credentials.hashed(program) if program else None,
        language=_cookie(cookies, LANGUAGE),
    )


def cookie_of(scheme: str) -> str:
    """The cookie that counts: what was ever sent over HTTP is nobody's word over HTTPS."""
    return SECURE_COOKIE if scheme == "https" else COOKIE


def _from_here(headers: Mapping[str, str], scheme: str) -> bool:
    origin = headers.get("origin")
    site = headers.get("sec-fetch-site", "same-origin")
    own = f"{scheme}://{headers.get('host')}"
    return site in ("same-origin", "none") and origin in (None, own)


def _cookie(header: str, wanted: str) -> str | None:
    for part in header.split(";"):
        name, _, value = part.strip().partition("=")
        if name == wanted and 0 < len(value) <= LONGEST_KEY:
            return value
    return None


def _bearer(header: str) -> str | None:
    kind, _, key = header.partition(" ")
    return key.strip() if kind.lower() == "bearer" and 0 < len(key) <= LONGEST_KEY else None


def seat_of(guests: Guests, shared_phones: SharedPhones, caller: Caller, wanted: Seat | None = None) -> Seat:
    """For which seat a caller speaks here."""
    if caller.program is not None:
        own: tuple[Seat, ...] = (caller.program, TABLE)
    elif caller.guest is not None:
        others = [seat for seat in (MODERATOR, HOST, TABLE) if guests.may_speak(caller.guest, seat)]
        # The cookie of a shared phone is everybody's: its seats have pages, and their programs have keys.
        shared = shared_phones.shared(caller.guest.id)
        own = (*(s for s in guests.book.seats_of(caller.guest.id) if s not in shared), *others, PUBLIC)
    else:
        raise NotRecognised("evening.join_first")
    if wanted is not None and wanted not in own:
        raise Forbidden("evening.not_your_seat", seat=wanted)
    return wanted or own[0]
