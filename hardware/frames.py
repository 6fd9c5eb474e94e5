"""From a picture to the colours of the chain: which lamp, which colour, how bright, for how much current."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from msgspec.structs import replace

from companion.picture import PALETTES, Gauge, Glow, Hue, Picture
from hardware import effects
from hardware.arrangement import lamp_of_room
from hardware.kits import Chain, Kit, Strip

Colour = tuple[int, int, int]
Frame = tuple[Colour, ...]
"""The colours of the whole chain, first lamp first."""

Glows = dict[int, Glow]
"""How each lit lamp of the chain shines; a lamp that is not in it is dark."""

DARK: Colour = (0, 0, 0)
HUES: dict[Hue, Colour] = PALETTES["standard"]

CHANNEL_MA, RESTING_MA = 20.0, 1.0
"""What one colour of a WS2812 draws at full light, and what a dark lamp still draws."""

LIT, FRESH = Glow("warm"), Glow("warm", "pulse")
FLAG = Glow("white", level=0.35)


def glows(kit: Kit, picture: Picture) -> Glows:
    """How the lamps of a kit shine for a picture."""
    lamps = lamp_of_room(kit)
    lit = {lamps[room]: glow for room, glow in picture.rooms.items() if room in lamps}
    for strip in kit.strips:
        if strip.shows == "gauge" and (gauge := _gauge_for(strip, picture)):
            lit |= gauge_glows(strip, gauge)
        elif strip.shows == "seats":
            seats = list(picture.seats.values())[: strip.lamps]
            lit |= {(strip.first or 0) + n: glow for n, glow in enumerate(seats)}
    return lit


def asleep(lit: Glows) -> Glows:
    """The same lamps while the game is paused: a tenth of the light, and nothing moves."""
    return {lamp: Glow(glow.hue, level=glow.level / 10) for lamp, glow in lit.items()}


def _gauge_for(strip: Strip, picture: Picture) -> Gauge | None:
    """The gauge a strip shows: the one it is named after, or else the game's first."""
    wanted = picture.gauges.get(strip.gauge or strip.name)
    if wanted is None and strip.gauge is None:
        return next(iter(picture.gauges.values()), None)
    return wanted


def gauge_glows(strip: Strip, gauge: Gauge) -> Glows:
    """One lamp a unit, the newest pulsing, a flag on the last one that is needed. Long counts are scaled."""
    count, first = strip.lamps or 1, strip.first or 0
    goal = gauge.of or 0
    scale = min(1.0, count / goal) if goal else 1.0
    value, of = min(count, int(gauge.value * scale)), int(goal * scale)
    old = max(0, min(value, int((gauge.value - gauge.fresh) * scale)))
    along: Glows = {of - 1: FLAG} if of else {}
    lit, fresh = replace(LIT, hue=gauge.hue), replace(FRESH, hue=gauge.hue)
    old = 0 if gauge.won else old
    along |= dict.fromkeys(range(old), lit) | dict.fromkeys(range(old, value), fresh)
    return {first + (count - 1 - n if strip.reversed else n): glow for n, glow in along.items()}


class Scene:
    """The lamps as they shine now, and since when: so that a change shows at once and the rest flows on."""

    def __init__(self) -> None:
        self._lit: dict[int, tuple[Glow, float]] = {}

    def show(self, lit: Mapping[int, Glow], now: float) -> None:
        """Shine like this from now on; a lamp that shines as before keeps its rhythm."""
        before = self._lit
        self._lit = {
            lamp: before[lamp] if lamp in before and before[lamp][0] == glow else (glow, now)
            for lamp, glow in lit.items()
        }

    def frame(
        self, now: float, chain: Chain, lamps: int, bright: float = 1.0, hues: Mapping[Hue, Colour] = HUES
    ) -> Frame:
        """The colours to send at a moment."""
        night = chain.night_brightness
        brightness = night + (chain.brightness - night) * bright
        colours = [DARK] * lamps
        for lamp, (glow, since) in self._lit.items():
            share = glow.level * effects.level(glow.effect, now - since) * brightness
            colours[lamp] = shade(hues[glow.hue], share)
        return limited(colours, chain.most_ma)

    def next_change(self, now: float) -> float | None:
        """When the lamps will look different if nothing happens; never, if all are steady."""
        changes = [
            since + change
            for glow, since in self._lit.values()
            if (change := effects.next_change(glow.effect, now - since)) is not None
        ]
        return min(changes, default=None)


def shade(colour: Colour, share: float) -> Colour:
    """A colour with a share of its light; what should be seen is never rounded to darkness."""
    red, green, blue = (round(channel * share) for channel in colour)
    if share > 0 and not (red or green or blue):
        strongest = max(colour)
        red, green, blue = (int(channel == strongest) for channel in colour)
    return red, green, blue


def current(colours: Sequence[Colour]) -> float:
    """The milliamperes a frame draws, by the makers' figures."""
    return sum(map(sum, colours)) * CHANNEL_MA / 255 + RESTING_MA * len(colours)


def limited(colours: Sequence[Colour], most_ma: float) -> Frame:
    """A frame dimmed as a whole until the supply can feed it; nothing changes below the limit."""
    drawn, resting = current(colours), RESTING_MA * len(colours)
    if drawn <= most_ma:
        return tuple(colours)
    share = max(0.0, most_ma - resting) / (drawn - resting)
    return tuple((int(red * share), int(green * share), int(blue * share)) for red, green, blue in colours)


def spelled(frame: Frame, strip: Strip, kit: Kit) -> list[str]:
    """A strip's part of a frame as hexadecimal colours; rooms in the order of their numbers."""
    if strip.shows == "rooms":
        lamps = lamp_of_room(kit)
        order = [lamps[room] for room in sorted(lamps)]
    else:
        order = list(range(strip.first or 0, strip.end))
        order = order[::-1] if strip.reversed else order
    return [bytes(frame[lamp]).hex() for lamp in order]
