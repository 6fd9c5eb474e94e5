"""The headers of a request, and those that every answer has."""

from __future__ import annotations

from collections.abc import Iterable

Headers = list[tuple[bytes, bytes]]

SECURITY: Headers = [
    (
        b"content-security-policy",
        b"default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; font-src 'self'; "
        b"connect-src 'self'; manifest-src 'self'; worker-src 'self'; form-action 'self'; base-uri 'none'; "
        b"frame-ancestors 'none'",
    ),
    (b"x-content-type-options", b"nosniff"),
    (b"referrer-policy", b"same-origin"),
    (b"cross-origin-opener-policy", b"same-origin"),
    (b"cross-origin-resource-policy", b"same-origin"),
    (b"x-frame-options", b"DENY"),
]
NO_STORE = (b"cache-control", b"no-store")


def headers_of(sent: Iterable[tuple[bytes, bytes]]) -> dict[str, str]:
    """The headers of a request by name; of one sent twice, the last."""
    return {name.decode("latin1"): value.decode("latin1") for name, value in sent}


def secured(headers: Headers) -> Headers:
    """The same, with those that keep a browser on its guard; nothing is stored unless they say so."""
    kept = [] if any(name == b"cache-control" for name, _ in headers) else [NO_STORE]
    return [*headers, *SECURITY, *kept]
