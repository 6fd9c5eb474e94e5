"""The HTTP status of a refusal."""

from __future__ import annotations

from companion.refusals import Refusal

STATUS = {
    "malformed": 400,
    "too_large": 413,
    "unknown_command": 404,
    "forbidden": 403,
    "too_many": 429,
    "not_saved": 507,
}


def status_of(refusal: Refusal) -> int:
    """By its code; whatever else the rules do not allow now is a conflict with what is true now: 409."""
    return STATUS.get(refusal.code, 409)
