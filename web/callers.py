"""Who is calling: read from the headers of a request, the same for streams, pages and programs."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

import msgspec

from web import doors
from web.evening.book import Guest
from web.evening.evening import Evening
from web.language import asked_for

COOKIE = "companion"
TONGUE = "language"
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
    """Whether, as far as the browser tells, a page of this house sent it, or nobody but the person."""


class Reception:
    """Recognises callers."""

    def __init__(self, evening: Evening) -> None:
        self._evening = evening
        self._salt = doors.new_key()

    def caller(self, headers: Mapping[str, str], address: str) -> Caller:
        """Who sends these headers (by lower-case name) from this address."""
        cookies = headers.get("cookie", "")
        key, chosen = _cookie(cookies, COOKIE), _cookie(cookies, TONGUE)
        guest = self._evening.guest_of(key)
        key_shown = _bearer(headers.get("authorization", ""))
        bearer = doors.hashed(key_shown) if key_shown else None
        return Caller(
            address=address,
            language=asked_for(chosen or headers.get("accept-language", "")),
            token=doors.csrf_token(key if key and guest else f"{self._salt} {doors.neighbourhood(address)}"),
            guest=guest,
            program=self._evening.seat_of(bearer) if bearer else None,
            bearer=bearer,
            own_screen=address in OWN_SCREEN and not FORWARDED & headers.keys(),
            from_here=_from_here(headers),
        )


def headers_of(sent: Iterable[tuple[bytes, bytes]]) -> dict[str, str]:
    """The headers of a request by name; of one sent twice, the last."""
    return {name.decode("latin1"): value.decode("latin1") for name, value in sent}


def _from_here(headers: Mapping[str, str]) -> bool:
    origin = headers.get("origin")
    site = headers.get("sec-fetch-site", "same-origin")
    return site in ("same-origin", "none") and (origin is None or origin == f"http://{headers.get('host')}")


def _cookie(header: str, wanted: str) -> str | None:
    for part in header.split(";"):
        name, _, value = part.strip().partition("=")
        if name == wanted and 0 < len(value) <= LONGEST_KEY:
            return value
    return None


def _bearer(header: str) -> str | None:
    kind, _, key = header.partition(" ")
    return key.strip() if kind.lower() == "bearer" and 0 < len(key) <= LONGEST_KEY else None
