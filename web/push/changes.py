"""What makes one page of another, piece by piece: what is pushed is only what is different."""

from __future__ import annotations

Run = tuple[int, int, list[str]]
"""From which piece on how many are gone, and what is there instead."""


def changes(old: list[str], new: list[str]) -> list[Run]:
    """What makes one page of another; not the least there could be, but found in a moment."""
    if len(old) == len(new):
        # Mostly a piece stands in for another one.
        return [(at, 1, [piece]) for at, piece in enumerate(new) if piece != old[at]]
    places, runs = _places(old), list[Run]()
    at, fresh = 0, list[str]()
    for piece in new:
        here = at + len(fresh)
        found = here if here < len(old) and old[here] == piece else places.get(piece, -1)
        if found < at:
            fresh.append(piece)
            continue
        if fresh or found > at:
            runs.append((at, found - at, fresh))
        at, fresh = found + 1, []
    if fresh or at < len(old):
        runs.append((at, len(old) - at, fresh))
    return runs


def _places(pieces: list[str]) -> dict[str, int]:
    """Where those are that there is only one of: by them two pages get into step again."""
    places: dict[str, int] = {}
    for at, piece in enumerate(pieces):
        places[piece] = -1 if piece in places else at
    return places
