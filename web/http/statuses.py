"""The HTTP status of a refusal."""

from __future__ import annotations

from typing import ClassVar

from companion.refusals import Forbidden, Refusal

STATUS = {
    "malformed": 400,
    "too_large": 413,
    "unknown_command": 404,
    "forbidden": 403,
    "too_many": 429,
    "not_saved": 507,
}


class NotRecognised(Forbidden):
    """No key, or one that opens nothing here."""

    status: ClassVar[int] = 401


class Crowded(Refusal):
    """There are too many of these already: come back in a moment."""

    code = "too_many"
    status: ClassVar[int] = 503


def headers_of_refusal(refusal: Refusal) -> dict[str, str]:
    """When to come back, where there was too much of something."""
    wait = getattr(refusal, "retry_after", None) or (5 if status_of(refusal) == 503 else None)
    return {"Retry-After": str(wait)} if wait else {}


def status_of(refusal: Refusal) -> int:
    """Its own, or by its code; whatever else the rules do not allow now conflicts with what is true now."""
    own: int | None = getattr(refusal, "status", None)
    return own or STATUS.get(refusal.code, 409)
