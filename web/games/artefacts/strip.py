"""The status strip on the table page: every section with its name and its number beside the lamps."""

from __future__ import annotations

from collections.abc import Iterator

import msgspec

from companion.games.artefacts.manor import COLOURS
from companion.games.artefacts.view import Shows
from companion.picture import Gauge
from web.games.artefacts.texts import ArtefactsTexts
from web.render.lamps import DARK, meant, seen
from web.scene import Lamps

FLAG = 0.35
"""How bright the last lamp of a section is while it is not full: so much there can be."""


class Section(msgspec.Struct, frozen=True):
    """A section: its strip in the kit, what it is called, what it counts, the colours of its lamps."""

    strip: str
    label: str
    value: str
    fills: tuple[str, ...]
    """Empty for a lamp that is off."""
    wired: bool
    """Whether these are the colours really sent, which may move."""
    cued: bool = False


def strip(shows: Shows, lamps: Lamps | None, m: ArtefactsTexts) -> list[Section]:
    """The whole strip, or nothing while the board is dark."""
    if lamps is None or lamps.dark:
        return []
    return [_turn(shows, lamps, m), *(_section(name, lamps, m) for name in _names(shows))]


def _names(shows: Shows) -> Iterator[str]:
    yield "points"
    yield from (f"life.{colour}" for colour in COLOURS)
    yield from ("escaped", "home")
    yield from (f"power.{ghost.id}" for ghost in shows.ghosts)


def _turn(shows: Shows, lamps: Lamps, m: ArtefactsTexts) -> Section:
    """One lamp a colour; in words who leads."""
    glows = lamps.seats.values()
    fills = tuple(meant(lamps, glow.hue, glow.level) for glow in glows)
    leader = m("strip_leader", colour=m.named("colour", shows.leader))
    return _wired(Section("turn", m("strip_turn"), leader, fills, False), lamps)


def _section(name: str, lamps: Lamps, m: ArtefactsTexts) -> Section:
    gauge = lamps.gauges[name]
    kind, _, what = name.partition(".")
    colour = {"life": "colour", "power": "ghost"}.get(kind)
    label = m(f"strip_{kind}", of=m.named(colour, what)) if colour else m(f"strip_{kind}")
    value = m("strip_value", n=gauge.value, of=gauge.of or gauge.value)
    cued = kind == "power" and gauge.fresh > 0
    return _wired(Section(name, label, value, _fills(gauge, lamps), False, cued), lamps)


def _fills(gauge: Gauge, lamps: Lamps) -> tuple[str, ...]:
    """The lamps as their meaning says, where no such strip is wired."""
    lit = [meant(lamps, gauge.hue)] * gauge.value
    rest = [""] * ((gauge.of or gauge.value) - gauge.value)
    return (*lit, *rest[1:], *([meant(lamps, "white", FLAG)] if rest else []))


def _wired(section: Section, lamps: Lamps) -> Section:
    """With the colours that are really sent, if the kit has such a strip."""
    colours = lamps.strips.get(section.strip)
    if colours is None:
        return section
    fills = tuple("" if colour == DARK else seen(colour) for colour in colours)
    return msgspec.structs.replace(section, fills=fills, wired=True)
