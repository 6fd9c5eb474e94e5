"""The schematic of a kit, drawn from its netlist: every leg has its number, every wire its net."""

from __future__ import annotations

from collections.abc import Iterator

from hardware import chips, names, power
from hardware.arrangement import rooms_along
from hardware.header import NAMES
from hardware.ink import Ink
from hardware.kits import Kit, Strip
from hardware.netlist import DATA_3V3, GND, HALL_LEGS, LAMPS_5V, PI_3V3, SHIFTER_LEGS, Part, parts

WIDTH = 1480
BELOW = 640
"""What is drawn under the header and the lamps' side."""
CONTACTS = ("button", "reed")


def schematic(kit: Kit, language: str = "en") -> str:
    """The drawing as an SVG document."""
    kit = kit.fitted(kit.grid)
    found = {part.ref: part for part in parts(kit)}
    ink = Ink(language)
    about = names.said(names.about(kit), language)
    title = ink.said("title", kit=kit.name, about=about) if about else kit.name
    ink.text(40, 30, title, "t")
    _header(ink, found["J1"])
    _lamp_side(ink, kit, found)
    ink.bottom = max(ink.bottom, BELOW)
    if kit.expander:
        _chips(ink, [part for part in found.values() if part.kind == "expander"], found)
    _two_legged(ink, [part for part in found.values() if part.kind == "button"], "buttons")
    if "D3" in found:
        _second_chain(ink, found)
    _two_legged(ink, [found[ref] for ref in ("R3", "D2") if ref in found], "status")
    if kit.matrix:
        _matrix(ink, kit, found)
    elif kit.expander:
        reeds = [part for part in found.values() if part.kind == "reed"]
        _two_legged(ink, reeds, "reeds")
        _halls(ink, [part for part in found.values() if part.kind == "hall"], found)
    _strips(ink, kit)
    return ink.svg(title, WIDTH)


def _header(ink: Ink, part: Part) -> None:
    """All forty pins, as they lie: odd ones left, even ones right."""
    legs = [(str(number), NAMES[number], part.legs.get(str(number), "")) for number in range(1, 41)]
    ink.box(part.ref, part.value, (244, 70), 150, legs[::2], legs[1::2], 26)
    ink.note(244, 628, ink.said("rails"), 62)


def _lamp_side(ink: Ink, kit: Kit, found: dict[str, Part]) -> None:
    """Supply, fuse, level shifter and chain, wired as they lie on the table."""
    area, gauge = power.wire(kit)
    top = 110.0
    ink.box("PS1", found["PS1"].value, (600, 80), 90, (), [("+", "+5 V", None), ("-", "GND", GND)], 36)
    plus = (710.0, 80 + 6 + 18)
    fuse = ink.said("fuse", amperes=power.fuse_amperes(kit))
    ink.part("F1", "fuse", fuse, (740, top), (800, top), ("1", "2"))
    ink.wire(plus, (725, plus[1]), (725, top), (740, top))
    ink.wire((800, top), (830, top), (870, top), (1220, top))
    ink.wire((830, top), (830, top - 24))
    ink.flag(LAMPS_5V, (830, top - 24))
    ink.part("C2", "polar", found["C2"].value, (870, 130), (870, 180), ("+", "-"))
    ink.wire((870, top), (870, 130))
    ink.joint((830, top), (870, top))
    ink.flag(GND, (870, 180), "down")
    ink.text(880, top + 16, ink.said("wire", area=area, awg=gauge), "s")
    _chain(ink, found["D1"])
    _shifter(ink, found)


def _chain(ink: Ink, part: Part) -> None:
    """The chain with both its ends: 5 V and ground go into each."""
    x, y, width = 1240, 84, 110
    ink.raw(f'<rect class="b" x="{x}" y="{y}" width="{width}" height="150" rx="4"/>', y + 150)
    ink.text(x + width / 2, y - 8, f"{part.ref}  {part.value}", "t m")
    for name, at in {"5V": (1220, 110), "DIN": (1220, 160), "GND": (1220, 210),
                     "5V end": (1370, 110), "GND end": (1370, 210)}.items():  # fmt: skip
        inside = x if at[0] < x else x + width
        ink.line((inside, at[1]), at)
        ink.leg(f"{part.ref}.{name}", at)
        word = name.replace(" end", "")
        ink.text(inside + (6 if at[0] < x else -6), at[1] + 4, word, "" if at[0] < x else "e")
    ink.flag(GND, (1220, 210), "left")
    ink.flag(LAMPS_5V, (1370, 110))
    ink.flag(GND, (1370, 210))
    ink.note(1376, 132, ink.said("feed"), 17)


