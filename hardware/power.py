"""Supply, fuse and wire of the lamps, sized for the worst: all of them full white.

The companion dims every frame under the kit's limit. A wrong clock, a loose ground or a pulled data line can
still turn every lamp full white, and then nothing may get hot.
"""

from __future__ import annotations

from math import ceil

from hardware.kits import Kit

FULL_WHITE_MA = 60
"""What a WS2812 draws at full white, by its maker."""

PI_AMPERES = 3
SUPPLIES = (2, 3, 4, 5, 6, 8, 10, 12, 15, 20, 30, 40, 60)
"""The amperes in which 5 V supplies are sold."""
FUSES = (2, 3, 4, 5, 7.5, 10, 15, 20, 25, 30, 40, 50, 60)
"""The amperes of blade fuses."""
WIRES = (
    (3, 0.5, 20),
    (7.5, 0.75, 18),
    (10, 1.0, 17),
    (15, 1.5, 15),
    (20, 2.5, 13),
    (30, 4.0, 11),
    (60, 10.0, 7),
)
"""Up to how many amperes a wire of so many square millimetres (and this AWG) is good for in a closed box."""
BRANCH = 7.5
"""The amperes that a strip, and the thin wires of lamps in a string, bear from one feed."""
SPARE = 1.25
"""A supply is not run at its limit."""


def worst_amperes(kit: Kit) -> float:
    """What the lamps draw at full white."""
    return kit.lamps * FULL_WHITE_MA / 1000


def supply_amperes(kit: Kit) -> int:
    """The supply of the lamps: the worst case with a quarter to spare, and more than the fuse holds."""
    least, fuse = worst_amperes(kit) * SPARE, fuse_amperes(kit)
    return next((size for size in SUPPLIES if size >= least and size > fuse), SUPPLIES[-1])


def fuse_amperes(kit: Kit) -> float:
    """The fuse behind it: above the worst case, below what the supply gives."""
    return next((size for size in FUSES if size >= worst_amperes(kit)), FUSES[-1])


def branches(kit: Kit) -> int:
    """How many feeds with a fuse of their own the lamps need, so that no strip carries more than it bears."""
    return ceil(worst_amperes(kit) / BRANCH)


def most_lamps() -> int:
    """How many lamps the largest supply can feed with a quarter to spare; larger boards need two."""
    return int(SUPPLIES[-1] / SPARE * 1000 / FULL_WHITE_MA)


def wire(kit: Kit) -> tuple[float, int]:
    """The wire that the fuse protects: its square millimetres and AWG."""
    return next((area, gauge) for most, area, gauge in WIRES if fuse_amperes(kit) <= most)
