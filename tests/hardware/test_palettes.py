"""The lamps of a table can be told apart by eyes that lack a kind of cone; their effects carry the rest."""

from __future__ import annotations

import pytest

from companion.picture import PALETTES, Glow, Hue, Palette
from hardware.frames import Scene
from hardware.kits import Chain
from tests.eyes import light, nearest

GHOSTS: tuple[Hue, ...] = ("blue", "red", "green", "white")
MEANT: tuple[Hue, ...] = (*GHOSTS, "warm")
"""What the lamps of one board show at one time: ghosts, and where to look."""
MADE_FOR: list[tuple[Palette, str]] = [
    ("red_green", "protan"),
    ("red_green", "deutan"),
    ("blue_yellow", "tritan"),
    *((palette, "all") for palette in PALETTES),
]


@pytest.mark.parametrize(("palette", "eyes"), MADE_FOR)
def test_ghosts_and_marks_look_different_to_the_eyes_a_palette_is_for(palette: Palette, eyes: str) -> None:
    hues = PALETTES[palette]
    assert nearest([light(*hues[hue]) for hue in MEANT], eyes) >= (17 if palette == "standard" else 19)
    assert nearest([light(*colour) for colour in hues.values()], eyes) >= 14


def test_the_standard_lamps_are_why_there_are_others() -> None:
    assert nearest([light(*PALETTES["standard"][hue]) for hue in MEANT], "deutan") < 5


@pytest.mark.parametrize("palette", PALETTES)
def test_every_hue_of_every_palette_is_bright_enough_to_be_seen(palette: Palette) -> None:
    assert PALETTES[palette].keys() == PALETTES["standard"].keys()
    assert min(max(colour) for colour in PALETTES[palette].values()) >= 120


def test_a_frame_is_sent_in_the_palette_of_the_table() -> None:
    scene = Scene()
    scene.show({0: Glow("green")}, 0)
    frame = scene.frame(0, Chain(brightness=1), 1, hues=PALETTES["red_green"])
    assert frame == (PALETTES["red_green"]["green"],)