def _shifter(ink: Ink, found: dict[str, Part]) -> None:
    part, pitch = found["U1"], 28
    # Legs that have wires of their own here get no flag from the box.
    wired = ("2", "3", "14", *(("5", "6") if "D3" in found else ()))
    legs = [
        (str(n), name, None if str(n) in wired else part.legs.get(str(n), ""))
        for n, name in SHIFTER_LEGS.items()
    ]
    left, right = legs[:7], legs[13:6:-1]
    x, y = 870, 300
    ink.box("U1", part.value, (x, y), 130, left, right, pitch)
    line = {leg: y + 6 + pitch * (n + 0.5) for side in (left, right) for n, (leg, _, _) in enumerate(side)}
    # The input, held low while nobody drives it: the lamps stay dark while the Pi starts.
    ink.wire((x - 20, line["2"]), (720, line["2"]), (690, line["2"]))
    ink.flag(DATA_3V3, (690, line["2"]), "left")
    upper, lower = (720, line["2"] + 12), (720, line["2"] + 62)
    ink.part("R2", found["R2"].kind, found["R2"].value, upper, lower, ("1", "2"))
    ink.wire((720, line["2"]), (720, line["2"] + 12))
    ink.joint((720, line["2"]))
    ink.flag(GND, (720, line["2"] + 62), "down")
    # The output, through its resistor to the first lamp, past the flags of a second channel.
    under = y + 7 * pitch + 44
    value = ink.said("at_first", value=found["R1"].value)
    ink.part("R1", found["R1"].kind, value, (1090, under), (1150, under), ("1", "2"))
    ink.wire((x - 20, line["3"]), (776, line["3"]), (776, under), (1090, under))
    ink.wire((1150, under), (1196, under), (1196, 160), (1220, 160))
    # Those of a second channel, past the wire of the first one.
    for leg in wired[3:]:
        ink.wire((x - 20, line[leg]), (760, line[leg]))
        ink.flag(part.legs[leg], (760, line[leg]), "left")
    # The supply, with its capacitor close by.
    ink.wire((x + 150, line["14"]), (1060, line["14"]), (1076, line["14"]))
    ink.flag(LAMPS_5V, (1076, line["14"]))
    upper, lower = (1060, line["14"] + 14), (1060, line["14"] + 64)
    ink.part("C1", found["C1"].kind, found["C1"].value, upper, lower, ("1", "2"))
    ink.wire((1060, line["14"]), (1060, line["14"] + 14))
    ink.joint((1060, line["14"]))
    ink.flag(GND, (1060, line["14"] + 64), "down")


def _second_chain(ink: Ink, found: dict[str, Part]) -> None:
    """The second chain on the shifter's second channel, by flags; its resistor close to its first lamp."""
    _two_legged(ink, [found["R4"], found["R5"]], "second_chain")
    part = found["D3"]
    legs = [(leg, leg.removesuffix(" end"), net) for leg, net in part.legs.items()]
    ink.box(part.ref, part.value, (930, ink.bottom - 40), 110, legs[:3], legs[3:], 30)


