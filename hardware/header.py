"""The 40-pin header of a Pi, as Raspberry Pi's documentation numbers it."""

from __future__ import annotations

from hardware.kits import Pin

HEADER: dict[Pin, int] = {
    2: 3, 3: 5, 4: 7, 14: 8, 15: 10, 17: 11, 18: 12, 27: 13, 22: 15, 23: 16, 24: 18, 10: 19, 9: 21, 25: 22,
    11: 23, 8: 24, 7: 26, 0: 27, 1: 28, 5: 29, 6: 31, 12: 32, 13: 33, 19: 35, 16: 36, 26: 37, 20: 38, 21: 40,
}  # fmt: skip
"""The number of each GPIO on the 40-pin header."""
GROUND_PINS = (6, 9, 14, 20, 25, 30, 34, 39)
POWER_PINS = {1: "3V3", 2: "5V", 4: "5V", 17: "3V3"}
NAMES = (
    {number: f"GPIO{pin}" for pin, number in HEADER.items()} | POWER_PINS | dict.fromkeys(GROUND_PINS, "GND")
)
"""What every pin of the header is called."""
