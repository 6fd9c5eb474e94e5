"""A QR code on a page: the squares that scanners expect, in as few strokes as there are runs of dark ones."""

from __future__ import annotations

import re

import segno

from web.render import qr

LINK = "http://192.168.1.20:8000/j/fir-owl-27"


def test_every_dark_square_is_in_one_run_and_no_run_could_be_longer() -> None:
    drawn = qr.drawn(LINK)
    runs = [tuple(map(int, run)) for run in re.findall(r"M(\d+) (\d+)h(\d+)v1h-\3z", drawn.path)]
    assert "".join(f"M{x} {y}h{n}v1h-{n}z" for x, y, n in runs) == drawn.path
    rows = [list(row) for row in segno.make(LINK, micro=False).matrix_iter(border=qr.BORDER)]
    dark = {(x, y) for y, row in enumerate(rows) for x, square in enumerate(row) if square}
    assert [(x + at, y) for x, y, n in runs for at in range(n)] == sorted(dark, key=lambda at: at[::-1])
    assert all((x + n, y) not in dark for x, y, n in runs)
    assert drawn.size == len(rows)