def _chips(ink: Ink, boxes: list[Part], found: dict[str, Part]) -> None:
    """The expanders as their legs lie, three in a row, each with its capacitor."""
    names = {number: name for name, number in chips.LEGS.items()}
    top = ink.bottom + 60
    for number, part in enumerate(boxes):
        x, y = 190 + 440 * (number % 3), top + 460 * (number // 3)
        legs = [(str(n), names.get(n, "NC"), part.legs.get(str(n), "")) for n in range(1, 29)]
        ink.box(part.ref, part.value, (x, y), 150, legs[:14], legs[:13:-1], 24)
        capacitor = found[f"C{int(part.ref[1:]) + 1}"]
        below = y + 24 * 14 + 40
        value = ink.said("close_to", value=capacitor.value, part=part.ref)
        ink.part(capacitor.ref, capacitor.kind, value, (x + 60, below), (x + 110, below), ("1", "2"))
        ink.flag(PI_3V3, (x + 60, below), "left")
        ink.flag(GND, (x + 110, below))


def _two_legged(ink: Ink, found: list[Part], title: str) -> None:
    """Contacts between their own net and ground, five in a row."""
    if not found:
        return
    top = ink.bottom + 50
    ink.text(40, top, ink.said(title), "t")
    for number, part in enumerate(found):
        x, y = 230 + 270 * (number % 5), top + 40 + 50 * (number // 5)
        first, second = part.legs
        ink.part(
            part.ref,
            part.kind,
            "" if part.kind in CONTACTS else part.value,
            (x, y),
            (x + 60, y),
            (first, second),
        )
        ink.flag(part.legs[first], (x, y), "left")
        ink.flag(part.legs[second], (x + 60, y))


def _halls(ink: Ink, halls: list[Part], found: dict[str, Part]) -> None:
    """Hall switches between supply and ground, four in a row, each with its capacitor beside it."""
    if not halls:
        return
    top = ink.bottom + 50
    ink.text(40, top, ink.said("halls"), "t")
    for number, part in enumerate(halls):
        x, y = 110.0 + 360 * (number % 4), top + 40 + 90 * (number // 4)
        legs = [(str(leg), name, part.legs[str(leg)]) for leg, name in HALL_LEGS.items()]
        ink.box(part.ref, part.value, (x, y), 90, legs[:2], legs[2:], 24)
        capacitor = found[f"C{100 + int(part.ref[1:])}"]
        beside = x + 225
        start, end = (beside, y + 18), (beside + 32, y + 18)
        ink.part(capacitor.ref, capacitor.kind, capacitor.value, start, end, ("1", "2"))
        ink.flag(PI_3V3, start, "left")
        ink.flag(GND, end)


def _matrix(ink: Ink, kit: Kit, found: dict[str, Part]) -> None:
    """Every crossing: the column, through reed and diode, to the row."""
    assert kit.matrix is not None
    top, left, wide, high = ink.bottom + 130, 220.0, 150.0, 74.0
    rows, columns, diodes = kit.grid.rows, kit.grid.columns, kit.matrix.diodes
    ink.text(40, top - 80, ink.said("matrix" if diodes else "matrix_plain"), "t")
    for column in range(columns):
        x = left + wide * column
        points = [(x, top - 44), *((x, top + high * row) for row in range(rows))]
        ink.wire(*points)
        ink.joint(*points[1:])
        ink.flag(f"matrix column {column + 1}", (x, top - 44))
    for row in range(rows):
        y = top + high * row + 34
        points = [(left - 40, y), *((left + wide * column + 110, y) for column in range(columns))]
        ink.wire(*points)
        ink.joint(*points[1:])
        ink.flag(f"matrix row {row + 1}", (left - 40, y), "left")
        for column in range(columns):
            room, x, level = row * columns + column + 1, left + wide * column, y - 34
            ink.part(f"K{room}", "reed", "", (x, level), (x + 52, level), ("1", "2"))
            if diodes:
                ink.part(f"D{100 + room}", "diode", "", (x + 52, level), (x + 110, level), ("A", "K"))
            ink.wire((x + (110 if diodes else 52), level), (x + 110, level), (x + 110, y))
            ink.text(x + 20, level + 22, ink.said("room", room=room), "s")


# Strips


def _strips(ink: Ink, kit: Kit) -> None:
    """The chain from its first lamp to its last: which lamp is which room or step."""
    y = ink.bottom + 60
    for strip in kit.strips:
        named = ink.said("strip", strip=names.strip(strip), first=strip.first, last=strip.end - 1)
        ink.text(40, y, named, "t")
        rooms = strip.shows == "rooms"
        for shape, bottom in _room_lamps(ink, strip, kit, y + 12) if rooms else _row_lamps(strip, y + 12):
            ink.raw(shape, bottom)
        y = ink.bottom + 34


def _room_lamps(ink: Ink, strip: Strip, kit: Kit, top: float) -> Iterator[tuple[str, float]]:
    """The rooms as they lie, each with the number of its lamp in the chain."""
    for number, room in enumerate(rooms_along(strip, kit.grid)):
        row, column = divmod(room - 1, kit.grid.columns)
        x, y = 40 + 84 * column, top + 26 * row
        yield f'<rect class="l" x="{x:g}" y="{y:g}" width="80" height="22" rx="4"/>', y + 22
        yield f'<text x="{x + 5:g}" y="{y + 15:g}">{room}</text>', y
        lamp = ink.said("lamp", lamp=(strip.first or 0) + number)
        yield f'<text x="{x + 75:g}" y="{y + 15:g}" class="s e">{lamp}</text>', y


def _row_lamps(strip: Strip, top: float) -> Iterator[tuple[str, float]]:
    for number in range(strip.lamps or 0):
        row, column = divmod(number, 60)
        x, y = 40 + 23 * column, top + 22 * row
        yield f'<rect class="l" x="{x:g}" y="{y:g}" width="20" height="16" rx="3"/>', y + 16
        yield f'<text x="{x + 10:g}" y="{y + 12:g}" class="s m">{(strip.first or 0) + number}</text>', y
