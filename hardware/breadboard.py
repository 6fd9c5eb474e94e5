"""The joystick's parts on a breadboard, to try them before the iron is hot: in which hole each leg goes.

On a breadboard the five holes of a half column are one wire, and so is each long rail.
"""

from __future__ import annotations

from textwrap import wrap

from companion.words import say
from hardware.checks import STATUS_LAMP
from hardware.header import HEADER
from hardware.ink import Ink, Point
from hardware.kits import Kit
from hardware.netlist import Part, parts

COLUMNS, PITCH, LEFT, TOP = 50, 22.0, 60.0, 190.0
UPPER, LOWER = "abcde", "fghij"
RAILS = {"+": -2.2, "-": -1.2, "=": 11.8}
"""Where the rails lie, in rows from row `a`: the lamps' 5 V, ground, and ground again at the lower edge."""
FIRST_LEG = 12
"""The column of the shifter's first leg: its legs 1 to 7 are in row f, 14 to 8 in row e, notch left."""


def hole(name: str) -> Point:
    """Where a hole is drawn: `e12`, or a rail such as `+12`."""
    row, column = name[0], int(name[1:])
    x = LEFT + PITCH * column
    if row in RAILS:
        return x, TOP + PITCH * RAILS[row]
    # Between the halves there is a ditch, over which the chip sits.
    number = (UPPER + LOWER).index(row)
    return x, TOP + PITCH * (number + (1.6 if row in LOWER else 0))


def strip_of(name: str) -> str:
    """The wire under a hole: a rail, or a half column."""
    row, column = name[0], name[1:]
    return row if row in RAILS else f"{'upper' if row in UPPER else 'lower'} {column}"


def placed(kit: Kit) -> dict[str, str]:
    """The hole of every leg that is on the board; legs of buttons come from their own two wires."""
    legs = {f"U1.{leg}": f"f{FIRST_LEG + leg - 1}" for leg in range(1, 8)}
    legs |= {f"U1.{leg}": f"e{FIRST_LEG + 14 - leg}" for leg in range(8, 15)}
    legs |= {"C1.1": f"c{FIRST_LEG}", "C1.2": "c9"}
    legs |= {"R2.1": f"h{FIRST_LEG + 1}", "R2.2": "h8", "R1.1": f"h{FIRST_LEG + 2}", "R1.2": "h20"}
    if kit.status:
        legs |= {"R3.1": "h26", "R3.2": "h30", "D2.A": "g30", "D2.K": "g33"}
    buttons = [part for part in parts(kit) if part.kind == "button"]
    for number, part in enumerate(buttons):
        legs |= {f"{part.ref}.1": f"b{25 + 3 * number}", f"{part.ref}.2": f"b{26 + 3 * number}"}
    return legs


def jumpers(kit: Kit) -> list[tuple[str, str]]:
    """The wires from hole to hole, and from a hole to what is beside the board (`J1.19`)."""
    chip = FIRST_LEG
    upper = [chip + 14 - leg for leg in (13, 12, 10, 9)]
    lower = [chip + leg - 1 for leg in (1, 4, 5, 7)]
    wires = [(f"a{column}", f"-{column}") for column in (9, *upper)]
    wires += [(f"j{column}", f"={column}") for column in (8, *lower)]
    wires += [(f"a{chip}", f"+{chip}"), ("-49", "=49")]
    wires += [("J1.19", f"j{chip + 1}"), ("j20", "D1.DIN"), ("J1.6", "-1")]
    wires += [("F1.2", "+3"), ("PS1.-", "-5"), ("+19", "D1.5V"), ("-22", "D1.GND")]
    buttons = [part for part in parts(kit) if part.kind == "button"]
    by_net = {net: f"J1.{leg}" for part in parts(kit) if part.ref == "J1" for leg, net in part.legs.items()}
    if kit.status:
        wires += [(by_net[STATUS_LAMP], "j26"), ("j33", "=33")]
    for number, part in enumerate(buttons):
        column = 25 + 3 * number
        wires += [(by_net[part.legs["1"]], f"a{column}"), (f"a{column + 1}", f"-{column + 1}")]
    return wires


def breadboard(kit: Kit, language: str = "en") -> str:
    """The picture as an SVG document."""
    kit = kit.fitted(kit.grid)
    ink, found = Ink(language), {part.ref: part for part in parts(kit)}
    title = say("hardware.sheet_breadboard", language, kit=kit.name)
    ink.text(40, 30, title, "t")
    _board(ink)
    _parts(ink, kit, found)
    for start, end in jumpers(kit):
        _jumper(ink, start, end)
    ink.text(40, ink.bottom + 24, ink.said("breadboard"), "s")
    return ink.svg(title, LEFT * 2 + PITCH * (COLUMNS + 1))


