"""Strips of one chain that do not say where they begin."""

from __future__ import annotations

from hardware.kits import Grid, Kit, Strip


def test_a_strip_begins_where_the_one_before_it_ends() -> None:
    strips = [
        Strip("board", "rooms"),
        Strip("damage", "gauge", lamps=60),
        Strip("life", "gauge", first=200, lamps=3),
        Strip("seats", "seats", lamps=4),
    ]
    kit = Kit(strips=strips).fitted(Grid(6, 6))
    assert [(strip.first, strip.end) for strip in kit.strips] == [(0, 36), (36, 96), (200, 203), (203, 207)]
    assert kit.lamps == 207
