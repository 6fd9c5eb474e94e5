"""Lamps on the table page: the colour really sent to each, and its effect as a shape."""

from __future__ import annotations

import msgspec

from companion.picture import PALETTES, Hue
from web.scene import Lamps

DARK = "000000"


class Lamp(msgspec.Struct, frozen=True):
    """One lamp: its number on the strip, its colour (empty when it is off), and its effect."""

    number: int
    fill: str = ""
    effect: str = "steady"


def board_lamp(lamps: Lamps | None, room: int) -> Lamp:
    """The lamp of a room, counted from 1."""
    if lamps is None or lamps.dark:
        return Lamp(room)
    glow = lamps.rooms.get(room)
    effect = glow.effect if glow else "steady"
    if not lamps.strips:
        # No board is wired: a lamp shines as its meaning says.
        return Lamp(room, meant(lamps, glow.hue, glow.level) if glow else "", effect)
    return Lamp(room, _colour(lamps, "board", room), effect)


def strip_lamp(lamps: Lamps | None, strip: str, number: int) -> Lamp:
    """A lamp of another strip, counted from 1."""
    if lamps is None or lamps.dark:
        return Lamp(number)
    return Lamp(number, _colour(lamps, strip, number))


def _colour(lamps: Lamps, strip: str, number: int) -> str:
    colours = lamps.strips.get(strip, [])
    colour = colours[number - 1] if number <= len(colours) else DARK
    return "" if colour == DARK else seen(colour)


def meant(lamps: Lamps, hue: Hue, level: float = 1.0) -> str:
    """A hue in the palette of this table, as a screen shows it; nothing for a lamp that is off."""
    if not level:
        return ""
    return seen(bytes(round(part * level) for part in PALETTES[lamps.palette][hue]).hex())


def seen(colour: str) -> str:
    """A lamp's colour as a screen shows it: whiter than the wire's, and a dim lamp still to be seen."""
    parts = [int(colour[at : at + 2], 16) for at in (0, 2, 4)]
    brightest = max(parts)
    shine = 0.5 + 0.5 * brightest / 255
    return "#" + "".join(f"{round((64 + 191 * part / brightest) * shine):02x}" for part in parts)
