"""QR codes, for the terminal and for a page."""

from __future__ import annotations

from functools import lru_cache

from web.scene import Qr

BORDER = 4
"""The quiet zone that scanners ask for."""


@lru_cache(maxsize=32)
def drawn(text: str) -> Qr:
    """A text as a picture: runs of dark squares in one SVG path."""
    import segno

    rows = [list(row) for row in segno.make(text, micro=False).matrix_iter(border=BORDER)]
    path = "".join(f"M{x} {y}h{n}v1h-{n}z" for y, row in enumerate(rows) for x, n in _runs(row))
    return Qr(len(rows), path)


def _runs(row: list[int]) -> list[tuple[int, int]]:
    """Where dark squares begin in a row, and how many there are."""
    runs: list[tuple[int, int]] = []
    for x, dark in enumerate(row):
        if not dark:
            continue
        if runs and sum(runs[-1]) == x:
            runs[-1] = (runs[-1][0], runs[-1][1] + 1)
        else:
            runs.append((x, 1))
    return runs


def for_terminal(text: str) -> str:
    """A text as half-block characters."""
    import io

    import segno

    out = io.StringIO()
    segno.make(text, micro=False).terminal(out, border=2, compact=True)
    return out.getvalue()