def _board(ink: Ink) -> None:
    width, height = PITCH * (COLUMNS + 1), PITCH * 15.8
    place = f'x="{LEFT}" y="{TOP - 3 * PITCH}" width="{width:g}" height="{height:g}"'
    ink.raw(f'<rect class="b" {place} rx="8"/>', TOP + height - 3 * PITCH)
    for row in (*RAILS, *UPPER, *LOWER):
        x, y = hole(f"{row}1")
        ink.text(x - PITCH + 4, y + 4, row.replace("=", "-"), "s")
        for column in range(1, COLUMNS + 1):
            x, y = hole(f"{row}{column}")
            ink.raw(f'<circle cx="{x:g}" cy="{y:g}" r="2" fill="#bbb"/>')
    for column in range(5, COLUMNS + 1, 5):
        x, y = hole(f"e{column}")
        if not FIRST_LEG <= column < FIRST_LEG + 7:
            ink.text(x, y + 22, str(column), "s m")


def _parts(ink: Ink, kit: Kit, found: dict[str, Part]) -> None:
    legs = placed(kit)
    (x, y), (to_x, to_y) = hole(legs["U1.14"]), hole(legs["U1.7"])
    size = f'width="{to_x - x + 16:g}" height="{to_y - y - 8:g}"'
    ink.raw(f'<rect x="{x - 8:g}" y="{y + 4:g}" {size} rx="3" fill="#333"/>')
    ink.raw(f'<circle cx="{x:g}" cy="{to_y - 12:g}" r="3" fill="#ddd"/>')
    middle = f'x="{(x + to_x) / 2:g}" y="{(y + to_y) / 2 + 4:g}"'
    ink.raw(f'<text {middle} class="m" style="fill:#fff">74AHCT125</text>')
    for ref in ("C1", "R1", "R2", "R3", "D2"):
        if part := found.get(ref):
            first, second = part.legs
            ends = hole(legs[f"{ref}.{first}"]), hole(legs[f"{ref}.{second}"])
            ink.part(ref, part.kind, part.value, *ends, (first, second))
    for part in found.values():
        if part.kind == "button":
            start = hole(legs[f"{part.ref}.1"])
            # Beside the next button there is no room for one line.
            for number, line in enumerate(wrap(ink.called(part.value), 12)):
                ink.text(start[0] + PITCH / 2, start[1] + 1.2 * PITCH + 12 * number, line, "s m h")
    for leg, place in legs.items():
        x, y = hole(place)
        ink.raw(
            f'<circle data-leg="{leg}" data-hole="{place}" cx="{x:g}" cy="{y:g}" r="3.4" fill="#1b5e9c"/>'
        )


def _jumper(ink: Ink, start: str, end: str) -> None:
    """A wire; what leaves the board goes up to a label, and says where to."""
    inside = end if "." in start else start
    away = start if "." in start else end if "." in end else None
    x, y = hole(inside)
    data = f'data-from="{start}" data-to="{end}"'
    if away is None:
        to_x, to_y = hole(end)
        _path(ink, data, f"M{x:g} {y:g} L{to_x:g} {to_y:g}", start[0] + end[0])
        return
    below = inside[0] in LOWER
    level = TOP + (13.4 if below else -3.8) * PITCH
    _path(ink, data, f"M{x:g} {y:g} V{level:g}", inside[0])
    # In two lines: beside the next wire there is no room for one.
    for number, name in enumerate(_outside(away)):
        ink.text(x + 3, level + 12 * number + (10 if below else -12), name, "s")


def _outside(away: str) -> list[str]:
    """What a wire that leaves the board goes to; a pin of the header also by its GPIO."""
    if not away.startswith("J1."):
        return [away]
    pin = next((gpio for gpio, number in HEADER.items() if number == int(away[3:])), None)
    return [f"Pi {away[3:]}"] + ([] if pin is None else [f"GPIO{pin}"])


def _path(ink: Ink, data: str, path: str, rows: str) -> None:
    """Red for 5 V, black for ground, green for a signal."""
    colour = "#c62828" if "+" in rows else "#222" if "-" in rows or "=" in rows else "#2a7d2e"
    ink.raw(f'<path {data} d="{path}" fill="none" stroke="{colour}" stroke-width="2.4"/>')
